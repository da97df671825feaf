"""Lists of lists side by side, with the signs between them beside one of their rows.

    Q K^T = [[2, 0],     [[0, 2],     [[0, 4],        scores = [[0, 4],   / sqrt(2)  =  [[0.00, 2.83],
             [0, 2]]  @   [2, 0]]  =   [4, 0]]                  [4, 0]]                  [2.83, 0.00]]

They are read only as a whole: every line has a row of each, and every gap but the first has one sign, or none
where each list has its name in the line above.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.formula import Binary, Chain, Grid, Node
from symattn.reading.notes.layout.headed import names_above
from symattn.reading.notes.layout.page import Page, grid_of_rows

_ROW = re.compile(r"(?P<gap>[^\[\]\n]*)(?P<open>\[\[?)(?P<cells>[^\[\]\n]+)(?P<close>\]\]?)")
_CELL = re.compile(r"[^,]+")
_PRODUCT = re.compile(r"[@*]")
_RELATION = re.compile(r"[=≈]")
_QUOTIENT = re.compile(r"/ *(?P<under>[^\[\]=≈\n]+?) *(?P<sign>[=≈])")
MOST_ROWS, FARTHEST = 64, 8
"""Rows of a list, and how far beside its bracket a name in the line above may begin."""


@dataclass(frozen=True, slots=True)
class _Part:
    """A row of one list: what stands before it, whether it opens or closes the list, and its cells."""

    gap: str
    gap_start: int
    opens: bool
    closes: bool
    cells: str
    start: int


def abreast(page: Page) -> Iterator[Item]:
    """The chains that such lines are."""
    i = 0
    while i < len(page.lines):
        block = _block(page, i)
        chain = _chain(block, page) if block else None
        chains = [chain] if chain is not None else _headed(block, page, i) if block else []
        yield from (Item(each, *page.span(i, i + len(block))) for each in chains)
        i += max(len(block), 1) if chains else 1


def _block(page: Page, first: int) -> list[list[_Part]]:
    """The rows of lists that open together on a line and close together on another one."""
    if page.lines[first].count("[[") < 2:
        return []
    block: list[list[_Part]] = []
    for at in range(first, min(first + MOST_ROWS, len(page.lines))):
        parts = _parts(page.lines[at], page.starts[at])
        if len(parts) < 2 or (block and len(parts) != len(block[0])):
            return []
        if any(part.opens != (at == first) for part in parts):
            return []
        block.append(parts)
        if any(part.closes for part in parts):
            return block if at > first and all(part.closes for part in parts) else []
    return []


def _parts(line: str, start: int) -> list[_Part]:
    """The rows of a line; none where something else stands behind them."""
    parts: list[_Part] = []
    end = 0
    for row in _ROW.finditer(line):
        if row.start() != end:
            return []
        end = row.end()
        doubled = len(row["open"]) > 1, len(row["close"]) > 1
        cells = row["cells"], start + row.start("cells")
        parts.append(_Part(row["gap"], start + row.start("gap"), *doubled, *cells))
    return parts if not line[end:].strip(" ,") else []


def _chain(block: Sequence[Sequence[_Part]], page: Page) -> Chain | None:
    """The chain of the lists, each joined to those before it by the one sign between them."""
    columns = list(zip(*block, strict=True))
    grids = [grid_of_rows([_cells(part, page) for part in column]) for column in columns]
    if any(grid is None for grid in grids):
        return None
    members = _name(columns[0], page)
    if members is None:
        return None
    relations = ["="] * len(members)
    last: Node | None = None
    for grid, column in zip(grids, columns, strict=True):
        if last is None:
            last = grid
            continue
        joined = _joined(last, column, grid, page)
        if joined is None:
            return None
        behind, sign, last = joined
        if sign:
            members.append(behind)
            relations.append(sign)
    if last is None or not relations:
        return None
    return Chain((*members, last), tuple(relations))


def _headed(block: Sequence[Sequence[_Part]], page: Page, i: int) -> list[Chain]:
    """The lists that have nothing before them but a name each in the line above."""
    if any(part.gap.strip(" ,") for row in block for part in row):
        return []
    columns = list(zip(*block, strict=True))
    starts = [column[0].gap_start + len(column[0].gap) - page.starts[i] for column in columns]
    grids = [grid_of_rows([_cells(part, page) for part in column]) for column in columns]
    heads = names_above(starts, page, i, FARTHEST)
    return [
        Chain((*members, grid), ("=",) * len(members))
        for members, grid in zip(heads, grids, strict=False)
        if grid is not None
    ]


def _joined(
    before: Node, column: Sequence[_Part], grid: Grid | None, page: Page
) -> tuple[Node, str, Node] | None:
    """What is finished before a list, the relation behind that, and what goes on from there."""
    said = [part for part in column if part.gap.strip(" ,")]
    if len(said) != 1 or grid is None:
        return None
    gap, lead = said[0].gap.strip(" ,"), len(said[0].gap) - len(said[0].gap.lstrip(" ,"))
    if _PRODUCT.fullmatch(gap):
        return before, "", Binary("*", before, grid)
    if _RELATION.fullmatch(gap):
        return before, gap, grid
    if (quotient := _QUOTIENT.fullmatch(gap)) is not None:
        at = page.token(said[0].gap_start + lead + quotient.start("under"))
        under = page.parser.formula(at)
        return (Binary("/", before, under[0]), quotient["sign"], grid) if under is not None else None
    return None


def _name(column: Sequence[_Part], page: Page) -> list[Node] | None:
    """What stands before the first list, on its first line: `Q K^T =`, or nothing; None for anything else."""
    first, *rest = column
    head = first.gap.strip()
    if any(part.gap.strip(" ,") for part in rest):
        return None
    if not head:
        return []
    start = first.gap_start + len(first.gap) - len(first.gap.lstrip())
    members = page.heads(start, start + len(head)) if head.endswith(("=", "≈")) else []
    return members or None


def _cells(part: _Part, page: Page) -> list[Node]:
    """The cells of a row between its commas, each of which must be read to its end."""
    found: list[Node] = []
    for cell in _CELL.finditer(part.cells):
        at = part.start + cell.start() + len(cell[0]) - len(cell[0].lstrip())
        read = page.parser.formula(page.token(at))
        end = part.start + len(cell[0].rstrip()) + cell.start()
        if read is None or (read[1] < len(page.offsets) and page.offsets[read[1]] < end):
            return []
        found.append(read[0])
    return found
