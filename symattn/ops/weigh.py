"""The output: values weighted by attention, A V. Vaswani et al. 2017, eq. (1)."""

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
class Weigh(Operation):
    """Z = A V: weights (n_q, n_k), values (n_k, d_v); result (n_q, d_v).

    `transposed` uses A^T, `reversed_rows` meets the rows of V in reverse order: two mistakes.
    """

    is_product: ClassVar[bool] = True
    transposed: bool = False
    reversed_rows: bool = False

    def shape(self, *shapes: Shape) -> Shape:
        a, v = shapes
        if self.transposed:
            a = (a[1], a[0])
        if a[1] != v[0]:
            raise ShapeMismatch(
                f"A is {spelled(a)} and V is {spelled(v)}, so A V is undefined",
                "A needs one column for each row of V",
            )
        return a[0], v[1]

    def exact(self, *arguments: Matrix) -> Matrix:
        self.shape(*(matrix.shape for matrix in arguments))
        a, v = arguments
        if self.reversed_rows:
            v = v.taken(range(v.shape[0] - 1, -1, -1), range(v.shape[1]))
        return (a.T if self.transposed else a) @ v

    def floats(self, *arguments: Floats) -> Floats:
        a, v = self._pair(*arguments)
        product: Floats = a @ v
        return product

    def _pair(self, a: Floats, v: Floats) -> tuple[Floats, Floats]:
        return (a.T if self.transposed else a), (v[::-1] if self.reversed_rows else v)

    def formula(self, *arguments: Formula) -> Formula:
        a, v = arguments
        return Product((Transpose(a) if self.transposed else a, v))

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        a, v = arguments
        weights = tuple(row[i] for row in a.rows) if self.transposed else a.rows[i]
        rows = v.rows[::-1] if self.reversed_rows else v.rows
        terms = tuple(Product((w, row[j]), "dot") for w, row in zip(weights, rows, strict=True))
        return Sum(terms) if len(terms) > 1 else terms[0]

    def slips(self) -> tuple[Slip, ...]:
        if self != Weigh():
            return ()
        return (
            Slip(
                "weights-matrix-transposed",
                "multiplied A^T by V instead of A",
                "用了 A 的转置",
                Weigh(transposed=True),
            ),
            Slip(
                "values-reversed",
                "met the rows of V in the wrong order",
                "V 的行顺序弄反了",
                Weigh(reversed_rows=True),
            ),
        )

    @classmethod
    def example(cls) -> tuple[Operation, tuple[Matrix, ...]]:
        return cls(), (Matrix.rational([[1, 2], [3, 5]]), Matrix.rational([[2, -1], [1, 4]]))
