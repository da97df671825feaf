"""The softmax backwards, dS = A o (dA - row sums of A o dA), and dividing rows by their sums backwards.

Bridle 1990, eq. (8) for the Jacobian diag(a) - a a^T; Dao et al. 2022 (FlashAttention), appendix B.2. In
linear attention (Katharopoulos et al. 2020) the quotient rule for A = S / sums takes its place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from flint import arb, ctx
from msgspec.structs import replace

from symattn.exact.matrix import Matrix, SurdMatrix
from symattn.exact.number import Exact
from symattn.exact.shapes import Shape, agreed, require
from symattn.exact.whole import Balls, Rule, Seen, Whole, is_large, is_plain
from symattn.floats.arrays import Floats, np
from symattn.plans.base import Base, E
from symattn.plans.operation import Mistake, Slip, Working
from symattn.plans.rules import ZERO, Ruled, dot, signed, times_log, total_of
from symattn.plans.slips import mistake
from symattn.text.bilingual import Bilingual
from symattn.text.notation import (
    Formula,
    Negative,
    Product,
    Quotient,
    Series,
    Sum,
    Symbol,
    product_of,
)

if TYPE_CHECKING:
    from symattn.exact.certified.enclosed import Enclosed


class SoftmaxBackward(Ruled, frozen=True):
    """dS_ij = A_ij (dA_ij - sum_k A_ik dA_ik) for weights A and their gradient dA, both (n_q, n_k).

    The logarithm of the `base` is a factor. The formula holds with a sink in the
    denominator too, whose weight goes nowhere. The sum is multiplied by `sign`, -1.
    """

    differentiates_weights: ClassVar[bool] = True
    working: ClassVar[Working] = "rule"
    example_fields: ClassVar = (Base(Exact.of(2)),)
    example_arguments: ClassVar = ([[1, 2], [3, 5]], [[2, -1], [1, 4]])
    base: Base = E
    sign: int = -1

    def shape(self, *shapes: Shape) -> Shape:
        return agreed(
            shapes, Bilingual("the weights are {a}, their gradient {b}", "权重是 {a}，其梯度是 {b}")
        )

    def exact(self, *arguments: Matrix) -> Matrix:
        weights, slopes = arguments
        many = type(self) is SoftmaxBackward and isinstance(weights, Seen) and is_large(weights)
        if many and self.sign == -1 and isinstance(slopes, Seen | SurdMatrix):
            return Whole(Slopes(self), arguments, weights.shape)
        return super().exact(*arguments)

    def entries(self, i: int, *arguments: Any) -> Sequence[Any]:
        weights, slopes = (matrix.row(i) for matrix in arguments)
        shares = [a * d for a, d in zip(weights, slopes, strict=True)]
        terms = zip(weights, slopes, self._means(shares), strict=True)
        return [times_log(self.base, a) * signed(d, self.sign, mean) for a, d, mean in terms]

    def _means(self, shares: Sequence[Any]) -> Sequence[Any]:
        """For each key of a row the sum of A o dA."""
        return [total_of(shares)] * len(shares)

    def _float_means(self, shares: Floats) -> Floats:
        means: Floats = np.sum(shares, axis=1, keepdims=True)
        return means

    def floats(self, *arguments: Floats) -> Floats:
        weights, slopes = arguments
        gradient: Floats = (
            self.base.float_log * weights * (slopes + self.sign * self._float_means(weights * slopes))
        )
        return gradient

    def formula(self, *arguments: Formula) -> Formula:
        weights, slopes = arguments
        series = Series("sum", Symbol("k"), None, None, Product((weights, slopes), "circle"))
        gradient = Product((weights, Sum((slopes, Negative(series)))), "circle")
        return product_of((*self.base.written_log, gradient))

    def slips(self) -> tuple[Slip, ...]:
        if self.sign != -1:
            return ()
        found = [
            mistake("softmax-jacobian-diagonal", replace(self, sign=0)),
            mistake("softmax-jacobian-own", OwnShares(self.base)),
            mistake("softmax-jacobian-sign", replace(self, sign=1)),
        ]
        if not self.base.is_e:
            found.append(mistake("softmax-jacobian-unlogged", SoftmaxBackward()))
        return tuple(found)


class Slopes(Rule, frozen=True):
    """The gradient dS of weights and their gradient, all at once."""

    op: SoftmaxBackward

    def made(self, i: int, j: int, *arguments: Matrix) -> Mapping[tuple[int, int], Exact]:
        return {(i, k): x for k, x in enumerate(self.op.entries(i, *arguments))}

    def is_plain(self, i: int, j: int, *arguments: Matrix) -> bool | None:
        weights = arguments[0]
        return None if is_plain(weights, (i, j)) else False

    def balls(self, *tables: Balls) -> Balls:
        factor = self.op.base.log_ball(ctx.prec)
        found = []
        for weights, slopes in zip(*tables, strict=True):
            mean = sum((a * d for a, d in zip(weights, slopes, strict=True)), arb(0))
            found.append([factor * a * (d - mean) for a, d in zip(weights, slopes, strict=True)])
        return found

    def pairs(self, *tables: Enclosed) -> Enclosed:
        weights, slopes = tables
        means = weights.hadamard(slopes).row_sums()
        found = weights.hadamard(slopes.plus(means.negated()))
        return found if self.op.base.is_e else found.scaled(lambda: self.op.base.log_ball(ctx.prec))


class OwnShares(Mistake, SoftmaxBackward, frozen=True):
    """The mistake of the diagonal of the Jacobian alone, A (1 - A) dA."""

    def _means(self, shares: Sequence[Any]) -> Sequence[Any]:
        return shares

    def _float_means(self, shares: Floats) -> Floats:
        return shares


class NormaliseBackward(Ruled, frozen=True):
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

    def entries(self, i: int, *arguments: Any) -> Sequence[Any]:
        weights, slopes, (total,) = (matrix.row(i) for matrix in arguments)
        if not total:
            return [ZERO] * len(slopes)
        mean = dot(weights, slopes)
        apart = [signed(d, self.sign, mean) for d in slopes]
        return [each / total for each in apart] if self.power else apart

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

    def slips(self) -> tuple[Slip, ...]:
        if (self.sign, self.power) != (-1, 1):
            return ()
        return (
            mistake("normalise-slope-constant", NormaliseBackward(sign=0)),
            mistake("normalise-slope-undivided", NormaliseBackward(power=0)),
        )
