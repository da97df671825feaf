"""The ranges of rows that are divided by their own size: LayerNorm, RMSNorm, rows of length one.

Such a row moves against itself when one entry moves, so its range is the one of the mean value theorem:
the value in the middle, and as much around it as the derivatives over the whole box allow.
"""

from __future__ import annotations

from collections.abc import Sequence

from flint import arb

from symattn.exact.enclosure import enclose
from symattn.exact.number import Exact
from symattn.floats.interval import BITS, EVERYTHING, Interval, least, most


def ball_of(a: Interval) -> arb:
    """The interval as one ball."""
    return a.low if a.low is a.high else a.low.union(a.high)


def interval_of(ball: arb) -> Interval:
    """From the lower to the upper end of a ball."""
    return Interval(ball.lower(), ball.upper())


def normed(
    row: Sequence[Interval], epsilon: Exact, outside: Exact, *, centred: bool, mean: bool
) -> list[Interval]:
    """The row over the root of the sum of its squares, or of their mean, and epsilon, plus what is outside.

    With `centred` the mean of the row is subtracted first.
    """
    more, added, d = enclose(epsilon, BITS), enclose(outside, BITS), len(row)
    count = d if mean else 1
    boxes = [ball_of(a) for a in row]
    middles = [box.mid() for box in boxes]
    wide, root = _parts(boxes, more, count, centred=centred)
    divisor = root + added
    if not divisor > 0:
        return [EVERYTHING] * d
    values = [a / divisor for a in wide]
    if all(a.low is a.high for a in row):
        return [Interval(value, value) for value in values]
    if not root > 0:
        return [interval_of(value) for value in values]
    sharp, middle_root = _parts(middles, more, count, centred=centred)
    found = []
    for i, value in enumerate(values):
        around = sharp[i] / (middle_root + added)
        for j, (box, middle) in enumerate(zip(boxes, middles, strict=True)):
            own = (i == j) - arb(1) / d if centred else arb(int(i == j))
            slope = own / divisor - value * values[j] / count / root
            around += slope * (box - middle)
        low = most([value.lower(), around.lower()])
        found.append(Interval(low, least([value.upper(), around.upper()])))
    return found


def _parts(row: Sequence[arb], epsilon: arb, count: int, *, centred: bool) -> tuple[list[arb], arb]:
    """What is divided, with each entry used once, and the root that divides it."""
    d = len(row)
    apart = [
        a * (arb(d - 1) / d) - sum((b for k, b in enumerate(row) if k != i), arb(0)) / d if centred else a
        for i, a in enumerate(row)
    ]
    return apart, (sum((a * a for a in apart), arb(0)) / count + epsilon).sqrt()
