"""A matrix that is too wide for a line, in blocks of columns."""

from __future__ import annotations

from collections.abc import Sequence

from symattn.text.notation import Call, Formula, Grid, Negative, Product, Quotient, Sum, Transpose
from symattn.typeset.latex_width import COLUMN_GAP


def blocks(columns: Sequence[float], room: float) -> list[tuple[int, int]]:
    """Runs of columns that fit the room, at least one column each, of nearly equal length."""
    runs = _greedy(columns, room)
    if len(runs) < 2:
        return runs
    even = -(-len(columns) // len(runs))
    balanced = [(start, min(start + even, len(columns))) for start in range(0, len(columns), even)]
    fits = all(sum(columns[a:b]) + COLUMN_GAP * (b - a - 1) <= room for a, b in balanced)
    return balanced if fits else runs


def _greedy(columns: Sequence[float], room: float) -> list[tuple[int, int]]:
    runs, start, taken = [], 0, 0.0
    for j, wide in enumerate(columns):
        if j > start and taken + COLUMN_GAP + wide > room:
            runs.append((start, j))
            start, taken = j, 0.0
        taken += wide + (COLUMN_GAP if j > start else 0.0)
    return [*runs, (start, len(columns))]


def part_of(formula: Grid, rows_of: tuple[int, int], columns_of: tuple[int, int]) -> Grid:
    """The entries of some rows and columns, with their names."""
    in_rows, in_columns = slice(*rows_of), slice(*columns_of)
    return Grid(
        tuple(row[in_columns] for row in formula.rows[in_rows]),
        formula.row_labels[in_rows],
        formula.col_labels[in_columns],
    )


def range_words(start: int, stop: int, axis: int, lang: str) -> str:
    """`columns 4–6`, from 0 and without the last, as a caption says it."""
    numbers = f"{start + 1}–{stop}" if stop > start + 1 else f"{stop}"
    if lang == "zh":
        return f"第 {numbers} {'行列'[axis]}"
    noun = ("row", "column")[axis]
    return f"{noun if stop == start + 1 else noun + 's'} {numbers}"


def holds_grid(formula: Formula) -> bool:
    """Whether a formula is a matrix or has one among its parts."""
    match formula:
        case Grid():
            return True
        case Product(factors=parts) | Sum(terms=parts) | Call(arguments=parts):
            return any(map(holds_grid, parts))
        case Quotient(over=part) | Transpose(matrix=part) | Negative(term=part):
            return holds_grid(part)
        case _:
            return False
