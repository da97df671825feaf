"""Equations that stand outside every pipeline: each is checked on its own.

The left side is evaluated exactly. A numeral of it that the document printed as a result may stand for
more digits, so it moves through its preimage; the others are what they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from symattn.auditor.numeral import Numeral, read_numeral, spell_like
from symattn.auditor.rules import contains
from symattn.auditor.working import read_working
from symattn.case import Place
from symattn.errors import SymattnError
from symattn.exact.decimal import Undecided, rounded
from symattn.exact.enclosure import HasSymbols
from symattn.exact.number import Exact
from symattn.reading.notes.context import Context
from symattn.reading.notes.formula import Chain, Node, Num
from symattn.reading.notes.result import Equation
from symattn.reading.notes.works import entries, is_literal, spell

LONGEST_WORK = 400


@dataclass(frozen=True, slots=True)
class Checked:
    """The verdict on one equation; `expected` is its left side at the printed precision."""

    equation: Equation
    verdict: Literal["correct", "rounding", "slip", "undecided"]
    expected: str | None = None


def equations(
    node: Node, broken: bool, context: Context, rounded: frozenset[str]
) -> Iterator[tuple[Num, Equation]]:
    """Every printed number of a chain beside the working before it, entry by entry."""
    if not isinstance(node, Chain):
        return
    members = node.members[1:] if broken else node.members
    relations = node.relations[1:] if broken else node.relations
    for before, relation, after in zip(members, relations, members[1:], strict=False):
        if not is_literal(after) or relation == ":" or (is_literal(before) and relation != "→"):
            continue
        work, printed = entries(before), entries(after)
        if work is None or printed is None or (len(work), len(work[0])) != (len(printed), len(printed[0])):
            continue
        for works, nums in zip(work, printed, strict=True):
            for cell, num in zip(works, nums, strict=True):
                said = spell(cell)
                if isinstance(num, Num) and len(said) <= LONGEST_WORK and "?" not in said:
                    yield num, Equation(said, num.text, relation, Place(*context.place(num.start)), rounded)


def check(equation: Equation) -> Checked:
    """Judge one equation: exactly where it is exact, by the range of its rounded numerals otherwise."""
    try:
        numeral = read_numeral(equation.printed)
        working = read_working(equation.work, equation.rounded.__contains__)
    except SymattnError:
        return Checked(equation, "undecided")
    if working is None:
        return Checked(equation, "undecided")
    low, high = numeral.nearest()
    try:
        expected = _expected(working.value, numeral)
        if contains(low, high, working.value):
            return Checked(equation, "correct", expected)
        if working.range.meets(low, high) or contains(*numeral.truncated(), working.value):
            return Checked(equation, "rounding", expected)
    except (HasSymbols, Undecided, SymattnError):
        return Checked(equation, "undecided")
    return Checked(equation, "slip", expected)


def _expected(value: Exact, numeral: Numeral) -> str:
    """The value at the printed precision and in the printed notation."""
    q = value.rational
    return spell_like(q, numeral) if q is not None else rounded(value, max(numeral.places, 0)).digits
