"""A sum hands its gradient on unchanged, to every summand. Rumelhart, Hinton and Williams 1986."""

from __future__ import annotations

from typing import ClassVar

from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.floats.arrays import Floats
from symattn.plans.operation import Operation, Slip, Working, slip
from symattn.plans.ops.scale import Scale
from symattn.text.notation import Formula, Grid, Number


class PassOn(Operation, frozen=True):
    """The gradient of a summand, which is that of the sum."""

    finite_decimals: ClassVar[bool] = True
    entrywise: ClassVar[bool] = True
    working: ClassVar[Working] = "none"
    example_arguments: ClassVar = ([[1, 2], [3, 5]],)

    def exact(self, *arguments: Matrix) -> Matrix:
        return arguments[0]

    def floats(self, *arguments: Floats) -> Floats:
        return arguments[0]

    def formula(self, *arguments: Formula) -> Formula:
        return arguments[0]

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        return arguments[0].rows[i][j]

    def slips(self) -> tuple[Slip, ...]:
        return (
            slip(
                "gradient-halved",
                "shared the gradient of a sum out between its summands",
                "把和的梯度平分给了各加数",
                Scale(Exact.of(2), Number("2")),
            ),
        )
