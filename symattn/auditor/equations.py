"""Equations that stand outside every walk: `exp(2.1) = 8.17` is judged by its own two sides.

The working is evaluated exactly. A numeral of it that the document printed as a result may stand for more
digits, so it moves through its preimage; the others are what they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from symattn.auditor.numeral import Numeral, read_numeral
from symattn.auditor.printing import completed
from symattn.auditor.report import EQUATION, Judgement, Printed, Report, Unread
from symattn.auditor.rules import Ruling, contains, holds_truncated
from symattn.auditor.working import Working, read_working
from symattn.case import Case, Place
from symattn.derive import EMPTY, Derivation
from symattn.errors import SymattnError
from symattn.exact.decimal import Undecided
from symattn.exact.enclosure import HasSymbols


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
    for equation in equations:
        found = _judged(len(judgements), equation, operands)
        if isinstance(found, Judgement):
            judgements.append(found)
        else:
            unread.append(found)
    return Report(case, Derivation(EMPTY, (), EMPTY), tuple(judgements), unread=tuple(unread))


def _judged(index: int, equation: Equation, operands: frozenset[str]) -> Judgement | Unread:
    try:
        numeral = read_numeral(equation.printed)
    except SymattnError as error:
        return Unread(equation.printed, "SA901", error.found, place=equation.place)
    working = read_working(equation.work, equation.rounded.__contains__)
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

    An exact `=` between integers holds exactly or not at all.
    """
    value = working.value
    if relation == "=" and _whole(numeral, working) and value.rational != numeral.value:
        return Ruling("slip", "SA205")
    if contains(*numeral.nearest(), value):
        return Ruling("correct")
    if working.range.meets(*numeral.nearest()):
        return Ruling("rounding", "SA102")
    if holds_truncated(numeral, value):
        return Ruling("rounding", "SA103")
    return Ruling("slip", "SA205")


def _whole(numeral: Numeral, working: Working) -> bool:
    """Whether an equation is one between integers: no point, no percentage, and a rational value."""
    texts = (numeral.text.strip().lstrip("+-−"), *working.numerals)
    return working.value.rational is not None and all(text.isdigit() for text in texts)
