"""What many workings of one shape may come to, all at once in floats that leave room for their own error.

Nothing is judged by that. It sorts out cheaply the workings that certainly come to something else, before the
others are read and judged exactly.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType

import numpy as np
from flint import fmpq
from msgspec import Struct

from symattn.auditor.ranges.working import is_exponential
from symattn.exact.syntax import Binary, Call, Name, Node, Numeral, Unary
from symattn.floats.arrays import Floats

ROOM = 1e-12
"""How much each step is widened by, relative to its size: it loses a thousandth of that."""

Ranges = Callable[[str], tuple[fmpq, fmpq]]
"""From the characters of a numeral to what it may stand for."""

_NAMES: Mapping[str, float] = MappingProxyType({"e": math.e, "E": math.e, "pi": math.pi})
_RISING: Mapping[str, np.ufunc] = MappingProxyType(
    {"exp": np.exp, "sqrt": np.sqrt, "log": np.log, "ln": np.log}
)


def roughly(node: Node, exchanged: Sequence[tuple[int, str]], ranges: Ranges, loose: fmpq) -> Rough:
    """What a working comes to with one operand after the other exchanged, each counted from the left.

    Where that cannot be said it is not a number. Exponentials that are added may be off by `loose`.
    """
    texts: dict[int, dict[int, str]] = {}
    for k, (at, text) in enumerate(exchanged):
        texts.setdefault(at, {})[k] = text
    with np.errstate(all="ignore"):
        return _Walk(len(exchanged), texts, ranges, float(loose)).of(node)


class Rough(Struct, frozen=True, eq=False):
    """From `low` to `high`, for each of many workings; not a number where nothing is known."""

    low: Floats
    high: Floats

    def may_meet(self, low: fmpq, high: fmpq) -> list[bool]:
        """Which of them may meet [low, high]: False only where one certainly does not."""
        above, below = self.low > float(high) + ROOM, self.high < float(low) - ROOM
        return [not missed for missed in (above | below).tolist()]


class _Walk:
    """One pass through the tree, which takes the numerals from left to right."""

    def __init__(
        self, count: int, texts: Mapping[int, Mapping[int, str]], ranges: Ranges, loose: float
    ) -> None:
        self.count, self.texts, self.ranges, self.loose = count, texts, ranges, loose
        self.passed = 0
        self.whole: int | None = None

    def of(self, node: Node) -> Rough:
        match node:
            case Numeral(text=text):
                return self._numeral(text)
            case Name(name=name):
                return self._filled(_NAMES.get(name, math.nan))
            case Unary(sign=sign, operand=inner):
                part = self.of(inner)
                return Rough(-part.high, -part.low) if sign == "-" else part
            case Call(function=function, argument=inner):
                part, rising = self.of(inner), _RISING.get(function)
                return (
                    self._filled(math.nan)
                    if rising is None
                    else _widened(rising(part.low), rising(part.high))
                )
            case Binary(operator="^", left=left, right=Numeral(text=text)) if text.isdigit():
                base, at = self.of(left), self.passed
                exponent = self.of(node.right)
                return _power(base, int(text)) if at not in self.texts else _raised(base, exponent)
            case Binary(operator=operator, left=left, right=right):
                a, b = self.of(left), self.of(right)
                if _is_scientific(node):
                    return self._filled(math.nan)
                if operator in "+-":
                    a, b = self._held(left, a), self._held(right, b)
                return _JOINED[operator](a, b)

    def _numeral(self, text: str) -> Rough:
        """What an operand may stand for, and what those do that it is exchanged for."""
        at, self.passed = self.passed, self.passed + 1
        own = self._filled(0.0)
        for ends, q in zip((own.low, own.high), self.ranges(text), strict=True):
            ends[:] = float(q)
        for k, other in self.texts.get(at, {}).items():
            low, high = self.ranges(other)
            own.low[k], own.high[k] = float(low), float(high)
        return _widened(own.low, own.high)

    def _held(self, node: Node, part: Rough) -> Rough:
        """A summand, with room for an exponential that was put down before it was added."""
        if not is_exponential(node):
            return part
        return Rough(part.low - self.loose, part.high + self.loose)

    def _filled(self, value: float) -> Rough:
        return Rough(np.full(self.count, value), np.full(self.count, value))


def _is_scientific(node: Binary) -> bool:
    """Whether a number may be one before a power of ten, which stands for what rounds to it."""
    match node:
        case Binary("*", Numeral(), Binary("^", Numeral())):
            return True
    return False


def _widened(low: Floats, high: Floats) -> Rough:
    return Rough(low - ROOM * np.abs(low), high + ROOM * np.abs(high))


def _hull(ends: Iterator[Floats]) -> Rough:
    """From the least to the greatest; what is no number stays none."""
    corners = np.array(list(ends))
    return _widened(corners.min(axis=0), corners.max(axis=0))


def _corners(a: Rough, b: Rough, join: Callable[[Floats, Floats], Floats]) -> Rough:
    return _hull(join(x, y) for x in (a.low, a.high) for y in (b.low, b.high))


def _divided(a: Rough, b: Rough) -> Rough:
    away = (b.low > 0) | (b.high < 0)
    return _corners(a, Rough(np.where(away, b.low, math.nan), np.where(away, b.high, math.nan)), np.divide)


def _power(a: Rough, exponent: int) -> Rough:
    ends = [a.low**exponent, a.high**exponent]
    return _hull(iter([*ends, np.where((a.low < 0) & (a.high > 0), 0.0, ends[0])]))


def _raised(a: Rough, b: Rough) -> Rough:
    """A power of what is certainly above 0, which rises or falls with both."""
    base = np.where(a.low > 0, a.low, math.nan)
    return _corners(Rough(base, a.high), b, np.power)


_JOINED: Mapping[str, Callable[[Rough, Rough], Rough]] = MappingProxyType(
    {
        "+": lambda a, b: _widened(a.low + b.low, a.high + b.high),
        "-": lambda a, b: _widened(a.low - b.high, a.high - b.low),
        "*": lambda a, b: _corners(a, b, np.multiply),
        "/": _divided,
        "^": _raised,
    }
)
