"""The denominators of the softmax: the sum of the exponentials of each row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from symattn.exact.matrix import Matrix, Shape
from symattn.exact.number import Exact
from symattn.exact.sums import summed
from symattn.exact.weighted import Weighted
from symattn.notation import EVERYWHERE, Formula, Grid, Series, Sum, Symbol
from symattn.operation import Operation, Slip

if TYPE_CHECKING:
    from symattn.operation import Floats

Over = Literal["rows", "columns", "all"]
AXES: Mapping[Over, int | None] = {"rows": 1, "columns": 0, "all": None}
INDICES: Mapping[Over, Formula] = {"rows": Symbol("j"), "columns": Symbol("i"), "all": EVERYWHERE}


@dataclass(frozen=True, slots=True)
class RowSums(Operation):
    """Sums of a matrix (n_q, n_k) over each row: (n_q, 1).

    The sums `over` columns, (1, n_k), or all, (1, 1), are the mistakes "softmax down the columns" and
    "over the whole matrix"; `without` leaves one key out.
    """

    over: Over = "rows"
    without: int | None = None

    def shape(self, *shapes: Shape) -> Shape:
        n, m = shapes[0]
        return {"rows": (n, 1), "columns": (1, m), "all": (1, 1)}[self.over]

    def exact(self, *arguments: Matrix) -> Matrix:
        (powers,) = arguments
        if self.over == "rows" and self.without is None and isinstance(powers, Weighted):
            return powers.row_sums()
        n, m = powers.shape
        groups = {
            "rows": [[[(i, k) for k in range(m)]] for i in range(n)],
            "columns": [[[(i, k) for i in range(n)] for k in range(m)]],
            "all": [[[(i, k) for i in range(n) for k in range(m)]]],
        }[self.over]
        return Matrix.of([[self._total(powers, places) for places in row] for row in groups])

    def _total(self, powers: Matrix, places: list[tuple[int, int]]) -> Exact:
        entries = (powers[i, k] for i, k in places if k != self.without)
        return summed(entries) if self.over == "all" else sum(entries, Exact.of(0))

    def floats(self, *arguments: Floats) -> Floats:
        import numpy as np

        (powers,) = arguments
        kept = np.arange(powers.shape[1]) != self.without
        sums: Floats = np.sum(np.where(kept, powers, 0.0), axis=AXES[self.over], keepdims=True)
        return sums

    def formula(self, *arguments: Formula) -> Formula:
        return Series("sum", INDICES[self.over], None, None, arguments[0])

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        rows = arguments[0].rows
        cells = {
            "rows": rows[i],
            "columns": tuple(row[j] for row in rows),
            "all": tuple(cell for row in rows for cell in row),
        }[self.over]
        if self.without is not None:
            cells = tuple(cell for k, cell in enumerate(cells) if k != self.without)
        return Sum(cells, spelled=True) if len(cells) > 1 else cells[0]

    def slips(self) -> tuple[Slip, ...]:
        if self.over != "rows" or self.without is not None:
            return ()
        return (
            Slip(
                "softmax-columns",
                "normalised down the columns instead of along the rows",
                "按列归一化，而不是按行",
                replace(self, over="columns"),
            ),
            Slip(
                "softmax-whole",
                "normalised over the whole matrix instead of row by row",
                "对整个矩阵归一化，而不是逐行",
                replace(self, over="all"),
            ),
            *(
                Slip(
                    f"denominator-without-{k + 1}",
                    f"left key {k + 1} out of the denominator",
                    f"分母漏掉了第 {k + 1} 个键",
                    replace(self, without=k),
                )
                for k in range(2)
            ),
        )

    @classmethod
    def example(cls) -> tuple[Operation, tuple[Matrix, ...]]:
        return cls(), (Matrix.rational([[1, 2], [3, 5]]),)
