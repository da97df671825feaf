"""Matrices of which only the first and the last rows or columns are printed, with dots between them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symattn.reading.notes.formulas.formula import Dots, Grid, Node, Num, Row

Size = int | None
Entry = tuple[int, int, Num]


def dotted(node: Node) -> tuple[tuple[Node, ...], ...] | None:
    """The rows of a list or a matrix of numbers that leaves something out, or None for any other."""
    rows = node.rows if isinstance(node, Grid) else ((node.items,) if isinstance(node, Row) else ())
    cells = [cell for row in rows for cell in row]
    if not any(isinstance(cell, Dots) for cell in cells):
        return None
    return rows if all(isinstance(cell, Dots | Num) for cell in cells) else None


def spread(rows: Sequence[Sequence[Node]], height: Size, width: Size) -> list[Entry] | None:
    """Each printed number with its row and column: those behind the dots are counted from the end.

    None where the size that this takes is not known, or where it is too small.
    """
    placed: list[Entry] = []
    whole = [i for i, row in enumerate(rows) if all(isinstance(cell, Dots) for cell in row)]
    for i, at in _places(len(rows), whole, height):
        if at is None:
            return None
        left_out = [j for j, cell in enumerate(rows[i]) if isinstance(cell, Dots)]
        for j, column in _places(len(rows[i]), left_out, width):
            cell = rows[i][j]
            if column is None:
                return None
            if isinstance(cell, Num):
                placed.append((at, column, cell))
    return placed


def _places(count: int, dots: Sequence[int], size: Size) -> Iterator[tuple[int, Size]]:
    """Where each of the printed lines belongs, in a matrix of so many; None where nobody can tell."""
    for i in range(count):
        if i in dots:
            continue
        if not dots or i < dots[0]:
            yield i, i
        elif len(dots) > 1 or size is None or size < count:
            yield i, None
        else:
            yield i, size - count + i
