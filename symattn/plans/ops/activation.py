"""The activation of the feed-forward layer: ReLU, or GELU through the error function.

Vaswani et al. 2017, eq. (2); Hendrycks and Gimpel 2016, section 2: GELU(x) = x (1 + erf(x / sqrt(2))) / 2.
"""

from __future__ import annotations

from typing import ClassVar

from flint import arb

from symattn.exact.decision import compare
from symattn.exact.functions import erf, sqrt
from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.exact.symbolic import coefficient
from symattn.floats.arrays import Floats, np
from symattn.floats.interval import Interval
from symattn.floats.tables import Table
from symattn.plans.gradient import Differentiable, Forward, Share, Shares
from symattn.plans.operation import Mistake, Operation, Slip, Working
from symattn.plans.ops.activation_backward import GeluBackward, ReluBackward
from symattn.plans.ops.unchanged import Unchanged
from symattn.plans.plan import Line
from symattn.text.bilingual import Bilingual
from symattn.text.notation import Absolute, Call, Formula, Grid, Number, Product, Quotient, Root, Sum

ZERO = Exact.of(0)


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
            Slip("relu-omitted", Bilingual("left the activation out", "没有做激活"), Unchanged()),
            Slip(
                "relu-absolute",
                Bilingual(
                    "taken absolute values instead of cutting off at 0", "取了绝对值，而不是把负数变成 0"
                ),
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
            Slip(
                "gelu-unrooted",
                Bilingual(
                    "not divided by the root of 2 inside the error function", "误差函数里没有除以根号 2"
                ),
                Gelu(inside=1),
            ),
            Slip("gelu-doubled", Bilingual("not halved the result", "结果没有除以 2"), Gelu(over=1)),
        )
