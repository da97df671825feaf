"""The parts of a LayerNorm that sources print one by one: mean, variance, deviation, the centred row.

Ba, Kiros and Hinton 2016, eq. (3): a plan has the norm as one step, a page its mean and its variance.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from flint import arb
from msgspec.structs import replace

from symattn.exact.enclosure import enclose
from symattn.exact.functions import sqrt
from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.exact.shapes import Shape
from symattn.exact.spell import spell
from symattn.floats.arrays import Floats, np
from symattn.floats.from_exact import to_float
from symattn.floats.interval import BITS, EVERYTHING, Interval
from symattn.floats.norms import ball_of, interval_of
from symattn.floats.tables import Table, added, scaled
from symattn.plans.operation import Operation, Slip
from symattn.plans.ops.layer_norm import LayerNorm
from symattn.text.notation import Formula, Grid, Negative, Number, Power, Product, Quotient, Root, Sum, sum_of

ZERO = Exact.of(0)


class Mean(Operation, frozen=True):
    """The mean of every row of x (n, d): (n, 1)."""

    example_arguments: ClassVar = ([[1, 2], [3, 8]],)

    def shape(self, *shapes: Shape) -> Shape:
        return shapes[0][0], 1

    def exact(self, *arguments: Matrix) -> Matrix:
        return Matrix.of([[sum(row, ZERO) / Exact.of(len(row))] for row in arguments[0].rows()])

    def floats(self, *arguments: Floats) -> Floats:
        means: Floats = arguments[0].mean(axis=1, keepdims=True)
        return means

    def moves(self, *tables: Table) -> Table | None:
        return [[_mean(row)] for row in tables[0]]

    def formula(self, *arguments: Formula) -> Formula:
        return Quotient(Sum(arguments), Number("d"))

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        row = arguments[0].rows[i]
        return Quotient(sum_of(row, spelled=True), Number(str(len(row))))


class Variance(Operation, frozen=True):
    """The mean of the squares (x - mean)^2 of every row, of x (n, d) and its means (n, 1): (n, 1).

    `sample` spells the mistake of dividing by d - 1.
    """

    example_arguments: ClassVar = ([[1, 2], [3, 8]], [[1], [5]])
    sample: bool = False

    def shape(self, *shapes: Shape) -> Shape:
        return shapes[1]

    def exact(self, *arguments: Matrix) -> Matrix:
        x, means = arguments
        count = Exact.of(x.shape[1] - self.sample)
        rows = zip(x.rows(), means.rows(), strict=True)
        return Matrix.of([[sum(((a - m) * (a - m) for a in row), ZERO) / count] for row, (m,) in rows])

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

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        x, means = arguments
        mean = Negative(means.rows[i][0])
        squares = tuple(Power(Sum((cell, mean)), Number("2")) for cell in x.rows[i])
        return Quotient(Sum(squares), Number(str(len(squares) - self.sample)))

    def slips(self) -> tuple[Slip, ...]:
        if self.sample:
            return ()
        return tuple(
            replace(slip, instead=Variance(sample=True))
            for slip in LayerNorm().slips()
            if slip.code == "layernorm-sample-variance"
        )


class Deviation(Operation, frozen=True):
    """The root of every variance (n, 1) and epsilon."""

    example_fields: ClassVar = (Exact.of(1),)
    example_arguments: ClassVar = ([[3], [4]],)
    epsilon: Exact = ZERO

    def exact(self, *arguments: Matrix) -> Matrix:
        return arguments[0].map(lambda variance: sqrt(variance + self.epsilon))

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


class Standardise(Operation, frozen=True):
    """(x - mean) / (deviation + outside), of x (n, d) and columns (n, 1).

    `centred` spells a mean not subtracted.
    """

    example_arguments: ClassVar = ([[1, 2], [3, 8]], [[1], [5]], [[2], [3]])
    outside: Exact = ZERO
    centred: bool = True

    def exact(self, *arguments: Matrix) -> Matrix:
        x, means, deviations = arguments
        columns = zip(x.rows(), means.rows(), deviations.rows(), strict=True)
        return Matrix.of(
            [
                [(a - m if self.centred else a) / (s + self.outside) for a in row]
                for row, (m,), (s,) in columns
            ]
        )

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

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        x, means, deviations = arguments
        cell = x.rows[i][j]
        over = Sum((cell, Negative(means.rows[i][0]))) if self.centred else cell
        return Quotient(over, self._under(deviations.rows[i][0]))

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


class Gained(Operation, frozen=True):
    """x gain + shift, of x (n, d) and two rows (1, d)."""

    finite_decimals: ClassVar[bool] = True
    example_arguments: ClassVar = ([[1, 2], [3, 5]], [[2, -1]], [[1, 3]])

    def exact(self, *arguments: Matrix) -> Matrix:
        x, gain, shift = arguments
        return x.hadamard(gain) + shift

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
