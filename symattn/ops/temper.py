"""Temperature: the scores divided by T before the softmax. Hinton, Vinyals and Dean 2015, eq. (1)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from symattn.exact.matrix import Matrix, Shape
from symattn.exact.number import Exact, Infinite
from symattn.exact.spell import spell
from symattn.gradient import Differentiable, Forward, Share, Shares
from symattn.notation import Formula, Grid, Product, Quotient, Symbol
from symattn.operation import Operation, Slip
from symattn.plan import Line

if TYPE_CHECKING:
    from symattn.operation import Floats

T = Symbol("T")


@dataclass(frozen=True, slots=True)
class Temper(Operation, Differentiable):
    """S / T for scores S (n_q, n_k) and a temperature T > 0; a hidden score stays minus infinity.

    `power` is 1; 0 leaves the temperature out and -1 multiplies by it, the two mistakes.
    """

    entrywise: ClassVar[bool] = True
    temperature: Exact
    power: int = 1

    @property
    def _divisor(self) -> Exact:
        return self.temperature**self.power

    def shape(self, *shapes: Shape) -> Shape:
        return shapes[0]

    def exact(self, *arguments: Matrix) -> Matrix:
        factor = self._divisor.inverse()
        return arguments[0].map(lambda score: score if isinstance(score, Infinite) else score * factor)

    def floats(self, *arguments: Floats) -> Floats:
        from symattn.floats import to_float

        return arguments[0] / to_float(self._divisor)

    def formula(self, *arguments: Formula) -> Formula:
        return Quotient(arguments[0], T)

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        score = arguments[0].rows[i][j]
        if self.power == 0:
            return score
        divisor = spell(self.temperature)
        return Quotient(score, divisor) if self.power == 1 else Product((score, divisor), "dot")

    def gradient(self, line: Line, g: str, forward: Forward) -> Shares:
        """A multiple: the gradient is multiplied likewise."""
        return (Share(line.args[0], self, (g,)),)

    def slips(self) -> tuple[Slip, ...]:
        if self.power != 1 or self.temperature == Exact.of(1):
            return ()
        return (
            Slip("temperature-omitted", "left the temperature out", "没有除以温度", replace(self, power=0)),
            Slip(
                "temperature-multiplied",
                "multiplied by the temperature instead of dividing by it",
                "乘以了温度，而不是除以温度",
                replace(self, power=-1),
            ),
        )

    @classmethod
    def example(cls) -> tuple[Operation, tuple[Matrix, ...]]:
        return cls(Exact.of(2)), (Matrix.rational([[1, 2], [3, -5]]),)
