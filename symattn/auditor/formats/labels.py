"""The words of a report around its findings, in English and in Chinese, and its closing count."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from symattn.attention.quantities import QUANTITIES
from symattn.auditor.findings.rule import Lang
from symattn.auditor.messages import VERDICT_WORDS, quantity
from symattn.auditor.report import EQUATION
from symattn.text.bilingual import Bilingual, Count

LABELS: Mapping[str, Bilingual] = MappingProxyType(
    {
        "line": Bilingual("line", "行号"),
        "source line": Bilingual("source line", "原文行号"),
        "entry": Bilingual("entry", "位置"),
        "printed": Bilingual("printed", "原文"),
        "right": Bilingual("right", "正确"),
        "quantity": Bilingual("quantity", "量"),
        "outcome": Bilingual("its numbers", "其中的数"),
        "follow": Bilingual("follow", "连带"),
        "distance": Bilingual("off by", "相差"),
        "verdict": Bilingual("verdict", "结论"),
        "code": Bilingual("code", "代码"),
        "finding": Bilingual("finding", "说明"),
        "cause": Bilingual("Cause", "原因"),
        "possible cause": Bilingual("Possible cause", "可能的原因"),
        "matrix": Bilingual("in the whole matrix", "整个矩阵"),
        "row": Bilingual("in this row", "这一行"),
        "column": Bilingual("in this column", "这一列"),
        "cell": Bilingual("in this entry", "这一项"),
        "others": Bilingual("Shapes, conventions and sentences", "形状、约定与陈述"),
        "unread": Bilingual("Without a verdict", "无结论"),
        "count": Bilingual("Count", "统计"),
        "verdicts": Bilingual("verdict", "结论"),
        "numbers": Bilingual("numbers", "个数"),
        "nothing": Bilingual("Nothing to report.", "没有需要报告的内容。"),
        "audit": Bilingual("Audit", "审校"),
        "stated": Bilingual(
            "as printed, with the right values next to the wrong ones", "按原文，错处旁注正确值"
        ),
        "legend": Bilingual("Marks", "标记"),
        "right value": Bilingual("a slip, with the right value", "差错，旁为正确值"),
        "carried value": Bilingual("carried forward from an earlier slip", "由前面的差错连带而错"),
        "rounding value": Bilingual("off only by rounding", "仅因舍入而异"),
        EQUATION: Bilingual("arithmetic", "算式"),
    }
)


def label(key: str, lang: Lang) -> str:
    """A label of the table above."""
    return LABELS[key][lang]


def step_title(name: str, lang: Lang) -> str:
    """`A, attention weights`: a step's name and what it is."""
    if name == EQUATION:
        return label(name, lang)
    known, where = QUANTITIES.of(name), quantity(name, lang)
    if known is None or known.title is None or known.title[lang] == where:
        return where
    return f"{where}{'，' if lang == 'zh' else ', '}{known.title[lang]}"


COUNTED: Mapping[str, tuple[str, str]] = MappingProxyType(  # one, several
    {
        "correct": ("right", "right"),
        "rounding": ("off by rounding only", "off by rounding only"),
        "slip": ("slip", "slips"),
        "carried": ("carried forward", "carried forward"),
        "undecided": ("undecided", "undecided"),
        "shape": ("undefined product", "undefined products"),
        "claim": ("false statement", "false statements"),
    }
)


def summary(printed: int, unread: int, counts: Mapping[str, int], lang: Lang) -> str:
    """The closing sentence: how many numbers were printed, and what became of them."""
    suppressed = counts.get("suppressed", 0)
    if lang == "zh":
        parts = [
            f"{VERDICT_WORDS[verdict].zh} {counts[verdict]}" for verdict in COUNTED if counts.get(verdict)
        ]
        parts += [f"无结论 {unread}"] if unread else []
        quiet = f"；另有 {suppressed} 处已抑制" if suppressed else ""
        return f"共印出 {printed} 个数" + (f"：{'，'.join(parts)}" if parts else "") + f"{quiet}。"
    parts = [
        f"{counts[verdict]} {one if counts[verdict] == 1 else several}"
        for verdict, (one, several) in COUNTED.items()
        if counts.get(verdict)
    ]
    parts += [f"{unread} without a verdict"] if unread else []
    return f"{Count(printed):printed number}" + (
        (f": {', '.join(parts)}" if parts else "") + (f"; {suppressed} suppressed." if suppressed else ".")
    )
