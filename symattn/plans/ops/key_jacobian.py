"""The derivative of one output row by one key: a_ij (v_j - z_i)^T q_i, over the divisor of the scale.

The chain rule on the softmax, whose Jacobian is diag(a) - a^T a (Bridle 1990, eq. (8)): the column of
V^T (diag(a) - a^T a) for key j is a_ij (v_j - z_i)^T.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from msgspec.structs import replace

from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.exact.shapes import Shape, require
from symattn.floats.arrays import Floats, np
from symattn.floats.from_exact import to_float
from symattn.plans.gradient import Jacobian, RowOf
from symattn.plans.operation import Operation, Slip, Working
from symattn.plans.ops.pieces import Exchanged, Subtracting, Unsubtracted
from symattn.plans.plan import Line
from symattn.text.bilingual import Bilingual
from symattn.text.notation import Entry, Formula, Grid, Negative, Number, Product, Quotient, Sum, Transpose

ONE, ONCE = Exact.of(1), Number("1")


class KeyJacobian(Subtracting, Operation, Jacobian, frozen=True):
    """dz_i/dk_j (d_v, d_k) from A (n_q, n_k), V (n_k, d_v), Z (n_q, d_v) and Q (n_q, d_k).

    `row` i and `key` j count from 0; `divisor` is that of the scores, and how it is `spelled`.
    """

    working: ClassVar[Working] = "rule"
    example_fields: ClassVar = (1, 0, Exact.of(2), Number("2"))
    example_arguments: ClassVar = ([[1, 2], [3, 5]], [[2, -1], [1, 4]], [[5, 1], [1, 6]], [[1, 1], [2, 3]])
    row: int = 0
    key: int = 0
    divisor: Exact = ONE
    spelled: Formula = ONCE

    def shape(self, *shapes: Shape) -> Shape:
        a, v, z, q = shapes
        require(
            self.row < a[0] and self.key < a[1],
            (self.row + 1, self.key + 1, a),
            "[row|column] {0}, key {1} of weights {2}",
            "{2} 的权重没有第 {0} [行|列]第 {1} 个键",
            "count within the weights",
            "[行|列]号和键的序号不能超出权重矩阵",
        )
        require(
            v == (a[1], z[1]) and (z[0], q[0]) == (a[0], a[0]),
            (a, v, z, q),
            "A is {0}, V {1}, Z {2} and Q {3}",
            "A 是 {0}，V 是 {1}，Z 是 {2}，Q 是 {3}",
            "A needs a [row|column] for each [row|column] of Q and Z, and a [column|row] for "
            "each [row|column] of V",
            "A 的[行|列]数应等于 Q 和 Z 的[行|列]数，[列|行]数应等于 V 的[行|列]数",
        )
        return v[1], q[1]

    def exact(self, *arguments: Matrix) -> Matrix:
        d_v, d_k = self.shape(*(matrix.shape for matrix in arguments))
        a, v, z, q = arguments
        weight = a[self.row, self.key] / self.divisor
        apart = [self._apart(v[self.key, k], z[self.row, k]) for k in range(d_v)]
        return Matrix.of([[weight * x * q[self.row, m] for m in range(d_k)] for x in apart])

    def floats(self, *arguments: Floats) -> Floats:
        a, v, z, q = arguments
        apart = self._apart(v[self.key], z[self.row])
        jacobian: Floats = a[self.row, self.key] * np.outer(apart, q[self.row])
        return jacobian / to_float(self.divisor)

    def differentiates(self, line: Line, lines: Mapping[str, Line]) -> Iterator[tuple[str, RowOf, RowOf]]:
        tag = line.args[0].removesuffix("A")
        yield line.name, (f"{tag}Z", self.row), (f"{tag}K", self.key)

    def formula(self, *arguments: Formula) -> Formula:
        a, v, z, q = arguments
        apart = Sum((Entry(v, self.key + 1), Negative(Entry(z, self.row + 1))))
        product = Product((Entry(a, self.row + 1, self.key + 1), Transpose(apart), Entry(q, self.row + 1)))
        return self._over(product)

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        a, v, z, q = (grid.rows for grid in arguments)
        apart = self._written_apart(v[self.key][i], z[self.row][i])
        return self._over(Product((a[self.row][self.key], apart, q[self.row][j]), "dot"))

    def _over(self, product: Formula) -> Formula:
        return product if self.divisor == ONE else Quotient(product, self.spelled)

    def slips(self) -> tuple[Slip, ...]:
        given = (self.row, self.key, self.divisor, self.spelled)
        found = [
            Slip(
                "key-jacobian-uncentred",
                Bilingual("not subtracted the output from the value of the key", "没有从该键的值中减去输出"),
                KeyUncentred(*given),
            ),
            Slip(
                "key-jacobian-reversed",
                Bilingual("subtracted the value of the key from the output", "用输出减去了该键的值"),
                KeyReversed(*given),
            ),
        ]
        if self.divisor != ONE:
            found.append(
                Slip(
                    "key-jacobian-unscaled",
                    Bilingual("not divided by the divisor of the scores", "没有除以得分的缩放因子"),
                    replace(self, divisor=ONE),
                )
            )
        return tuple(found)


class KeyUncentred(Unsubtracted, KeyJacobian, frozen=True):
    """The mistake of v_j alone."""


class KeyReversed(Exchanged, KeyJacobian, frozen=True):
    """The mistake of z_i - v_j."""
