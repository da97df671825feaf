"""The softmax backwards: dS = A o (dA - row sums of A o dA), the Jacobian diag(a) - a a^T row by row."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from symattn.errors import ShapeMismatch
from symattn.exact.matrix import Matrix, Shape, spelled
from symattn.exact.number import Exact
from symattn.notation import Formula, Grid, Negative, Product, Series, Sum, Symbol
from symattn.operation import UNIT_ROUNDOFF, Operation, Slip

if TYPE_CHECKING:
    from symattn.operation import Floats


@dataclass(frozen=True, slots=True)
class SoftmaxBackward(Operation):
    """dS_ij = A_ij (dA_ij - sum_k A_ik dA_ik) for weights A and their gradient dA, both (n_q, n_k).

    `kind` spells a mistake: the sum left out, as if the weights of a row were independent, or its sign.
    """

    kind: Literal["right", "diagonal", "added"] = "right"

    def shape(self, *shapes: Shape) -> Shape:
        if shapes[0] != shapes[1]:
            raise ShapeMismatch(
                f"the weights are {spelled(shapes[0])}, their gradient {spelled(shapes[1])}",
                "the shapes must agree",
            )
        return shapes[0]

    def exact(self, *arguments: Matrix) -> Matrix:
        self.shape(*(matrix.shape for matrix in arguments))
        rows = []
        for weights, slopes in zip(*(matrix.rows() for matrix in arguments), strict=True):
            products = [a * d for a, d in zip(weights, slopes, strict=True)]
            mean = sum(products, Exact.of(0))
            if self.kind == "diagonal":
                mean = Exact.of(0)
            elif self.kind == "added":
                mean = -mean
            rows.append([a * (d - mean) for a, d in zip(weights, slopes, strict=True)])
        return Matrix.of(rows)

    def floats(self, *arguments: Floats) -> Floats:
        import numpy as np

        weights, slopes = arguments
        sign = {"right": 1.0, "diagonal": 0.0, "added": -1.0}[self.kind]
        mean = np.sum(weights * slopes, axis=1, keepdims=True)
        gradient: Floats = weights * (slopes - sign * mean)
        return gradient

    def error(self, arguments: tuple[Floats, ...], errors: tuple[Floats, ...], result: Floats) -> Floats:
        import numpy as np

        weights, slopes = (np.abs(x) for x in arguments)
        da, dd = errors
        mean = np.sum(weights * slopes, axis=1, keepdims=True)
        spread = np.sum(weights * dd + da * slopes + da * dd, axis=1, keepdims=True)
        own = (weights.shape[1] + 6) * UNIT_ROUNDOFF * weights * (slopes + mean)
        bound: Floats = (weights + da) * (dd + spread) + da * (slopes + mean) + own
        return bound

    def formula(self, *arguments: Formula) -> Formula:
        weights, slopes = arguments
        series = Series("sum", Symbol("k"), None, None, Product((weights, slopes), "circle"))
        return Product((weights, Sum((slopes, Negative(series)))), "circle")

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        weights, slopes = (grid.rows[i] for grid in arguments)
        terms = tuple(Product(pair, "dot") for pair in zip(weights, slopes, strict=True))
        if self.kind == "diagonal":
            return Product((weights[j], slopes[j]), "dot")
        mean: Formula = Sum(terms) if len(terms) > 1 else terms[0]
        inner = Sum((slopes[j], mean if self.kind == "added" else Negative(mean)))
        return Product((weights[j], inner), "dot")

    def slips(self) -> tuple[Slip, ...]:
        if self.kind != "right":
            return ()
        return (
            Slip(
                "softmax-jacobian-diagonal",
                "differentiated every weight by its own score alone",
                "只对每个权重自己的得分求了导",
                replace(self, kind="diagonal"),
            ),
            Slip(
                "softmax-jacobian-sign",
                "added the mean gradient of the row instead of subtracting it",
                "加上了该行的平均梯度，而不是减去",
                replace(self, kind="added"),
            ),
        )

    @classmethod
    def example(cls) -> tuple[Operation, tuple[Matrix, ...]]:
        return cls(), (Matrix.rational([[1, 2], [3, 5]]), Matrix.rational([[2, -1], [1, 4]]))
