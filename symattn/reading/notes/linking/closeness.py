"""When a printed number is near another one; it decides about links only, and never about a verdict."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

from symattn.reading.notes.formulas.formula import Num
from symattn.reading.notes.linking.ledger import size, value

LARGE = 25.0
"""Above this an integer may be a rounded number."""

MOST = 300
"""Digits before the point that a float has room for."""

ROOM = 1.01
"""How many units of its last place a number may be off what it is of: cut off, and a little more."""

Vector = list[float]


def agree(first: Num, again: Num) -> bool:
    """Whether two numerals may be one number, rounded or truncated to the fewer of their decimals."""
    a, b = value(first), value(again)
    if a is None or b is None or not (is_decimal(first) and is_decimal(again)):
        return a == b
    return a == b or abs(a - b) < max(unit(first), unit(again))


def unit(num: Num) -> float:
    """The unit of the last place of a numeral."""
    return _unit(num.text)


@lru_cache(maxsize=1 << 14)
def _unit(text: str) -> float:
    digits, _, power = text.rstrip("%").lower().partition("e")
    places = len(digits.partition(".")[2]) + 2 * text.endswith("%") - int(power or 0)
    return math.inf if places < -MOST else 10.0**-places


def near(num: Num, x: float) -> bool:
    """Whether a number is the other one rounded or cut off, or an integer that equals it."""
    close = ROOM if is_decimal(num) else 0.5 if num.text.endswith("%") or abs(x) > LARGE else 1e-9
    return abs((size(num) or 0.0) - x) <= close * unit(num)


def is_rounded(num: Num, x: float | None) -> bool:
    """Whether a number is the other one, rounded or cut off; an integer is equal."""
    if x is None:
        return False
    if not near(num, x):
        return False
    over = abs(x) - abs(size(num) or 0.0)
    return -0.501 * unit(num) <= over < 0.999 * unit(num)


def is_decimal(num: Num) -> bool:
    """Whether digits stand behind a point: `1.` of a program is the integer."""
    return num.text.rstrip("%").partition(".")[2] != ""


def within(nums: Sequence[Num], vector: Vector, room: float) -> int:
    """How many numbers of a list are no further from those of a row than the room that they have."""
    pairs = zip(nums, vector, strict=True)
    return sum(near(num, x) or abs((size(num) or 0.0) - x) <= room for num, x in pairs)


def alike(printed: Vector, nums: Sequence[Num]) -> bool:
    """Whether a list is a printed row again, but for the odd number; zeros of a mask tell nothing."""
    telling = [(num, x) for num, x in zip(nums, printed, strict=True) if x or value(num)]
    return 2 * sum(near(num, x) for num, x in telling) >= len(telling)


def telling(nums: Sequence[Num], name: str) -> bool:
    """Whether the numbers could hardly agree by chance: decimals, or three different integers of scores.

    Ones are no exponentials for sure: the weights of every row add up to 1.
    """
    if name == "exp" and all(value(num) == 1 for num in nums):
        return False
    whole = len({num.text for num in nums}) > 2 and name not in ("exp", "A")
    return sum(map(is_decimal, nums)) >= 2 or whole
