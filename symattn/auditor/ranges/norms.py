"""The ranges of a norm, at once and by its parts, and of what else stands around attention.

A norm moves against itself when one entry of its row moves, so its range is the one of the mean value
theorem: the value in the middle, and as much around it as the derivatives over the whole box allow.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from flint import arb

from symattn.auditor.moments import Deviation, Gained, Mean, Standardise, Variance
from symattn.auditor.ranges.interval import BITS, EVERYTHING, Interval, least, most, point
from symattn.exact.enclosure import enclose
from symattn.ops.activation import AbsoluteValues, Relu
from symattn.ops.layer_norm import LayerNorm
from symattn.ops.rows import ReversedStack, Stack
from symattn.ops.unchanged import Unchanged
from symattn.variants.shift import BelowMaximum
from symattn.variants.temperature import Temper, TimesTemperature

Table = list[list[Interval]]


def _ball(a: Interval) -> arb:
    return a.low if a.low is a.high else a.low.union(a.high)


def _interval(ball: arb) -> Interval:
    return Interval(ball.lower(), ball.upper())


def _mean(op: Mean, x: Table) -> Table:
    return [[_share(row)] for row in x]


def _share(row: Sequence[Interval]) -> Interval:
    """The mean of a row; both ends are taken where all entries have theirs."""
    low = sum((a.low for a in row), arb(0)) / len(row)
    if all(a.low is a.high for a in row):
        return Interval(low, low)
    return Interval(low, sum((a.high for a in row), arb(0)) / len(row))


def _variance(op: Variance, x: Table, means: Table) -> Table | None:
    if op.sample:
        return None
    rows = zip(x, means, strict=True)
    return [
        [_interval(sum(((_ball(a) - _ball(m)) ** 2 for a in row), arb(0)) / len(row))] for row, (m,) in rows
    ]


def _deviation(op: Deviation, variances: Table) -> Table:
    more = enclose(op.epsilon, BITS)

    def root(end: arb) -> arb:
        return (end + more).max(arb(0)).sqrt()

    return [[Interval(root(a.low), root(a.high)) for a in row] for row in variances]


def _standardise(op: Standardise, x: Table, means: Table, deviations: Table) -> Table | None:
    if not op.centred:
        return None
    rows = zip(x, means, deviations, strict=True)
    return [[_quotient(_ball(a) - _ball(m), _ball(s)) for a in row] for row, (m,), (s,) in rows]


def _quotient(over: arb, under: arb) -> Interval:
    return _interval(over / under) if under > 0 else EVERYTHING


def _gained(op: Gained, x: Table, gain: Table, shift: Table) -> Table:
    return [[a * g + b for a, g, b in zip(row, gain[0], shift[0], strict=True)] for row in x]


def _layer_norm(op: LayerNorm, x: Table, *scales: Table) -> Table | None:
    if type(op) is not LayerNorm or op.freedom:
        return None
    normed = [_normed(op, row) for row in x]
    return _gained(Gained(), normed, *scales) if scales else normed


def _normed(op: LayerNorm, row: Sequence[Interval]) -> list[Interval]:
    epsilon, d = enclose(op.epsilon, BITS), len(row)
    boxes = [_ball(a) for a in row]
    middles = [box.mid() for box in boxes]
    wide, divisor = _centred(boxes, epsilon)
    if not divisor > 0:
        return [EVERYTHING] * d
    sharp, root = _centred(middles, epsilon)
    values = [a / divisor for a in wide]
    found = []
    for i, value in enumerate(values):
        around = sharp[i] / root
        for j, (box, middle) in enumerate(zip(boxes, middles, strict=True)):
            slope = ((i == j) - arb(1) / d - value * values[j] / d) / divisor
            around += slope * (box - middle)
        low = most([value.lower(), around.lower()])
        found.append(Interval(low, least([value.upper(), around.upper()])))
    return found


def _centred(row: Sequence[arb], epsilon: arb) -> tuple[list[arb], arb]:
    """Every entry less the mean, each of them used once, and the root of the variance."""
    d = len(row)
    apart = [
        a * (arb(d - 1) / d) - sum((b for k, b in enumerate(row) if k != i), arb(0)) / d
        for i, a in enumerate(row)
    ]
    return apart, (sum((a * a for a in apart), arb(0)) / d + epsilon).sqrt()


def _relu(op: Relu, x: Table) -> Table | None:
    if isinstance(op, AbsoluteValues):
        return None
    nought = arb(0)
    return [
        [Interval(p := a.low.max(nought), p if a.low is a.high else a.high.max(nought)) for a in row]
        for row in x
    ]


def _temper(op: Temper, scores: Table) -> Table:
    multiplied = isinstance(op, TimesTemperature)
    factor = point(op.temperature if multiplied else op.temperature.inverse())
    return [[a * factor if a.low.is_finite() else a for a in row] for row in scores]


def _below_maximum(op: BelowMaximum, scores: Table) -> Table:
    return [_less_largest(row) if op.rows is None or i in op.rows else row for i, row in enumerate(scores)]


def _less_largest(row: Sequence[Interval]) -> list[Interval]:
    """Each score less the largest of the row, which it may be itself: at most 0."""
    found = []
    for j, a in enumerate(row):
        others = [b for k, b in enumerate(row) if k != j and b.low.is_finite()]
        if not a.low.is_finite():
            found.append(a)
        elif all(b.low is b.high for b in (a, *others)):
            apart = a.low - most([a.low, *(b.low for b in others)])
            found.append(Interval(apart, apart))
        else:
            low = a.low - most([a.low, *(b.high for b in others)])
            found.append(Interval(low, a.high - most([a.high, *(b.low for b in others)])))
    return found


def _stack(op: Stack, *parts: Table) -> Table:
    return [row for part in (parts[::-1] if isinstance(op, ReversedStack) else parts) for row in part]


RULES: Mapping[type, Callable[..., Any]] = {
    Mean: _mean,
    Variance: _variance,
    Deviation: _deviation,
    Standardise: _standardise,
    Gained: _gained,
    LayerNorm: _layer_norm,
    Relu: _relu,
    Temper: _temper,
    TimesTemperature: _temper,
    BelowMaximum: _below_maximum,
    Unchanged: lambda op, *arguments: arguments[op.at],
    Stack: _stack,
}
