"""Matrix products: scores Q K^T, outputs A V, and A^T B, which sums over rows.

Vaswani et al. 2017, eq. (1); K^T V of linear attention, Katharopoulos et al. 2020, eq. (6). In a backward
pass each is the gradient of another: dV = A^T dZ, dA = dZ V^T, dQ = dS K.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from msgspec.structs import replace

from symattn.exact.matrix import Matrix
from symattn.exact.shapes import Shape, require
from symattn.floats.arrays import Floats
from symattn.floats.tables import Table, product
from symattn.plans.gradient import Differentiable, Forward, Share, Shares
from symattn.plans.kinds import Mixture
from symattn.plans.operation import Slip
from symattn.plans.plan import Line
from symattn.plans.rules import Algebraic
from symattn.plans.slips import mistake
from symattn.plans.weights import Mistaken, SlipsByPlan
from symattn.text.bilingual import oriented
from symattn.text.notation import Formula, Grid


class MatrixProduct(Algebraic, frozen=True):
    """The product of two of the arguments, each transposed or not: (n, p) times (p, m); result (n, m).

    `factors` are the left and the right one of the arguments, `transposed` says which of them is transposed.
    """

    finite_decimals: ClassVar[bool] = True
    is_product: ClassVar[bool] = True
    example_arguments: ClassVar = ([[1, 2], [3, 5]], [[2, -1], [1, 4]])
    unfit: ClassVar[tuple[str, str, str, str]] = (
        "{0} and {1} have no product",
        "{0} 与 {1} 不能相乘",
        "the factors need the same inner dimension",
        "两个因子的内侧维数必须相同",
    )
    factors: tuple[int, int] = (0, 1)
    transposed: tuple[bool, bool] = (False, False)

    def shape(self, *shapes: Shape) -> Shape:
        (n, inner), (other, m) = (
            shapes[at][::-1] if turned else shapes[at]
            for at, turned in zip(self.factors, self.transposed, strict=True)
        )
        require(inner == other, [shapes[at] for at in self.factors], *self.unfit)
        return n, m

    def rule(self, *arguments: Any) -> Any:
        left, right = (
            arguments[at].T if turned else arguments[at]
            for at, turned in zip(self.factors, self.transposed, strict=True)
        )
        return left @ right

    def floats(self, *arguments: Floats) -> Floats:
        left, right = (arguments[at] for at in self.factors)
        found: Floats = (left.T if self.transposed[0] else left) @ (right.T if self.transposed[1] else right)
        return found


class Scores(MatrixProduct, Differentiable, frozen=True):
    """Q K^T: Q (n_q, d_k), K (n_k, d_k); result (n_q, n_k)."""

    unfit: ClassVar = (
        "Q is {0} and K is {1}, so their dot products are undefined",
        "Q 是 {0}，K 是 {1}，两者的点积没有定义",
        "queries and keys need the same dimension d_k",
        "查询和键的维数 d_k 必须相同",
    )
    transposed: tuple[bool, bool] = (False, True)

    def gradient(self, line: Line, g: str, forward: Forward) -> Shares:
        q, k = line.args
        return Share(q, WeightedSum(), (g, k)), Share(k, TransposedProduct(), (g, q))

    def slips(self) -> tuple[Slip, ...]:
        straight, turned = (False, False), (False, True)
        return (
            mistake("key-not-transposed", MatrixProduct((0, 1), straight)),
            mistake("query-key-exchanged", MatrixProduct((1, 0), turned)),
            mistake("query-for-key", MatrixProduct((0, 0), turned)),
            mistake("key-for-query", MatrixProduct((1, 1), turned)),
        )


class WeightedSum(MatrixProduct, Mixture, Differentiable, SlipsByPlan, frozen=True):
    """Z = A V: weights (n_q, n_k), values (n_k, d_v); result (n_q, d_v)."""

    rowwise: ClassVar[bool] = True
    unfit: ClassVar = (
        "A is {0} and V is {1}, so [A V|V A] is undefined",
        "A 是 {0}，V 是 {1}，[A V|V A] 没有定义",
        "A needs one [column|row] for each [row|column] of V",
        "A 的[列|行]数必须等于 V 的[行|列]数",
    )

    def gradient(self, line: Line, g: str, forward: Forward) -> Shares:
        a, v = line.args
        return Share(v, TransposedProduct(), (a, g)), Share(a, Scores(), (g, v))

    def slips(self) -> tuple[Slip, ...]:
        return (
            mistake("weights-matrix-transposed", MatrixProduct((0, 1), (True, False))),
            mistake("values-reversed", ReversedValues()),
        )

    def mistaken(
        self, line: Line, lines: Mapping[str, Line], shapes: Mapping[str, Shape]
    ) -> Iterator[Mistaken]:
        count = shapes[line.args[1]][0]
        for key in range(count if count > 1 else 0):
            words = oriented(f"left [row|column] {key + 1} of V out", f"漏掉了 V 的第 {key + 1} [行|列]")
            yield f"value-left-out-{key + 1}", words, replace(line, op=AllButOne(key=key))


class AllButOne(WeightedSum, frozen=True):
    """A V without the summands of one key: weights (n_q, n_k), values (n_k, d_v); result (n_q, d_v)."""

    key: int = 0

    def exact(self, *arguments: Matrix) -> Matrix:
        a, v = arguments
        others = [k for k in range(v.shape[0]) if k != self.key]
        return WeightedSum().exact(a.taken(range(a.shape[0]), others), v.taken(others, range(v.shape[1])))


class ReversedValues(MatrixProduct, frozen=True):
    """The mistake of weighting the rows of V in reverse order."""

    def exact(self, *arguments: Matrix) -> Matrix:
        a, v = arguments
        return a @ v.taken(range(v.shape[0] - 1, -1, -1), range(v.shape[1]))

    def floats(self, *arguments: Floats) -> Floats:
        a, v = arguments
        found: Floats = a @ v[::-1]
        return found

    def moves(self, *tables: Table) -> Table | None:
        a, v = tables
        return product(a, v[::-1])

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        a, v = arguments
        return MatrixProduct().entry(i, j, a, Grid(v.rows[::-1]))


class TransposedProduct(MatrixProduct, frozen=True):
    """A^T B, what every row contributes, summed over the rows: A (n, p), B (n, q); result (p, q)."""

    unfit: ClassVar = (
        "{0} and {1} have no transposed product",
        "{0} 转置后与 {1} 不能相乘",
        "both need the same number of [rows|columns]",
        "两者的[行|列]数必须相同",
    )
    transposed: tuple[bool, bool] = (True, False)

    def slips(self) -> tuple[Slip, ...]:
        return (mistake("gathered-untransposed", MatrixProduct()),)
