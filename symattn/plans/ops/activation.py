"""The activation of the feed-forward layer, ReLU or GELU through the error function, and its derivative.

Vaswani et al. 2017, eq. (2); Hendrycks and Gimpel 2016, section 2: GELU(x) = x (1 + erf(x / sqrt(2))) / 2.
"""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

from flint import arb

from symattn.exact.decision import compare
from symattn.exact.functions import erf, exp, pi, sqrt
from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.exact.shapes import Shape, agreed
from symattn.exact.symbolic import coefficient
from symattn.floats.arrays import Floats, np
from symattn.floats.interval import Interval
from symattn.floats.tables import Table
from symattn.plans.gradient import Differentiable, Forward, Share, Shares
from symattn.plans.operation import Mistake, Operation, Slip, Working, slip
from symattn.plans.ops.unchanged import Unchanged
from symattn.plans.plan import Line
from symattn.text.bilingual import Bilingual
from symattn.text.errors import UndefinedValue
from symattn.text.notation import (
    Absolute,
    Call,
    Formula,
    Grid,
    Negative,
    Number,
    Power,
    Product,
    Quotient,
    Root,
    Sum,
    Symbol,
    sum_of,
)

ZERO, ONE, HALF = Exact.of(0), Exact.of(1), Exact.of(Fraction(1, 2))
TWO = Number("2")
ACTIVATION_AND_GRADIENT = Bilingual("an activation of {a} and a gradient of {b}", "激活是 {a}，梯度是 {b}")


class ReluBackward(Operation, frozen=True):
    """The gradient g where `side` x > 0, and 0 elsewhere, for x and g (n, d); `side` is 1.

    Raises UndefinedValue where free symbols leave the sign of x open.
    """

    finite_decimals: ClassVar[bool] = True
    entrywise: ClassVar[bool] = True
    working: ClassVar[Working] = "rule"
    example_arguments: ClassVar = ([[1, -2], [0, 5]], [[3, 4], [6, 7]])
    side: int = 1

    def shape(self, *shapes: Shape) -> Shape:
        return agreed(shapes, ACTIVATION_AND_GRADIENT)

    def exact(self, *arguments: Matrix) -> Matrix:
        return arguments[1].combined(arguments[0], lambda slope, x: slope if self._open(x) else ZERO)

    def _open(self, x: Exact) -> bool:
        order = compare(x, ZERO)
        if order is None:
            raise UndefinedValue(
                Bilingual(
                    "the derivative of ReLU at an x of unknown sign", "x 的符号未知，ReLU 的导数无法确定"
                ),
                Bilingual("numbers for the symbols", "请给符号代入数值"),
            )
        return order * self.side > 0

    def floats(self, *arguments: Floats) -> Floats:
        x, slopes = arguments
        return np.where(self.side * x > 0, slopes, 0.0)

    def formula(self, *arguments: Formula) -> Formula:
        x, slopes = arguments
        return Product((slopes, Call("step", (x,))), "circle")

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        x, slope = (grid.rows[i][j] for grid in arguments)
        return Product((slope, Call("step", (Negative(x) if self.side < 0 else x,))), "dot")

    def slips(self) -> tuple[Slip, ...]:
        if self.side < 0:
            return ()
        return (
            slip(
                "relu-slope-omitted",
                "passed the gradient on where the ReLU is flat",
                "在 ReLU 为零的地方也传回了梯度",
                Unchanged(1),
            ),
            slip(
                "relu-slope-reversed",
                "passed the gradient on where x is negative instead of positive",
                "在 x 为负处传回了梯度，而不是为正处",
                ReluBackward(side=-1),
            ),
        )


class GeluBackward(Operation, frozen=True):
    """g (Phi(x) + x phi(x)) for x and its gradient g (n, d).

    Phi(x) is multiplied by `integral` and x phi(x) by `density`, 1 both of them.
    """

    entrywise: ClassVar[bool] = True
    working: ClassVar[Working] = "rule"
    example_arguments: ClassVar = ([[1, -2], [2, 5]], [[3, 4], [6, 7]])
    integral: int = 1
    density: int = 1

    def shape(self, *shapes: Shape) -> Shape:
        return agreed(shapes, ACTIVATION_AND_GRADIENT)

    def exact(self, *arguments: Matrix) -> Matrix:
        return arguments[1].combined(arguments[0], lambda slope, x: slope * self._rate(x))

    def _rate(self, x: Exact) -> Exact:
        integral = (ONE + erf(x / sqrt(Exact.of(2)))) * HALF
        density = x * exp(-(x * x) * HALF) / sqrt(Exact.of(2) * pi())
        return integral * Exact.of(self.integral) + density * Exact.of(self.density)

    def floats(self, *arguments: Floats) -> Floats:
        from symattn.floats.bounded import erf as float_erf

        x, slopes = arguments
        integral = (1 + float_erf(x / np.sqrt(2.0))) / 2
        density = x * np.exp(-x * x / 2) / np.sqrt(2 * np.pi)
        gradient: Floats = slopes * (self.integral * integral + self.density * density)
        return gradient

    def formula(self, *arguments: Formula) -> Formula:
        x, slopes = arguments
        return Product((slopes, Call("GELU'", (x,))), "circle")

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        x, slope = (grid.rows[i][j] for grid in arguments)
        erf = Call("erf", (Quotient(x, Root(TWO), flat=True),))
        integral = Quotient(Sum((Number("1"), erf)), TWO)
        power = Power(Symbol("e"), Negative(Quotient(Power(x, TWO), TWO, flat=True)))
        density = Quotient(Product((x, power), "dot"), Root(Product((TWO, Symbol("pi")))))
        terms = (*(integral,) * self.integral, *(density,) * self.density)
        return Product((slope, sum_of(terms)), "dot")

    def slips(self) -> tuple[Slip, ...]:
        if (self.integral, self.density) != (1, 1):
            return ()
        return (
            slip(
                "gelu-slope-integral",
                "left x phi(x) out of the derivative of GELU",
                "GELU 的导数里漏掉了 x 乘密度的一项",
                GeluBackward(density=0),
            ),
            slip(
                "gelu-slope-density",
                "left Phi(x) out of the derivative of GELU",
                "GELU 的导数里漏掉了分布函数一项",
                GeluBackward(integral=0),
            ),
        )


