"""Lists and matrices that were printed before: copies of these, or a row that somebody copied by mistake."""

from __future__ import annotations

from collections.abc import Sequence

from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.formula import Grid, Node, Num, Row, grid_of, numerals
from symattn.reading.notes.formulas.names import INPUTS
from symattn.reading.notes.formulas.words import alias
from symattn.reading.notes.linking.closeness import agree
from symattn.reading.notes.linking.link import Linker
from symattn.reading.notes.linking.terms import numbers, only_row

NEAR_LINES = 4
"""So many lines below what it is made of a row stands at most."""


def repeated(linker: Linker, node: Node, item: Item) -> bool:
    """A list or a matrix that was printed before: a copy of it, or an input again.

    Of two that it may be it is the one that is being worked out, or else the last one.
    """
    grid = grid_of(node)
    if grid is not None and len(grid.rows) > 1:
        return _repeated_grid(linker, grid)
    row_of = only_row(node)
    if row_of is None:
        return False
    nums = numbers(row_of)
    found = linker.ledger.rows_like(nums)
    if len(nums) < 2 or not found:
        return False
    said = alias(item.label) or alias(item.label.split(" ")[-1]) if item.label else None
    here = linker.context.row(item.start)
    name, row = min(reversed(found), key=lambda at: (at[0] != said, at[1] != here))
    worked = linker.predictor.worked_on(name, item.start)
    if row != here and worked is not None:
        last, at = worked
        row = at if (name, at) in found or _is_due(linker, (name, row), at, (last, item.start)) else row
    if name in INPUTS:
        for num in nums:
            linker.roles.setdefault(num.start, "input")
        return True
    linker.ledger.next_group()
    for col, num in enumerate(nums):
        if not linker.goes_on(name, row, col, num):
            linker.ledger.claim(name, row, col, num)
    return True


def _is_due(linker: Linker, first: tuple[str, int], at: int, between: tuple[int, int]) -> bool:
    """Whether numbers of a row are due in another one, `at`: somebody copied them from above.

    What it is made of stands just above them, and below the row that they are of.
    """
    name, row = first
    printed = linker.ledger.first.get(name, {}).get((row, 0))
    if printed is None or printed.num.start > between[0] or linker.predictor.printed(name, at):
        return False
    above, here = map(linker.context.line, between)
    return here - above <= NEAR_LINES


def _repeated_grid(linker: Linker, grid: Grid) -> bool:
    rows = [list(numerals(Row(cells, 0, 0))) for cells in grid.rows]
    if any(len(row) != len(rows[0]) for row in rows) or len(rows[0]) < 2:
        return False
    found = [set(linker.ledger.rows_like(row)) for row in rows]
    for name in dict.fromkeys(name for name, row in reversed(linker.ledger.rows_like(rows[0])) if row == 0):
        if all((name, i) in matches for i, matches in enumerate(found)):
            if not _first_agrees(linker, name, rows):
                return False
            linker.ledger.next_group()
            for i, row in enumerate(rows):
                for j, num in enumerate(row):
                    if name in INPUTS:
                        linker.roles.setdefault(num.start, "input")
                    else:
                        linker.ledger.claim(name, i, j, num)
            return True
    return False


def _first_agrees(linker: Linker, name: str, rows: Sequence[Sequence[Num]]) -> bool:
    """Whether a matrix is, in most entries, what was printed first: `0.5000` is 0.5 again, and not 0.4683."""
    first = linker.ledger.first.get(name, {})
    pairs = [
        (first[i, j].num, num) for i, row in enumerate(rows) for j, num in enumerate(row) if (i, j) in first
    ]
    return 2 * sum(agree(*pair) for pair in pairs) >= len(pairs)
