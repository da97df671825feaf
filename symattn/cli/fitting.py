"""Which options of a page go together."""

from __future__ import annotations

import re
from collections.abc import Iterator

from symattn.cli.page import Page
from symattn.text.bilingual import Bilingual
from symattn.text.errors import UnusableValue

Refusal = tuple[bool, str, Bilingual, Bilingual]
"""Whether an option does not fit, the option, what was found and what would work."""


def need_fitting(page: Page) -> None:
    """Raise UnusableValue for the first option that the others leave no place for."""
    for unfit, key, found, advice in (*_of_form(page), *_of_slides(page)):
        if unfit:
            raise UnusableValue(found, advice).at(key=key)


def _of_form(page: Page) -> Iterator[Refusal]:
    form, latex = page.form, page.form == "latex"
    yield (
        page.standalone and not latex,
        "--standalone",
        Bilingual(
            f"it makes a whole LaTeX document, not {form}", f"它生成完整的 LaTeX 文档，不能用于 {form}"
        ),
        Bilingual(
            "write --latex --standalone; --html and --typst are whole pages as they are",
            "请写 --latex --standalone；--html 和 --typst 本来就是完整的页面",
        ),
    )
    yield (
        page.fragment and form != "html",
        "--fragment",
        Bilingual("it leaves the frame of HTML out", "它省去 HTML 页面的外框"),
        Bilingual("write --html --fragment", "请写 --html --fragment"),
    )
    yield (
        page.article and (not latex or page.standalone),
        "--article",
        Bilingual("it makes a LaTeX fragment for an existing document", "它生成用于已有文档的 LaTeX 片段"),
        Bilingual("write --latex --article", "请写 --latex --article"),
    )
    yield (
        page.static and form != "html",
        "--static",
        Bilingual(f"it applies to HTML pages, not to {form}", f"它只用于 HTML 网页，不能用于 {form}"),
        Bilingual("write --html --static", "请写 --html --static"),
    )
    if page.label is not None:
        yield (
            not (page.article and re.fullmatch(r"[\w:.+-]+", page.label)),
            "--label",
            Bilingual(
                f"{page.label!r} contains characters that a label cannot have",
                f"{page.label!r} 含有标签中不能用的字符",
            )
            if page.article
            else Bilingual("only an article has labels", "只有 article 片段有标签"),
            Bilingual(
                "write `--latex --article --label two-heads`", "请写 `--latex --article --label two-heads`"
            ),
        )
    yield (
        form == "json" and (not page.headed or page.elide),
        "--elide" if page.headed else "--no-head",
        Bilingual("JSON has no page that it changes", "JSON 没有可以改变的页面"),
        Bilingual("leave it out, or choose a page such as --text", "请去掉它，或选择 --text 等页面格式"),
    )


def _of_slides(page: Page) -> Iterator[Refusal]:
    """What slides cannot follow."""
    form, engine = page.form, page.engine
    for unfit, en, zh in (
        (
            form not in ("slides", "pdf"),
            f"slides are LaTeX or PDF, not {form}",
            f"幻灯片是 LaTeX 或 PDF，而不是 {form}",
        ),
        (
            engine not in (None, "xelatex"),
            f"slides are made by xelatex, not by {engine}",
            f"幻灯片由 xelatex 生成，不能用 {engine}",
        ),
        (
            page.detail not in (None, "steps", "result"),
            "a slide has one entry of each step",
            "每张幻灯片只写出一个元素的计算",
        ),
    ):
        yield (
            page.slides and unfit,
            "--slides",
            Bilingual(en, zh),
            Bilingual(
                "write --slides alone, or with --pdf -o FILE.pdf", "请只写 --slides，或加上 --pdf -o FILE.pdf"
            ),
        )
