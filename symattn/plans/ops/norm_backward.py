"""A norm of rows backwards: LayerNorm, RMSNorm and rows of length one, and a gain, which multiplies the rows.

Ba, Kiros and Hinton 2016, section 3, eq. (4) and supplement; Zhang and Sennrich 2019, section 4. With rows y
before gain and shift, and the gradient g in them: (g - mean(g) - y mean(g y)) / sigma. Where epsilon is added
to sigma, (g - mean(g)) / (sigma + epsilon) - y mean(g y) / sigma.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from msgspec.structs import replace

from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.exact.shapes import Shape, agreed, one_row
from symattn.floats.arrays import Floats, np
from symattn.floats.from_exact import to_float
from symattn.plans.gradient import Share, Shares, gradient_of
from symattn.plans.operation import Mistake, Operation, Slip, Working
from symattn.plans.ops.row_sums import RowSums
from symattn.plans.ops.unchanged import Unchanged
from symattn.plans.plan import Line
from symattn.plans.rules import ZERO, Ruled, divided, dot, mean_of, root, signed, square, total_of, vanishes
from symattn.plans.slips import mistake
from symattn.text.bilingual import Bilingual, oriented
from symattn.text.notation import (
    Call,
    Formula,
    Product,
    Series,
    Symbol,
)


class NormBackward(Ruled, frozen=True):
    """dx from x, the normed rows y (no gain, no shift) and their gradient g, all (n, d).

    The rows of LayerNorm are `centred` and their square is `averaged` over d, those of RMSNorm are averaged
    alone, unit rows neither. What the divisor hands back is multiplied by `sign`, -1.
    """

    working: ClassVar[Working] = "rule"
    epsilon: Exact = ZERO
    outside: Exact = ZERO
    centred: bool = True
    averaged: bool = True
    sign: int = -1

    def shape(self, *shapes: Shape) -> Shape:
        found = oriented("[rows|columns] of {a}, and {b} with them", "输入是 {a}，与之对应的矩阵却是 {b}")
        for shape in shapes[1:]:
            agreed((shapes[0], shape), found)
        return shapes[0]

    def entries(self, i: int, *arguments: Any) -> Sequence[Any]:
        x, y, g = (matrix.row(i) for matrix in arguments)
        over = Exact.of(len(x) if self.averaged else 1)
        apart, slopes = x, list(g)
        if self.centred:
            centre, mean = mean_of(x), mean_of(g)
            apart = [cell - centre for cell in x]
            slopes = [slope - mean for slope in g]
        along = dot(g, y) / over
        deviation = root(total_of(map(square, apart)) / over + self.epsilon)
        if not self.outside:
            terms = [signed(slope, self.sign, unit * along) for slope, unit in zip(slopes, y, strict=True)]
            return divided(terms, deviation)
        through = divided(slopes, deviation + self.outside)
        if not self.sign or vanishes(along):  # where the deviation is 0, y is 0 too
            return through
        shares = divided([unit * along for unit in y], deviation)
        return [signed(a, self.sign, b) for a, b in zip(through, shares, strict=True)]

    def floats(self, *arguments: Floats) -> Floats:
        x, y, g = arguments
        d = x.shape[1] if self.averaged else 1
        if self.centred:
            x = x - np.mean(x, axis=1, keepdims=True)
        deviation = np.sqrt(np.sum(x * x, axis=1, keepdims=True) / d + to_float(self.epsilon))
        divisor = deviation + to_float(self.outside)
        mean = np.mean(g, axis=1, keepdims=True) if self.centred else 0.0
        along = np.sum(g * y, axis=1, keepdims=True) / d
        nonzero = np.where(deviation == 0, 1.0, deviation)  # where it is 0, y is 0 too
        gradient: Floats = (g - mean) / divisor + self.sign * y * along / nonzero
        return gradient

    def formula(self, *arguments: Formula) -> Formula:
        name = "LayerNorm" if self.centred else "RMSNorm" if self.averaged else "unit"
        return Call(f"{name}'", arguments)

    def slips(self) -> tuple[Slip, ...]:
        if self.sign != -1:
            return ()
        return (
            mistake("norm-divisor-constant", replace(self, sign=0)),
            mistake("norm-divisor-sign", replace(self, sign=1)),
        )

    @classmethod
    def example(cls) -> tuple[Operation, tuple[Matrix, ...]]:
        x, y, g = [[1, 2, 6], [3, 5, -2]], [[1, -1, 2], [2, 1, 0]], [[2, 1, 4], [0, 3, 1]]
        return cls(epsilon=Exact.of(1)), (Matrix.rational(x), Matrix.rational(y), Matrix.rational(g))


GAIN_SHAPE = Bilingual("the gain is {a}", "增益是 {a}")


class Gained(Operation, frozen=True):
    """Every row of a gradient g (n, d) times a gain (1, d)."""

    finite_decimals: ClassVar[bool] = True
    working: ClassVar[Working] = "rule"
    example_arguments: ClassVar = ([[1, 2], [3, 5]], [[2, -1]])

    def shape(self, *shapes: Shape) -> Shape:
        one_row(shapes[1], shapes[0][1], GAIN_SHAPE)
        return shapes[0]

    def exact(self, *arguments: Matrix) -> Matrix:
        return arguments[0].hadamard(arguments[1])

    def floats(self, *arguments: Floats) -> Floats:
        slopes, gain = arguments
        return slopes * gain

    def formula(self, *arguments: Formula) -> Formula:
        return Product(arguments, "circle")

    def slips(self) -> tuple[Slip, ...]:
        return (mistake("gain-omitted", Unchanged()),)


class ColumnDots(Ruled, frozen=True):
    """sum_i g_ij y_ij for g, y (n, d): (1, d), the gradient of a gain."""

    finite_decimals: ClassVar[bool] = True
    working: ClassVar[Working] = "rule"
    example_arguments: ClassVar = ([[1, 2], [3, 5]], [[2, -1], [1, 4]])

    def shape(self, *shapes: Shape) -> Shape:
        return 1, agreed(
            shapes, Bilingual("{a} and {b} have no products entry by entry", "{a} 与 {b} 不能逐项相乘")
        )[1]

    def cell(self, i: int, j: int, *arguments: Any) -> Any:
        return dot(*(matrix.T.row(j) for matrix in arguments))

    def floats(self, *arguments: Floats) -> Floats:
        slopes, rows = arguments
        sums: Floats = np.sum(slopes * rows, axis=0, keepdims=True)
        return sums

    def formula(self, *arguments: Formula) -> Formula:
        return Series("sum", Symbol("i"), None, None, Product(arguments, "circle"))

    def slips(self) -> tuple[Slip, ...]:
        return (mistake("gain-averaged", MeanDots()),)


class MeanDots(Mistake, ColumnDots, frozen=True):
    """The mistake of the mean over the rows."""

    def cell(self, i: int, j: int, *arguments: Any) -> Any:
        return ColumnDots.cell(self, i, j, *arguments) / Exact.of(arguments[0].shape[0])

    def floats(self, *arguments: Floats) -> Floats:
        means: Floats = ColumnDots.floats(self, *arguments) / arguments[0].shape[0]
        return means


def norm_shares(line: Line, g: str, norm: Operation, back: Operation) -> Shares:
    """What a norm of rows hands back, with a gain and a shift where it has them.

    With a gain, the rows before it come first, and their gradient.
    """
    x, *scales = line.args
    if not scales:
        return (Share(x, back, (x, line.name, g)),)
    rows = line.name.replace("norm_", "unit_")
    before = (Line(rows, norm, (x,)), Line(gradient_of(rows), Gained(), (g, scales[0])))
    return (
        Share(scales[0], ColumnDots(), (g, rows), before=before),
        *(Share(shift, RowSums(axis=0), (g,)) for shift in scales[1:]),
        Share(x, back, (x, rows, gradient_of(rows))),
    )
