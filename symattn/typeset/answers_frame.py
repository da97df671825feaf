"""The frame of a page on which every entry answers: its words in two languages, its switches, its panel."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from types import MappingProxyType

from symattn.text.bilingual import Bilingual
from symattn.typeset.mathml import escaped

WORDS = MappingProxyType(
    {
        "givens": Bilingual("Givens", "已知"),
        "given": Bilingual("given", "已知"),
        "misprint": Bilingual("The source has", "原文为"),
        "step-by-step": Bilingual("Step by step", "逐步计算"),
        "entries": Bilingual("Worked entries", "逐项计算"),
        "example": Bilingual("One worked entry", "一个元素的计算"),
        "numbers": Bilingual("Numbers", "数值"),
        "closed": Bilingual("closed form", "封闭形式"),
        "decimal": Bilingual("decimals", "小数"),
        "both": Bilingual("both", "都显示"),
        "rounding": Bilingual("Rounding", "舍入"),
        "count": Bilingual("Digits", "位数"),
        "places": Bilingual("decimal places", "小数位"),
        "significant": Bilingual("significant digits", "有效数字"),
        "language": Bilingual("Language", "语言"),
        "theme": Bilingual("Colours", "配色"),
        "auto": Bilingual("like the system", "跟随系统"),
        "light": Bilingual("light", "浅色"),
        "dark": Bilingual("dark", "深色"),
        "fold": Bilingual("Fold all steps", "全部折叠"),
        "unfold": Bilingual("Unfold all steps", "全部展开"),
        "close": Bilingual("Close", "关闭"),
        "panel": Bilingual("Where this number comes from", "这个数从何而来"),
        "goto": Bilingual("Go to the step", "跳到这一步"),
        "uses": Bilingual("Used for", "用于"),
        "whole": Bilingual("Show the whole matrix", "显示整个矩阵"),
        "formula": Bilingual("formula", "公式"),
        "put-in": Bilingual("numbers put in", "代入"),
        "products": Bilingual("products", "各项之积"),
        "result": Bilingual("result", "结果"),
        "display": Bilingual("Display", "显示"),
        "place": Bilingual("{name}, row {i}, column {j}", "{name}，第 {i} 行第 {j} 列"),
        "hint": Bilingual(
            "Point at a number, or press Tab to reach a matrix and the arrow keys to move in it: the "
            "numbers that it was computed from are highlighted. Enter or a click "
            "keeps the working in place; Escape releases it.",
            "把指针移到一个数上，或按 Tab 键进入矩阵、用方向键移动，"
            "用来算出它的各数会突出显示。回车或单击固定算式，Esc 取消。",
        ),
    }
)


@cache
def resource(name: str) -> str:
    """A file of the folder `answering`."""
    return (files("symattn.typeset") / "answering" / name).read_text(encoding="utf-8")


@cache
def script() -> str:
    """The script of the page, one idea a file."""
    parts = "".join(resource(f"{name}.js") for name in ("digits", "mathml", "entries", "workings", "page"))
    return f'"use strict";\n(() => {{\n{parts}}})();\n'


def two(en: str, zh: str) -> str:
    """HTML in two languages, once where they are one; the style sheet shows one of them."""
    return en if en == zh else f'<span lang="en">{en}</span><span lang="zh">{zh}</span>'


def both(key: str) -> str:
    """Words of the page in both languages."""
    return two(escaped(WORDS[key].en), escaped(WORDS[key].zh))


def spoken(words: Bilingual, lang: str) -> str:
    """The attributes of a name that is heard and not seen; the script keeps it in the page's language."""
    en, zh, now = map(escaped, (words.en, words.zh, words[lang]))
    return f'data-en="{en}" data-zh="{zh}" aria-label="{now}"'


def controls(count: int, most: int, lang: str, *, significant: bool) -> str:
    """What the script answers to; hidden without it, and on paper."""

    def choices(group: str, keys: tuple[str, ...], chosen: str) -> str:
        return "".join(
            f'<label><input type="radio" name="{group}" value="{key}"{" checked" if key == chosen else ""}>'
            f"<span>{both(key)}</span></label>"
            for key in keys
        )

    tongues = "".join(
        f'<label><input type="radio" name="lang" value="{code}"{" checked" if code == lang else ""}>'
        f'<span lang="{code}" class="always">{name}</span></label>'
        for code, name in (("en", "English"), ("zh", "中文"))
    )
    rounding = choices("rounding", ("places", "significant"), "significant" if significant else "places")
    numbers = choices("show", ("closed", "decimal", "both"), "both")
    themes = choices("theme", ("auto", "light", "dark"), "auto")
    return (
        f'<form class="controls js" hidden {spoken(WORDS["display"], lang)}>'
        f"<fieldset><legend>{both('numbers')}</legend>{numbers}</fieldset>"
        f"<fieldset><legend>{both('rounding')}</legend>{rounding}</fieldset>"
        f'<label class="slider"><span>{both("count")}</span>'
        f'<input type="range" name="count" min="{int(significant)}" max="{most}" value="{count}">'
        f"<output>{count}</output></label>"
        f"<fieldset><legend>{both('language')}</legend>{tongues}</fieldset>"
        f"<fieldset><legend>{both('theme')}</legend>{themes}</fieldset>"
        f'<div><button type="button" name="fold">{both("fold")}</button>'
        f'<button type="button" name="unfold">{both("unfold")}</button></div></form>'
    )


def panel(lang: str) -> str:
    """Where an entry answers, and where the answer is read aloud."""
    return (
        f'<section class="panel js" hidden role="region" tabindex="0" {spoken(WORDS["panel"], lang)}>'
        f'<header><span class="quiet">{both("panel")}</span>'
        f'<button type="button" name="close">{both("close")}</button></header>'
        f'<div class="answer"><p class="quiet">{both("hint")}</p></div></section>'
        '<p class="aloud" role="status"></p>'
    )
