"""Sums of two matrices, such as positions added to embeddings, which hand their gradient on unchanged.

Vaswani et al. 2017, section 3.5; Rumelhart, Hinton and Williams 1986 for the gradient.
"""

from __future__ import annotations

from typing import Any, ClassVar

from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.exact.shapes import Shape, agreed
from symattn.floats.arrays import Floats
from symattn.floats.tables import Table, added
from symattn.plans.gradient import Differentiable, Forward, Share, Shares
from symattn.plans.operation import Operation, Slip, Working
from symattn.plans.ops.scale import Scale
from symattn.plans.plan import Line, base_name
from symattn.plans.rules import Ruled
from symattn.plans.slips import mistake
from symattn.text.bilingual import Bilingual
from symattn.text.notation import Formula, Grid, Number, Sum


class PassOn(Ruled, frozen=True):
    """The gradient of a summand, which is that of the sum."""

    finite_decimals: ClassVar[bool] = True
    entrywise: ClassVar[bool] = True
    working: ClassVar[Working] = "none"
    example_arguments: ClassVar = ([[1, 2], [3, 5]],)

    def exact(self, *arguments: Matrix) -> Matrix:
        return arguments[0]

    def floats(self, *arguments: Floats) -> Floats:
        return arguments[0]

    def formula(self, *arguments: Formula) -> Formula:
        return arguments[0]

    def cell(self, i: int, j: int, *arguments: Any) -> Any:
        return arguments[0][i, j]

    def slips(self) -> tuple[Slip, ...]:
        return (mistake("gradient-halved", Scale(Exact.of(2), Number("2"))),)


class Add(Operation, Differentiable, frozen=True):
    """A + B for matrices of one shape; `times` spells the mistake of leaving B out."""

    finite_decimals: ClassVar[bool] = True
    entrywise: ClassVar[bool] = True
    example_arguments: ClassVar = ([[1, 2], [3, 5]], [[2, -1], [1, 4]])
    times: int = 1

    def shape(self, *shapes: Shape) -> Shape:
        return agreed(shapes, Bilingual("{a} and {b} cannot be added", "{a} 与 {b} 不能相加"))

    def exact(self, *arguments: Matrix) -> Matrix:
        return arguments[0] + arguments[1] if self.times else arguments[0]

    def floats(self, *arguments: Floats) -> Floats:
        return arguments[0] + self.times * arguments[1]

    def moves(self, *tables: Table) -> Table | None:
        return added(*tables) if self.times else tables[0]

    def formula(self, *arguments: Formula) -> Formula:
        return Sum(arguments)

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        cells = tuple(grid.rows[i][j] for grid in arguments)
        return Sum(cells, spelled=True) if self.times else cells[0]

    def gradient(self, line: Line, g: str, forward: Forward) -> Shares:
        """Both summands; positions that are added to X have no gradient of their own."""
        return () if base_name(line.name) == "X+PE" else tuple(Share(x, PassOn(), (g,)) for x in line.args)

    def slips(self) -> tuple[Slip, ...]:
        if not self.times:
            return ()
        return (mistake("summand-omitted", Add(times=0)),)
