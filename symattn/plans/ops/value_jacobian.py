"""The derivative of one output row by one value: a_ij I, since z_i = sum_j a_ij v_j."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.exact.shapes import Shape, require
from symattn.floats.arrays import Floats, np
from symattn.plans.gradient import Jacobian, RowOf
from symattn.plans.operation import Mistake, Operation, Slip, Working
from symattn.plans.plan import Line
from symattn.text.bilingual import Bilingual
from symattn.text.notation import Entry, Formula, Grid, Number, Product, Symbol

IDENTITY = Symbol("I")


class ValueJacobian(Operation, Jacobian, frozen=True):
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
        require(
            self.row < a[0] and self.key < a[1],
            (self.row + 1, self.key + 1, a),
            "[row|column] {0}, key {1} of weights {2}",
            "{2} 的权重没有第 {0} [行|列]第 {1} 个键",
            "count within the weights",
            "[行|列]号和键的序号不能超出权重矩阵",
        )
        return self.width, self.width

    def exact(self, *arguments: Matrix) -> Matrix:
        n, _ = self.shape(*(matrix.shape for matrix in arguments))
        weight = arguments[0][self.row, self.key]
        return Matrix.of(
            [[weight if self._filled(i, j) else Exact.of(0) for j in range(n)] for i in range(n)]
        )

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

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        return arguments[0].rows[self.row][self.key] if self._filled(i, j) else Number("0")

    def slips(self) -> tuple[Slip, ...]:
        given = (self.row, self.key, self.width)
        return (
            Slip(
                "value-jacobian-filled",
                Bilingual(
                    "put the weight into every entry and not on the diagonal alone",
                    "把权重填满了整个矩阵，而不是只放在对角线上",
                ),
                ValueFilled(*given),
            ),
            Slip(
                "value-jacobian-unweighted",
                Bilingual("left the weight of the value out", "漏掉了该值的权重"),
                ValueUnweighted(*given),
            ),
        )


class ValueFilled(Mistake, ValueJacobian, frozen=True):
    """The mistake of the weight in every entry."""

    def _filled(self, i: int, j: int) -> bool:
        return True


class ValueUnweighted(Mistake, ValueJacobian, frozen=True):
    """The mistake of the identity without its weight."""

    def exact(self, *arguments: Matrix) -> Matrix:
        return ValueJacobian.exact(self, arguments[0].map(lambda _: Exact.of(1)))

    def floats(self, *arguments: Floats) -> Floats:
        return np.eye(self.width)

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        return Number("1" if i == j else "0")
