"""A relative position bias backwards: the gradient of each distance, summed along its diagonal.

Raffel et al. 2020 (T5), section 2.1, differentiated.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.exact.shapes import Shape
from symattn.floats.arrays import Floats, np
from symattn.plans.operation import Mistake, Operation, Slip, Working
from symattn.text.bilingual import oriented
from symattn.text.notation import Formula, Grid, Negative, Number, Series, Sum, Symbol, sum_of


class DiagonalSums(Operation, frozen=True):
    """dr (1, length) from dS (n_q, n_k): entry t sums dS_ij over the distance j - i = t - k, length 2k + 1.

    `offset` keys stand before the first query; distances beyond the table count for its ends.
    """

    finite_decimals: ClassVar[bool] = True
    working: ClassVar[Working] = "rule"
    example_fields: ClassVar = (3,)
    example_arguments: ClassVar = ([[1, 2], [3, 5]],)
    length: int
    offset: int = 0

    def shape(self, *shapes: Shape) -> Shape:
        return 1, self.length

    def _places(self, n: int, m: int, t: int) -> Iterator[tuple[int, int]]:
        k = self.length // 2
        for i in range(n):
            for j in range(m):
                if max(-k, min(k, self._distance(i, j))) + k == t:
                    yield i, j

    def _distance(self, i: int, j: int) -> int:
        return j - i - self.offset

    def exact(self, *arguments: Matrix) -> Matrix:
        (slopes,) = arguments
        places = (self._places(*slopes.shape, t) for t in range(self.length))
        return Matrix.of([[sum((slopes[at] for at in diagonal), Exact.of(0)) for diagonal in places]])

    def floats(self, *arguments: Floats) -> Floats:
        (slopes,) = arguments
        n, m = slopes.shape
        sums = []
        for t in range(self.length):
            chosen = np.zeros((n, m), dtype=bool)
            for at in self._places(n, m, t):
                chosen[at] = True
            sums.append(np.sum(np.where(chosen, slopes, 0.0), keepdims=True))
        return np.concatenate(sums, axis=1)

    def formula(self, *arguments: Formula) -> Formula:
        apart = Sum((Symbol("j"), Negative(Symbol("i"))))
        return Series("sum", apart, None, None, arguments[0])

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        rows = arguments[0].rows
        cells = tuple(rows[a][b] for a, b in self._places(len(rows), len(rows[0]), j))
        return sum_of(cells, spelled=True) if cells else Number("0")

    def slips(self) -> tuple[Slip, ...]:
        return (
            Slip(
                "diagonals-reversed",
                oriented(
                    "summed for the distance [i - j|j - i] instead of [j - i|i - j]",
                    "按距离 [i - j|j - i] 求和，而不是 [j - i|i - j]",
                ),
                ReversedDiagonals(self.length, self.offset),
            ),
        )


class ReversedDiagonals(Mistake, DiagonalSums, frozen=True):
    """The mistake of i - j."""

    def _distance(self, i: int, j: int) -> int:
        return -DiagonalSums._distance(self, i, j)