class Relu(Operation, Differentiable, frozen=True):
    """max(0, x) entry by entry; a maximum as such where free symbols leave the sign open."""

    finite_decimals: ClassVar[bool] = True
    kinked: ClassVar[bool] = True
    entrywise: ClassVar[bool] = True
    working: ClassVar[Working] = "rule"
    example_arguments: ClassVar = ([[1, -2], [0, 5]],)

    def exact(self, *arguments: Matrix) -> Matrix:
        return arguments[0].map(self._one)

    def _one(self, x: Exact) -> Exact:
        order = compare(x, ZERO)
        if order is None:
            import sympy

            return Exact.of(coefficient(sympy.Max(0, x.to_sympy())))
        return x if order >= 0 else self._below(x)

    def _below(self, x: Exact) -> Exact:
        """What becomes of a negative x."""
        return ZERO

    def floats(self, *arguments: Floats) -> Floats:
        (x,) = arguments
        return np.where(np.real(x) > 0, x, 0.0)

    def moves(self, *tables: Table) -> Table | None:
        return [
            [Interval(low := a.low.max(arb(0)), low if a.low is a.high else a.high.max(arb(0))) for a in row]
            for row in tables[0]
        ]

    def formula(self, *arguments: Formula) -> Formula:
        return Call("max", (Number("0"), *arguments))

    def gradient(self, line: Line, g: str, forward: Forward) -> Shares:
        return (Share(line.args[0], ReluBackward(), (line.args[0], g)),)

    def slips(self) -> tuple[Slip, ...]:
        return (
            slip("relu-omitted", "left the activation out", "没有做激活", Unchanged()),
            slip(
                "relu-absolute",
                "taken absolute values instead of cutting off at 0",
                "取了绝对值，而不是把负数变成 0",
                AbsoluteValues(),
            ),
        )


class AbsoluteValues(Mistake, Relu, frozen=True):
    """The mistake of |x|."""

    def _below(self, x: Exact) -> Exact:
        return -x

    def floats(self, *arguments: Floats) -> Floats:
        return np.abs(arguments[0])

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        return Absolute(arguments[0].rows[i][j])


class Gelu(Operation, Differentiable, frozen=True):
    """x (1 + erf(x / sqrt(`inside`))) / `over` entry by entry, both of them 2."""

    entrywise: ClassVar[bool] = True
    working: ClassVar[Working] = "rule"
    example_arguments: ClassVar = ([[1, -2], [0, 5]],)
    inside: int = 2
    over: int = 2

    def exact(self, *arguments: Matrix) -> Matrix:
        return arguments[0].map(self._one)

    def _one(self, x: Exact) -> Exact:
        one = Exact.of(1) + erf(x / sqrt(Exact.of(self.inside)))
        return x * one / Exact.of(self.over)

    def floats(self, *arguments: Floats) -> Floats:
        from symattn.floats.bounded import erf as float_erf

        (x,) = arguments
        result: Floats = x * (1.0 + float_erf(x / np.sqrt(float(self.inside)))) / self.over
        return result

    def formula(self, *arguments: Formula) -> Formula:
        return Call("GELU", arguments)

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        x = arguments[0].rows[i][j]
        inner = x if self.inside == 1 else Quotient(x, Root(Number(str(self.inside))), flat=True)
        product = Product((x, Sum((Number("1"), Call("erf", (inner,))))), "dot")
        return product if self.over == 1 else Quotient(product, Number(str(self.over)))

    def gradient(self, line: Line, g: str, forward: Forward) -> Shares:
        return (Share(line.args[0], GeluBackward(), (line.args[0], g)),)

    def slips(self) -> tuple[Slip, ...]:
        if (self.inside, self.over) != (2, 2):
            return ()
        return (
            slip(
                "gelu-unrooted",
                "not divided by the root of 2 inside the error function",
                "误差函数里没有除以根号 2",
                Gelu(inside=1),
            ),
            slip("gelu-doubled", "not halved the result", "结果没有除以 2", Gelu(over=1)),
        )
