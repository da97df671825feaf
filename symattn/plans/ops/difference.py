"""The difference of two attention maps, and its gradients. Ye et al. 2024, eq. (1)."""

from __future__ import annotations

from typing import ClassVar

from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.exact.shapes import Shape, agreed
from symattn.floats.arrays import Floats
from symattn.plans.gradient import Differentiable, Forward, Share, Shares
from symattn.plans.operation import Operation, Slip, slip
from symattn.plans.ops.difference_factor import Inner, single
from symattn.plans.ops.unchanged import Unchanged
from symattn.plans.plan import Line
from symattn.text.bilingual import Bilingual
from symattn.text.notation import Formula, Negative, Product, Sum


class Difference(Operation, Differentiable, frozen=True):
    """A_1 - lambda A_2 for weights A_1, A_2 (n_q, n_k) and lambda (1, 1): A_1 + `sign` lambda A_2."""

    example_arguments: ClassVar = ([[1, 2], [3, 5]], [[2, -1], [1, 4]], [[3]])

    sign: int = -1

    def shape(self, *shapes: Shape) -> Shape:
        single(shapes[2])
        return agreed(shapes[:2], Bilingual("attention maps of {a} and {b}", "注意力图为 {a} 与 {b}"))

    def exact(self, *arguments: Matrix) -> Matrix:
        first, second, factor = arguments
        return first + second.scaled(Exact.of(self.sign) * factor[0, 0])

    def floats(self, *arguments: Floats) -> Floats:
        first, second, factor = arguments
        return first + self.sign * factor * second

    def formula(self, *arguments: Formula) -> Formula:
        first, second, factor = arguments
        return Sum((first, self._signed(Product((factor, second), "dot"))))

    def _signed(self, term: Formula) -> Formula:
        return Negative(term) if self.sign < 0 else term

    def gradient(self, line: Line, g: str, forward: Forward) -> Shares:
        first, second, factor = line.args
        return (
            Share(first, None),
            Share(second, Multiple(self.sign), (g, factor)),
            Share(factor, Inner(self.sign), (g, second)),
        )

    def slips(self) -> tuple[Slip, ...]:
        if self.sign != -1:
            return ()
        return (
            slip(
                "maps-added",
                "added the second map instead of subtracting it",
                "第二张图应减去，却加上了",
                Difference(1),
            ),
            slip("second-map-omitted", "left the second map out", "漏掉了第二张注意力图", Unchanged(0)),
            slip(
                "lambda-omitted",
                "not multiplied the second map by lambda",
                "第二张图没有乘 λ",
                PlainDifference(),
            ),
        )


class PlainDifference(Difference, frozen=True):
    """A_1 - A_2, as if lambda were 1."""

    def exact(self, *arguments: Matrix) -> Matrix:
        return arguments[0] - arguments[1]

    def floats(self, *arguments: Floats) -> Floats:
        return arguments[0] - arguments[1]

    def formula(self, *arguments: Formula) -> Formula:
        return Sum((arguments[0], Negative(arguments[1])))

    def slips(self) -> tuple[Slip, ...]:
        return ()


class Multiple(Operation, frozen=True):
    """`sign` lambda g: the gradient of the second map from g (n_q, n_k) and lambda (1, 1)."""

    example_arguments: ClassVar = ([[1, 2], [3, 5]], [[3]])

    sign: int = -1

    def shape(self, *shapes: Shape) -> Shape:
        single(shapes[1])
        return shapes[0]

    def exact(self, *arguments: Matrix) -> Matrix:
        return arguments[0].scaled(Exact.of(self.sign) * arguments[1][0, 0])

    def floats(self, *arguments: Floats) -> Floats:
        return self.sign * arguments[1] * arguments[0]

    def formula(self, *arguments: Formula) -> Formula:
        product = Product((arguments[1], arguments[0]), "dot")
        return Negative(product) if self.sign < 0 else product

    def slips(self) -> tuple[Slip, ...]:
        return (
            slip(
                "second-map-slope-sign",
                "the wrong sign in the gradient of the second map",
                "第二张图的梯度符号错了",
                Multiple(-self.sign),
            ),
        )
