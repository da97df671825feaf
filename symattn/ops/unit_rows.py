"""Rows of length one: the query-key normalisation. Henry et al. 2020, section 2 (QKNorm)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Literal

from symattn.exact.functions import sqrt
from symattn.exact.matrix import Matrix, Shape
from symattn.exact.number import Exact
from symattn.gradient import Differentiable, Forward, Share, Shares
from symattn.notation import Call, Formula, Grid, Number, Power, Quotient, Root, Sum
from symattn.operation import Operation, Slip, Working
from symattn.ops.norm_backward import NormBackward
from symattn.plan import Line

if TYPE_CHECKING:
    from symattn.operation import Floats


@dataclass(frozen=True, slots=True)
class UnitRows(Operation, Differentiable):
    """x / |x| for every row of Q or K (n, d). Raises UndefinedValue for a row of zeros.

    `kind` spells a mistake: the square of the length for the length, or nothing done.
    """

    working: ClassVar[Working] = "rule"
    kind: Literal["right", "squared", "omitted"] = "right"

    def shape(self, *shapes: Shape) -> Shape:
        return shapes[0]

    def exact(self, *arguments: Matrix) -> Matrix:
        if self.kind == "omitted":
            return arguments[0]
        rows = []
        for row in arguments[0].rows():
            square = sum((x * x for x in row), Exact.of(0))
            factor = (square if self.kind == "squared" else sqrt(square)).inverse()
            rows.append([x * factor for x in row])
        return Matrix.of(rows)

    def floats(self, *arguments: Floats) -> Floats:
        import numpy as np

        (x,) = arguments
        square = np.sum(x * x, axis=1, keepdims=True)
        divisor = {"right": np.sqrt(square), "squared": square, "omitted": np.ones_like(square)}[self.kind]
        units: Floats = x / divisor
        return units

    def formula(self, *arguments: Formula) -> Formula:
        return Call("unit", arguments)

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        row = arguments[0].rows[i]
        if self.kind == "omitted":
            return row[j]
        squared = tuple(Power(cell, Number("2")) for cell in row)
        square: Formula = Sum(squared) if len(row) > 1 else squared[0]
        return Quotient(row[j], square if self.kind == "squared" else Root(square))

    def gradient(self, line: Line, g: str, forward: Forward) -> Shares:
        return (Share(line.args[0], NormBackward("unit"), (line.args[0], line.name, g)),)

    def slips(self) -> tuple[Slip, ...]:
        if self.kind != "right":
            return ()
        return (
            Slip(
                "unit-omitted",
                "not normalised the rows",
                "没有把行归一到单位长度",
                replace(self, kind="omitted"),
            ),
            Slip(
                "unit-squared",
                "divided by the square of the length instead of the length",
                "除以了长度的平方，而不是长度",
                replace(self, kind="squared"),
            ),
        )

    @classmethod
    def example(cls) -> tuple[Operation, tuple[Matrix, ...]]:
        return cls(), (Matrix.rational([[1, 2], [3, 5]]),)
