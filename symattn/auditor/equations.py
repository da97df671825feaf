"""Equations that stand outside every walk: `exp(2.1) = 8.17` is judged by its own two sides.

The working is evaluated exactly. A numeral of it that the document printed as a result, that rounds a root
or that looks like a result may stand for more digits, so it moves through its preimage; the others are what
they are.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Protocol

from flint import arb

from symattn.auditor.numeral import Numeral, read_numeral
from symattn.auditor.printing import completed
from symattn.auditor.report import EQUATION, Judgement, Printed, Report, Unread
from symattn.auditor.roots import LEAST_PLACES, stands_for_root
from symattn.auditor.rules import WIDEST, Ruling, contains, holds_truncated
from symattn.auditor.working import Working, bared, read_working
from symattn.case import Case, Place
from symattn.derive import EMPTY, Derivation
from symattn.errors import SymattnError
from symattn.exact.decimal import Undecided
from symattn.exact.enclosure import HasSymbols
from symattn.exact.number import Exact


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


def judge_equations(equations: Sequence[Equation], case: Case) -> Report:
    """A report of its own on stray equations; `case` has nothing but the title, the language and the file."""
    judgements: list[Judgement] = []
    unread: list[Unread] = []
    operands = frozenset().union(*{equation.rounded for equation in equations})
    results: set[str] = set()
    for equation in equations:
        found = _judged(len(judgements), equation, operands, results)
        if isinstance(found, Judgement):
            judgements.append(found)
            if "." in equation.printed and found.exact != Exact.of(found.printed.numeral.value):
                results.add(_plain(equation.printed))
        else:
            unread.append(found)
    return Report(case, Derivation(EMPTY, (), EMPTY), tuple(judgements), unread=tuple(unread))


def _judged(
    index: int, equation: Equation, operands: frozenset[str], results: Collection[str]
) -> Judgement | Unread:
    try:
        numeral = read_numeral(equation.printed)
    except SymattnError as error:
        return Unread(equation.printed, "SA901", error.found, place=equation.place)
    bare = bared(equation.work)

    def moves(text: str) -> bool:
        if text in equation.rounded or text in results:
            return True
        operand = read_numeral(text)
        return not operand.exact and (
            stands_for_root(operand.value, operand.places)
            or (text in bare and operand.places >= max(numeral.places, LEAST_PLACES))
        )

    working = read_working(equation.work, moves)
    if working is None:
        why = f"its working {equation.work} has no value"
        return Unread(equation.printed, "SA905", why, place=equation.place)
    number = Printed(index, EQUATION, index, 0, numeral, work=equation.work, place=equation.place)
    try:
        ruling = rule_equation(numeral, working, equation.relation)
    except (HasSymbols, Undecided):
        return Judgement(number, "undecided", "SA904", working.value)
    judged = completed(Judgement(number, ruling.verdict, ruling.code, working.value), working.value)
    if judged.verdict != "slip" or judged.expected is None or numeral.places < 0:
        return judged
    if numeral.exact and working.value.rational is None:
        return judged
    return replace(judged, fix="unsafe" if equation.printed in operands else "safe")


def rule_equation(numeral: Numeral, working: Working, relation: str) -> Ruling:
    """Correct where the value rounds to the number; rounding where its range does, or it was cut off.

    A range of more than `WIDEST` units decides nothing.

    An exact `=` between integers holds exactly or not at all.
    """
    value = working.value
    if relation == "=" and _whole(numeral, working) and value.rational != numeral.value:
        return Ruling("slip", "SA205")
    if contains(*numeral.nearest(), value):
        return Ruling("correct")
    if working.range.meets(*numeral.nearest()):
        wide = bool(working.range.width() > arb(numeral.unit * WIDEST))
        return Ruling("undecided", "SA107") if wide else Ruling("rounding", "SA102")
    if holds_truncated(numeral, value):
        return Ruling("rounding", "SA103")
    return Ruling("slip", "SA205")


def _plain(text: str) -> str:
    return text.strip().lstrip("+-−")


def _whole(numeral: Numeral, working: Working) -> bool:
    """Whether an equation is one between integers: no point, no percentage, and a rational value."""
    texts = (numeral.text.strip().lstrip("+-−"), *working.numerals)
    return working.value.rational is not None and all(text.isdigit() for text in texts)
