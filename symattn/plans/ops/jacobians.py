"""The Jacobians of one row: of its weights by its logits, of its output by one key and by one value.

The Jacobian of a softmax is diag(a) - a^T a (Bridle 1990, eq. (8)). By the chain rule the column of
V^T (diag(a) - a^T a) for key j is a_ij (v_j - z_i)^T; and z_i = sum_j a_ij v_j makes a_ij I.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from msgspec.structs import replace

from symattn.exact.number import Exact
from symattn.exact.shapes import Shape, require
from symattn.floats.arrays import Floats, np
from symattn.floats.from_exact import to_float
from symattn.plans.gradient import Jacobian, RowOf
from symattn.plans.operation import Mistake, Slip, Working
from symattn.plans.ops.pieces import Exchanged, Subtracting, Unsubtracted
from symattn.plans.plan import Line
from symattn.plans.rules import ZERO, Ruled, like, signed
from symattn.plans.slips import mistake
from symattn.text.notation import (
    Call,
    Entry,
    Formula,
    Negative,
    Number,
    Product,
    Quotient,
    Sum,
    Symbol,
    Transpose,
)


class SoftmaxJacobian(Ruled, Jacobian, frozen=True):
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
            "they have {2:[row|column]}",
            "共有 {2} [行|列]",
        )
        return m, m

    def _sign(self, j: int, k: int) -> int:
        """What a_j a_k is multiplied by in entry (j, k)."""
        return self.sign

    def cell(self, i: int, j: int, *arguments: Any) -> Any:
        a, b = arguments[0][self.row, i], arguments[0][self.row, j]
        delta = like(a, ONE if i == j else ZERO)
        return a * signed(delta, self._sign(i, j), b)

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

    def slips(self) -> tuple[Slip, ...]:
        if self.sign != -1:
            return ()
        return (
            mistake("jacobian-diagonal", replace(self, sign=0)),
            mistake("jacobian-own", OwnTerms(self.row)),
            mistake("jacobian-sign", replace(self, sign=1)),
        )


class OwnTerms(Mistake, SoftmaxJacobian, frozen=True):
    """The mistake of a_j (1 - a_j) on the diagonal, and 0 elsewhere."""

    def _sign(self, j: int, k: int) -> int:
        return -int(j == k)


ONE, ONCE = Exact.of(1), Number("1")


class KeyJacobian(Subtracting, Ruled, Jacobian, frozen=True):
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
        _within(a, self.row, self.key)
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

    def cell(self, i: int, j: int, *arguments: Any) -> Any:
        a, v, z, q = arguments
        apart = self._apart(v[self.key, i], z[self.row, i])
        product = a[self.row, self.key] * apart * q[self.row, j]
        return product if self.divisor == ONE else product / like(product, self.divisor, self.spelled)

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

    def _over(self, product: Formula) -> Formula:
        return product if self.divisor == ONE else Quotient(product, self.spelled)

    def slips(self) -> tuple[Slip, ...]:
        given = (self.row, self.key, self.divisor, self.spelled)
        found = [
            mistake("key-jacobian-uncentred", KeyUncentred(*given)),
            mistake("key-jacobian-reversed", KeyReversed(*given)),
        ]
        if self.divisor != ONE:
            found.append(mistake("key-jacobian-unscaled", replace(self, divisor=ONE)))
        return tuple(found)


class KeyUncentred(Unsubtracted, KeyJacobian, frozen=True):
    """The mistake of v_j alone."""


class KeyReversed(Exchanged, KeyJacobian, frozen=True):
    """The mistake of z_i - v_j."""


IDENTITY = Symbol("I")


class ValueJacobian(Ruled, Jacobian, frozen=True):
    """dz_i/dv_j = a_ij I (d_v, d_v) from A (n_q, n_k), with d_v the `width`: Vaswani et al. 2017, eq. (1).

    `row` i and `key` j count from 0.
    """

    finite_decimals: ClassVar[bool] = True
    working: ClassVar[Working] = "rule"
    example_fields: ClassVar = (0, 1, 2)
    example_arguments: ClassVar = ([[1, 2], [3, 5]],)
    row: int = 0
    key: int = 0
    width: int = 1

    def shape(self, *shapes: Shape) -> Shape:
        (a,) = shapes
        _within(a, self.row, self.key)
        return self.width, self.width

    def cell(self, i: int, j: int, *arguments: Any) -> Any:
        return arguments[0][self.row, self.key] if self._filled(i, j) else ZERO

    def _filled(self, i: int, j: int) -> bool:
        """Whether the weight stands in entry (i, j)."""
        return i == j

    def floats(self, *arguments: Floats) -> Floats:
        n = self.width
        filled = np.array([[float(self._filled(i, j)) for j in range(n)] for i in range(n)])
        jacobian: Floats = arguments[0][self.row, self.key] * filled
        return jacobian

    def differentiates(self, line: Line, lines: Mapping[str, Line]) -> Iterator[tuple[str, RowOf, RowOf]]:
        tag = line.args[0].removesuffix("A")
        yield line.name, (f"{tag}Z", self.row), (f"{tag}V", self.key)

    def formula(self, *arguments: Formula) -> Formula:
        return Product((Entry(arguments[0], self.row + 1, self.key + 1), IDENTITY))

    def slips(self) -> tuple[Slip, ...]:
        given = (self.row, self.key, self.width)
        return (
            mistake("value-jacobian-filled", ValueFilled(*given)),
            mistake("value-jacobian-unweighted", ValueUnweighted(*given)),
        )


class ValueFilled(Mistake, ValueJacobian, frozen=True):
    """The mistake of the weight in every entry."""

    def _filled(self, i: int, j: int) -> bool:
        return True


class ValueUnweighted(Mistake, ValueJacobian, frozen=True):
    """The mistake of the identity without its weight."""

    def cell(self, i: int, j: int, *arguments: Any) -> Any:
        return ONE if i == j else ZERO

    def floats(self, *arguments: Floats) -> Floats:
        return np.eye(self.width)


def _within(a: Shape, row: int, key: int) -> None:
    require(
        row < a[0] and key < a[1],
        (row + 1, key + 1, a),
        "[row|column] {0}, key {1} of weights {2}",
        "{2} 的权重没有第 {0} [行|列]第 {1} 个键",
        "count within the weights",
        "[行|列]号和键的序号不能超出权重矩阵",
    )
