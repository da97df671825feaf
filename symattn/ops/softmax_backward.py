"""The softmax backwards: dS = A o (dA - row sums of A o dA), the Jacobian diag(a) - a a^T row by row.

Bridle 1990, eq. (8) for the Jacobian; Dao et al. 2022 (FlashAttention), appendix B.2.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Literal

from symattn.exact.functions import log
from symattn.exact.matrix import Matrix, Shape, agreed
from symattn.exact.number import Exact
from symattn.exact.spell import spell
from symattn.notation import Call, Formula, Grid, Negative, Product, Series, Sum, Symbol
from symattn.operation import Operation, Slip, Working

if TYPE_CHECKING:
    from symattn.operation import Floats

ZERO = Exact.of(0)


@dataclass(frozen=True, slots=True)
class SoftmaxBackward(Operation):
    """dS_ij = A_ij (dA_ij - sum_k A_ik dA_ik) for weights A and their gradient dA, both (n_q, n_k).

    A softmax to another `base` b has ln b as a factor; None is e. The formula holds with a sink in the
    denominator too, whose weight goes nowhere. `kind` spells a mistake: the sum left out, as if the
    Jacobian were diag(a), all but its own term left out, A (1 - A) dA, its sign, or ln b left out.
    """

    working: ClassVar[Working] = "rule"
    base: Exact | None = None
    kind: Literal["right", "diagonal", "own", "added", "unlogged"] = "right"

    def shape(self, *shapes: Shape) -> Shape:
        return agreed(shapes, "the weights are {}, their gradient {}")

    @property
    def _sign(self) -> int:
        return {"diagonal": 0, "added": 1}.get(self.kind, -1)

    @property
    def _factor(self) -> Exact | None:
        """The base, where its logarithm is a factor."""
        return None if self.kind == "unlogged" else self.base

    def exact(self, *arguments: Matrix) -> Matrix:
        self.shape(*(matrix.shape for matrix in arguments))
        factor = Exact.of(1) if self._factor is None else log(self._factor)
        rows = []
        for weights, slopes in zip(*(matrix.rows() for matrix in arguments), strict=True):
            shares = [a * d for a, d in zip(weights, slopes, strict=True)]
            means = shares if self.kind == "own" else [sum(shares, ZERO)] * len(shares)
            terms = zip(weights, slopes, means, strict=True)
            rows.append([factor * a * (d + mean * Exact.of(self._sign)) for a, d, mean in terms])
        return Matrix.of(rows)

    def floats(self, *arguments: Floats) -> Floats:
        import numpy as np

        weights, slopes = arguments
        mean = weights * slopes if self.kind == "own" else np.sum(weights * slopes, axis=1, keepdims=True)
        gradient: Floats = self._scale * weights * (slopes + self._sign * mean)
        return gradient

    @property
    def _scale(self) -> float:
        from symattn.floats import to_float

        return 1.0 if self._factor is None else to_float(log(self._factor))

    def formula(self, *arguments: Formula) -> Formula:
        weights, slopes = arguments
        series = Series("sum", Symbol("k"), None, None, Product((weights, slopes), "circle"))
        gradient = Product((weights, Sum((slopes, Negative(series)))), "circle")
        return gradient if self.base is None else Product((Call("ln", (spell(self.base),)), gradient), "dot")

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        weights, slopes = (grid.rows[i] for grid in arguments)
        terms = tuple(Product(pair, "dot") for pair in zip(weights, slopes, strict=True))
        mean: Formula = Sum(terms) if len(terms) > 1 and self.kind != "own" else terms[j]
        inner = {0: slopes[j], 1: Sum((slopes[j], mean))}.get(self._sign, Sum((slopes[j], Negative(mean))))
        factors = () if self._factor is None else (Call("ln", (spell(self._factor),)),)
        return Product((*factors, weights[j], inner), "dot")

    def slips(self) -> tuple[Slip, ...]:
        if self.kind != "right":
            return ()
        found = [
            Slip(
                "softmax-jacobian-diagonal",
                "left the sum over the row out, as if the Jacobian were diagonal",
                "漏掉了对整行求和的一项，把雅可比当成了对角矩阵",
                replace(self, kind="diagonal"),
            ),
            Slip(
                "softmax-jacobian-own",
                "kept only the diagonal a(1 - a) of the Jacobian of the softmax",
                "softmax 的雅可比只保留了对角元 a(1 - a)",
                replace(self, kind="own"),
            ),
            Slip(
                "softmax-jacobian-sign",
                "added the mean gradient of the row instead of subtracting it",
                "加上了该行的平均梯度，而不是减去",
                replace(self, kind="added"),
            ),
        ]
        if self.base is not None:
            found.append(
                Slip(
                    "softmax-jacobian-unlogged",
                    "left the logarithm of the base out",
                    "漏掉了底数的对数",
                    replace(self, kind="unlogged"),
                )
            )
        return tuple(found)

    @classmethod
    def example(cls) -> tuple[Operation, tuple[Matrix, ...]]:
        return cls(Exact.of(2)), (Matrix.rational([[1, 2], [3, 5]]), Matrix.rational([[2, -1], [1, 4]]))
