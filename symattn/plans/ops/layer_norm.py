"""LayerNorm: every row less its mean, over its standard deviation. Ba, Kiros and Hinton 2016, eq. (4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from msgspec.structs import replace

from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.exact.shapes import Shape, one_row
from symattn.exact.spell import spell
from symattn.floats.arrays import Floats, np
from symattn.floats.from_exact import to_float
from symattn.floats.norms import normed
from symattn.floats.tables import Table, added, scaled
from symattn.plans.gradient import Differentiable, Forward, Shares
from symattn.plans.operation import Mistake, Operation, Slip, Working, slip
from symattn.plans.ops.norm_backward import NormBackward, norm_shares
from symattn.plans.ops.pieces import Rooted, Subtracting, Unrooted, Unsubtracted, epsilon_elsewhere
from symattn.plans.plan import Line
from symattn.text.bilingual import Bilingual
from symattn.text.notation import (
    Call,
    Formula,
    Grid,
    Negative,
    Number,
    Power,
    Product,
    Quotient,
    Sum,
    Symbol,
)

ZERO = Exact.of(0)


class LayerNorm(Rooted, Subtracting, Operation, Differentiable, frozen=True):
    """(x - mean) / (sqrt(variance + epsilon) + outside) for every row of x (n, d).

    The variance is the mean of the squares, over d - `freedom`, which is 0. The arguments are (x) or
    (x, gain, shift): a row (1, d) that multiplies the result, and one that is added.
    """

    working: ClassVar[Working] = "rule"
    example_fields: ClassVar = (Exact.of(1),)
    example_arguments: ClassVar = ([[1, 2, 6], [3, 5, -2]], [[2, -1, 1]], [[1, 0, 3]])
    epsilon: Exact = ZERO
    outside: Exact = ZERO
    freedom: int = 0

    def shape(self, *shapes: Shape) -> Shape:
        for shape in shapes[1:]:
            one_row(shape, shapes[0][1], Bilingual("a gain or shift of {a}", "增益或平移是 {a}"))
        return shapes[0]

    def exact(self, *arguments: Matrix) -> Matrix:
        x, *scales = arguments
        normed = self._normed(x)
        return normed.hadamard(scales[0]) + scales[1] if scales else normed

    def _normed(self, x: Matrix) -> Matrix:
        return Matrix.of([self._row(row) for row in x.rows()])

    def _row(self, row: tuple[Exact, ...]) -> list[Exact]:
        mean, divisor = self._moments(row)
        factor = divisor.inverse()
        return [self._apart(x, mean) * factor for x in row]

    def _moments(self, row: tuple[Exact, ...]) -> tuple[Exact, Exact]:
        """The mean, and what the row is divided by."""
        mean = sum(row, ZERO) / Exact.of(len(row))
        squares = sum(((x - mean) * (x - mean) for x in row), ZERO)
        root = self._root(squares / Exact.of(len(row) - self.freedom) + self.epsilon)
        return mean, root + self.outside

    def floats(self, *arguments: Floats) -> Floats:
        x, *scales = arguments
        normed = self._float_normed(x)
        return normed * scales[0] + scales[1] if scales else normed

    def _float_normed(self, x: Floats) -> Floats:
        mean = np.mean(x, axis=1, keepdims=True)
        apart = x - mean
        variance = np.sum(apart * apart, axis=1, keepdims=True) / (x.shape[1] - self.freedom)
        divisor = self._float_root(variance + to_float(self.epsilon)) + to_float(self.outside)
        normed: Floats = self._apart(x, mean) / divisor
        return normed

    def moves(self, *tables: Table) -> Table | None:
        if self.freedom:
            return Operation.moves(self, *tables)
        x, *scales = tables
        rows = [normed(row, self.epsilon, self.outside, centred=True, mean=True) for row in x]
        return added(scaled(rows, scales[0][0]), scales[1]) if scales else rows

    def formula(self, *arguments: Formula) -> Formula:
        return Call("LayerNorm", arguments)

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        x, *scales = arguments
        mean, divisor = self._written(i, j, x)
        normed = Quotient(self._written_apart(x.rows[i][j], mean), divisor)
        if not scales:
            return normed
        gain, shift = (grid.rows[0][j] for grid in scales)
        return Sum((Product((normed, gain), "dot"), shift))

    def parts(self, i: int, j: int, *arguments: Grid) -> tuple[tuple[Symbol, Formula], ...]:
        index = Number(str(i + 1))
        return tuple(
            zip((Symbol("mu", index), Symbol("sigma", index)), self._written(i, j, arguments[0]), strict=True)
        )

    def part_values(self, i: int, j: int, *arguments: Matrix) -> tuple[Exact, ...]:
        x = arguments[0]
        return self._moments(tuple(x[i, k] for k in range(x.shape[1])))

    def _written(self, i: int, j: int, x: Grid) -> tuple[Formula, Formula]:
        """`_moments` of the row of entry (i, j), written out."""
        row = x.rows[i]
        d = Number(str(len(row)))
        mean = Quotient(Sum(row, spelled=True), d) if len(row) > 1 else row[0]
        squares = Sum(tuple(Power(Sum((cell, Negative(mean))), Number("2")) for cell in row))
        variance: Formula = Quotient(squares, Number(str(len(row) - self.freedom)))
        if self.epsilon:
            variance = Sum((variance, spell(self.epsilon)))
        root = self._written_root(variance)
        return mean, Sum((root, spell(self.outside))) if self.outside else root

    def gradient(self, line: Line, g: str, forward: Forward) -> Shares:
        return norm_shares(line, g, self, NormBackward(self.epsilon, self.outside))

    def slips(self) -> tuple[Slip, ...]:
        if self.freedom:
            return ()
        return (
            *self._of_epsilon(),
            slip(
                "layernorm-sample-variance",
                "divided the squares by d - 1 instead of d",
                "方差除以了 d - 1，而不是 d",
                replace(self, freedom=1),
            ),
            slip(
                "layernorm-columns",
                "normalised [down the columns|along the rows] instead of [along the rows|down the columns]",
                "按[列|行]做了层归一化，而不是按[行|列]",
                ColumnLayerNorm(self.epsilon, self.outside),
                on_columns="layernorm-rows",
            ),
            slip(
                "layernorm-not-centred",
                "not subtracted the mean",
                "没有减去均值",
                UncentredLayerNorm(self.epsilon, self.outside),
            ),
            slip(
                "layernorm-unrooted",
                "divided by the variance and not by its root",
                "除以了方差，没有开方",
                UnrootedLayerNorm(self.epsilon, self.outside),
            ),
        )

    def _of_epsilon(self) -> Iterator[Slip]:
        """The mistakes of adding epsilon elsewhere; some libraries have a sample deviation there too."""
        square, root = ("variance", "方差"), ("standard deviation", "标准差")
        yield from epsilon_elsewhere(self, "layernorm", square, root)
        if self.epsilon:
            yield slip(
                "layernorm-sample-epsilon-outside",
                "divided the squares by d - 1 instead of d, and added epsilon to their root",
                "方差除以了 d - 1，而不是 d，且把 ε 加到了标准差上",
                replace(self, epsilon=self.outside, outside=self.epsilon, freedom=1),
            )


class ColumnLayerNorm(Mistake, LayerNorm, frozen=True):
    """The mistake of going down the columns."""

    def _normed(self, x: Matrix) -> Matrix:
        return LayerNorm._normed(self, x.T).T

    def _float_normed(self, x: Floats) -> Floats:
        return LayerNorm._float_normed(self, x.T).T

    def _written(self, i: int, j: int, x: Grid) -> tuple[Formula, Formula]:
        return LayerNorm._written(self, j, i, x.T)


class UncentredLayerNorm(Unsubtracted, LayerNorm, frozen=True):
    """The mistake of leaving the mean in."""


class UnrootedLayerNorm(Unrooted, LayerNorm, frozen=True):
    """The mistake of dividing by the variance."""
