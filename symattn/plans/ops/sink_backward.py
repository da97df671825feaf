"""A sink backwards: its weight is what the keys of a row leave over, its value is nothing.

A_ij = e^(s_ij) / (e^z + sum_k e^(s_ik)), differentiated by z; gpt-oss model card (2025), section 2.
"""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.exact.shapes import Shape, agreed
from symattn.floats.arrays import Floats, np
from symattn.plans.base import Base, E
from symattn.plans.operation import Operation, Slip, Working, slip
from symattn.text.bilingual import Bilingual
from symattn.text.notation import Formula, Grid, Negative, Number, Product, Series, Sum, Symbol, product_of

ZERO, ONE = Exact.of(0), Exact.of(1)


class SinkBackward(Operation, frozen=True):
    """dz = -sum_i (1 - sum_k A_ik) sum_k A_ik dA_ik for weights A and their gradient dA: (1, 1).

    The logarithm of the `base` is a factor. The whole is multiplied by `sign`, -1,
    and the weight of the sink, 1 - sum_k A_ik, has the `power` 1.
    """

    differentiates_weights: ClassVar[bool] = True
    working: ClassVar[Working] = "rule"
    example_fields: ClassVar = (Base(Exact.of(2)),)
    example_arguments: ClassVar = ([[1, 2], [3, 5]], [[2, -1], [1, 4]])
    base: Base = E
    sign: int = -1
    power: int = 1

    def shape(self, *shapes: Shape) -> Shape:
        agreed(shapes, Bilingual("the weights are {a}, their gradient {b}", "权重是 {a}，其梯度是 {b}"))
        return 1, 1

    def exact(self, *arguments: Matrix) -> Matrix:
        total = ZERO
        for weights, slopes in zip(*(matrix.rows() for matrix in arguments), strict=True):
            dot = sum((a * d for a, d in zip(weights, slopes, strict=True)), ZERO)
            total = total + (ONE - sum(weights, ZERO)) ** self.power * dot
        return Matrix.of([[total * self.base.log * Exact.of(self.sign)]])

    def floats(self, *arguments: Floats) -> Floats:
        weights, slopes = arguments
        left = 1 - np.sum(weights, axis=1, keepdims=True) if self.power else 1.0
        total: Floats = np.sum(left * np.sum(weights * slopes, axis=1, keepdims=True), keepdims=True)
        return self.sign * total * self.base.float_log

    def formula(self, *arguments: Formula) -> Formula:
        weights, slopes = arguments

        def over(index: str, body: Formula) -> Formula:
            return Series("sum", Symbol(index), None, None, body)

        left = Sum((Number("1"), Negative(over("k", weights))))
        dots = over("k", Product((weights, slopes), "circle"))
        return product_of((*self.base.written_log, Negative(over("i", Product((left, dots))))))

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        terms = []
        for weights, slopes in zip(*(grid.rows for grid in arguments), strict=True):
            dot = Sum(tuple(Product(pair, "dot") for pair in zip(weights, slopes, strict=True)))
            left = Sum((Number("1"), *map(Negative, weights)))
            terms.append(Product((left, dot), "dot") if self.power else dot)
        total = product_of((*self.base.written_log, Sum(tuple(terms))))
        return Negative(total) if self.sign < 0 else total

    def slips(self) -> tuple[Slip, ...]:
        if (self.sign, self.power) != (-1, 1):
            return ()
        return (
            slip(
                "sink-slope-sign",
                "lost the minus sign of the gradient of the sink",
                "漏掉了汇点梯度的负号",
                replace(self, sign=1),
            ),
            slip(
                "sink-slope-unweighted",
                "not multiplied by the weight of the sink",
                "没有乘汇点自己的权重",
                replace(self, power=0),
            ),
        )
