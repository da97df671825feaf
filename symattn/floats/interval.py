"""Intervals with rigorous ends: pairs of balls (lower end, upper end) at `BITS` of precision."""

from __future__ import annotations

from collections.abc import Sequence

from flint import arb, fmpq
from msgspec import Struct

from symattn.exact.enclosure import enclose
from symattn.exact.number import Exact

BITS = 128


class Interval(Struct, frozen=True, gc=False):
    """From `low` to `high`, both balls; a point has the same ball twice."""

    low: arb
    high: arb

    def __add__(self, other: Interval) -> Interval:
        low = self.low + other.low
        if self.low is self.high and other.low is other.high:
            return Interval(low, low)  # the sum of two points is a point: what follows stays sharp
        return Interval(low, self.high + other.high)

    def __mul__(self, other: Interval) -> Interval:
        if other.low is other.high:
            return self._times_point(other.low)
        if self.low is self.high:
            return other._times_point(self.low)
        ends = [a * b for a in (self.low, self.high) for b in (other.low, other.high)]
        return Interval(least(ends), most(ends))

    def _times_point(self, factor: arb) -> Interval:
        a, b = self.low * factor, self.high * factor
        if self.low is self.high:
            return Interval(a, a)
        return Interval(least([a, b]), most([a, b]))

    def meets(self, low: fmpq, high: fmpq) -> bool:
        """Whether the range may meet [low, high]: False only where it certainly does not."""
        return not (self.low > arb(high) or self.high < arb(low))

    def width(self) -> arb:
        """The length, rounded up."""
        return (self.high - self.low).upper()

    def widened(self, by: fmpq) -> Interval:
        """The range with so much room more at both ends."""
        return Interval(self.low - arb(by), self.high + arb(by))

    def exceeds(self, length: fmpq) -> bool:
        """Whether the range may be longer than that, as one without ends is."""
        return not self.width() <= arb(length)


def point(value: Exact) -> Interval:
    """A number that does not move."""
    ball = enclose(value, BITS)
    return Interval(ball, ball)


def between(low: fmpq, high: fmpq) -> Interval:
    """The interval of two rationals; one point where they agree."""
    ball = arb(low)
    return Interval(ball, ball if low == high else arb(high))


_NOUGHT = arb(0)
ZERO = Interval(_NOUGHT, _NOUGHT)
EVERYTHING = Interval(arb.neg_inf(), arb.pos_inf())


def whole_power(ball: arb, exponent: int) -> arb:
    """A ball to a whole power, also where 0 is in it, of which `**` makes no number at all."""
    if exponent and ball.contains(0):
        return arb(0, (abs(ball).upper() ** exponent).upper())
    return ball**exponent


def least(ends: Sequence[arb]) -> arb:
    """The lower end of them all."""
    low = ends[0]
    for end in ends[1:]:
        low = low.min(end)
    return low


def most(ends: Sequence[arb]) -> arb:
    """The upper end of them all."""
    high = ends[0]
    for end in ends[1:]:
        high = high.max(end)
    return high
