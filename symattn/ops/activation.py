"""The activation of the feed-forward layer: ReLU, or GELU through the error function.

Vaswani et al. 2017, eq. (2); Hendrycks and Gimpel 2016, section 2: GELU(x) = x (1 + erf(x / sqrt(2))) / 2.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Literal

from symattn.exact.decision import compare
from symattn.exact.functions import sqrt
from symattn.exact.matrix import Matrix, Shape
from symattn.exact.number import Exact
from symattn.exact.symbolic import coefficient
from symattn.gradient import Differentiable, Forward, Share, Shares
from symattn.notation import Absolute, Call, Formula, Grid, Number, Product, Quotient, Root, Sum
from symattn.operation import Operation, Slip, Working
from symattn.ops.activation_backward import GeluBackward, ReluBackward
from symattn.plan import Line

if TYPE_CHECKING:
    from symattn.operation import Floats

ZERO = Exact.of(0)


@dataclass(frozen=True, slots=True)
class Relu(Operation, Differentiable):
    """max(0, x) entry by entry; a maximum as such where free symbols leave the sign open.

    `kind` spells a mistake: leaving it out, or the absolute value.
    """

    entrywise: ClassVar[bool] = True
    working: ClassVar[Working] = "rule"
    kind: Literal["right", "omitted", "absolute"] = "right"

    def shape(self, *shapes: Shape) -> Shape:
        return shapes[0]

    def exact(self, *arguments: Matrix) -> Matrix:
        return arguments[0] if self.kind == "omitted" else arguments[0].map(self._one)

    def _one(self, x: Exact) -> Exact:
        order = compare(x, ZERO)
        if order is None:
            import sympy

            return Exact.of(coefficient(sympy.Max(0, x.to_sympy())))
        if order >= 0:
            return x
        return -x if self.kind == "absolute" else ZERO

    def floats(self, *arguments: Floats) -> Floats:
        import numpy as np

        if self.kind == "omitted":
            return arguments[0]
        (x,) = arguments
        return np.abs(x) if self.kind == "absolute" else np.where(np.real(x) > 0, x, 0.0)

    def formula(self, *arguments: Formula) -> Formula:
        return Call("max", (Number("0"), *arguments))

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        cell = arguments[0].rows[i][j]
        if self.kind == "omitted":
            return cell
        return Absolute(cell) if self.kind == "absolute" else Call("max", (Number("0"), cell))

    def gradient(self, line: Line, g: str, forward: Forward) -> Shares:
        return (Share(line.args[0], ReluBackward(), (line.args[0], g)),)

    def slips(self) -> tuple[Slip, ...]:
        if self.kind != "right":
            return ()
        return (
            Slip("relu-omitted", "left the activation out", "没有做激活", replace(self, kind="omitted")),
            Slip(
                "relu-absolute",
                "taken absolute values instead of cutting off at 0",
                "取了绝对值，而不是把负数变成 0",
                replace(self, kind="absolute"),
            ),
        )

    @classmethod
    def example(cls) -> tuple[Operation, tuple[Matrix, ...]]:
        return cls(), (Matrix.rational([[1, -2], [0, 5]]),)


@dataclass(frozen=True, slots=True)
class Gelu(Operation, Differentiable):
    """x (1 + erf(x / sqrt(2))) / 2 entry by entry. `kind` spells a mistake: no root of 2, or no half."""

    entrywise: ClassVar[bool] = True
    working: ClassVar[Working] = "rule"
    kind: Literal["right", "unrooted", "doubled"] = "right"

    def shape(self, *shapes: Shape) -> Shape:
        return shapes[0]

    def exact(self, *arguments: Matrix) -> Matrix:
        return arguments[0].map(self._one)

    def _one(self, x: Exact) -> Exact:
        import sympy

        inner = x if self.kind == "unrooted" else x / sqrt(Exact.of(2))
        one = Exact.of(1) + Exact.of(coefficient(sympy.erf(inner.to_sympy())))
        return x * one * Exact.of(1 if self.kind == "doubled" else Fraction(1, 2))

    def floats(self, *arguments: Floats) -> Floats:
        import numpy as np

        from symattn.bounded import erf

        (x,) = arguments
        inner = x if self.kind == "unrooted" else x / np.sqrt(2.0)
        result: Floats = x * (1.0 + erf(inner)) * (1.0 if self.kind == "doubled" else 0.5)
        return result

    def formula(self, *arguments: Formula) -> Formula:
        return Call("GELU", arguments)

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        x = arguments[0].rows[i][j]
        inner = x if self.kind == "unrooted" else Quotient(x, Root(Number("2")), flat=True)
        product = Product((x, Sum((Number("1"), Call("erf", (inner,))))), "dot")
        return product if self.kind == "doubled" else Quotient(product, Number("2"))

    def gradient(self, line: Line, g: str, forward: Forward) -> Shares:
        return (Share(line.args[0], GeluBackward(), (line.args[0], g)),)

    def slips(self) -> tuple[Slip, ...]:
        if self.kind != "right":
            return ()
        return (
            Slip(
                "gelu-unrooted",
                "not divided by the root of 2 inside the error function",
                "误差函数里没有除以根号 2",
                replace(self, kind="unrooted"),
            ),
            Slip("gelu-doubled", "not halved the result", "结果没有除以 2", replace(self, kind="doubled")),
        )

    @classmethod
    def example(cls) -> tuple[Operation, tuple[Matrix, ...]]:
        return cls(), (Matrix.rational([[1, -2], [0, 5]]),)
