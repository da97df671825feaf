"""The gain of a norm backwards: g times the gain for the rows, sums down the columns for the gain.

Ba, Kiros and Hinton 2016, eq. (4), differentiated.
"""

from __future__ import annotations

from typing import ClassVar

from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.exact.shapes import Shape, agreed, one_row
from symattn.floats.arrays import Floats, np
from symattn.plans.gradient import Share, Shares, gradient_of
from symattn.plans.operation import Mistake, Operation, Slip, Working, slip
from symattn.plans.ops.row_sums import RowSums
from symattn.plans.ops.unchanged import Unchanged
from symattn.plans.plan import Line
from symattn.text.bilingual import Bilingual
from symattn.text.notation import Formula, Grid, Number, Product, Quotient, Series, Symbol, sum_of

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
                "averaged over the [rows|columns] instead of adding them up",
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
