"""Numbers of the computation with the errors that Python programs expect, and how they are shown."""

from __future__ import annotations

import decimal
import math
from numbers import Rational, Real
from typing import TypeVar

from symattn.exact import decimal as decimals
from symattn.exact import decision
from symattn.exact.enclosure import HasSymbols
from symattn.exact.functions import power
from symattn.exact.number import Exact as Value
from symattn.exact.number import Infinite
from symattn.exact.plain import brief
from symattn.exact.rounding import Undecided

T = TypeVar("T")

LONGEST_FORM = 80
"""Characters of a closed form that `repr` shows; a longer one is shown by its decimal."""


def quotient(a: Value, b: Value) -> Value:
    """a / b. Raises ZeroDivisionError."""
    if decision.is_zero(b):
        raise ZeroDivisionError("division by an exact zero")
    return a / b


def power_of(a: Value, b: Value) -> Value:
    """a to the power b. Raises ZeroDivisionError."""
    q = b.rational
    if q is not None and q < 0 and decision.is_zero(a):
        raise ZeroDivisionError("zero to a negative power")
    return power(a, b)


def decided(found: T | None, a: Value, b: Value, what: str) -> T:
    """What was found of two numbers. Raises Undecided where that is None."""
    if found is None:
        raise Undecided(f"whether {shown(a)} and {shown(b)} are {what}")
    return found


def digits_of(x: Value, places: int, significant: int | None = None) -> str:
    """A number rounded to places or significant digits. Raises TypeError where symbols are in it."""
    if isinstance(x, Infinite):
        return "-inf"
    try:
        found = decimals.rounded(x, places) if significant is None else decimals.significant(x, significant)
    except HasSymbols:
        form = brief(x, LONGEST_FORM) or "the number"
        raise TypeError(f"{form} has symbols in it, and so no decimal") from None
    return found.digits


def shown(x: Value) -> str:
    """The closed form where it is short, else a decimal."""
    short = brief(x, LONGEST_FORM)
    if short is not None:
        return short
    try:
        return f"≈ {digits_of(x, 0, 6)}"
    except (HasSymbols, TypeError, Undecided):
        return "…"


def refused(value: object) -> str:
    """Why a value is no exact number."""
    if isinstance(value, float | Real):
        return (
            f"the float {value} in exact arithmetic: write "
            f'"{value}" or Fraction("{value}") for the decimal, Fraction({value}) for the binary number'
        )
    kind = type(value).__name__
    return f"an exact number is an int, Fraction, Decimal, expression or SymPy number, not {kind}"


def unbounded_of(other: object) -> float | None:
    """An infinity or NaN as a float; None for any other value."""
    if not isinstance(other, decimal.Decimal | Real) or isinstance(other, Rational):
        return None
    return None if math.isfinite(other) else float(other)
