"""Dividing rows by their sums, backwards: dS = (dA - row sums of A o dA) / sums.

The quotient rule for A = S / sums, whose sums depend on S too; in linear attention (Katharopoulos
et al. 2020) it stands where a softmax has its Jacobian.
"""

from __future__ import annotations

from typing import ClassVar

from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.exact.shapes import Shape, agreed, require
from symattn.floats.arrays import Floats, np
from symattn.plans.operation import Operation, Slip, Working
from symattn.text.bilingual import Bilingual, oriented
from symattn.text.notation import Formula, Grid, Negative, Product, Quotient, Series, Sum, Symbol, sum_of

ZERO = Exact.of(0)


class NormaliseBackward(Operation, frozen=True):
    """dS_ij = (dA_ij - sum_k A_ik dA_ik) / D_i for weights A, their gradient dA, and their sums D (n_q, 1).

    A row whose sum is 0 has weights 0 and hands nothing back. The sum over k is multiplied by
    `sign`, -1, and D has the `power` 1.
    """

    differentiates_weights: ClassVar[bool] = True
    working: ClassVar[Working] = "rule"
    example_arguments: ClassVar = ([[1, 2], [3, 5]], [[2, -1], [1, 4]], [[3], [8]])
    sign: int = -1
    power: int = 1

    def shape(self, *shapes: Shape) -> Shape:
        n, m = agreed(
            shapes, Bilingual("the weights are {a}, their gradient {b}", "权重是 {a}，其梯度是 {b}")
        )
        require(
            shapes[2] == (n, 1),
            (shapes[2], (n, 1)),
            "the sums are {0}",
            "各[行|列]之和是 {0}",
            "the sums of the [rows|columns] are {1}",
            "各[行|列]之和应为 {1}",
        )
        return n, m

    def exact(self, *arguments: Matrix) -> Matrix:
        weights, slopes, sums = arguments
        rows = []
        for i, (a, d) in enumerate(zip(weights.rows(), slopes.rows(), strict=True)):
            mean = sum((x * y for x, y in zip(a, d, strict=True)), ZERO) * Exact.of(self.sign)
            rows.append([(y + mean) / sums[i, 0] ** self.power if sums[i, 0] else ZERO for y in d])
        return Matrix.of(rows)

    def floats(self, *arguments: Floats) -> Floats:
        weights, slopes, sums = arguments
        mean = np.sum(weights * slopes, axis=1, keepdims=True)
        apart = np.where(sums == 0, 0.0, slopes + self.sign * mean)
        gradient: Floats = apart / np.where((sums == 0) | (self.power == 0), 1.0, sums)
        return gradient

    def formula(self, *arguments: Formula) -> Formula:
        weights, slopes, sums = arguments
        series = Series("sum", Symbol("k"), None, None, Product((weights, slopes), "circle"))
        return Quotient(Sum((slopes, Negative(series))), sums)

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        weights, slopes, sums = (grid.rows[i] for grid in arguments)
        terms = tuple(Product(pair, "dot") for pair in zip(weights, slopes, strict=True))
        mean = sum_of(terms)
        over = {0: slopes[j], 1: Sum((slopes[j], mean))}.get(self.sign, Sum((slopes[j], Negative(mean))))
        return Quotient(over, sums[0]) if self.power else over

    def slips(self) -> tuple[Slip, ...]:
        if (self.sign, self.power) != (-1, 1):
            return ()
        return (
            Slip(
                "normalise-slope-constant",
                oriented(
                    "differentiated as if the sum of the [row|column] were a constant",
                    "求导时把[行|列]和当成了常数",
                ),
                NormaliseBackward(sign=0),
            ),
            Slip(
                "normalise-slope-undivided",
                oriented("not divided the gradient by the sum of the [row|column]", "梯度没有除以[行|列]和"),
                NormaliseBackward(power=0),
            ),
        )
