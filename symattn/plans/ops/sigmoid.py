"""The logistic sigmoid, entry by entry, and its derivative."""

from __future__ import annotations

from typing import Any, ClassVar

from msgspec.structs import replace

from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.exact.shapes import Shape, agreed
from symattn.floats.arrays import Floats, np
from symattn.floats.from_exact import to_float
from symattn.plans.gradient import Differentiable, Forward, Share, Shares
from symattn.plans.operation import Operation, Slip, Working
from symattn.plans.ops.unchanged import Unchanged
from symattn.plans.plan import Line
from symattn.plans.rules import Ruled, exp, hidden, like
from symattn.plans.slips import mistake
from symattn.text.bilingual import Bilingual
from symattn.text.notation import Call, Formula, Negative, Number, Product, Sum

ZERO, ONE = Exact.of(0), Exact.of(1)


class Sigmoid(Ruled, Differentiable, frozen=True):
    """sigma(x) = e^x / (c + e^x) entry by entry, with the `offset` c = 1; of minus infinity it is 0.

    Another `offset` makes it the sigmoid of x - ln(c). `sign` is 1, or -1 for that of -x, 1 - sigma(x).
    """

    entrywise: ClassVar[bool] = True
    most_in_sums: ClassVar[float] = 4
    working: ClassVar[Working] = "rule"
    example_fields: ClassVar = (Exact.of(2),)
    example_arguments: ClassVar = ([[1, -2], [3, 5]],)
    offset: Exact = ONE
    sign: int = 1

    def cell(self, i: int, j: int, *arguments: Any) -> Any:
        x = arguments[0][i, j]
        if hidden(x):
            return ZERO if self.sign > 0 else ONE
        power = exp(x if self.sign > 0 else -x)
        return power / (like(power, self.offset) + power)

    def floats(self, *arguments: Floats) -> Floats:
        powers = np.exp(self.sign * arguments[0])
        result: Floats = powers / (to_float(self.offset) + powers)
        return result

    def formula(self, *arguments: Formula) -> Formula:
        return Call("sigma", (arguments[0] if self.sign > 0 else Negative(arguments[0]),))

    def gradient(self, line: Line, g: str, forward: Forward) -> Shares:
        return (Share(line.args[0], SigmoidBackward(), (line.name, g)),)

    def slips(self) -> tuple[Slip, ...]:
        if self.sign < 0:
            return ()
        return (
            mistake("sigmoid-omitted", Unchanged()),
            mistake("sigmoid-complement", replace(self, sign=-1)),
        )


class SigmoidBackward(Ruled, frozen=True):
    """dx = g s (1 - s) entry by entry, from the result s = sigma(x) and its gradient g of one shape."""

    entrywise: ClassVar[bool] = True
    working: ClassVar[Working] = "rule"
    example_arguments: ClassVar = ([[2, -1]], [[3, 5]])

    def shape(self, *shapes: Shape) -> Shape:
        return agreed(
            shapes, Bilingual("the sigmoids are {a}, their gradient {b}", "sigmoid 为 {a}，其梯度为 {b}")
        )

    def cell(self, i: int, j: int, *arguments: Any) -> Any:
        s, g = (matrix[i, j] for matrix in arguments)
        return g * s * (like(s, ONE) - s)

    def floats(self, *arguments: Floats) -> Floats:
        sigmoids, gradients = arguments
        return gradients * sigmoids * (1.0 - sigmoids)

    def formula(self, *arguments: Formula) -> Formula:
        sigmoids, gradients = arguments
        return Product((gradients, sigmoids, Sum((Number("1"), Negative(sigmoids)))), "circle")

    def slips(self) -> tuple[Slip, ...]:
        return (
            mistake("sigmoid-slope-omitted", Unchanged(1)),
            mistake("sigmoid-slope-half", Hadamard()),
        )


class Hadamard(Operation, Differentiable, frozen=True):
    """A o B, the product entry by entry of matrices of one shape."""

    entrywise: ClassVar[bool] = True
    most_in_sums: ClassVar[float] = 4
    example_arguments: ClassVar = ([[1, 2], [3, 5]], [[2, -1], [3, 4]])

    def shape(self, *shapes: Shape) -> Shape:
        return agreed(
            shapes, Bilingual("{a} and {b} have no product entry by entry", "{a} 与 {b} 不能逐项相乘")
        )

    def exact(self, *arguments: Matrix) -> Matrix:
        return arguments[0].hadamard(arguments[1])

    def floats(self, *arguments: Floats) -> Floats:
        return arguments[0] * arguments[1]

    def formula(self, *arguments: Formula) -> Formula:
        return Product(arguments, "circle")

    def gradient(self, line: Line, g: str, forward: Forward) -> Shares:
        first, second = line.args
        return Share(first, Hadamard(), (g, second)), Share(second, Hadamard(), (g, first))

    def slips(self) -> tuple[Slip, ...]:
        return (mistake("factor-omitted", Unchanged()),)
