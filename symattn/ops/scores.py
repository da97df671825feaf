"""Scores: the dot product of every query with every key, Q K^T. Vaswani et al. 2017, eq. (1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal, TypeVar

from symattn.errors import ShapeMismatch
from symattn.exact.matrix import Matrix, Shape, spelled
from symattn.notation import Formula, Grid, Product, Sum, Transpose
from symattn.operation import Operation, Slip

if TYPE_CHECKING:
    from symattn.operation import Floats

Left = Literal["Q", "K"]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Scores(Operation):
    """Q K^T: Q (n_q, d_k), K (n_k, d_k); result (n_q, n_k).

    The parameters spell the ways in which it goes wrong: another left or right factor, or no transpose.
    """

    is_product: ClassVar[bool] = True
    left: Left = "Q"
    right: Left = "K"
    transposed: bool = True

    def _factors(self, q: T, k: T) -> tuple[T, T]:
        return (q if self.left == "Q" else k), (q if self.right == "Q" else k)

    def shape(self, *shapes: Shape) -> Shape:
        left, right = self._factors(*shapes)
        inner, outer = (right[1], right[0]) if self.transposed else right
        if left[1] != inner:
            raise ShapeMismatch(
                f"{self.left} is {spelled(left)} and {self.right} is {spelled(right)}, "
                f"so their dot products are undefined",
                "queries and keys need the same dimension d_k",
            )
        return left[0], outer

    def exact(self, *arguments: Matrix) -> Matrix:
        self.shape(*(matrix.shape for matrix in arguments))
        left, right = self._factors(*arguments)
        return left @ (right.T if self.transposed else right)

    def floats(self, *arguments: Floats) -> Floats:
        left, right = self._factors(*arguments)
        product: Floats = left @ (right.T if self.transposed else right)
        return product

    def formula(self, *arguments: Formula) -> Formula:
        left, right = self._factors(*arguments)
        return Product((left, Transpose(right) if self.transposed else right))

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        left, right = self._factors(*arguments)
        column = right.rows[j] if self.transposed else tuple(row[j] for row in right.rows)
        terms = tuple(Product(pair, "dot") for pair in zip(left.rows[i], column, strict=True))
        return Sum(terms) if len(terms) > 1 else terms[0]

    def slips(self) -> tuple[Slip, ...]:
        if self != Scores():
            return ()
        return (
            Slip(
                "key-not-transposed",
                "multiplied Q by K instead of K^T",
                "用 K 代替了 K^T",
                Scores(transposed=False),
            ),
            Slip(
                "query-key-exchanged",
                "computed K Q^T instead of Q K^T",
                "把 Q K^T 算成了 K Q^T",
                Scores("K", "Q"),
            ),
            Slip("query-for-key", "used Q for K, Q Q^T", "把 K 用成了 Q", Scores("Q", "Q")),
            Slip("key-for-query", "used K for Q, K K^T", "把 Q 用成了 K", Scores("K", "K")),
        )

    @classmethod
    def example(cls) -> tuple[Operation, tuple[Matrix, ...]]:
        return cls(), (Matrix.rational([[1, 2], [3, 5]]), Matrix.rational([[2, -1], [1, 4]]))
