"""The words of a report around its findings, in English and in Chinese, and its closing count."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from symattn.auditor.findings.rule import Lang, Words
from symattn.auditor.messages import VERDICT_WORDS, quantity
from symattn.auditor.report import EQUATION
from symattn.quantities import QUANTITIES

LABELS: Mapping[str, Words] = MappingProxyType(
    {
        "line": Words("line", "行号"),
        "source line": Words("source line", "原文行号"),
        "entry": Words("entry", "位置"),
        "printed": Words("printed", "印作"),
        "right": Words("right", "正确"),
        "units": Words("units off", "差（末位单位）"),
        "verdict": Words("verdict", "结论"),
        "code": Words("code", "代码"),
        "finding": Words("finding", "说明"),
        "cause": Words("Cause", "原因"),
        "possible cause": Words("Possible cause", "可能的原因"),
        "matrix": Words("in the whole matrix", "整个矩阵"),
        "row": Words("in this row", "这一行"),
        "column": Words("in this column", "这一列"),
        "cell": Words("in this entry", "这一项"),
        "others": Words("Shapes, conventions and sentences", "形状、约定与陈述"),
        "unread": Words("Without a verdict", "无结论"),
        "count": Words("Count", "统计"),
        "verdicts": Words("verdict", "结论"),
        "numbers": Words("numbers", "个数"),
        "nothing": Words("Nothing to report.", "没有要报告的。"),
        "audit": Words("Audit", "审校"),
        "stated": Words("as printed, with the right values beside the wrong ones", "按所印，错处旁注正确值"),
        "legend": Words("Marks", "标记"),
        "right value": Words("a slip, with the right value", "差错，旁为正确值"),
        "carried value": Words("carried forward from an earlier slip", "由前面的差错带来"),
        "rounding value": Words("off only by rounding", "仅因舍入而异"),
        EQUATION: Words("arithmetic", "算式"),
    }
)


def label(key: str, lang: Lang) -> str:
    """A label of the table above."""
    return LABELS[key].of(lang)


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
    return f"{printed} printed number{'' if printed == 1 else 's'}" + (
        (f": {', '.join(parts)}" if parts else "") + (f"; {suppressed} suppressed." if suppressed else ".")
    )
