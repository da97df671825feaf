"""The running sum and the running output of the online softmax, rescaled before a block is added.

Milakov and Gimelshein 2018, algorithm 3; Dao et al. 2022 (FlashAttention), algorithm 1, lines 11 and 12.
"""

from __future__ import annotations

from typing import ClassVar

from symattn.exact.matrix import Matrix
from symattn.exact.shapes import Shape, require
from symattn.floats.arrays import Floats, np
from symattn.plans.operation import Operation, Slip
from symattn.plans.ops.rescaled import Rescaled
from symattn.plans.ops.unchanged import Unchanged
from symattn.text.bilingual import Bilingual
from symattn.text.notation import Formula, Grid, Product, Series, Sum, Symbol

RESCALED = Rescaled()


class RunningSum(Operation, frozen=True):
    """l' = r l + row sums of P: l and r (n_q, 1), P (n_q, b) the exponentials of a block; (n_q, 1).

    `old` makes r l of l and r.
    """

    finite_decimals: ClassVar[bool] = True
    example_arguments: ClassVar = ([[7], [2]], [[2], [3]], [[1, 2], [3, 5]])
    old: Operation = RESCALED

    def shape(self, *shapes: Shape) -> Shape:
        n = shapes[2][0]
        _columns(shapes[:2], n)
        return n, 1

    def exact(self, *arguments: Matrix) -> Matrix:
        before, factor, powers = arguments
        return self.old.exact(before, factor) + powers.row_sums()

    def floats(self, *arguments: Floats) -> Floats:
        before, factor, powers = arguments
        sums: Floats = self.old.floats(before, factor) + np.sum(powers, axis=1, keepdims=True)
        return sums

    def formula(self, *arguments: Formula) -> Formula:
        before, factor, powers = arguments
        series = Series("sum", Symbol("j"), None, None, powers)
        return Sum((self.old.formula(before, factor), series))

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        *before, powers = arguments
        return Sum((self.old.entry(i, j, *before), *powers.rows[i]), spelled=True)

    def slips(self) -> tuple[Slip, ...]:
        if self.old != RESCALED:
            return ()
        return (
            Slip(
                "running-sum-unscaled",
                Bilingual("added to the running sum without rescaling it", "累加之前没有重新缩放已有的和"),
                RunningSum(Unchanged()),
            ),
            Slip(
                "running-sum-block-skipped",
                Bilingual("left the block out of the running sum", "累计和漏掉了这一块"),
                RESCALED,
            ),
        )


class RunningOutput(Operation, frozen=True):
    """O' = r O + P V: O (n_q, d_v), r (n_q, 1), P (n_q, b), V (b, d_v) the values of a block.

    `old` makes r O of O and r.
    """

    finite_decimals: ClassVar[bool] = True
    example_arguments: ClassVar = ([[7, 1], [2, 4]], [[2], [3]], [[1, 2], [3, 5]], [[1, -1], [2, 6]])
    old: Operation = RESCALED

    def shape(self, *shapes: Shape) -> Shape:
        before, factor, powers, values = shapes
        _columns((factor,), before[0])
        require(
            powers == (before[0], values[0]) and values[1] == before[1],
            (powers, values, before),
            "{0} and {1} cannot be added to {2}",
            "{0} 与 {1} 的乘积不能加到 {2} 上",
            "a block has one [column|row] of exponentials for each [row|column] of its values",
            "一块的指数的[列|行]数应等于它的值的[行|列]数",
        )
        return before

    def exact(self, *arguments: Matrix) -> Matrix:
        before, factor, powers, values = arguments
        return self.old.exact(before, factor) + powers @ values

    def floats(self, *arguments: Floats) -> Floats:
        before, factor, powers, values = arguments
        output: Floats = self.old.floats(before, factor) + powers @ values
        return output

    def formula(self, *arguments: Formula) -> Formula:
        before, factor, powers, values = arguments
        return Sum((self.old.formula(before, factor), Product((powers, values))))

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        *before, powers, values = arguments
        pairs = zip(powers.rows[i], (row[j] for row in values.rows), strict=True)
        return Sum((self.old.entry(i, j, *before), *(Product(pair, "dot") for pair in pairs)))

    def slips(self) -> tuple[Slip, ...]:
        if self.old != RESCALED:
            return ()
        return (
            Slip(
                "running-output-unscaled",
                Bilingual(
                    "added to the running output without rescaling it", "累加之前没有重新缩放已有的输出"
                ),
                RunningOutput(Unchanged()),
            ),
            Slip(
                "running-output-block-skipped",
                Bilingual("left the block out of the running output", "累计输出漏掉了这一块"),
                RESCALED,
            ),
        )


def _columns(shapes: tuple[Shape, ...], n: int) -> None:
    for shape in shapes:
        require(
            shape == (n, 1),
            (shape, n),
            "a [column|row] of {0}",
            "一[列|行]数的形状是 {0}",
            "it needs one entry for each of {1} [rows|columns]",
            "{1} [行|列]各需一个元素",
        )
