"""Dividing rows by their sums, backwards: dS = (dA - row sums of A o dA) / sums.

The quotient rule for A = S / sums, whose sums depend on S too; in linear attention (Katharopoulos
et al. 2020) it stands where a softmax has its Jacobian.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from symattn.errors import ShapeMismatch
from symattn.exact.matrix import Matrix, Shape, agreed, spelled
from symattn.exact.number import Exact
from symattn.notation import Formula, Grid, Negative, Product, Quotient, Series, Sum, Symbol
from symattn.operation import Mistake, Operation, Slip, Working

if TYPE_CHECKING:
    from symattn.operation import Floats

ZERO, ONE = Exact.of(0), Exact.of(1)


@dataclass(frozen=True, slots=True)
class NormaliseBackward(Operation):
    """dS_ij = (dA_ij - sum_k A_ik dA_ik) / D_i for weights A, their gradient dA, and their sums D (n_q, 1).

    A row whose sum is 0 has weights 0 and hands nothing back.
    """

    working: ClassVar[Working] = "rule"

    def shape(self, *shapes: Shape) -> Shape:
        n, m = agreed(shapes, "the weights are {}, their gradient {}")
        if shapes[2] != (n, 1):
            raise ShapeMismatch(
                f"the sums are {spelled(shapes[2])}", f"the sums of the rows are {spelled((n, 1))}"
            )
        return n, m

    def exact(self, *arguments: Matrix) -> Matrix:
        self.shape(*(matrix.shape for matrix in arguments))
        weights, slopes, sums = arguments
        rows = []
        for i, (a, d) in enumerate(zip(weights.rows(), slopes.rows(), strict=True)):
            mean = sum((x * y for x, y in zip(a, d, strict=True)), ZERO)
            rows.append([(y - mean) / sums[i, 0] if sums[i, 0] else ZERO for y in d])
        return Matrix.of(rows)

    def floats(self, *arguments: Floats) -> Floats:
        import numpy as np

        weights, slopes, sums = arguments
        mean = np.sum(weights * slopes, axis=1, keepdims=True)
        apart = np.where(sums == 0, 0.0, slopes - mean)
        gradient: Floats = apart / np.where(sums == 0, 1.0, sums)
        return gradient

    def formula(self, *arguments: Formula) -> Formula:
        weights, slopes, sums = arguments
        series = Series("sum", Symbol("k"), None, None, Product((weights, slopes), "circle"))
        return Quotient(Sum((slopes, Negative(series))), sums)

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        weights, slopes, sums = arguments
        return Quotient(self._apart(weights.rows[i], slopes.rows[i], j), sums.rows[i][0])

    def _apart(self, weights: tuple[Formula, ...], slopes: tuple[Formula, ...], j: int) -> Formula:
        """What is divided by the sum of the row, written out."""
        terms = tuple(Product(pair, "dot") for pair in zip(weights, slopes, strict=True))
        mean: Formula = Sum(terms) if len(terms) > 1 else terms[0]
        return Sum((slopes[j], Negative(mean)))

    def slips(self) -> tuple[Slip, ...]:
        return (
            Slip(
                "normalise-slope-constant",
                "differentiated as if the sum of the row were a constant",
                "求导时把行和当成了常数",
                SumsConstant(),
            ),
            Slip(
                "normalise-slope-undivided",
                "not divided the gradient by the sum of the row",
                "梯度没有除以行和",
                SlopeUndivided(),
            ),
        )

    @classmethod
    def example(cls) -> tuple[Operation, tuple[Matrix, ...]]:
        return cls(), (
            Matrix.rational([[1, 2], [3, 5]]),
            Matrix.rational([[2, -1], [1, 4]]),
            Matrix.rational([[3], [8]]),
        )


@dataclass(frozen=True, slots=True)
class SumsConstant(Mistake, NormaliseBackward):
    """The mistake of dA / D, as if the sums were constants: that of weights 0."""

    def exact(self, *arguments: Matrix) -> Matrix:
        weights, *others = arguments
        return NormaliseBackward.exact(self, weights.map(lambda _: ZERO), *others)

    def floats(self, *arguments: Floats) -> Floats:
        weights, *others = arguments
        return NormaliseBackward.floats(self, 0.0 * weights, *others)

    def _apart(self, weights: tuple[Formula, ...], slopes: tuple[Formula, ...], j: int) -> Formula:
        return slopes[j]


@dataclass(frozen=True, slots=True)
class SlopeUndivided(Mistake, NormaliseBackward):
    """The mistake of not dividing by the sums: that of sums 1."""

    def exact(self, *arguments: Matrix) -> Matrix:
        *others, sums = arguments
        return NormaliseBackward.exact(self, *others, sums.map(lambda total: ONE if total else ZERO))

    def floats(self, *arguments: Floats) -> Floats:
        import numpy as np

        *others, sums = arguments
        return NormaliseBackward.floats(self, *others, np.where(sums == 0, 0.0, 1.0))

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        weights, slopes, _ = arguments
        return self._apart(weights.rows[i], slopes.rows[i], j)
