"""Tables of words that are too wide for their columns: what a row says, on one line and on the line below."""

from __future__ import annotations

from msgspec.structs import replace

from symattn.text.document import Prose, Table
from symattn.typeset.latex_width import prose_width

_BETWEEN = " · "
_FEWEST = 3  # columns; two share a line without being stacked


def stacks(table: Table) -> bool:
    """Whether a row can be read without columns: it has more than two cells, and words in all of them."""
    return len(table.header) >= _FEWEST and set(table.align) == {"l"}


def natural_width(table: Table) -> float:
    """The em of a table, without the gaps between columns, where no cell wraps."""
    return sum(max(map(prose_width, column)) for column in zip(table.header, *table.rows, strict=True))


def stacked(table: Table) -> Table:
    """The first cell of each row, the next ones on one line, and the last one below them."""
    rows: list[tuple[Prose, ...]] = []
    for first, *middle, last in table.rows:
        rows += [(first, _joined(middle)), ((), last)]
    first, *others = table.header
    return replace(table, header=(first, _joined(others)), rows=tuple(rows), align="ll")


def _joined(cells: list[Prose]) -> Prose:
    return tuple(part for cell in cells if cell for part in (*cell, _BETWEEN))[:-1]
