"""Matrices drawn over several lines of text, side by side or one below another.

    W_Q = [[1, 0],    W_K = [[2, 1],          [1.5  0.6]
           [0, 1]]           [0, 3]]      X = [1.0  0.2]

Such a drawing is read only as a whole: every row has as many numbers, and one name belongs to it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.formula import Chain, names
from symattn.reading.notes.formulas.names import resolve
from symattn.reading.notes.formulas.stream import Token
from symattn.reading.notes.layout.abreast import abreast
from symattn.reading.notes.layout.page import Page, grid_of_rows
from symattn.reading.notes.layout.stacked import MOST_ROWS, stacked

_OPENING = re.compile(r"([A-Za-z]+(?:[_^]\(?[A-Za-z0-9]+\)?)*) = \[\[")
_ROW = re.compile(r"\[+([-\d., %]+)\]+")
_PAIR = re.compile(r"[^\[\]\n]*\[[^\[\]]+\](?P<between>[^\[\]\n]*)\[[^\[\]]+\] *")


def drawn(text: str, stream: Sequence[Token], found: list[Item]) -> list[Item]:
    """The items, with those of drawings exchanged for the matrices that they draw."""
    page = Page.of(text, stream)
    made = [*_side_by_side(page), *abreast(page), *stacked(page)]
    spans = sorted({*((item.start, item.end) for item in made), *_multiplied(page)})
    if not spans:
        return found
    made.sort(key=lambda item: item.start)
    kept = [item for item in found if not _within(item.start, spans)]
    return sorted([*kept, *made], key=lambda item: item.start)


def _within(offset: int, spans: Sequence[tuple[int, int]]) -> bool:
    at = bisect_left(spans, (offset + 1, 0)) - 1
    return any(start <= offset < end for start, end in spans[max(at - 3, 0) : at + 1])


def _multiplied(page: Page) -> Iterator[tuple[int, int]]:
    """Where two drawings are multiplied, with the sign beside one of the rows: numbers given again."""
    lines = page.lines
    i = 0
    while i < len(lines):
        last, signs = i, set()
        while last < len(lines) and (pair := _PAIR.fullmatch(lines[last])) is not None:
            signs.add(pair["between"].strip())
            last += 1
        if len(signs) == 2 and signs <= {"", "×", "·", "*", "@"}:
            yield page.span(i, last)
        i = max(last, i + 1)


def _side_by_side(page: Page) -> Iterator[Item]:
    """Several `NAME = [[` on one line, each with its rows below it."""
    lines = page.lines
    for i, line in enumerate(lines):
        openings = list(_OPENING.finditer(line)) if line.count("= [[") > 1 else []
        if len(openings) < 2 or line.count("]]") == len(openings):
            continue
        last = i + 1
        while last < min(len(lines), i + MOST_ROWS) and lines[last].strip().startswith("["):
            last += 1
        if last == i + 1:
            continue
        lefts = [opening.start() for opening in openings]
        for k, opening in enumerate(openings):
            right = lefts[k + 1] if k + 1 < len(lefts) else None
            rows = []
            for n in range(i, last):
                left = opening.end() - 2
                row = _ROW.search(lines[n][left:right])
                if row is not None:
                    rows.append(page.cells(row[1], page.starts[n] + left + row.start(1)))
            members = page.heads(page.starts[i] + opening.start(), page.starts[i] + opening.end(1))
            grid = grid_of_rows(rows)
            if grid is not None and any(resolve(name) for node in members for name in names(node)):
                yield Item(Chain((*members, grid), ("=",)), *page.span(i, last))
