"""RMSNorm, every row over the root of its mean square, and rows of length one, the query-key normalisation.

Zhang and Sennrich 2019, eq. (4); Henry et al. 2020, section 2 (QKNorm).
"""

from __future__ import annotations

from typing import ClassVar

from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.exact.shapes import Shape, one_row
from symattn.exact.spell import spell
from symattn.floats.arrays import Floats, np
from symattn.floats.from_exact import to_float
from symattn.floats.norms import normed
from symattn.floats.tables import Table, scaled
from symattn.plans.gradient import Differentiable, Forward, Share, Shares
from symattn.plans.operation import Mistake, Operation, Slip, Working, slip
from symattn.plans.ops.norm_backward import GAIN_SHAPE, NormBackward, norm_shares
from symattn.plans.ops.pieces import Rooted, Unrooted, epsilon_elsewhere
from symattn.plans.ops.unchanged import Unchanged
from symattn.plans.plan import Line
from symattn.text.notation import Call, Formula, Grid, Number, Power, Product, Quotient, Sum, Symbol, sum_of


class UnitRows(Rooted, Operation, Differentiable, frozen=True):
    """x / |x| for every row of Q or K (n, d). Raises UndefinedValue for a row of zeros."""

    working: ClassVar[Working] = "rule"
    example_arguments: ClassVar = ([[1, 2], [3, 5]],)

    def exact(self, *arguments: Matrix) -> Matrix:
        rows = []
        for row in arguments[0].rows():
            square = sum((x * x for x in row), Exact.of(0))
            factor = self._root(square).inverse()
            rows.append([x * factor for x in row])
        return Matrix.of(rows)

    def floats(self, *arguments: Floats) -> Floats:
        (x,) = arguments
        units: Floats = x / self._float_root(np.sum(x * x, axis=1, keepdims=True))
        return units

    def moves(self, *tables: Table) -> Table | None:
        return [normed(row, Exact.of(0), Exact.of(0), centred=False, mean=False) for row in tables[0]]

    def formula(self, *arguments: Formula) -> Formula:
        return Call("unit", arguments)

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        row = arguments[0].rows[i]
        squared = tuple(Power(cell, Number("2")) for cell in row)
        square = sum_of(squared)
        return Quotient(row[j], self._written_root(square))

    def gradient(self, line: Line, g: str, forward: Forward) -> Shares:
        return (
            Share(line.args[0], NormBackward(centred=False, averaged=False), (line.args[0], line.name, g)),
        )

    def slips(self) -> tuple[Slip, ...]:
        return (
            slip(
                "unit-omitted",
                "not normalised the [rows|columns]",
                "没有把[行|列]归一到单位长度",
                Unchanged(),
            ),
            slip(
                "unit-squared",
                "divided by the square of the length instead of the length",
                "除以了长度的平方，而不是长度",
                SquaredLengths(),
            ),
        )


class SquaredLengths(Unrooted, UnitRows, frozen=True):
    """The mistake of dividing by the square of the length."""


ZERO = Exact.of(0)


class RMSNorm(Rooted, Operation, Differentiable, frozen=True):
    """x / (sqrt(mean of x^2 + epsilon) + outside) for every row of x (n, d), times a gain (1, d) if given."""

    working: ClassVar[Working] = "rule"
    example_fields: ClassVar = (Exact.of(1),)
    example_arguments: ClassVar = ([[1, 2], [3, 5]], [[2, -1]])
    epsilon: Exact = ZERO
    outside: Exact = ZERO

    def shape(self, *shapes: Shape) -> Shape:
        for gain in shapes[1:]:
            one_row(gain, shapes[0][1], GAIN_SHAPE)
        return shapes[0]

    def exact(self, *arguments: Matrix) -> Matrix:
        rows = []
        for row in arguments[0].rows():
            factor = self._size(row).inverse()
            rows.append([x * factor for x in row])
        normed = Matrix.of(rows)
        return normed.hadamard(arguments[1]) if len(arguments) > 1 else normed

    def _size(self, row: tuple[Exact, ...]) -> Exact:
        """What the row is divided by."""
        total = sum((x * x for x in row), ZERO)
        return self._root(total / Exact.of(self._count(len(row))) + self.epsilon) + self.outside

    def _count(self, d: int) -> int:
        """What the sum of d squares is divided by."""
        return d

    def floats(self, *arguments: Floats) -> Floats:
        x = arguments[0]
        squares = np.sum(x * x, axis=1, keepdims=True) / self._count(x.shape[1])
        normed: Floats = x / (self._float_root(squares + to_float(self.epsilon)) + to_float(self.outside))
        return normed * arguments[1] if len(arguments) > 1 else normed

    def moves(self, *tables: Table) -> Table | None:
        x, *gain = tables
        rows = [normed(row, self.epsilon, self.outside, centred=False, mean=True) for row in x]
        return scaled(rows, gain[0][0]) if gain else rows

    def formula(self, *arguments: Formula) -> Formula:
        return Call("RMSNorm", arguments)

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        normed = Quotient(arguments[0].rows[i][j], self._written(arguments[0].rows[i]))
        return Product((normed, arguments[1].rows[0][j]), "dot") if len(arguments) > 1 else normed

    def parts(self, i: int, j: int, *arguments: Grid) -> tuple[tuple[Symbol, Formula], ...]:
        return ((Symbol("rho", Number(str(i + 1))), self._written(arguments[0].rows[i])),)

    def part_values(self, i: int, j: int, *arguments: Matrix) -> tuple[Exact, ...]:
        x = arguments[0]
        return (self._size(tuple(x[i, k] for k in range(x.shape[1]))),)

    def _written(self, row: tuple[Formula, ...]) -> Formula:
        """`_size`, written out."""
        squared = tuple(Power(cell, Number("2")) for cell in row)
        mean = self._written_mean(sum_of(squared), len(row))
        if self.epsilon:
            mean = Sum((mean, spell(self.epsilon)))
        root = self._written_root(mean)
        return Sum((root, spell(self.outside))) if self.outside else root

    def _written_mean(self, squares: Formula, d: int) -> Formula:
        return Quotient(squares, Number(str(d)))

    def gradient(self, line: Line, g: str, forward: Forward) -> Shares:
        return norm_shares(line, g, self, NormBackward(self.epsilon, self.outside, centred=False))

    def slips(self) -> tuple[Slip, ...]:
        return (
            *epsilon_elsewhere(self, "rms", ("mean square", "均方"), ("root mean square", "均方根")),
            slip(
                "rms-summed",
                "divided by the root of the sum of squares, not of their mean",
                "除以了平方和的根，而不是均方根",
                SummedRMSNorm(self.epsilon, self.outside),
            ),
            slip(
                "rms-unrooted",
                "divided by the mean square without taking its root",
                "除以了均方，没有开方",
                UnrootedRMSNorm(self.epsilon, self.outside),
            ),
        )


class SummedRMSNorm(Mistake, RMSNorm, frozen=True):
    """The mistake of the sum of squares for their mean."""

    def _count(self, d: int) -> int:
        return 1

    def _written_mean(self, squares: Formula, d: int) -> Formula:
        return squares


class UnrootedRMSNorm(Unrooted, RMSNorm, frozen=True):
    """The mistake of dividing by the mean square."""
