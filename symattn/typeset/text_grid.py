"""A written-out matrix as a box: columns aligned on the decimal point, labels outside the brackets."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from symattn.text.notation import Formula, Grid, Marked, Negative, Number
from symattn.typeset.box import SQUARE, Box, beside, fence, in_style, line, stacked
from symattn.typeset.cjk import display_width, pad, visible

_GAP = "  "

SetBox = Callable[[Formula], Box]


def grid_box(grid: Grid, box: SetBox, tall: bool = True) -> Box:
    """The matrix with its brackets; on one line `[1 2; 3 4]` if it may not be tall."""
    if not tall:
        rows = ("  ".join(box(cell).lines[0] for cell in row) for row in grid.rows)
        return line(f"[{'; '.join(rows)}]")
    return _bracketed(grid, box, 0, grid.shape[1])


def column_blocks(grid: Grid, box: SetBox, width: int) -> list[Box]:
    """A matrix too wide for the line as blocks of columns, each with the row labels; `⋯` joins them."""
    columns = grid.shape[1]
    blocks: list[Box] = []
    start = 0
    while start < columns:
        stop = start + 1
        block = _bracketed(grid, box, start, stop)
        while stop < columns:
            longer = _bracketed(grid, box, start, stop + 1)
            if longer.width > width:
                break
            stop, block = stop + 1, longer
        blocks.append(block)
        start = stop
    return blocks


def _bracketed(grid: Grid, box: SetBox, start: int, stop: int) -> Box:
    """The columns from `start` up to `stop`, with a bracket only where the matrix begins or ends."""
    if not grid.rows or not grid.rows[0]:
        return line("[ ]")
    columns = [
        _column([box(row[at]) for row in grid.rows], [row[at] for row in grid.rows])
        for at in range(start, stop)
    ]
    names = [visible(name) for name in grid.col_labels[start:stop]]
    if names:
        columns, names = _fitted(columns, names)
    heights = _row_heights(columns)
    bodies = [_stacked_cells(column, heights) for column in columns]
    height = sum(below + above for above, below in heights)
    baseline = height // 2 if height > 1 else 0
    left = fence(SQUARE[0], height, baseline) if start == 0 else Box(("⋯ ",) * height, baseline)
    right = fence(SQUARE[1], height, baseline) if stop == grid.shape[1] else Box((" ⋯",) * height, baseline)
    parts: list[Box] = []
    for at, body in enumerate(bodies):
        parts += [Box((_GAP,) * height, baseline)] if at else []
        parts.append(Box(body, baseline))
    inside = beside(left, *parts, right)
    labels = _row_labels(grid.row_labels, heights, baseline)
    whole = beside(labels, inside) if labels else inside
    if not names:
        return whole
    indent = " " * ((labels.width if labels else 0) + left.width)
    top = in_style(line(_GAP.join(names)), "label").lines[0]
    return Box((pad(indent + top, whole.width), *whole.lines), whole.baseline + 1)


def _column(cells: Sequence[Box], formulas: Sequence[Formula]) -> list[Box]:
    """The cells of a column, equally wide: numerals with their points in line, the rest centred."""
    splits = [
        _at_point(cell) if _is_numeral(formula) else None
        for cell, formula in zip(cells, formulas, strict=True)
    ]
    before = max((display_width(split[0]) for split in splits if split), default=0)
    after = max((display_width(split[1]) for split in splits if split), default=0)
    width = max(before + after, *(cell.width for cell in cells))
    return [
        line(pad(pad(split[0], before, "r") + pad(split[1], after), width, "c"))
        if split
        else Box(tuple(pad(words, width, "c") for words in cell.lines), cell.baseline)
        for cell, split in zip(cells, splits, strict=True)
    ]


def _is_numeral(formula: Formula) -> bool:
    match formula:
        case Number():
            return True
        case Negative(term=inner) | Marked(body=inner):
            return _is_numeral(inner)
        case _:
            return False


def _at_point(cell: Box) -> tuple[str, str]:
    """The cell cut before its first decimal point, or after the last digit of its first numeral."""
    words = cell.lines[0]
    first = next((at for at, character in enumerate(words) if character.isdigit()), len(words))
    cut = first
    while cut < len(words) and words[cut].isdigit():
        cut += 1
    return words[:cut], words[cut:]


def _fitted(columns: list[list[Box]], names: list[str]) -> tuple[list[list[Box]], list[str]]:
    """Columns and their names, each pair equally wide."""
    widths = [max(column[0].width, display_width(name)) for column, name in zip(columns, names, strict=True)]
    wider = [
        [Box(tuple(pad(words, width, "c") for words in cell.lines), cell.baseline) for cell in column]
        for column, width in zip(columns, widths, strict=True)
    ]
    return wider, [pad(name, width, "c") for name, width in zip(names, widths, strict=True)]


def _row_heights(columns: Sequence[Sequence[Box]]) -> list[tuple[int, int]]:
    """For each row the lines above its baseline, and those from there on."""
    return [
        (max(cell.baseline for cell in row), max(cell.height - cell.baseline for cell in row))
        for row in zip(*columns, strict=True)
    ]


def _stacked_cells(column: Sequence[Box], heights: Sequence[tuple[int, int]]) -> tuple[str, ...]:
    lines: list[str] = []
    for cell, (above, below) in zip(column, heights, strict=True):
        blank = " " * cell.width
        lines += [blank] * (above - cell.baseline) + list(cell.lines)
        lines += [blank] * (below - cell.height + cell.baseline)
    return tuple(lines)


def _row_labels(names: tuple[str, ...], heights: Sequence[tuple[int, int]], baseline: int) -> Box | None:
    if not names:
        return None
    cells: list[Box] = []
    for name, (above, below) in zip(names, heights, strict=True):
        cells.append(Box(("",) * above + (visible(name) + " ",) + ("",) * (below - 1)))
    return in_style(Box(stacked(cells), baseline), "label")
