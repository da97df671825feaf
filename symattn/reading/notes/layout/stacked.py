"""Rows in brackets under one another, with a name beside one of them, above them, or words before them.

          [1.5  0.6]      Q = X W_Q     K             S = [ 1*2+0*1  1*1+0*0 ]   [ 2  1 ]
      X = [1.0  0.2]      [ 1  2 ]      [ 0  1 ]          [ 0*2+1*1  0*1+1*0 ] = [ 1  0 ]

Rows may stand between upright bars or round brackets as well, and `*` may join drawings: `Q = [..] * [..]`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.formula import Binary, Chain, Grid, Name, Node, Row
from symattn.reading.notes.formulas.names import FACTORS, USUAL, Ref, resolve
from symattn.reading.notes.layout.captions import named
from symattn.reading.notes.layout.headed import names_above
from symattn.reading.notes.layout.page import Page, grid_of_rows
from symattn.reading.notes.layout.torn import is_torn

_CELLS = r"(?:[-\d.,% ∞+*/()]|inf)+"
_BRACKETED = re.compile(rf"([^\[\]|│\n]*?)(?:\[({_CELLS})\]|[|│]({_CELLS})[|│]|\(( [-\d.,% ∞]+ )\))")
_PRODUCT = frozenset({"*", "@"})
_STACKED = re.compile(rf"(?:{_BRACKETED.pattern})+ *")
_NAMES = re.compile(r" *(?:[^\[\]|\n,]+=\s*\[[^\[\]]+\] *,? *){2,}")
_BELOW = re.compile(r"(?: *\[[^\[\]]+\]){2,} *")
_TITLE = re.compile(r"[ #*]*(?:[^=\n]{0,40}[:.)] +)?([^=:.\n]{1,20}=[^\d:.,\n]{1,40}?)[ :*]*")
MOST_ROWS = 200
FARTHEST = 4


def stacked(page: Page) -> Iterator[Item]:
    """Rows `[1.5  0.6]` under one another, with `X =` before one of them; several such side by side."""
    lines = page.lines
    brackets = [_Brackets.of(line) if _STACKED.fullmatch(line) else None for line in lines]
    i = 0
    while i < len(lines):
        block = [each for each in takewhile(bool, brackets[i : i + MOST_ROWS]) if each is not None]
        if not block:
            i += 1
            continue
        last = i + len(block)
        above, below = lines[i - 1] if i else "", lines[last] if last < len(lines) else ""
        if is_torn(lines[i:last], above, below):
            i = last
            continue
        if last == i + 1 or not _is_drawn(lines[i:last], block):
            i += 1
            continue
        if not any(_is_row_of(lines, at, i) for at in (i - 1, last)):
            yield from _items(page, i, last)
        i = last


def _is_row_of(lines: Sequence[str], at: int, i: int) -> bool:
    """Whether a line is a row that nobody could read of the first drawing in line i, whose bracket it has."""
    column = lines[i].find("[")
    line = lines[at] if 0 <= at < len(lines) else ""
    return column >= 0 and line[column : column + 1] == "[" and any(map(str.isdigit, line[column:]))


def _items(page: Page, i: int, last: int) -> Iterator[Item]:
    """The drawings of a block of lines: `=` before one says that it is what stands left of it, or above."""
    span = page.span(i, last)
    columns = _columns(page.lines[i:last], page.starts[i:last])
    drawings: list[Sequence[_DrawnRow]] = []
    for column in columns:
        if len(column) > 1 and all(_is_listed(row.head) and "," in row.said for row in column):
            yield from _lists(column, page)
        else:
            drawings.extend(_one_below_another(column))
    drawings = list(_in_order(drawings, page))
    above = _names_above(drawings, page, i)
    title = _title(page, i) if any(_joins(drawing) for drawing in drawings[1:]) else []
    chain: Chain | None = None
    for drawing in drawings:
        head = _head(drawing)
        drawn = _drawing(drawing, page)
        if chain is not None and head is not None and head.said in ("=", "≈"):
            if drawn is not None:
                chain = Chain((*chain.members, drawn), (*chain.relations, head.said))
            continue
        beside = head.said in _PRODUCT if head is not None else drawing[0].start not in above
        if chain is not None and drawn is not None and beside:
            *members, last_one = chain.members
            chain = replace(chain, members=(*members, Binary("*", last_one, drawn)))
            continue
        if chain is not None:
            yield Item(chain, *span)
        chain = None
        members = _members(head, page) if head is not None else above.get(drawing[0].start, title)
        title = []
        if members and drawn is not None:
            chain = Chain((*members, drawn), ("=",) * len(members))
        elif head is not None and isinstance(drawn, Grid) and (name := _named(head)) is not None:
            yield Item(drawn, *span, target=Ref(name))
    if chain is not None:
        yield Item(chain, *span)


def _in_order(drawings: Sequence[Sequence[_DrawnRow]], page: Page) -> Iterator[Sequence[_DrawnRow]]:
    """From left to right where drawings of whatever height share a line, else from above."""
    beside: list[tuple[int, Sequence[_DrawnRow]]] = []
    end = 0
    for drawing in sorted(drawings, key=lambda drawing: drawing[0].start):
        line = page.line(drawing[0].start)
        if line >= end:
            yield from (each for _, each in sorted(beside, key=lambda each: each[0]))
            beside = []
        end = max(end, line + len(drawing))
        beside.append((drawing[0].start - page.starts[line], drawing))
    yield from (each for _, each in sorted(beside, key=lambda each: each[0]))


def _drawing(drawing: Sequence[_DrawnRow], page: Page) -> Node | None:
    """The matrix that rows draw, or the list where it is one; a single number is neither."""
    grid = grid_of_rows([page.cells(row.said, row.start) for row in drawing])
    if grid is None or (len(drawing) == 1 == len(grid.rows[0])):
        return None
    return grid if len(drawing) > 1 else Row(grid.rows[0], grid.start, grid.end)


@dataclass(frozen=True, slots=True)
class _Brackets:
    """The brackets of a line: whether some have commas, all of those a name, and others nothing or none."""

    lists: bool
    all_named: bool
    bare: bool
    unnamed: bool

    @staticmethod
    def of(line: str) -> _Brackets:
        lists: list[str] = []
        others: list[str] = []
        for row in _BRACKETED.finditer(line):
            (lists if "," in row[row.lastindex or 2] else others).append(row[1])
        bare = any(not head.strip() for head in others)
        return _Brackets(bool(lists), all(map(_is_listed, lists)), bare, not all(map(_is_listed, others)))


def _is_drawn(lines: Sequence[str], brackets: Sequence[_Brackets]) -> bool:
    """Whether lines of brackets are drawings: commas, as lists have them, need names above rows without.

    Lists that have a name each may stand beside drawings: `x_1 = [1, 0]    Q = [1 0]`, `[2 1]` below it.
    """
    if not any(each.lists for each in brackets):
        return any(each.unnamed for each in brackets)  # none in `cat: q=[1 1]  k=[0 1]`, a list each
    if all(each.all_named for each in brackets):
        return any(each.bare for each in brackets)
    first, *below = lines
    return bool(below and _NAMES.fullmatch(first)) and all(_BELOW.fullmatch(line) for line in below)


def _is_listed(head: str) -> bool:
    """Whether a list has a name of its own before it: `x_1 =`."""
    return head.rstrip().endswith("=")


def _lists(drawing: Sequence[_DrawnRow], page: Page) -> Iterator[Item]:
    """The lists with names of their own that stand beside drawings."""
    for row in drawing:
        start = row.head_start + len(row.head) - len(row.head.lstrip())
        members = page.heads(start, row.head_start + len(row.head.rstrip()))
        listed = _drawing([row], page)
        if members and listed is not None:
            yield Item(Chain((*members, listed), ("=",) * len(members)), start, row.start + len(row.said))


@dataclass(frozen=True, slots=True)
class _DrawnRow:
    """The numbers of a row and what stands before it, with their offsets."""

    said: str
    start: int
    head: str
    head_start: int


@dataclass(frozen=True, slots=True)
class _Head:
    """What stands before a drawing, and where it begins."""

    said: str
    start: int


def _columns(lines: Sequence[str], starts: Sequence[int]) -> Iterator[list[_DrawnRow]]:
    """The drawings of a block: as many as every line has brackets, or those that open in the same column."""
    found = [list(_BRACKETED.finditer(line)) for line in lines]
    counts = {len(brackets) for brackets in found}
    drawings: dict[int, list[_DrawnRow]] = {}
    for brackets, start in zip(found, starts, strict=True):
        seen = set()
        for at, bracket in enumerate(brackets):
            cells = bracket.lastindex or 2
            column = at if len(counts) == 1 else bracket.start(cells)
            seen.add(column)
            drawings.setdefault(column, []).append(
                _DrawnRow(bracket[cells], start + bracket.start(cells), bracket[1], start + bracket.start(1))
            )
        for column in drawings.keys() - seen:
            yield drawings.pop(column)
    yield from drawings.values()


def _one_below_another(drawing: Sequence[_DrawnRow]) -> Iterator[Sequence[_DrawnRow]]:
    """Drawings of equal height whose brackets open in the same column, each with a head of its own."""
    heads = [k for k, row in enumerate(drawing) if row.head.strip()]
    height = len(drawing) // max(len(heads), 1)
    if height * len(heads) != len(drawing) or [k // height for k in heads] != list(range(len(heads))):
        yield drawing
        return
    for k in range(len(heads)):
        yield drawing[k * height : (k + 1) * height]


def _head(drawing: Sequence[_DrawnRow]) -> _Head | None:
    """What stands before the one row of a drawing that has something before it."""
    named = [row for row in drawing if row.head.strip(" ,")]
    if len(named) != 1:
        return None
    head = named[0].head
    return _Head(head.strip(" ,"), named[0].head_start + len(head) - len(head.lstrip(" ,")))


def _joins(drawing: Sequence[_DrawnRow]) -> bool:
    """Whether a sign makes a drawing the result of the one before it."""
    head = _head(drawing)
    return head is not None and head.said in ("=", "≈")


def _title(page: Page, i: int) -> list[Node]:
    """What fills the line above line i, or above a blank one: `Q = X W_Q`, or words that name a product."""
    above = i - 1 if i and page.lines[i - 1].strip() else i - 2
    if above < 0:
        return []
    line, start = page.lines[above], page.starts[above]
    title = _TITLE.fullmatch(line)
    if title is not None:
        read = page.parser.chain(page.token(start + title.start(1)))
        if read is None or not isinstance(read[0], Chain):
            return []
        first, *_ = members = read[0].members
        fills = read[1] >= len(page.offsets) or page.offsets[read[1]] >= start + title.end(1)
        return list(members) if fills and isinstance(first, Name) and resolve(first) is not None else []
    name = named(line, USUAL) if "=" not in line else None
    return [Name(name, (), start, start + len(line))] if name is not None and name in FACTORS else []


def _members(head: _Head, page: Page) -> list[Node]:
    """The members of `Q = X W_Q =` before a drawing."""
    if not head.said.endswith(("=", "≈", ":")):
        return []
    return page.heads(head.start, head.start + len(head.said))


def _named(head: _Head) -> str | None:
    """The quantity that words before a drawing name: `softmax →`."""
    return named(head.said, USUAL) if head.said.endswith(("=", "≈", ":", "→")) else None


def _names_above(drawings: Sequence[Sequence[_DrawnRow]], page: Page, i: int) -> dict[int, list[Node]]:
    """What the line above line i calls each drawing, by its first offset."""
    heads = sorted(drawing[0].start - 1 - page.starts[i] for drawing in drawings)
    found = names_above(heads, page, i, FARTHEST)
    return {page.starts[i] + column + 1: members for column, members in zip(heads, found, strict=False)}
