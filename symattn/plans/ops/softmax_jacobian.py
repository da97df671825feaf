"""The Jacobian of a softmax, row by row: diag(a) - a^T a for weights a. Bridle 1990, eq. (8)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from msgspec.structs import replace

from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.exact.shapes import Shape, require
from symattn.floats.arrays import Floats, np
from symattn.plans.gradient import Jacobian, RowOf
from symattn.plans.operation import Mistake, Operation, Slip, Working
from symattn.plans.plan import Line
from symattn.text.bilingual import Bilingual
from symattn.text.notation import Call, Entry, Formula, Grid, Negative, Number, Product, Sum, Transpose


class SoftmaxJacobian(Operation, Jacobian, frozen=True):
    """J_jk = a_j (delta_jk - a_k) for the weights a in `row` (from 0) of A (n_q, n_k): (n_k, n_k).

    The outer product a_j a_k is multiplied by `sign`, -1.
    """

    working: ClassVar[Working] = "rule"
    example_fields: ClassVar = (1,)
    example_arguments: ClassVar = ([[1, 2], [3, 5]],)
    row: int = 0
    sign: int = -1

    def shape(self, *shapes: Shape) -> Shape:
        n, m = shapes[0]
        require(
            self.row < n,
            (self.row + 1, shapes[0], n),
            "[row|column] {0} of weights {1}",
            "{1} 的权重没有第 {0} [行|列]",
            "there are {2} [rows|columns]",
            "共有 {2} [行|列]",
        )
        return m, m

    def _sign(self, j: int, k: int) -> int:
        """What a_j a_k is multiplied by in entry (j, k)."""
        return self.sign

    def exact(self, *arguments: Matrix) -> Matrix:
        weights = [arguments[0][self.row, j] for j in range(arguments[0].shape[1])]
        return Matrix.of(
            [
                [a * (Exact.of(int(j == k)) + b * Exact.of(self._sign(j, k))) for k, b in enumerate(weights)]
                for j, a in enumerate(weights)
            ]
        )

    def floats(self, *arguments: Floats) -> Floats:
        weights = arguments[0][self.row]
        n = weights.size
        signs = np.array([[self._sign(j, k) for k in range(n)] for j in range(n)])
        jacobian: Floats = np.diag(weights) + signs * np.outer(weights, weights)
        return jacobian

    def differentiates(self, line: Line, lines: Mapping[str, Line]) -> Iterator[tuple[str, RowOf, RowOf]]:
        tag = line.args[0].removesuffix("A")
        power, by_query = lines.get(f"{tag}exp"), f"{line.name}_Q"
        if power is not None and f"{tag}sum" in lines:
            yield line.name, (f"{tag}A", self.row), (power.args[0], self.row)
            if by_query in lines:
                yield by_query, (f"{tag}Z", self.row), (f"{tag}Q", self.row)

    def formula(self, *arguments: Formula) -> Formula:
        row = Entry(arguments[0], self.row + 1)
        return Sum((Call("diag", (row,)), Negative(Product((Transpose(row), row)))))

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        a, b = arguments[0].rows[self.row][i], arguments[0].rows[self.row][j]
        delta = Number("1" if i == j else "0")
        sign = self._sign(i, j)
        if not sign:
            return Product((a, delta), "dot")
        return Product((a, Sum((delta, b if sign > 0 else Negative(b)))), "dot")

    def slips(self) -> tuple[Slip, ...]:
        if self.sign != -1:
            return ()
        return (
            Slip(
                "jacobian-diagonal",
                Bilingual(
                    "left the outer product out of the Jacobian of the softmax",
                    "softmax 的雅可比矩阵里漏掉了外积",
                ),
                replace(self, sign=0),
            ),
            Slip(
                "jacobian-own",
                Bilingual(
                    "kept only the diagonal a(1 - a) of the Jacobian of the softmax",
                    "softmax 的雅可比矩阵只保留了对角元 a(1 - a)",
                ),
                OwnTerms(self.row),
            ),
            Slip(
                "jacobian-sign",
                Bilingual(
                    "added the outer product in the Jacobian of the softmax instead of subtracting it",
                    "softmax 的雅可比矩阵里加上了外积，而不是减去",
                ),
                replace(self, sign=1),
            ),
        )


class OwnTerms(Mistake, SoftmaxJacobian, frozen=True):
    """The mistake of a_j (1 - a_j) on the diagonal, and 0 elsewhere."""

    def _sign(self, j: int, k: int) -> int:
        return -int(j == k)
