"""Matrices of a text whose rows have labels beside them, under a caption and a line of heads.

Scaled scores:
         cat    sat
  cat  [ 0.71   0.00 ]
  sat  [ 0.35   0.71 ]
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from symattn.reading.notes.formulas.chains import Item, unshown
from symattn.reading.notes.formulas.characters import normalise
from symattn.reading.notes.formulas.formula import Grid, Node, Num
from symattn.reading.notes.formulas.names import Bases, Ref
from symattn.reading.notes.layout.captions import caption
from symattn.reading.notes.layout.context import Context

_NUMBER = r"-?(?:\d+(?:\.\d+)?%?|∞|inf\b)"
_ROW = re.compile(
    rf"(?P<label> *[^\s\d\[\]|=:][^\s\[\]|=:]{{0,20}}) *(?P<open>\[{{1,2}}| {{2,}})"
    rf"(?P<cells> *{_NUMBER}(?:(?: *, *| +){_NUMBER})* *)(?P<close>\]{{0,2}})(?P<rest>[^\d\[\]]*.*)"
)
_HEADS = re.compile(r" *(?:[^\s\d\[\]|=:][^\s\[\]|=:]{0,20} +)+[^\s\d\[\]|=:][^\s\[\]|=:]{0,20} *")
_HIDDEN = re.compile("∞|inf")
_NUMERAL = re.compile(_NUMBER)
_QUANTITIES = frozenset({"Q", "K", "V", "X", "scores", "scaled", "masked", "exp", "A", "Z"})


def with_labelled(text: str, found: list[Item], context: Context, bases: Bases) -> list[Item]:
    """The items, with those of labelled matrices exchanged for the matrices and what their captions say."""
    made = unshown(_matrices(normalise(text), context, bases), found)
    if not made:
        return found
    starts = [item.start for item in made]

    def outside(item: Item) -> bool:
        at = bisect_left(starts, item.start + 1) - 1
        return at < 0 or item.start >= made[at].end

    return sorted([*filter(outside, found), *made], key=lambda item: item.start)


def _matrices(text: str, context: Context, bases: Bases) -> Iterator[Item]:
    lines = text.split("\n")
    i = 0
    while i < len(lines):
        rows = _rows(lines, i)
        if len(rows) < 2:
            i += 1
            continue
        heads = i - 1 if i and _HEADS.fullmatch(lines[i - 1]) else i
        name = caption(context, bases, heads)
        if name in ("scores", "scaled") and any(_HIDDEN.search(row["cells"]) for row in rows):
            name = "masked"
        if heads < i and name in _QUANTITIES:
            yield _item(rows, context.starts[i : i + len(rows)], Ref(str(name)))
        i += len(rows)


def _rows(lines: Sequence[str], first: int) -> list[re.Match[str]]:
    """The rows from a line on: equally many numbers in brackets of one kind."""
    rows: list[re.Match[str]] = []
    for line in lines[first:]:
        row = _ROW.fullmatch(line)
        if row is None or (rows and _width(row) != _width(rows[0])):
            break
        rows.append(row)
    return rows


def _width(row: re.Match[str]) -> int:
    return len(_NUMERAL.findall(row["cells"]))


def _item(rows: Sequence[re.Match[str]], starts: Sequence[int], target: Ref) -> Item:
    cells: list[tuple[Node, ...]] = []
    for row, start in zip(rows, starts, strict=True):
        offset = start + row.start("cells")
        cells.append(
            tuple(
                Num(n[0].replace("∞", "inf"), offset + n.start(), offset + n.end())
                for n in _NUMERAL.finditer(row["cells"])
            )
        )
    labels = tuple(row["label"].strip(' "“”') for row in rows)
    begin, end = starts[0] + rows[0].start("cells"), starts[-1] + rows[-1].end("cells")
    return Item(Grid(tuple(cells), begin, end, labels), begin, end, target=target)
