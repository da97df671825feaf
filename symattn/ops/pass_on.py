"""A sum hands its gradient on unchanged, to every summand. Rumelhart, Hinton and Williams 1986."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

from symattn.exact.matrix import Matrix, Shape
from symattn.exact.number import Exact
from symattn.notation import Formula, Grid, Number, Quotient
from symattn.operation import Operation, Slip, Working

if TYPE_CHECKING:
    from symattn.operation import Floats


@dataclass(frozen=True, slots=True)
class PassOn(Operation):
    """The gradient of a summand, which is that of the sum; `halved` is the mistake of sharing it out."""

    entrywise: ClassVar[bool] = True
    working: ClassVar[Working] = "none"
    halved: bool = False

    def shape(self, *shapes: Shape) -> Shape:
        return shapes[0]

    def exact(self, *arguments: Matrix) -> Matrix:
        return arguments[0].scaled(Exact.of(Fraction(1, 2))) if self.halved else arguments[0]

    def floats(self, *arguments: Floats) -> Floats:
        return arguments[0] / 2 if self.halved else arguments[0]

    def formula(self, *arguments: Formula) -> Formula:
        return arguments[0]

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        cell = arguments[0].rows[i][j]
        return Quotient(cell, Number("2")) if self.halved else cell

    def slips(self) -> tuple[Slip, ...]:
        if self.halved:
            return ()
        return (
            Slip(
                "gradient-halved",
                "shared the gradient of a sum out between its summands",
                "把和的梯度平分给了各加数",
                PassOn(halved=True),
            ),
        )

    @classmethod
    def example(cls) -> tuple[Operation, tuple[Matrix, ...]]:
        return cls(), (Matrix.rational([[1, 2], [3, 5]]),)
