"""The parts of a LayerNorm that sources print one by one: mean, variance, deviation, the centred row.

Ba, Kiros and Hinton 2016, eq. (3): a plan has the norm as one step, a page its mean and its variance.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from flint import arb
from msgspec.structs import replace

from symattn.exact.enclosure import enclose
from symattn.exact.number import Exact
from symattn.exact.shapes import Shape
from symattn.exact.spell import spell
from symattn.floats.arrays import Floats, np
from symattn.floats.from_exact import to_float
from symattn.floats.interval import BITS, EVERYTHING, Interval
from symattn.floats.norms import ball_of, interval_of
from symattn.floats.tables import Table, added, scaled
from symattn.plans.operation import Slip
from symattn.plans.ops.layer_norm import LayerNorm
from symattn.plans.rules import ZERO, Ruled, like, mean_of, root, square, total_of
from symattn.text.notation import Formula, Negative, Number, Power, Product, Quotient, Root, Sum


class Mean(Ruled, frozen=True):
    """The mean of every row of x (n, d): (n, 1)."""

    example_arguments: ClassVar = ([[1, 2], [3, 8]],)

    def shape(self, *shapes: Shape) -> Shape:
        return shapes[0][0], 1

    def cell(self, i: int, j: int, *arguments: Any) -> Any:
        return mean_of(arguments[0].row(i), spelled=True)

    def floats(self, *arguments: Floats) -> Floats:
        means: Floats = arguments[0].mean(axis=1, keepdims=True)
        return means

    def moves(self, *tables: Table) -> Table | None:
        return [[_mean(row)] for row in tables[0]]

    def formula(self, *arguments: Formula) -> Formula:
        return Quotient(Sum(arguments), Number("d"))


class Variance(Ruled, frozen=True):
    """The mean of the squares (x - mean)^2 of every row, of x (n, d) and its means (n, 1): (n, 1).

    `sample` spells the mistake of dividing by d - 1.
    """

    example_arguments: ClassVar = ([[1, 2], [3, 8]], [[1], [5]])
    sample: bool = False

    def shape(self, *shapes: Shape) -> Shape:
        return shapes[1]

    def cell(self, i: int, j: int, *arguments: Any) -> Any:
        x, means = arguments
        squares = total_of(square(cell - means[i, 0]) for cell in x.row(i))
        return squares / like(squares, Exact.of(x.shape[1] - self.sample))

    def floats(self, *arguments: Floats) -> Floats:
        x, means = arguments
        squares: Floats = ((x - means) ** 2).sum(axis=1, keepdims=True) / (x.shape[1] - self.sample)
        return squares

    def moves(self, *tables: Table) -> Table | None:
        x, means = tables
        count = len(x[0]) - self.sample
        rows = [[ball_of(a) - ball_of(m) for a in row] for row, (m,) in zip(x, means, strict=True)]
        return [[interval_of(sum((a * a for a in row), arb(0)) / count)] for row in rows]

    def formula(self, *arguments: Formula) -> Formula:
        x, means = arguments
        return Quotient(Power(Sum((x, Negative(means))), Number("2")), Number("d"))

    def slips(self) -> tuple[Slip, ...]:
        if self.sample:
            return ()
        return tuple(
            replace(slip, instead=Variance(sample=True))
            for slip in LayerNorm().slips()
            if slip.code == "layernorm-sample-variance"
        )


class Deviation(Ruled, frozen=True):
    """The root of every variance (n, 1) and epsilon."""

    example_fields: ClassVar = (Exact.of(1),)
    example_arguments: ClassVar = ([[3], [4]],)
    epsilon: Exact = ZERO

    def cell(self, i: int, j: int, *arguments: Any) -> Any:
        return root(arguments[0][i, j] + self.epsilon)

    def floats(self, *arguments: Floats) -> Floats:
        roots: Floats = np.sqrt(arguments[0] + to_float(self.epsilon))
        return roots

    def moves(self, *tables: Table) -> Table | None:
        more = enclose(self.epsilon, BITS)

        def root(end: arb) -> arb:
            return (end + more).max(arb(0)).sqrt()

        return [[Interval(root(a.low), root(a.high)) for a in row] for row in tables[0]]

    def formula(self, *arguments: Formula) -> Formula:
        return Root(self._under(arguments[0]))

    def _under(self, variance: Formula) -> Formula:
        return Sum((variance, spell(self.epsilon))) if self.epsilon else variance


class Standardise(Ruled, frozen=True):
    """(x - mean) / (deviation + outside), of x (n, d) and columns (n, 1).

    `centred` spells a mean not subtracted.
    """

    example_arguments: ClassVar = ([[1, 2], [3, 8]], [[1], [5]], [[2], [3]])
    outside: Exact = ZERO
    centred: bool = True

    def cell(self, i: int, j: int, *arguments: Any) -> Any:
        x, means, deviations = arguments
        over = x[i, j] - means[i, 0] if self.centred else x[i, j]
        return over / (deviations[i, 0] + self.outside)

    def floats(self, *arguments: Floats) -> Floats:
        x, means, deviations = arguments
        rows: Floats = (x - means if self.centred else x) / (deviations + to_float(self.outside))
        return rows

    def moves(self, *tables: Table) -> Table | None:
        x, means, deviations = tables
        more = enclose(self.outside, BITS)
        return [
            [
                _quotient(ball_of(a) - ball_of(m) if self.centred else ball_of(a), ball_of(s) + more)
                for a in row
            ]
            for row, (m,), (s,) in zip(x, means, deviations, strict=True)
        ]

    def formula(self, *arguments: Formula) -> Formula:
        x, means, deviations = arguments
        return Quotient(Sum((x, Negative(means))), self._under(deviations))

    def _under(self, deviation: Formula) -> Formula:
        return Sum((deviation, spell(self.outside))) if self.outside else deviation

    def slips(self) -> tuple[Slip, ...]:
        if not self.centred:
            return ()
        return tuple(
            replace(slip, instead=replace(self, centred=False))
            for slip in LayerNorm().slips()
            if slip.code == "layernorm-not-centred"
        )


class Gained(Ruled, frozen=True):
    """x gain + shift, of x (n, d) and two rows (1, d)."""

    finite_decimals: ClassVar[bool] = True
    example_arguments: ClassVar = ([[1, 2], [3, 5]], [[2, -1]], [[1, 3]])

    def cell(self, i: int, j: int, *arguments: Any) -> Any:
        x, gain, shift = arguments
        return x[i, j] * gain[0, j] + shift[0, j]

    def floats(self, *arguments: Floats) -> Floats:
        x, gain, shift = arguments
        rows: Floats = x * gain + shift
        return rows

    def moves(self, *tables: Table) -> Table | None:
        x, gain, shift = tables
        return added(scaled(x, gain[0]), shift)

    def formula(self, *arguments: Formula) -> Formula:
        x, gain, shift = arguments
        return Sum((Product((x, gain), "dot"), shift))


def _mean(row: Sequence[Interval]) -> Interval:
    """The mean of a row; both ends are taken where all entries have theirs."""
    low = sum((a.low for a in row), arb(0)) / len(row)
    if all(a.low is a.high for a in row):
        return Interval(low, low)
    return Interval(low, sum((a.high for a in row), arb(0)) / len(row))


def _quotient(over: arb, under: arb) -> Interval:
    return interval_of(over / under) if under > 0 else EVERYTHING
