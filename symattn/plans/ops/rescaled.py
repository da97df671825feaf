"""Rows times a factor each: what an online softmax keeps of the blocks before."""

from __future__ import annotations

from typing import ClassVar

from symattn.exact.matrix import Matrix
from symattn.floats.arrays import Floats
from symattn.plans.operation import Operation
from symattn.text.notation import Formula, Product


class Rescaled(Operation, frozen=True):
    """r O for O (n, d) and one factor a row, r (n, 1)."""

    example_arguments: ClassVar = ([[7, 1], [2, 4]], [[2], [3]])

    def exact(self, *arguments: Matrix) -> Matrix:
        return arguments[0].hadamard(arguments[1])

    def floats(self, *arguments: Floats) -> Floats:
        return arguments[0] * arguments[1]

    def formula(self, *arguments: Formula) -> Formula:
        return Product((arguments[1], arguments[0]))
