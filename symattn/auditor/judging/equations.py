"""Equations that stand outside every evaluation: `exp(2.1) = 8.17` is judged by its own two sides.

The working is evaluated exactly. A numeral of it that the document printed as a result, or that rounds a
root, may stand for more digits, so it moves through its preimage; the others are what they are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from flint import fmpq
from msgspec.structs import replace

from symattn.attention.case import Case
from symattn.auditor.findings.codes import Finding
from symattn.auditor.judging.document import ROOTED, Document, Equation, numeral_of, unsigned
from symattn.auditor.judging.following import with_followed, with_meant
from symattn.auditor.judging.misprinted import with_misprints
from symattn.auditor.judging.printing import completed
from symattn.auditor.judging.rules import WIDEST, Ruling, contains, may_be_cut, rounds_twice
from symattn.auditor.numeral import Numeral
from symattn.auditor.ranges.roots import rounded_roots
from symattn.auditor.ranges.working import Working, read_working
from symattn.auditor.report import EQUATION, Judgement, Printed, Report, Unread
from symattn.exact.decimal import Undecided
from symattn.exact.enclosure import HasSymbols
from symattn.exact.number import Exact
from symattn.plans.derive import EMPTY, Derivation
from symattn.text.bilingual import Bilingual

NEAR, NEARER = fmpq(1, 10), fmpq(1, 50)
"""How far a round number may be from what it is said to be about, as a share of itself: rounded, cut off."""


def judge_equations(equations: Sequence[Equation], case: Case, beside: Sequence[Report] = ()) -> Report:
    """A report of its own on stray equations; `case` has nothing but the title, the language and the file.

    `beside` are the reports on the worked examples of the same document: what they say of its inputs, of the
    root that it divides by and of how it rounds holds here too.
    """
    judgements: list[Judgement] = []
    unread: list[Unread] = []
    document = Document(equations, beside)
    found: Found = [_judged(equation, document) for equation in equations]
    if document.cuts(found):
        found = _anew(found, [_judged(equation, document, cut=True) for equation in equations])
    found = _with_rounded_roots(equations, found, document)
    read: list[Equation] = []
    for equation, one in zip(equations, found, strict=True):
        if isinstance(one, Unread):
            unread.append(one)
        else:
            index = len(judgements)
            judgements.append(replace(one, printed=replace(one.printed, index=index, row=index)))
            read.append(equation)
    computed = [one for report in beside for one in report.judgements]

    def again(k: int, work: str) -> Judgement | Unread:
        return _judged(read[k], document, work=work)

    followed = with_followed(with_meant(judgements, computed, again), again)
    followed = with_misprints(
        followed,
        again,
        lambda k, exchanged: document.may_come_to(read[k].printed, read[k].work, read[k].rounded, exchanged),
        document.known_numbers,
        document.wrong,
    )
    return Report(case, Derivation(EMPTY, (), EMPTY), tuple(followed), unread=tuple(unread))


Found = Sequence[Judgement | Unread]


def _with_rounded_roots(equations: Sequence[Equation], found: Found, document: Document) -> Found:
    """The judgements, anew where all that is wrong with a root follows from one that was rounded first."""
    wrong: dict[int, list[int]] = defaultdict(list)
    for k, (equation, one) in enumerate(zip(equations, found, strict=True)):
        root = ROOTED.search(equation.work)
        if root is not None and _is_slip(one):
            wrong[int(root[1])].append(k)
    for n, places in wrong.items():
        for divisor in rounded_roots(n):
            again = {k: _judged(equations[k], document, divisor=divisor) for k in places}
            if not any(map(_is_slip, again.values())):
                found = [again.get(k, one) for k, one in enumerate(found)]
                break
    return found


def _anew(found: Found, again: Found) -> Found:
    """The judgements, with others in the place of slips that are none there."""
    return [
        now if _is_slip(was) and not _is_slip(now) else was for was, now in zip(found, again, strict=True)
    ]


def _is_slip(one: Judgement | Unread) -> bool:
    return isinstance(one, Judgement) and one.verdict == "slip"


def _judged(
    equation: Equation,
    document: Document,
    *,
    cut: bool = False,
    divisor: fmpq | None = None,
    work: str | None = None,
) -> Judgement | Unread:
    """The verdict on one equation, with operands that were cut off, or a root that was rounded first.

    Beside such a root nothing else moves. `work` is another working than its own.
    """
    work = equation.work if work is None else work
    cut = cut or document.truncates
    numeral = numeral_of(equation.printed)
    if numeral is None:
        why = Bilingual(f"{equation.printed!r} is not a printed number", f"{equation.printed!r} 不是印出的数")
        return Unread(equation.printed, Finding.UNREADABLE_NUMERAL, why, place=equation.place)
    working = read_working(
        work,
        document.moving(equation.rounded, held=divisor is not None),
        truncates=cut,
        roots=document.roots,
        divisor=divisor,
        unit=numeral.unit if numeral.places > 0 else None,
    )
    if working is None:
        why = Bilingual(f"its working {work} has no value", f"它的算式 {work} 没有值")
        return Unread(equation.printed, Finding.CANNOT_BE_RECOMPUTED, why, place=equation.place)
    number = Printed(
        0,
        EQUATION,
        0,
        0,
        numeral,
        work=work,
        place=equation.place,
        work_places=equation.work_places,
    )
    try:
        cut = document.truncates or (cut and not numeral.whole)
        ruling = rule_equation(numeral, working, equation.relation, truncates=cut)
    except (HasSymbols, Undecided):
        return Judgement(number, "undecided", Finding.SYMBOLIC_VALUE, working.value)
    judged = completed(Judgement(number, ruling.verdict, ruling.code, working.value), working.value)
    if judged.verdict != "slip" or judged.expected is None or numeral.places < 0:
        return judged
    if numeral.exact and working.value.rational is None:
        return judged
    return replace(judged, fix="unsafe" if unsigned(equation.printed) in document.used else "safe")


def rule_equation(numeral: Numeral, working: Working, relation: str, *, truncates: bool = False) -> Ruling:
    """Correct where the value rounds to the number; rounding where its range does, or it was cut off.

    An integer was cut off only where the document `truncates`. A range of more than `WIDEST` units decides
    nothing.

    An exact `=` between integers holds exactly or not at all; only what no decimal is may be rounded to one.
    Behind `≈` the zeros that an integer ends with may stand for other digits: 9216 + 576 ≈ 9800.
    """
    value = working.value
    if relation == "=" and _whole(numeral, working) and value.rational != numeral.value:
        return Ruling("slip", Finding.NOT_ITS_WORKING)
    if contains(*numeral.nearest(), value) or (truncates and may_be_cut(numeral, value, truncates=truncates)):
        return Ruling("correct")
    if relation == "≈" and _is_round(numeral, value):
        return Ruling("correct")
    if working.range.meets(*numeral.nearest()) or working.range.meets(*numeral.preimage(truncates)):
        if working.range.exceeds(numeral.unit * WIDEST):
            return Ruling("undecided", Finding.TOO_WIDE_TO_DECIDE)
        return Ruling("rounding", Finding.HIDDEN_DIGITS)
    if rounds_twice(numeral, value):
        return Ruling("rounding", Finding.INTERMEDIATE_ROUNDING)
    if may_be_cut(numeral, value, truncates=truncates):
        return Ruling("rounding", Finding.TRUNCATED)
    return Ruling("slip", Finding.NOT_ITS_WORKING)


def _is_round(numeral: Numeral, value: Exact) -> bool:
    """Whether a value is rounded, or nearly so cut off, before the zeros that an integer ends with."""
    digits = unsigned(numeral.text)
    zeros = len(digits) - len(digits.rstrip("0"))
    if not zeros or not digits.isdigit() or not numeral.value:
        return False
    unit, size = fmpq(10**zeros), abs(numeral.value)
    room, cut = min(unit / 2, size * NEAR), min(unit, size * NEARER)
    inner, outer = (size - room, size + max(room, cut))
    low, high = (inner, outer) if numeral.value > 0 else (-outer, -inner)
    return contains(low, high, value)


def _ends(value: fmpq) -> bool:
    """Whether the decimals of a number come to an end."""
    rest = int(value.denominator)
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    return rest == 1


def _whole(numeral: Numeral, working: Working) -> bool:
    """Whether an equation is one between integers: no point, no percentage, and a value that a decimal is."""
    texts = (numeral.text.strip().lstrip("+-−"), *working.numerals)
    value = working.value.rational
    return value is not None and _ends(value) and all(text.isdigit() for text in texts)
