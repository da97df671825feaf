"""Exact numbers in the format specifications of floats: `.6f`, `.3e`, `+8.2f`, `.1%`, `.4g`.

https://docs.python.org/3/library/string.html#format-specification-mini-language
"""

from __future__ import annotations

import decimal
import math
import re
from typing import Final

from symattn.exact.number import Exact as Value
from symattn.exact.number import Infinite
from symattn.library.values import digits_of

_SPECIFICATION: Final = re.compile(
    r"(?P<align>.?[<>=^])?(?P<sign>[-+ ]?z?)(?P<alternate>#?)(?P<zero>0?)(?P<width>\d*)(?P<group>[,_]?)"
    r"(?:\.(?P<precision>\d+))?(?P<kind>[eEfFgG%]?)",
    re.DOTALL,
)
LEAST_FIXED: Final = -4
"""The smallest exponent of ten that `g` writes without an exponent."""


def formatted(x: Value, spec: str) -> str | None:
    """A number as a float's `format` writes it, but with ties away from zero and no negative zero.

    None for a specification that has neither precision nor kind, or is none of floats.
    """
    found = _SPECIFICATION.fullmatch(spec)
    if found is None or not (found["precision"] or found["kind"]):
        return None
    if isinstance(x, Infinite):
        return format(-math.inf, spec)
    kind, alternate = found["kind"], bool(found["alternate"])
    number, places, suffix = _parts(x, kind.lower(), int(found["precision"] or 6), alternate)
    if alternate and not places:
        suffix = "." + suffix
    return _padded(number, places, suffix.upper() if kind.isupper() else suffix, found)


def _parts(x: Value, kind: str, precision: int, alternate: bool) -> tuple[decimal.Decimal, int, str]:
    """The rounded number to write, its decimal places, and what follows its digits."""
    if kind in ("f", "%"):
        digits = decimal.Decimal(digits_of(x, precision + (2 if kind == "%" else 0)))
        return _shifted(digits, 2 if kind == "%" else 0), precision, kind.strip("f")
    figures = precision + 1 if kind == "e" else max(precision, 1)
    digits = decimal.Decimal(digits_of(x, 0, figures))
    exponent = digits.adjusted() if digits else 0
    most = figures if kind else figures - 1  # without a kind there is at least one decimal
    fixed = kind != "e" and LEAST_FIXED <= exponent < most
    number, suffix = (digits, "") if fixed else (_shifted(digits, -exponent), f"e{exponent:+03d}")
    places = figures - 1 - (exponent if fixed else 0)
    if kind != "e" and not alternate:
        places = min(places, _decimals(number))
    return number, max(places, 1) if fixed and not kind else places, suffix


def _shifted(digits: decimal.Decimal, exponent: int) -> decimal.Decimal:
    """digits · 10^exponent, whatever the context."""
    sign, figures, last = digits.as_tuple()
    return decimal.Decimal((sign, figures, int(last) + exponent))


def _decimals(number: decimal.Decimal) -> int:
    """The decimal places of a number that are not trailing zeros."""
    _, _, fraction = f"{number:f}".partition(".")
    return len(fraction.rstrip("0"))


def _padded(number: decimal.Decimal, places: int, suffix: str, spec: re.Match[str]) -> str:
    """The digits and what follows them in the width of a specification."""
    group, width = spec["group"], int(spec["width"] or 0)
    align = spec["align"] or ("=" if spec["zero"] else ">")
    fill = align[:-1] or spec["zero"] or " "
    before, after = spec["sign"], f"{group and ','}.{places}f"
    if align[-1] == "=":
        inside = max(width - len(suffix), 1)
        # zeros before the digits are grouped with them, other characters are not
        before = f"{before}0{inside}" if fill == "0" else f"{fill}={before}{inside}"
    digits = f"{number:{before}{after}}".replace(",", group or ",") + suffix
    return digits if align[-1] == "=" else format(digits, f"{fill}{align[-1]}{width or ''}")
