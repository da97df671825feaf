"""Rows times a factor each: what an online softmax keeps of the blocks before."""

from __future__ import annotations

from symattn.exact.matrix import Matrix
from symattn.floats.arrays import Floats
from symattn.plans.operation import Operation
from symattn.text.notation import Formula, Product


class Rescaled(Operation, frozen=True):
    """r O for O (n, d) and one factor a row, r (n, 1)."""

    def exact(self, *arguments: Matrix) -> Matrix:
        return arguments[0].hadamard(arguments[1])

    def floats(self, *arguments: Floats) -> Floats:
        return arguments[0] * arguments[1]

    def formula(self, *arguments: Formula) -> Formula:
        return Product((arguments[1], arguments[0]))

    @classmethod
    def example(cls) -> tuple[Operation, tuple[Matrix, ...]]:
        return cls(), (Matrix.rational([[7, 1], [2, 4]]), Matrix.rational([[2], [3]]))
