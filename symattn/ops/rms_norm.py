"""RMSNorm: every row over the root of its mean square. Zhang and Sennrich 2019, eq. (4)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from symattn.errors import ShapeMismatch
from symattn.exact.functions import sqrt
from symattn.exact.matrix import Matrix, Shape, spelled
from symattn.exact.number import Exact
from symattn.exact.spell import spell
from symattn.notation import Call, Formula, Grid, Number, Power, Product, Quotient, Root, Sum
from symattn.operation import Operation, Slip

if TYPE_CHECKING:
    from symattn.operation import Floats

ZERO = Exact.of(0)


@dataclass(frozen=True, slots=True)
class RMSNorm(Operation):
    """x / sqrt(mean of x^2 + epsilon) for every row of x (n, d), times a gain (1, d) if it is given.

    `kind` spells a mistake: the sum of squares for their mean, or no root.
    """

    epsilon: Exact = ZERO
    kind: Literal["right", "summed", "unrooted"] = "right"

    def shape(self, *shapes: Shape) -> Shape:
        if len(shapes) > 1 and shapes[1] != (1, shapes[0][1]):
            raise ShapeMismatch(
                f"the gain is {spelled(shapes[1])}", f"it needs one row of {shapes[0][1]} entries"
            )
        return shapes[0]

    def exact(self, *arguments: Matrix) -> Matrix:
        n, d = self.shape(*(matrix.shape for matrix in arguments))
        x = arguments[0]
        rows = []
        for i in range(n):
            total = sum((x[i, j] * x[i, j] for j in range(d)), Exact.of(0))
            mean = total / Exact.of(1 if self.kind == "summed" else d) + self.epsilon
            factor = (mean if self.kind == "unrooted" else sqrt(mean)).inverse()
            rows.append([x[i, j] * factor for j in range(d)])
        normed = Matrix.of(rows)
        return normed.hadamard(arguments[1]) if len(arguments) > 1 else normed

    def floats(self, *arguments: Floats) -> Floats:
        import numpy as np

        from symattn.floats import to_float

        x = arguments[0]
        squares = np.sum(x * x, axis=1, keepdims=True) / (1 if self.kind == "summed" else x.shape[1])
        mean = squares + to_float(self.epsilon)
        normed: Floats = x / (mean if self.kind == "unrooted" else np.sqrt(mean))
        return normed * arguments[1] if len(arguments) > 1 else normed

    def formula(self, *arguments: Formula) -> Formula:
        return Call("RMSNorm", arguments)

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        row = arguments[0].rows[i]
        squared = tuple(Power(cell, Number("2")) for cell in row)
        squares: Formula = Sum(squared) if len(row) > 1 else squared[0]
        mean = squares if self.kind == "summed" else Quotient(squares, Number(str(len(row))))
        if self.epsilon:
            mean = Sum((mean, spell(self.epsilon)))
        normed = Quotient(row[j], mean if self.kind == "unrooted" else Root(mean))
        return Product((normed, arguments[1].rows[0][j]), "dot") if len(arguments) > 1 else normed

    def slips(self) -> tuple[Slip, ...]:
        if self.kind != "right":
            return ()
        return (
            Slip(
                "rms-summed",
                "divided by the root of the sum of squares, not of their mean",
                "除以了平方和的根，而不是均方根",
                replace(self, kind="summed"),
            ),
            Slip(
                "rms-unrooted",
                "divided by the mean square without taking its root",
                "除以了均方，没有开方",
                replace(self, kind="unrooted"),
            ),
        )

    @classmethod
    def example(cls) -> tuple[Operation, tuple[Matrix, ...]]:
        return cls(Exact.of(1)), (Matrix.rational([[1, 2], [3, 5]]), Matrix.rational([[2, -1]]))
