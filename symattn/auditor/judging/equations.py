"""Equations that stand outside every walk: `exp(2.1) = 8.17` is judged by its own two sides.

The working is evaluated exactly. A numeral of it that the document printed as a result, that rounds a root
or that shows as many decimals as the result and is no input may stand for more digits, so it moves through
its preimage; the others are what they are.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

from flint import fmpq

from symattn.auditor.claims import ROOT
from symattn.auditor.judging.following import with_followed, with_meant
from symattn.auditor.judging.misprinted import with_misprints
from symattn.auditor.judging.printing import completed
from symattn.auditor.judging.rules import WIDEST, Ruling, contains, holds_truncated, rounds_twice
from symattn.auditor.numeral import PERCENT, Numeral, read_numeral
from symattn.auditor.ranges.roots import LEAST_PLACES, rounded_roots, stands_for_root
from symattn.auditor.ranges.working import Working, evaluated, operands, read_working
from symattn.auditor.report import EQUATION, WRONG, Judgement, Printed, Report, Unread
from symattn.case import Case, Place
from symattn.derive import EMPTY, Derivation
from symattn.errors import SymattnError
from symattn.exact.decimal import Undecided
from symattn.exact.enclosure import HasSymbols
from symattn.exact.number import Exact

_TOTAL = re.compile(r"\d+(?:\.\d+)?(?: ?\+ ?\d+(?:\.\d+)?){2,}")
"""A sum of three numbers or more, as that of exponentials: inputs are added in pairs."""
_WEIGHED = re.compile(r"(0\.\d+)\*\(?-?\d+(?:\.\d+)?\)?")
_ROOT = re.compile(r"sqrt\(([0-9]{1,6})\)")
_POWER = re.compile(r"exp\(\(?-?[0-9]+\.[0-9]+\)?\)")
LEAST_TELLING = 2
"""How many right decimals say that the others were worked out in the same way."""
FEWEST_HIDING = 2
"""How many exponentials it takes to say that exponents hide digits."""
MISREAD = "the formula beside it comes to other numbers with those that are printed for its names"


class Equation(Protocol):
    """A printed number beside its working, in the expression language of a case."""

    @property
    def work(self) -> str: ...
    @property
    def printed(self) -> str: ...
    @property
    def relation(self) -> str: ...
    @property
    def place(self) -> Place: ...
    @property
    def rounded(self) -> frozenset[str]:
        """The numerals of the working that the document printed as results."""
        ...

    @property
    def work_places(self) -> tuple[Place, ...]:
        """Where the operands of the working stand, in their order."""
        ...

    @property
    def formula(self) -> int | None:
        """What tells the formulas of names apart that workings were made from; None for a printed working."""
        ...


def judge_equations(equations: Sequence[Equation], case: Case, beside: Sequence[Report] = ()) -> Report:
    """A report of its own on stray equations; `case` has nothing but the title, the language and the file.

    `beside` are the reports on the worked examples of the same document: what they say of its inputs, of the
    root that it divides by and of how it rounds holds here too.
    """
    judgements: list[Judgement] = []
    unread: list[Unread] = []
    document = _Document(equations, beside)
    found: Found = [_judged(equation, document) for equation in equations]
    if document.cuts(found):
        found = _anew(found, [_judged(equation, document, cut=True) for equation in equations])
    found = _with_rounded_roots(equations, _with_hidden_digits(equations, found, document), document)
    misread = _misread(equations, found)
    read: list[Equation] = []
    for equation, one in zip(equations, found, strict=True):
        if isinstance(one, Unread):
            unread.append(one)
        elif equation.formula in misread:
            unread.append(Unread(equation.printed, "SA905", MISREAD, place=equation.place))
        else:
            index = len(judgements)
            judgements.append(replace(one, printed=replace(one.printed, index=index, row=index)))
            read.append(equation)
    walked = [one for report in beside for one in report.judgements]

    def again(k: int, work: str) -> Judgement | Unread:
        return _judged(read[k], document, work=work)

    followed = with_followed(with_meant(judgements, walked, again), again)
    followed = with_misprints(followed, again, document.told, document.wrong)
    return Report(case, Derivation(EMPTY, (), EMPTY), tuple(followed), unread=tuple(unread))


Found = Sequence[Judgement | Unread]


def _with_hidden_digits(equations: Sequence[Equation], found: Found, document: _Document) -> Found:
    """The judgements, anew where most exponentials are those of exponents that show too few digits."""
    powers = [k for k, equation in enumerate(equations) if _POWER.fullmatch(equation.work)]
    wrong = [k for k in powers if _is_slip(found[k])]
    if len(wrong) < FEWEST_HIDING or 2 * len(wrong) < len(powers):
        return found
    again = {k: _judged(equations[k], document, hidden=True) for k in wrong}
    if any(map(_is_slip, again.values())):
        return found
    return [again.get(k, one) for k, one in enumerate(found)]


def _with_rounded_roots(equations: Sequence[Equation], found: Found, document: _Document) -> Found:
    """The judgements, anew where all that is wrong with a root follows from one that was rounded first."""
    wrong: dict[int, list[int]] = defaultdict(list)
    for k, (equation, one) in enumerate(zip(equations, found, strict=True)):
        root = _ROOT.search(equation.work)
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


def _misread(equations: Sequence[Equation], found: Found) -> frozenset[int]:
    """The formulas of names that the numbers beside them disagree with: something else is meant.

    Two swapped numbers of four do not say so, as the other two are right.
    """
    judged = [
        (equation.formula, one)
        for equation, one in zip(equations, found, strict=True)
        if isinstance(one, Judgement) and equation.formula is not None
    ]
    numbers = Counter(equation.formula for equation in equations)
    wrong = Counter(formula for formula, one in judged if one.verdict == "slip")
    telling = Counter(formula for formula, one in judged if one.verdict != "slip" and _tells(one))
    return frozenset(
        formula
        for formula, count in wrong.items()
        if 2 * count > numbers[formula]
        or (2 * count == numbers[formula] and telling[formula] < LEAST_TELLING)
    )


def _tells(one: Judgement) -> bool:
    """Whether a number says by its decimals that its working is meant."""
    numeral = one.printed.numeral
    return numeral.places > 0 and numeral.value != 0


@dataclass(frozen=True)
class _Document:
    """What the rest of a document says about the numerals of its stray equations."""

    equations: Sequence[Equation]
    beside: Sequence[Report]

    @cached_property
    def truncates(self) -> bool:
        """Whether its worked examples cut their decimals off."""
        return any(remark.code == "SA104" for report in self.beside for remark in report.remarks)

    def cuts(self, found: Found) -> bool:
        """Whether a number in a worked example, or in an equation, is known to be cut off."""
        beside = (judged for report in self.beside for judged in report.judgements)
        here = (one for one in found if isinstance(one, Judgement))
        return any(judged.code == "SA103" for judged in (*beside, *here))

    @cached_property
    def inputs(self) -> Collection[fmpq]:
        """The numbers that the worked examples begin with."""
        matrices = [matrix for report in self.beside for matrix in report.derivation.given.values()]
        entries = [entry.rational for matrix in matrices for row in matrix.rows() for entry in row]
        return frozenset(q for q in entries if q is not None)

    @cached_property
    def rounded(self) -> Collection[str]:
        """Results as they were printed, without their sign."""
        return self._linked | frozenset(self._rounded_here())

    @cached_property
    def _linked(self) -> frozenset[str]:
        """The results of the walks beside the equations; those of one walk are one set."""
        linked = frozenset().union(*{equation.rounded for equation in self.equations})
        return frozenset(map(_plain, linked))

    def _rounded_here(self) -> Iterator[str]:
        for equation in self.equations:
            numeral = _numeral(equation.printed) if "." in equation.printed else None
            working = evaluated(equation.work) if numeral is not None else None
            if working is not None and numeral is not None and working.value != Exact.of(numeral.value):
                yield _plain(equation.printed)

    @cached_property
    def used(self) -> Collection[str]:
        """What a result must not be changed alone for: the operands of equations, and what is linked."""
        shown = [operand.text for equation in self.equations for operand in operands(equation.work)]
        return self._linked | frozenset(map(_plain, shown))

    def told(self) -> Iterator[str]:
        """The inputs of the walks, and their numbers that are right."""
        yield from (f"{float(q):g}" for q in self.inputs)
        for judged in (judged for report in self.beside for judged in report.judgements):
            if judged.verdict not in WRONG:
                yield judged.printed.numeral.text

    def wrong(self) -> frozenset[Place | str]:
        """Where the wrong numbers of the walks stand, and what those are that nobody takes for others."""
        judged = [one.printed for report in self.beside for one in report.judgements if one.verdict in WRONG]
        texts = {_plain(number.numeral.text) for number in judged if "." in number.numeral.text}
        return frozenset([*texts, *(number.place for number in judged if number.place is not None)])

    @cached_property
    def roots(self) -> Sequence[Numeral]:
        """The decimals printed for a root, in an equation of its own or as that of d_k."""
        numbers = [judgement.printed for report in self.beside for judgement in report.judgements]
        here = [_numeral(equation.printed) for equation in self.equations if _ROOT.fullmatch(equation.work)]
        linked = [number.numeral for number in numbers if number.name == ROOT]
        return (*linked, *(root for root in here if root is not None))

    def moves(self, text: str, result: Numeral) -> bool:
        """Whether a numeral beside a result may stand for more digits than it shows."""
        operand = read_numeral(text)
        if operand.exact or _plain(text) in self.rounded:
            return not operand.exact
        if stands_for_root(operand.value, operand.places):
            return True
        shown = result.places - (2 if result.text.strip().endswith(PERCENT) else 0)
        return operand.value not in self.inputs and operand.places >= max(shown, LEAST_PLACES)


def _judged(
    equation: Equation,
    document: _Document,
    *,
    cut: bool = False,
    hidden: bool = False,
    divisor: fmpq | None = None,
    work: str | None = None,
) -> Judgement | Unread:
    """The verdict on one equation, with operands that were cut off, or a root that was rounded first.

    Beside such a root nothing else moves; with `hidden`, and in a total of several, every decimal does.
    `work` is another working than its own.
    """
    work = equation.work if work is None else work
    cut = cut or document.truncates
    numeral = _numeral(equation.printed)
    if numeral is None:
        why = f"{equation.printed!r} is not a printed number"
        return Unread(equation.printed, "SA901", why, place=equation.place)
    all_move = hidden or _TOTAL.fullmatch(work) is not None or _is_mean(work)
    working = read_working(
        work,
        lambda text: (all_move and "." in text) or (divisor is None and document.moves(text, numeral)),
        truncates=cut,
        roots=document.roots,
        divisor=divisor,
        unit=numeral.unit if numeral.places > 0 else None,
    )
    if working is None:
        why = f"its working {work} has no value"
        return Unread(equation.printed, "SA905", why, place=equation.place)
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
        ruling = rule_equation(numeral, working, equation.relation, truncates=cut)
    except (HasSymbols, Undecided):
        return Judgement(number, "undecided", "SA904", working.value)
    judged = completed(Judgement(number, ruling.verdict, ruling.code, working.value), working.value)
    if judged.verdict != "slip" or judged.expected is None or numeral.places < 0:
        return judged
    if numeral.exact and working.value.rational is None:
        return judged
    return replace(judged, fix="unsafe" if _plain(equation.printed) in document.used else "safe")


def _is_mean(work: str) -> bool:
    """Whether numbers are weighed by shares that add up to 1, as far as their digits tell."""
    terms = [_WEIGHED.fullmatch(term) for term in work.split(" + ")]
    shares = [read_numeral(term[1]) for term in terms if term is not None]
    room = sum((share.unit for share in shares), fmpq(0)) / 2
    return 1 < len(shares) == len(terms) and abs(sum((share.value for share in shares), fmpq(0)) - 1) <= room


def rule_equation(numeral: Numeral, working: Working, relation: str, *, truncates: bool = False) -> Ruling:
    """Correct where the value rounds to the number; rounding where its range does, or it was cut off.

    A range of more than `WIDEST` units decides nothing.

    An exact `=` between integers holds exactly or not at all.
    """
    value = working.value
    if relation == "=" and _whole(numeral, working) and value.rational != numeral.value:
        return Ruling("slip", "SA205")
    if contains(*numeral.nearest(), value) or (truncates and holds_truncated(numeral, value)):
        return Ruling("correct")
    if working.range.meets(*numeral.nearest()) or working.range.meets(*numeral.preimage(truncates)):
        if working.range.exceeds(numeral.unit * WIDEST):
            return Ruling("undecided", "SA107")
        return Ruling("rounding", "SA102")
    if rounds_twice(numeral, value):
        return Ruling("rounding", "SA101")
    if holds_truncated(numeral, value):
        return Ruling("rounding", "SA103")
    return Ruling("slip", "SA205")


def _numeral(text: str) -> Numeral | None:
    try:
        return read_numeral(text)
    except SymattnError:
        return None


def _plain(text: str) -> str:
    return text.strip().lstrip("+-−")


def _whole(numeral: Numeral, working: Working) -> bool:
    """Whether an equation is one between integers: no point, no percentage, and a rational value."""
    texts = (numeral.text.strip().lstrip("+-−"), *working.numerals)
    return working.value.rational is not None and all(text.isdigit() for text in texts)
