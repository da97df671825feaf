"""Matrices told row by row, each behind its label, below the words that name them.

Scaled scores:
- cat: [0.71, 0.00]            我：0.71，0.00
- sat: [0.35, 0.71]            爱：0.35，0.71
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.characters import normalise
from symattn.reading.notes.formulas.formula import Grid, Name
from symattn.reading.notes.formulas.names import Bases, Ref, resolve
from symattn.reading.notes.layout.captions import caption
from symattn.reading.notes.layout.context import Context
from symattn.reading.notes.layout.rows import NUMBER, in_place, masked, numbers

_MARKS = r"[\"“”‘’'「」『』`*$ ]*"
_BULLET = r"(?:(?:[-*+•]|\d{1,2}[.)、]|\(\d\)) +)?"
_NO_LABEL = r"\[\](){}|=:→,;\"“”`*$"
_ROW = re.compile(
    rf"[ >]*{_BULLET}{_MARKS}(?P<label>[^\s\d'{_NO_LABEL}][^{_NO_LABEL}]{{0,20}}?){_MARKS}[=:→]{_MARKS}"
    rf"(?P<open>[\[(]?)(?P<cells> *{NUMBER}(?: *[,;、] *{NUMBER}| +{NUMBER})+) *(?P<close>[\])]?)"
    rf"{_MARKS}[,;.。]? *"
)
_ORDINAL = re.compile(
    r"第 ?[一二三四五六七八九十\d]+ ?[行个]\S{0,2}|(?:[Rr]ow|Zeile|Fila|Ligne|строка|행) ?\d+"
)
_INDEXED = re.compile(r"[\d_^₀-₉]")
"""In `q_1`, which is the name of a row and no label of one."""
_OWNED = re.compile("的| ")
"""Between an owner and what it owns: 猫的Q is a quantity."""
_QUANTITIES = frozenset({"X", "Q", "K", "V", "scores", "scaled", "masked", "exp", "A", "Z"})


def with_listed(text: str, found: list[Item], context: Context, bases: Bases) -> list[Item]:
    """The items, with those of rows behind labels exchanged for the matrices and what their captions say."""
    return in_place(found, _matrices(normalise(text).split("\n"), context, bases))


def _matrices(lines: Sequence[str], context: Context, bases: Bases) -> Iterator[Item]:
    i = 0
    while i < len(lines):
        rows: list[tuple[int, re.Match[str]]] = []
        last = i
        while last < len(lines) and (row := _row(lines[last], bases)) is not None:
            rows.append((last, row))
            last += 1
            while last < len(lines) - 1 and not lines[last].strip() and _ROW.fullmatch(lines[last + 1]):
                last += 1
        item = _item(rows, context, bases) if len(rows) > 1 else None
        if item is not None:
            yield item
        i = max(last, i + 1)


def _row(line: str, bases: Bases) -> re.Match[str] | None:
    """A row whose label is no quantity itself, and whose brackets match."""
    row = _ROW.fullmatch(line)
    if row is None or (row["open"], row["close"]) not in (("", ""), ("[", "]"), ("(", ")")):
        return None
    label = row["label"].strip()
    if _ORDINAL.fullmatch(label):
        return row
    named = any(resolve(Name(part), bases) for part in (label, *_OWNED.split(label)) if part)
    return None if named or _INDEXED.search(label) else row


def _item(rows: Sequence[tuple[int, re.Match[str]]], context: Context, bases: Bases) -> Item | None:
    labels = tuple(row["label"].strip() for _, row in rows)
    cells = tuple(numbers(row, context.starts[line]) for line, row in rows)
    name = caption(context, bases, rows[0][0])
    if name not in _QUANTITIES or len({len(row) for row in cells}) != 1 or len(set(labels)) < len(labels):
        return None
    words = () if any(map(_ORDINAL.fullmatch, labels)) else labels
    grid = Grid(cells, cells[0][0].start, cells[-1][-1].end, words)
    return Item(grid, grid.start, grid.end, target=Ref(str(masked(name, grid))))
