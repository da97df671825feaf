"""Intervals as floats: a middle and how far they reach to both sides, and back again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flint import arb

from symattn.floats.arrays import np
from symattn.floats.interval import EVERYTHING, Interval
from symattn.floats.tables import Table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

OUTWARD = 1 + 2.0**-40
"""What a radius is multiplied by, so that rounding never makes it smaller."""


def middles(table: Table) -> tuple[Floats, Floats]:
    """The middles of the intervals and their radii, rounded outwards; both (n, m).

    An end that is infinite, or too large for a float, has an infinite radius; minus infinity itself, a
    hidden score, is one number with the radius 0.
    """
    pairs = np.array([[_middle(a) for a in row] for row in table])
    return pairs[..., 0], pairs[..., 1]


def _middle(a: Interval) -> tuple[float, float]:
    if a.low is a.high and not a.low.is_finite():
        return (float("-inf"), 0.0) if a.low < 0 else (0.0, float("inf"))
    if not (a.low.is_finite() and a.high.is_finite()):
        return 0.0, float("inf")
    middle = float(((a.low + a.high) / 2).mid())
    if abs(middle) == float("inf"):
        return 0.0, float("inf")
    reach = abs(a.high - middle).max(abs(middle - a.low)).upper()
    return middle, float(reach) * OUTWARD + (5e-324 if reach else 0.0)


def around(middles: Floats, radii: Floats, unmoved: Floats) -> Table:
    """The intervals of these middles and radii; where a radius is the one of an entry `unmoved`, a point."""
    rows = zip(middles.tolist(), radii.tolist(), unmoved.tolist(), strict=True)
    return [[_interval(*cell) for cell in zip(*row, strict=True)] for row in rows]


def _interval(middle: float, radius: float, unmoved: float) -> Interval:
    if not radius < float("inf"):
        return EVERYTHING
    if radius == unmoved:
        ball = arb(middle, radius) if radius else arb(middle)
        return Interval(ball, ball)
    return Interval(arb(middle) - arb(radius), arb(middle) + arb(radius))
