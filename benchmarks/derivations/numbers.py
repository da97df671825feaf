"""Typed expressions read by mpmath, and mpmath numbers as correctly rounded decimals.

A number within 10^-100 of a tie counts as that tie and rounds away from zero, one that is smaller than the
root of the precision as zero: at 400 digits what is below 10^-200.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import mpmath
from mpmath import mpf

NEAR = mpf(10) ** -100
LONGEST = 200
"""Digits before the point up to which a number is written in full."""
FUNCTIONS = {"sqrt": mpmath.sqrt, "log": mpmath.log, "exp": mpmath.exp, "cos": mpmath.cos, "sin": mpmath.sin}


def number(typed: object, sizes: Mapping[str, int] | None = None) -> mpf:
    """The value of a typed number or expression of the generated cases, at the current precision."""
    if isinstance(typed, bool):
        return mpf(int(typed))
    text = str(typed)
    if text == "-inf":
        return mpf("-inf")
    names = {**FUNCTIONS, "mpf": mpf, "pi": +mpmath.pi, "e": +mpmath.e}
    names |= {name: mpf(size) for name, size in (sizes or {}).items()}
    spelled = re.sub(r"\d+(\.\d+)?", lambda found: f"mpf('{found[0]}')", text.replace("^", "**"))
    return mpf(eval(spelled, {"__builtins__": {}}, names))


def counts_as_zero(x: mpf) -> bool:
    """Whether x is as small as what is left of a difference of equal numbers."""
    return bool(abs(x) < mpf(10) ** -(mpmath.mp.dps // 2))


def fixed(x: mpf, places: int) -> str:
    """x with so many decimals, ties away from zero; minus zero is zero. From 10^200 on as 2.4922e686."""
    if mpmath.isinf(x):
        return "-inf"
    if abs(x) >= mpf(10) ** LONGEST:
        return significant(x, places + 1)
    return spelled(x < 0, nearest(abs(x) * mpf(10) ** places), places)


def significant(x: mpf, digits: int) -> str:
    """x with so many significant digits, as 2.61e-17 outside 10^-4 to 10^(digits + 2)."""
    if mpmath.isinf(x):
        return "-inf"
    if counts_as_zero(x):
        return "0"
    power = int(mpmath.floor(mpmath.log10(abs(x)) + NEAR))
    whole = nearest(abs(x) * mpf(10) ** (digits - 1 - power))
    if whole == 10**digits:
        power, whole = power + 1, whole // 10
    if -5 < power < digits + 3:
        places = digits - 1 - power
        return spelled(x < 0, whole, places) if places >= 0 else spelled(x < 0, whole * 10**-places, 0)
    text = str(whole)
    return f"{'-' if x < 0 else ''}{text[0]}{'.' if digits > 1 else ''}{text[1:]}e{power}"


def nearest(size: mpf) -> int:
    """The nearest integer to a number that is not negative; a tie goes up."""
    below = int(mpmath.floor(size))
    return below + (size - below > mpf(1) / 2 - NEAR)


def spelled(negative: bool, whole: int, places: int) -> str:
    """The integer `whole` over 10^places in digits."""
    text = str(whole).rjust(places + 1, "0")
    sign = "-" if negative and whole else ""
    return f"{sign}{text[:-places]}.{text[-places:]}" if places else sign + text
