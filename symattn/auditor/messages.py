"""What a finding says in words: the catalogue's template, filled in from the report."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from symattn.auditor.catalogue import CATALOGUE, Words
from symattn.auditor.findings.rule import Lang
from symattn.auditor.report import Cause, Judgement, Printed, Remark, Report, Unread

LONGEST_CLOSED_FORM = 40
TERM = re.compile(r"(.*)\.term(?:\[(\d+)\])?")

VERDICT_WORDS: Mapping[str, Words] = MappingProxyType(
    {
        "correct": Words("right", "正确"),
        "rounding": Words("rounding", "舍入"),
        "carried": Words("carried forward", "前错带来"),
        "slip": Words("slip", "差错"),
        "undecided": Words("undecided", "未判定"),
        "shape": Words("shape", "形状"),
        "claim": Words("false statement", "陈述有误"),
    }
)

_EXAMPLE = Words(" (the source calls this an example value)", "（原文称之为示例值）")


def quantity(name: str, lang: Lang) -> str:
    """A name of the walk as it stands in a sentence: `head2.A` is A of head 2, `Z.term[0]` a summand."""
    head, _, rest = name.partition(".")
    if re.fullmatch(r"head\d+", head) and rest:
        number = head.removeprefix("head")
        return f"第 {number} 个头的 {rest}" if lang == "zh" else f"{quantity(rest, lang)} of head {number}"
    term = TERM.fullmatch(name)
    if term is None:
        return name
    number = "" if term[2] is None else f" {int(term[2]) + 1}"
    return f"{term[1]} 的第{number} 个加项" if lang == "zh" else f"summand{number} of {term[1]}"


def cell(number: Printed, lang: Lang) -> str:
    """Which entry a printed number is, counted from 1 as on paper: `Q, row 1, column 2`."""
    return entry(number.name, number.row, number.col, lang)


def entry(name: str, row: int, col: int, lang: Lang) -> str:
    """One entry of a quantity in words; its indices count from 0 here and from 1 in the words."""
    where = quantity(name, lang)
    if name == "sqrt(d_k)":
        return where
    if name.rpartition(".")[2] == "sum":
        return f"{where} 第 {row + 1} 行" if lang == "zh" else f"{where}, row {row + 1}"
    if lang == "zh":
        return f"{where} 第 {row + 1} 行第 {col + 1} 列"
    return f"{where}, row {row + 1}, column {col + 1}"


def closed_form(judged: Judgement) -> str | None:
    """The exact value where it says more than the printed digits, and is short enough for a sentence."""
    if judged.exact is None:
        return None
    q = judged.exact.rational
    if q is not None and judged.expected is not None and _is(judged.expected, q):
        return None
    from symattn.exact.plain import plain

    form = plain(judged.exact)
    return form if len(form) <= LONGEST_CLOSED_FORM else None


def _is(expected: str, q: object) -> bool:
    from symattn.auditor.numeral import read_numeral

    return bool(read_numeral(expected).value == q)


def right_value(judged: Judgement, lang: Lang) -> str:
    """`the right value is 1.09`, with the closed form, and what the printed numbers before it give."""
    expected, local = judged.expected, judged.local
    if expected is None:
        form = closed_form(judged)
        if form is None:
            return "正确值无法写成小数" if lang == "zh" else "its right value has no decimal"
        return f"正确值是 {form}" if lang == "zh" else f"the right value is {form}"
    form = closed_form(judged)
    spelled = expected if form is None else f"{expected} = {form}" if _exactly(judged) else f"{expected} ≈ {form}"
    words = f"正确值是 {spelled}" if lang == "zh" else f"the right value is {spelled}"
    if local is not None and local != expected and local != judged.printed.numeral.text.strip():
        words += f"；由前面印出的数得 {local}" if lang == "zh" else f", from the printed numbers before it {local}"
    return words


def _exactly(judged: Judgement) -> bool:
    q = judged.exact.rational if judged.exact is not None else None
    return q is not None and judged.expected is not None and _is(judged.expected, q)


def size(judged: Judgement, lang: Lang) -> str:
    """`, off by 5 units of the last place`, or nothing where a number of units makes no sense."""
    units = judged.ulps
    if not units:
        return ""
    if lang == "zh":
        return f"，相差末位 {units} 个单位"
    return f", off by {units} unit{'' if abs(units) == 1 else 's'} of the last place"


def cause_words(cause: Cause, lang: Lang) -> str:
    """The cause as a sentence without its full stop; rivals are named beside it, doubts are said."""
    if lang == "zh":
        several = "，或者".join([cause.zh, *(zh for _, _, zh in cause.rivals)])
        return f"这里{several}" if cause.certain and not cause.rivals else f"这里可能{several}"
    several = ", or ".join([cause.because, *(because for _, because, _ in cause.rivals)])
    return f"you have {several}" if cause.certain and not cause.rivals else f"you have possibly {several}"


def root_words(report: Report, index: int, lang: Lang) -> str:
    """The slip that a number goes back to: `Q, row 1, column 1 (1.14, line 49)`."""
    root = report.judgements[index].printed
    line = source_line(root)
    text = root.numeral.text.strip()
    if lang == "zh":
        return f"{cell(root, lang)}（{text}{f'，第 {line} 行' if line else ''}）"
    return f"{cell(root, lang)} ({text}{f', line {line}' if line else ''})"


def source_line(finding: Printed | Remark | Unread) -> int | None:
    """The line of the source where it is known, else that of the audited file."""
    return finding.source_line or (finding.place.line if finding.place else None)


def message(report: Report, finding: Judgement | Remark, lang: Lang) -> str:
    """The whole sentence of a finding, without a full stop."""
    if isinstance(finding, Remark):
        return CATALOGUE[finding.code].say(lang, dict(finding.values))
    number = finding.printed
    root = finding.root if finding.root is not None else number.first
    second = finding.note == "second" and finding.root is not None
    again = ""
    if second and finding.root is not None:
        where = root_words(report, finding.root, lang)
        again = f"；另有前错 {where}" if lang == "zh" else f", a slip of its own beside {where}"
    values = {
        "cell": cell(number, lang),
        "printed": number.numeral.text.strip(),
        "right": right_value(finding, lang),
        "size": size(finding, lang),
        "again": again,
        "work": number.work or "",
        "because": cause_words(finding.cause, lang) if finding.cause else "",
        "root": root_words(report, root, lang) if root is not None else "",
        "note": finding.note,
    }
    assert finding.code is not None
    said = CATALOGUE[finding.code].say(lang, values)
    if finding.cause is not None and "because" not in CATALOGUE[finding.code].needs:
        said += f"；{values['because']}" if lang == "zh" else f"; {values['because']}"
    if finding.note == "copy" and finding.code != "SA206" and number.first is not None:
        line = source_line(report.judgements[number.first].printed)
        before = f"第 {line} 行" if line else "前面"
        said += f"（{before}已印过）" if lang == "zh" else f" (printed before{f' on line {line}' if line else ''})"
    return said + (_EXAMPLE.of(lang) if number.example else "")


def unread_message(unread: Unread, lang: Lang) -> str:
    """Why a numeral got no verdict."""
    rule = CATALOGUE[unread.code]
    return rule.say(lang, {"text": unread.text, "why": unread.why, "printed": unread.text, "cell": unread.text})
