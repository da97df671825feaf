"""Rows of length one: the query-key normalisation. Henry et al. 2020, section 2 (QKNorm)."""

from __future__ import annotations

from typing import ClassVar

from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.floats.arrays import Floats, np
from symattn.floats.norms import normed
from symattn.floats.tables import Table
from symattn.plans.gradient import Differentiable, Forward, Share, Shares
from symattn.plans.operation import Operation, Slip, Working, slip
from symattn.plans.ops.norm_backward import NormBackward
from symattn.plans.ops.pieces import Rooted, Unrooted
from symattn.plans.ops.unchanged import Unchanged
from symattn.plans.plan import Line
from symattn.text.notation import Call, Formula, Grid, Number, Power, Quotient, sum_of


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
