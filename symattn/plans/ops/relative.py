"""Relative position bias: one learned number for each distance j - i; its gradient sums diagonals.

Raffel et al. 2020 (T5), section 2.1. Distances beyond the table take its first or last entry, as Shaw et al.
2018, eq. (5), clip them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from symattn.exact.shapes import Shape, require
from symattn.floats.arrays import Floats, np
from symattn.plans.gradient import Differentiable, Forward, Share, Shares
from symattn.plans.kinds import TableBias
from symattn.plans.operation import Mistake, Slip, Working
from symattn.plans.ops.add import PassOn
from symattn.plans.ops.unchanged import Unchanged
from symattn.plans.plan import Line
from symattn.plans.rules import Ruled, hidden, total_of
from symattn.plans.slips import mistake
from symattn.text.notation import Formula, Negative, Series, Sum, Symbol


class DiagonalSums(Ruled, frozen=True):
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

    def cell(self, i: int, j: int, *arguments: Any) -> Any:
        (slopes,) = arguments
        n, m = slopes.shape
        return total_of((slopes[at] for at in self._places(n, m, j)), spelled=True)

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

    def slips(self) -> tuple[Slip, ...]:
        return (mistake("diagonals-reversed", ReversedDiagonals(self.length, self.offset)),)


class ReversedDiagonals(Mistake, DiagonalSums, frozen=True):
    """The mistake of i - j."""

    def _distance(self, i: int, j: int) -> int:
        return -DiagonalSums._distance(self, i, j)


class RelativeBias(Ruled, TableBias, Differentiable, frozen=True):
    """S_ij + r(j - i) for scores S (n_q, n_k) and a table r (1, 2k + 1) of the distances -k to k.

    `offset` keys stand before the first query.
    """

    finite_decimals: ClassVar[bool] = True
    example_arguments: ClassVar = ([[1, 2], [3, 5]], [[7, -1, 2]])
    offset: int = 0

    def shape(self, *shapes: Shape) -> Shape:
        scores, table = shapes
        require(
            table[0] == 1 and table[1] % 2 != 0,
            (table,),
            "the relative biases are {0}",
            "相对位置偏置是 {0}",
            "one [row|column] of 2 k + 1 numbers, for the distances -k to k",
            "应为一[行|列]，有 2 k + 1 个数，对应距离 -k 到 k",
        )
        return scores

    def column(self, i: int, j: int, length: int) -> int:
        k = length // 2
        return max(-k, min(k, self._distance(i, j))) + k

    def _distance(self, i: int, j: int) -> int:
        return j - i - self.offset

    def cell(self, i: int, j: int, *arguments: Any) -> Any:
        score, table = arguments[0][i, j], arguments[1]
        if hidden(score):
            return score
        return total_of((score, table[0, self.column(i, j, table.shape[1])]), spelled=True)

    def _spread(self, scores: Floats, table: Floats) -> Floats:
        n, m = scores.shape
        at = [[self.column(i, j, table.shape[1]) for j in range(m)] for i in range(n)]
        biases: Floats = table[0][np.array(at)]
        return biases

    def floats(self, *arguments: Floats) -> Floats:
        scores, table = arguments
        return scores + self._spread(scores, table)

    def formula(self, *arguments: Formula) -> Formula:
        return Sum(arguments)

    def gradient(self, line: Line, g: str, forward: Forward) -> Shares:
        scores, table = line.args
        sums = DiagonalSums(forward.shapes[table][1], self.offset)
        return Share(scores, PassOn(), (g,)), Share(table, sums, (g,))

    def slips(self) -> tuple[Slip, ...]:
        return (
            mistake("relative-omitted", Unchanged()),
            mistake("relative-reversed", ReversedBias(self.offset)),
        )


class ReversedBias(Mistake, RelativeBias, frozen=True):
    """The mistake of r(i - j)."""

    def _distance(self, i: int, j: int) -> int:
        return -RelativeBias._distance(self, i, j)
