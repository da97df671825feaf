"""A norm of rows backwards: LayerNorm, RMSNorm and rows of length one, and a gain, which multiplies the rows.

Ba, Kiros and Hinton 2016, section 3, eq. (4) and supplement; Zhang and Sennrich 2019, section 4. With rows y
before gain and shift, and the gradient g in them: (g - mean(g) - y mean(g y)) / sigma. Where epsilon is added
to sigma, (g - mean(g)) / (sigma + epsilon) - y mean(g y) / sigma.
"""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from symattn.exact.functions import sqrt
from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.exact.shapes import Shape, agreed, one_row
from symattn.exact.spell import spell
from symattn.floats.arrays import Floats, np
from symattn.floats.from_exact import to_float
from symattn.plans.gradient import Share, Shares, gradient_of
from symattn.plans.operation import Mistake, Operation, Slip, Working, slip
from symattn.plans.ops.row_sums import RowSums
from symattn.plans.ops.unchanged import Unchanged
from symattn.plans.plan import Line
from symattn.text.bilingual import Bilingual, oriented
from symattn.text.notation import (
    Call,
    Formula,
    Grid,
    Negative,
    Number,
    Power,
    Product,
    Quotient,
    Root,
    Series,
    Sum,
    Symbol,
    sum_of,
)

ZERO = Exact.of(0)


class NormBackward(Operation, frozen=True):
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

    def exact(self, *arguments: Matrix) -> Matrix:
        rows = zip(*(matrix.rows() for matrix in arguments), strict=True)
        return Matrix.of([self._row(*row) for row in rows])

    def _row(self, x: tuple[Exact, ...], y: tuple[Exact, ...], g: tuple[Exact, ...]) -> list[Exact]:
        d = Exact.of(len(x))
        centre = sum(x, ZERO) / d if self.centred else ZERO
        square = sum(((cell - centre) * (cell - centre) for cell in x), ZERO)
        over = d if self.averaged else Exact.of(1)
        root = sqrt(square / over + self.epsilon)
        factor = (root + self.outside).inverse()
        mean = sum(g, ZERO) / d if self.centred else ZERO
        along = sum((a * b for a, b in zip(g, y, strict=True)), ZERO) / over * Exact.of(self.sign)
        if along and self.outside:
            along = along * (root + self.outside) * root.inverse()
        return [factor * (slope - mean + unit * along) for slope, unit in zip(g, y, strict=True)]

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

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        x, y, g = (grid.rows[i] for grid in arguments)
        d = Number(str(len(x)))
        terms: list[Formula] = [g[j]]
        if self.centred:
            terms.append(Negative(_mean(g, d)))
        slope = Sum(tuple(terms)) if len(terms) > 1 else g[j]
        dot = tuple(Product(pair, "dot") for pair in zip(g, y, strict=True))
        along: Formula = _mean(dot, d) if self.averaged else Sum(dot)
        change = Product((y[j], along), "dot")
        if self.sign:
            terms.append(Negative(change) if self.sign < 0 else change)
        apart = tuple(Sum((cell, Negative(_mean(x, d)))) for cell in x) if self.centred else x
        squares = tuple(Power(cell, Number("2")) for cell in apart)
        square: Formula = _mean(squares, d) if self.averaged else Sum(squares)
        if self.epsilon:
            square = Sum((square, spell(self.epsilon)))
        root = Root(square)
        if not self.outside:
            return Quotient(Sum(tuple(terms)), root)
        through = Quotient(slope, Sum((root, spell(self.outside))))
        share = Quotient(change, root)
        return Sum((through, Negative(share) if self.sign < 0 else share)) if self.sign else through

    def slips(self) -> tuple[Slip, ...]:
        if self.sign != -1:
            return ()
        return (
            slip(
                "norm-divisor-constant",
                "treated the divisor of the norm as a constant",
                "把归一化的除数当成了常数",
                replace(self, sign=0),
            ),
            slip(
                "norm-divisor-sign",
                "added the term of the divisor instead of subtracting it",
                "加上了除数带来的一项，而不是减去",
                replace(self, sign=1),
            ),
        )

    @classmethod
    def example(cls) -> tuple[Operation, tuple[Matrix, ...]]:
        x, y, g = [[1, 2, 6], [3, 5, -2]], [[1, -1, 2], [2, 1, 0]], [[2, 1, 4], [0, 3, 1]]
        return cls(epsilon=Exact.of(1)), (Matrix.rational(x), Matrix.rational(y), Matrix.rational(g))


def _mean(cells: tuple[Formula, ...], d: Formula) -> Formula:
    return Quotient(Sum(cells), d)


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
        return (
            slip("gain-omitted", "not multiplied by the gain of the norm", "没有乘归一化的增益", Unchanged()),
        )


class ColumnDots(Operation, frozen=True):
    """sum_i g_ij y_ij for g, y (n, d): (1, d), the gradient of a gain."""

    finite_decimals: ClassVar[bool] = True
    working: ClassVar[Working] = "rule"
    example_arguments: ClassVar = ([[1, 2], [3, 5]], [[2, -1], [1, 4]])

    def shape(self, *shapes: Shape) -> Shape:
        return 1, agreed(
            shapes, Bilingual("{a} and {b} have no products entry by entry", "{a} 与 {b} 不能逐项相乘")
        )[1]

    def exact(self, *arguments: Matrix) -> Matrix:
        products = arguments[0].hadamard(arguments[1])
        return Matrix.of([[sum(column, Exact.of(0)) for column in products.T.rows()]])

    def floats(self, *arguments: Floats) -> Floats:
        slopes, rows = arguments
        sums: Floats = np.sum(slopes * rows, axis=0, keepdims=True)
        return sums

    def formula(self, *arguments: Formula) -> Formula:
        return Series("sum", Symbol("i"), None, None, Product(arguments, "circle"))

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        slopes, rows = arguments
        pairs = zip(slopes.rows, rows.rows, strict=True)
        terms = tuple(Product((slope[j], row[j]), "dot") for slope, row in pairs)
        return sum_of(terms)

    def slips(self) -> tuple[Slip, ...]:
        return (
            slip(
                "gain-averaged",
                "averaged over the [rows|columns] instead of summing",
                "对各[行|列]取了平均，而不是求和",
                MeanDots(),
            ),
        )


class MeanDots(Mistake, ColumnDots, frozen=True):
    """The mistake of the mean over the rows."""

    def exact(self, *arguments: Matrix) -> Matrix:
        return ColumnDots.exact(self, *arguments).scaled(Exact.of(arguments[0].shape[0]).inverse())

    def floats(self, *arguments: Floats) -> Floats:
        means: Floats = ColumnDots.floats(self, *arguments) / arguments[0].shape[0]
        return means

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        return Quotient(ColumnDots.entry(self, i, j, *arguments), Number(str(len(arguments[0].rows))))


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
