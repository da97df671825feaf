"""An argument handed on unchanged: what is left where somebody leaves an operation out."""

from __future__ import annotations

from typing import Any, ClassVar

from symattn.exact.matrix import Matrix
from symattn.exact.shapes import Shape
from symattn.floats.arrays import Floats
from symattn.floats.tables import Table
from symattn.plans.operation import Working
from symattn.plans.rules import Ruled
from symattn.text.notation import Formula


class Unchanged(Ruled, frozen=True):
    """Argument number `at`, from 0."""

    finite_decimals: ClassVar[bool] = True
    entrywise: ClassVar[bool] = True
    working: ClassVar[Working] = "none"
    example_arguments: ClassVar = ([[1, 2], [3, 5]],)
    at: int = 0

    def shape(self, *shapes: Shape) -> Shape:
        return shapes[self.at]

    def exact(self, *arguments: Matrix) -> Matrix:
        return arguments[self.at]

    def floats(self, *arguments: Floats) -> Floats:
        return arguments[self.at]

    def moves(self, *tables: Table) -> Table | None:
        return tables[self.at]

    def formula(self, *arguments: Formula) -> Formula:
        return arguments[self.at]

    def cell(self, i: int, j: int, *arguments: Any) -> Any:
        return arguments[self.at][i, j]
