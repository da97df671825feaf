"""What a finding says in words: the catalogue's template, filled in from the report."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from flint import fmpq

from symattn.auditor.catalogue import CATALOGUE
from symattn.auditor.findings.codes import Finding
from symattn.auditor.findings.rule import Lang
from symattn.auditor.judging.printing import spelled
from symattn.auditor.numeral import PERCENT, read_numeral
from symattn.auditor.ranges.working import evaluated
from symattn.auditor.report import ADJUSTED, EQUATION, Cause, Judgement, Printed, Remark, Report, Unread
from symattn.exact.decimal import spell_rational
from symattn.exact.number import Exact
from symattn.exact.plain import brief
from symattn.text.bilingual import Bilingual

LONGEST_CLOSED_FORM = 40
LONGEST_WORKING = 60
ROOT = "sqrt(d_k)"
TERM = re.compile(r"(.*)\.term(?:\[(\d+)\])?")

VERDICT_WORDS: Mapping[str, Bilingual] = MappingProxyType(
    {
        "correct": Bilingual("right", "正确"),
        "rounding": Bilingual("rounding", "舍入"),
        "carried": Bilingual("carried forward", "连带错误"),
        "slip": Bilingual("slip", "差错"),
        "undecided": Bilingual("undecided", "未判定"),
        "shape": Bilingual("shape", "形状不符"),
        "claim": Bilingual("false statement", "陈述有误"),
    }
)

_WHYS: Mapping[str, Bilingual] = MappingProxyType(
    {
        "reason": Bilingual("it gives no reason", "没有写理由"),
        "codes": Bilingual("it names no code", "没有写代码"),
        "unknown": Bilingual("there is no such code", "没有这样的代码"),
    }
)
"""Why a suppression has no effect."""

_UNEQUAL = Bilingual("printed {printed} for {work}; {right}{size}", "{work}：原文为 {printed}；{right}{size}")
"""What SA205 says of an equation, which is called by its working."""

_ADJUSTED = Bilingual(
    "{cell}: {printed} makes its row add up to 1; {right}", "{cell}：{printed} 使这一行之和为 1；{right}"
)
"""What SA101 says of a weight that was moved for that."""

_EXAMPLE = Bilingual(" (the source calls this an example value)", "（原文称之为示例值）")


def quantity(name: str, lang: Lang) -> str:
    """A name as it stands in a sentence: `head2.A` is A of head 2, `Z.term[0]` a summand."""
    if name == ROOT:
        return "√d_k"
    head, _, rest = name.partition(".")
    if re.fullmatch(r"head\d+", head) and rest:
        number = head.removeprefix("head")
        return f"第 {number} 个头的 {rest}" if lang == "zh" else f"{quantity(rest, lang)} of head {number}"
    term = TERM.fullmatch(name)
    if term is None:
        return name
    number = "" if term[2] is None else f" {int(term[2]) + 1}"
    return f"{term[1]} 的第{number} 个加数" if lang == "zh" else f"summand{number} of {term[1]}"


PRINTED_AGAIN = Bilingual("printed again", "再次印出")
"""What a number is called that only repeats the result of a working."""


def cell(number: Printed, lang: Lang) -> str:
    """Which entry a printed number is, counted from 1 as on paper: `Q, row 1, column 2`.

    A stray equation is called by its working.
    """
    if number.name == EQUATION:
        return work_words(number.work or "") or PRINTED_AGAIN[lang]
    return entry(number.name, number.row, number.col, lang)


def entry(name: str, row: int, col: int, lang: Lang) -> str:
    """One entry of a quantity in words; its indices count from 0 here and from 1 in the words."""
    where = quantity(name, lang)
    if name == ROOT:
        return where
    if name.rpartition(".")[2] == "sum" and not col:
        return f"{where} 第 {row + 1} 行" if lang == "zh" else f"{where}, row {row + 1}"
    if lang == "zh":
        return f"{where} 第 {row + 1} 行第 {col + 1} 列"
    return f"{where}, row {row + 1}, column {col + 1}"


def closed_form(judged: Judgement) -> str | None:
    """The exact value where it says more than the printed digits, and is short enough for a sentence.

    What goes on from entries by name says nothing to a reader, nor does the working of an equation again.
    """
    if judged.exact is None or (
        judged.expected is not None and judged.exact.symbolic and _named(judged.exact)
    ):
        return None
    q = judged.exact.rational
    if q is None and judged.printed.name == EQUATION and judged.expected is not None:
        return None
    if q is not None and judged.expected is not None and _is(judged.expected, q):
        return None
    if q is None:
        return brief(judged.exact, LONGEST_CLOSED_FORM)
    form = _spelled(q)
    return form if len(form) <= LONGEST_CLOSED_FORM else None


def _named(x: Exact) -> bool:
    from symattn.exact.substitution import free_symbols

    return bool(free_symbols(x))


def _spelled(q: fmpq) -> str:
    """A rational as the decimal that it is, where that ends within a dozen places; else as a fraction."""
    for places in range(13):
        if (q * 10**places).q == 1:
            return spell_rational(q, places)
    return str(q)


def _is(expected: str, q: fmpq) -> bool:
    return bool(read_numeral(expected.replace(",", ".")).value == q)


def right_value(judged: Judgement, lang: Lang) -> str:
    """`the right value is 1.09`, with its closed form, and what the printed numbers before it give."""
    expected, local, form = judged.expected, judged.local, closed_form(judged)
    zh = lang == "zh"
    if expected is None:
        if form is None:
            return "正确值没有小数形式" if zh else "the right value has no decimal"
        return f"正确值是 {form}" if zh else f"the right value is {form}"
    words = f"正确值是 {expected}" if zh else f"the right value is {expected}"
    if form is not None:
        words += f"（精确值 {form}）" if zh else f" (exactly {form})"
    if local is not None and local not in (expected, judged.printed.numeral.text.strip()):
        words += f"；由前面印出的数得 {local}" if zh else f", from the printed numbers before it {local}"
    return words


def work_words(work: str) -> str:
    """A working as it prints on paper: `2.2×2.1 + 0.9×1.3`. Of a long one its ends."""
    said = re.sub(r"\s*\*\s*", "×", work)
    if len(said) <= LONGEST_WORKING:
        return said
    front, back = said[: LONGEST_WORKING // 2], said[-LONGEST_WORKING // 2 + 5 :]
    return f"{front.rpartition(' ')[0] or front} ... {back.partition(' ')[2] or back}"


def size(judged: Judgement, lang: Lang) -> str:
    """`, off by 0.05`, or nothing where no distance makes sense."""
    apart = distance(judged)
    if not apart:
        return ""
    return f"，相差 {apart}" if lang == "zh" else f", off by {apart}"


def distance(judged: Judgement) -> str:
    """How far a number is from the right one, with as many places as it has: `0.05`."""
    units, numeral = judged.ulps, judged.printed.numeral
    if not units:
        return ""
    percent = numeral.text.strip().endswith(PERCENT)
    places = numeral.places - 2 * percent
    return spell_rational(fmpq(10) ** -places * units, max(places, 0)) + "%" * percent


def cause_words(cause: Cause, lang: Lang, *, doubted: bool = False) -> str:
    """The cause as a sentence without its full stop; rivals are named beside it.

    Doubts are said, unless they are `doubted` before it already.
    """
    plainly = doubted or (cause.certain and not cause.rivals)
    words = [because[lang] for because in (cause.because, *(because for _, because in cause.rivals))]
    if lang == "zh":
        several = "，或者".join(words)
        return f"这里{several}" if plainly else f"这里可能{several}"
    several = ", or ".join(words)
    return f"you have {several}" if plainly else f"you have possibly {several}"


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
        return CATALOGUE[finding.code].say(lang, _remark_values(finding, lang), columns=finding.columns)
    number = finding.printed
    root = finding.root if finding.root is not None else number.first
    second = finding.note == "second" and finding.root is not None
    again = ""
    if second and finding.root is not None:
        where = root_words(report, finding.root, lang)
        again = f"；这是 {where} 之外的又一处差错" if lang == "zh" else f", a slip in addition to {where}"
    values = {
        "cell": cell(number, lang),
        "printed": number.numeral.text.strip(),
        "right": right_value(finding, lang),
        "size": size(finding, lang),
        "again": again,
        "work": work_words(_work(report, number)),
        "gives": _gives(_work(report, number), number, lang),
        "because": cause_words(finding.cause, lang) if finding.cause else "",
        "root": root_words(report, root, lang) if root is not None else "",
        "note": finding.note,
    }
    assert finding.code is not None
    if number.name == EQUATION and finding.code == Finding.NOT_ITS_WORKING:
        said = _UNEQUAL[lang].format(**values)
    elif finding.note == ADJUSTED and finding.code == Finding.INTERMEDIATE_ROUNDING:
        said = _ADJUSTED[lang].format(**values)
    else:
        said = CATALOGUE[finding.code].say(lang, values)
    if finding.cause is not None and "because" not in CATALOGUE[finding.code].needs:
        said += f"；{values['because']}" if lang == "zh" else f"; {values['because']}"
    if finding.note == "copy" and finding.code != Finding.DIFFERING_COPY and number.first is not None:
        line = source_line(report.judgements[number.first].printed)
        before = f"第 {line} 行" if line else "前面"
        said += (
            f"（{before}已印过）"
            if lang == "zh"
            else f" (printed before{f' on line {line}' if line else ''})"
        )
    return said + (_EXAMPLE[lang] if number.example else "")


def _gives(work: str, number: Printed, lang: Lang) -> str:
    """What a working comes to, with the decimals of the number printed after it."""
    working = evaluated(work)
    value = spelled(working.value, number.numeral) if working is not None else None
    told = value is not None and value != number.numeral.text.strip()
    return value if told and value else "别的数" if lang == "zh" else "another number"


def _work(report: Report, number: Printed) -> str:
    """The working beside a number, or beside its first print where it is printed again."""
    if number.work is None and number.first is not None:
        return report.judgements[number.first].printed.work or ""
    return number.work or ""


def _remark_values(remark: Remark, lang: Lang) -> dict[str, str]:
    """The values of a remark in one language, with the phrases that its template puts together."""
    zh = lang == "zh"
    values = {name: words for name, words in remark.values.items() if not name.endswith("_zh")}
    if zh:
        values |= {
            name.removesuffix("_zh"): words for name, words in remark.values.items() if name.endswith("_zh")
        }
    name = quantity(values.get("name") or remark.name or "", lang)
    row = values.get("row", "")
    line = Bilingual("row", "行") if not remark.columns else Bilingual("column", "列")
    there = f"{name} 第 {row} {line.zh}" if zh else f"{name}, {line.en} {row}"
    values["where"] = there if row else name
    fits = values.get("fits", "")
    values["reading"] = "" if not fits.strip("—") else f"；{fits} 有定义" if zh else f"; {fits} is defined"
    if "followed" in values:
        several = [values["followed"], *filter(None, [values.get("rivals")])]
        values["followed"] = "，或者".join(several) if zh else "you have " + ", or ".join(several)
    low, high = values.get("low"), values.get("high")
    if remark.code == Finding.SUPPRESSION_WITHOUT_REASON:
        values["why"] = _WHYS[values["why"]][lang]
    values["factors"] = ""
    if low and high:
        values["factors"] = (
            f"；凡把得分乘以 {low} 至 {high} 之间的数都能解释"
            if zh
            else f"; any factor of the scores from {low} to {high} explains them"
        )
    return values


def unread_message(unread: Unread, lang: Lang) -> str:
    """Why a numeral got no verdict."""
    rule = CATALOGUE[unread.code]
    why = unread.why[lang]
    text = (
        unread.text if len(unread.text) <= LONGEST_CLOSED_FORM else f"{unread.text[:LONGEST_CLOSED_FORM]}..."
    )
    why = why.replace(unread.text, text)
    return rule.say(lang, {"text": text, "why": why, "printed": text, "cell": text})
