"""Tables whose cells hold two numbers, one made of the other: `6 → 4.24`, `2.83 (0.19)`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain

from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.formula import Grid, Num, Row
from symattn.reading.notes.formulas.names import Bases, Ref
from symattn.reading.notes.layout.captions import named
from symattn.reading.notes.layout.cells import SQUARE, Cell

_NUMBER = r"[-+]?(?:\d+(?:\.\d+)?|\.\d+) ?%?"
_CELL = re.compile(
    rf"[*`$ ]*(?P<first>{_NUMBER})[*`$ ]*(?:(?P<leads>→|->|=>|⇒)|\()[*`$ ]*(?P<then>{_NUMBER})[*`$ ]*"
    r"(?(leads)|\))[*`$ ]*"
)
_LEADS = re.compile(r"([^→(),;:|=\n]+?) *(?:→|->|=>|⇒) *([^→(),;:|\n]+)")
_ASIDE = (
    re.compile(r"([^(),;:|\n]+?) *\(([^(),;:|\n]+)\)"),
    re.compile(r"([^(),;:|\n]+?)(?:,|;| with| and)(?: the)? ([^(),;:|\n]+?) in (?:parentheses|brackets)"),
    re.compile(r"([^(),;:，；：|\n]+?)[,，；;] ?括号[内中里]的?[是为]?([^(),;:，；：|\n]+)"),
)
"""What words say that the first numbers of the cells are, and the second."""


def twofold(text: str, body: Sequence[Sequence[Cell]], words: Sequence[str], bases: Bases) -> Iterator[Item]:
    """Two matrices, of the first numbers of the cells and of the second; nothing where a cell has not two.

    They are what `words` around the table call them, as far as their numbers agree.
    """
    read = [[_CELL.fullmatch(text, cell.start, cell.end) for cell in row[1:]] for row in body]
    cells = [[cell for cell in row if cell is not None] for row in read]
    if not all(map(all, read)) or len(cells) * len(cells[0]) < 2:
        return
    leads = {cell["leads"] is not None for row in cells for cell in row}
    if len(leads) > 1:
        return
    ways = (_LEADS,) if leads.pop() else _ASIDE
    said = _legend(ways, words, bases)
    for part, name in zip(("first", "then"), said, strict=True):
        rows = tuple(tuple(_number(cell, part) for cell in row) for row in cells)
        start, end = rows[0][0].start, rows[-1][-1].end
        node = Grid(rows, start, end) if len(rows) > 1 else Row(rows[0], start, end)
        yield Item(node, start, end, target=Ref(name) if name is not None else None, shown=True)


def _legend(
    ways: Sequence[re.Pattern[str]], words: Sequence[str], bases: Bases
) -> tuple[str | None, str | None]:
    """What words call the first and the second numbers of cells."""
    for told in chain.from_iterable(way.finditer(said) for said in words for way in ways):
        first, then = (named(part, bases) for part in told.groups())
        if first in SQUARE and then in SQUARE and first != then:
            return first, then
    return None, None


def _number(cell: re.Match[str], part: str) -> Num:
    return Num(cell[part].replace(" ", "").removeprefix("+"), *cell.span(part))
