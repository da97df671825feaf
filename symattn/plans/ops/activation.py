"""The activation of the feed-forward layer, ReLU or GELU through the error function, and its derivative.

Vaswani et al. 2017, eq. (2); Hendrycks and Gimpel 2016, section 2: GELU(x) = x (1 + erf(x / sqrt(2))) / 2.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, ClassVar

from flint import arb

from symattn.exact.decision import compare
from symattn.exact.functions import pi, sqrt
from symattn.exact.number import Exact
from symattn.exact.shapes import Shape, agreed
from symattn.floats.arrays import Floats, np
from symattn.floats.interval import Interval
from symattn.floats.tables import Table
from symattn.plans.gradient import Differentiable, Forward, Share, Shares
from symattn.plans.operation import Mistake, Slip, Working
from symattn.plans.ops.unchanged import Unchanged
from symattn.plans.plan import Line
from symattn.plans.rules import (
    Function,
    Ruled,
    called,
    erf,
    exp,
    like,
    maximum,
    root,
    slashed,
    square,
    total_of,
)
from symattn.plans.slips import mistake
from symattn.text.bilingual import Bilingual
from symattn.text.errors import UndefinedValue
from symattn.text.notation import (
    Absolute,
    Call,
    Formula,
    Number,
    Product,
    Root,
    Symbol,
)

ZERO, ONE, HALF = Exact.of(0), Exact.of(1), Exact.of(Fraction(1, 2))
TWO = Exact.of(2)
ROOT_OF_TWO_PI = Root(Product((Number("2"), Symbol("pi"))))
ACTIVATION_AND_GRADIENT = Bilingual("an activation of {a} and a gradient of {b}", "激活是 {a}，梯度是 {b}")


def _step(x: Exact) -> Exact:
    order = compare(x, ZERO)
    if order is None:
        raise UndefinedValue(
            Bilingual("the derivative of ReLU at an x of unknown sign", "x 的符号未知，ReLU 的导数无法确定"),
            Bilingual("numbers for the symbols", "请给符号代入数值"),
        )
    return ONE if order > 0 else ZERO


STEP = called("step", _step)


class ReluBackward(Ruled, frozen=True):
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

    def cell(self, i: int, j: int, *arguments: Any) -> Any:
        x, slope = (matrix[i, j] for matrix in arguments)
        return slope * STEP(-x if self.side < 0 else x)

    def floats(self, *arguments: Floats) -> Floats:
        x, slopes = arguments
        return np.where(self.side * x > 0, slopes, 0.0)

    def formula(self, *arguments: Formula) -> Formula:
        x, slopes = arguments
        return Product((slopes, Call("step", (x,))), "circle")

    def slips(self) -> tuple[Slip, ...]:
        if self.side < 0:
            return ()
        return (
            mistake("relu-slope-omitted", Unchanged(1)),
            mistake("relu-slope-reversed", ReluBackward(side=-1)),
        )


class GeluBackward(Ruled, frozen=True):
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

    def cell(self, i: int, j: int, *arguments: Any) -> Any:
        x, slope = (matrix[i, j] for matrix in arguments)
        integral = (like(x, ONE) + erf(slashed(x, root(like(x, TWO))))) / TWO
        power = exp(-slashed(square(x), TWO))
        density = x * power / like(x, sqrt(TWO * pi()), ROOT_OF_TWO_PI)
        return slope * total_of((*(integral,) * self.integral, *(density,) * self.density))

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

    def slips(self) -> tuple[Slip, ...]:
        if (self.integral, self.density) != (1, 1):
            return ()
        return (
            mistake("gelu-slope-integral", GeluBackward(density=0)),
            mistake("gelu-slope-density", GeluBackward(integral=0)),
        )


class Relu(Ruled, Differentiable, frozen=True):
    """max(0, x) entry by entry; a maximum as such where free symbols leave the sign open."""

    finite_decimals: ClassVar[bool] = True
    kinked: ClassVar[bool] = True
    entrywise: ClassVar[bool] = True
    working: ClassVar[Working] = "rule"
    example_arguments: ClassVar = ([[1, -2], [0, 5]],)

    def cell(self, i: int, j: int, *arguments: Any) -> Any:
        return maximum(ZERO, arguments[0][i, j])

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
            mistake("relu-omitted", Unchanged()),
            mistake("relu-absolute", AbsoluteValues()),
        )


ABSOLUTE = Function(lambda x: total_of((maximum(ZERO, x), maximum(ZERO, -x))), Absolute)


class AbsoluteValues(Mistake, Relu, frozen=True):
    """The mistake of |x|."""

    def cell(self, i: int, j: int, *arguments: Any) -> Any:
        return ABSOLUTE(arguments[0][i, j])

    def floats(self, *arguments: Floats) -> Floats:
        return np.abs(arguments[0])


class Gelu(Ruled, Differentiable, frozen=True):
    """x (1 + erf(x / sqrt(`inside`))) / `over` entry by entry, both of them 2."""

    entrywise: ClassVar[bool] = True
    working: ClassVar[Working] = "rule"
    example_arguments: ClassVar = ([[1, -2], [0, 5]],)
    inside: int = 2
    over: int = 2

    def cell(self, i: int, j: int, *arguments: Any) -> Any:
        x = arguments[0][i, j]
        inside = slashed(x, root(like(x, Exact.of(self.inside)))) if self.inside > 1 else x
        return x * (like(x, ONE) + erf(inside)) / Exact.of(self.over)

    def floats(self, *arguments: Floats) -> Floats:
        from symattn.floats.bounded import erf as float_erf

        (x,) = arguments
        result: Floats = x * (1.0 + float_erf(x / np.sqrt(float(self.inside)))) / self.over
        return result

    def formula(self, *arguments: Formula) -> Formula:
        return Call("GELU", arguments)

    def gradient(self, line: Line, g: str, forward: Forward) -> Shares:
        return (Share(line.args[0], GeluBackward(), (line.args[0], g)),)

    def slips(self) -> tuple[Slip, ...]:
        if (self.inside, self.over) != (2, 2):
            return ()
        return (
            mistake("gelu-unrooted", Gelu(inside=1)),
            mistake("gelu-doubled", Gelu(over=1)),
        )
