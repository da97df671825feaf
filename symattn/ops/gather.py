"""A transposed product, A^T B: what every row contributes, summed over the rows.

K^T V of linear attention (Katharopoulos et al. 2020, eq. (6)); and in the backward pass the gradient of
a right factor, dW = X^T dQ and dV = A^T dZ.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from symattn.errors import ShapeMismatch
from symattn.exact.matrix import Matrix, Shape, spelled
from symattn.notation import Formula, Grid, Product, Sum, Transpose
from symattn.operation import Operation, Slip

if TYPE_CHECKING:
    from symattn.operation import Floats


@dataclass(frozen=True, slots=True)
class Gather(Operation):
    """A^T B: A (n, p), B (n, q); result (p, q). `transposed` False is the mistake of A B."""

    is_product: ClassVar[bool] = True
    transposed: bool = True

    def shape(self, *shapes: Shape) -> Shape:
        a, b = shapes
        a = (a[1], a[0]) if self.transposed else a
        if a[1] != b[0]:
            raise ShapeMismatch(
                f"{spelled(shapes[0])} and {spelled(b)} have no transposed product",
                "both need the same number of rows",
            )
        return a[0], b[1]

    def exact(self, *arguments: Matrix) -> Matrix:
        self.shape(*(matrix.shape for matrix in arguments))
        a, b = arguments
        return (a.T if self.transposed else a) @ b

    def floats(self, *arguments: Floats) -> Floats:
        a, b = arguments
        product: Floats = (a.T if self.transposed else a) @ b
        return product

    def formula(self, *arguments: Formula) -> Formula:
        a, b = arguments
        return Product((Transpose(a) if self.transposed else a, b))

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        a, b = arguments
        left = tuple(row[i] for row in a.rows) if self.transposed else a.rows[i]
        terms = tuple(Product((x, row[j]), "dot") for x, row in zip(left, b.rows, strict=True))
        return Sum(terms) if len(terms) > 1 else terms[0]

    def slips(self) -> tuple[Slip, ...]:
        if not self.transposed:
            return ()
        return (
            Slip(
                "gathered-untransposed",
                "not transposed the left factor",
                "左边的因子没有转置",
                Gather(transposed=False),
            ),
        )

    @classmethod
    def example(cls) -> tuple[Operation, tuple[Matrix, ...]]:
        return cls(), (Matrix.rational([[1, 2], [3, 5]]), Matrix.rational([[2, -1], [1, 4]]))
