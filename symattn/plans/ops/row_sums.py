"""The denominators of the softmax: the sum of the exponentials of each row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from msgspec.structs import replace

from symattn.exact.matrix import Matrix
from symattn.exact.shapes import Shape
from symattn.exact.sums import summed
from symattn.floats.arrays import Floats, np
from symattn.floats.tables import Table, total
from symattn.plans.kinds import Denominators
from symattn.plans.operation import Operation, Slip
from symattn.plans.ops.exponential import Exponential
from symattn.plans.plan import Line
from symattn.plans.rules import Ruled, every, total_of
from symattn.plans.slips import mistake
from symattn.plans.weights import Mistaken, SlipsByPlan, unmasked
from symattn.text.bilingual import Bilingual
from symattn.text.notation import EVERYWHERE, Formula, Series, Symbol

AFTER_SOFTMAX = Bilingual(
    "set weights to zero for the mask without normalising them again",
    "遮住权重之后没有重新归一化",
)
INDICES: Mapping[int | None, Formula] = {1: Symbol("j"), 0: Symbol("i"), None: EVERYWHERE}


class RowSums(Ruled, Denominators, SlipsByPlan, frozen=True):
    """Sums of a matrix (n_q, n_k) over each row: (n_q, 1).

    Along `axis` 0 they are those of the columns, (1, n_k), and along None that of all, (1, 1): the mistakes
    "softmax down the columns" and "over the whole matrix". `without` leaves one key out.
    """

    finite_decimals: ClassVar[bool] = True
    example_arguments: ClassVar = ([[1, 2], [3, 5]],)
    axis: int | None = 1
    without: int | None = None

    @property
    def plain(self) -> bool:
        return self.axis == 1 and self.without is None

    def shape(self, *shapes: Shape) -> Shape:
        n, m = shapes[0]
        return {1: (n, 1), 0: (1, m), None: (1, 1)}[self.axis]

    def exact(self, *arguments: Matrix) -> Matrix:
        return arguments[0].row_sums() if self.plain else Ruled.exact(self, *arguments)

    def cell(self, i: int, j: int, *arguments: Any) -> Any:
        matrix = arguments[0]
        if self.axis is None:
            return total_of(every(matrix), spelled=True, exact=summed)
        row = matrix.row(i) if self.axis else matrix.T.row(j)
        return total_of((x for k, x in enumerate(row) if k != self.without), spelled=True)

    def floats(self, *arguments: Floats) -> Floats:
        powers = arguments[0]
        kept = np.arange(powers.shape[1]) != self.without
        sums: Floats = np.sum(np.where(kept, powers, 0.0), axis=self.axis, keepdims=True)
        return sums

    def moves(self, *tables: Table) -> Table | None:
        if not self.plain:
            return Operation.moves(self, *tables)
        return [[total(row)] for row in tables[0]]

    def formula(self, *arguments: Formula) -> Formula:
        return Series("sum", INDICES[self.axis], None, None, arguments[0])

    def slips(self) -> tuple[Slip, ...]:
        if self.axis != 1 or self.without is not None:
            return ()
        return (
            mistake("softmax-columns", replace(self, axis=0)),
            mistake("softmax-whole", replace(self, axis=None)),
            *(mistake(f"denominator-without-{k + 1}", replace(self, without=k)) for k in range(2)),
        )

    def mistaken(
        self, line: Line, lines: Mapping[str, Line], shapes: Mapping[str, Shape]
    ) -> Iterator[Mistaken]:
        scores = unmasked(line.args[0], lines) if self.plain else None
        if scores is not None:
            told = replace(line, op=SumsOfAll(), args=(scores,))
            yield "mask-after-softmax", AFTER_SOFTMAX, told


class SumsOfAll(RowSums, frozen=True):
    """The sums of the exponentials of all scores (n_q, n_k), of hidden keys as well: (n_q, 1)."""

    def exact(self, *arguments: Matrix) -> Matrix:
        return Exponential().exact(arguments[0]).row_sums()
