"""Matrices drawn over several lines of text: side by side, or with the name beside one row.

    W_Q = [[1, 0],    W_K = [[2, 1],          [1.5  0.6]
           [0, 1]]           [0, 3]]      X = [1.0  0.2]

Rows may stand between upright bars as well, and the names of several in the line above them:

    Q = X W_Q     K
    [ 1  2 ]      [ 0  1 ]

Such a drawing is read only as a whole: every row has as many numbers, and one name belongs to it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.characters import lines_of, normalise
from symattn.reading.notes.formulas.formula import Chain, Grid, Node, Num, Row, names
from symattn.reading.notes.formulas.names import Bases, resolve
from symattn.reading.notes.formulas.parse import Parser
from symattn.reading.notes.formulas.tokens import Token

_NUMERAL = re.compile(r"-?(?:\d+(?:\.\d+)?%?|∞|inf\b)")
_OPENING = re.compile(r"([A-Za-z]+(?:[_^]\(?[A-Za-z0-9]+\)?)*) = \[\[")
_ROW = re.compile(r"\[+([-\d., %]+)\]+")
_CELLS = r"(?:[-\d.,% ∞]|inf)+"
_BRACKETED = re.compile(rf"([^\[\]|\n]*)(?:\[({_CELLS})\]|\|({_CELLS})\|)")
_STACKED = re.compile(rf"(?:{_BRACKETED.pattern})+ *")
_NAMES = re.compile(r" *(?:[^\[\]|\n,]+=\s*\[[^\[\]]+\] *){2,}")
_PAIR = re.compile(r"[^\[\]\n]*\[[^\[\]]+\](?P<between>[^\[\]\n]*)\[[^\[\]]+\] *")
_BELOW = re.compile(r"(?: *\[[^\[\]]+\]){2,} *")
_ABOVE = re.compile(r"\S+(?: \S+)*")
MOST_ROWS = 200
FARTHEST = 4
"""How far beside the bracket of its matrix a name in the line above may begin."""


def drawn(text: str, stream: Sequence[Token], found: list[Item]) -> list[Item]:
    """The items, with those of drawings exchanged for the matrices that they draw."""
    plain = normalise(text)
    lines, starts = plain.split("\n"), lines_of(plain)
    parser, offsets = Parser(stream), [token.start for token in stream]
    made = [
        *_side_by_side(lines, starts, parser, offsets),
        *_stacked(lines, starts, parser, offsets),
    ]
    spans = sorted({*((item.start, item.end) for item in made), *_multiplied(lines, starts)})
    if not spans:
        return found
    made.sort(key=lambda item: item.start)
    kept = [item for item in found if not _within(item.start, spans)]
    return sorted([*kept, *made], key=lambda item: item.start)


def _within(offset: int, spans: Sequence[tuple[int, int]]) -> bool:
    at = bisect_left(spans, (offset + 1, 0)) - 1
    return any(start <= offset < end for start, end in spans[max(at - 3, 0) : at + 1])


def _multiplied(lines: Sequence[str], starts: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Where two drawings are multiplied, with the sign beside one of the rows: numbers given again."""
    i = 0
    while i < len(lines):
        last, signs = i, set()
        while last < len(lines) and (pair := _PAIR.fullmatch(lines[last])) is not None:
            signs.add(pair["between"].strip())
            last += 1
        if len(signs) == 2 and signs <= {"", "×", "·", "*", "@"}:
            yield starts[i], starts[last - 1] + len(lines[last - 1])
        i = max(last, i + 1)


def _side_by_side(
    lines: Sequence[str], starts: Sequence[int], parser: Parser, offsets: Sequence[int]
) -> Iterator[Item]:
    """Several `NAME = [[` on one line, each with its rows below it."""
    for i, line in enumerate(lines):
        openings = list(_OPENING.finditer(line)) if line.count("= [[") > 1 else []
        if len(openings) < 2:
            continue
        last = i + 1
        while last < min(len(lines), i + MOST_ROWS) and lines[last].strip().startswith("["):
            last += 1
        if last == i + 1:
            continue
        span = starts[i], starts[last - 1] + len(lines[last - 1])
        lefts = [opening.start() for opening in openings]
        for k, opening in enumerate(openings):
            right = lefts[k + 1] if k + 1 < len(lefts) else None
            rows = []
            for n in range(i, last):
                left = opening.end() - 2
                row = _ROW.search(lines[n][left:right])
                if row is not None:
                    rows.append(_numbers(row[1], starts[n] + left + row.start(1)))
            at = starts[i] + opening.start()
            members = _heads(parser, bisect_left(offsets, at), starts[i] + opening.end(1))
            grid = _grid(rows)
            if grid is not None and any(resolve(name, Bases()) for node in members for name in names(node)):
                yield Item(Chain((*members, grid), ("=",)), *span)


def _stacked(
    lines: Sequence[str], starts: Sequence[int], parser: Parser, offsets: Sequence[int]
) -> Iterator[Item]:
    """Rows `[1.5  0.6]` under one another, with `X =` before one of them; several such side by side."""
    i = 0
    while i < len(lines):
        if _STACKED.fullmatch(lines[i]) is None:
            i += 1
            continue
        last = i
        while last < min(len(lines), i + MOST_ROWS) and _STACKED.fullmatch(lines[last]):
            last += 1
        if not _is_drawn(lines[i:last]):
            i += 1
            continue
        span = starts[i], starts[last - 1] + len(lines[last - 1])
        drawings = list(_columns(lines[i:last], starts[i:last]))
        above = _names_above(drawings, lines, starts, i, parser, offsets)
        for drawing in drawings:
            members = _drawn_names(drawing, parser, offsets) or above.get(drawing[0].start, [])
            grid = _grid([_numbers(row.said, row.start) for row in drawing])
            if members and grid is not None and (len(drawing) > 1 or len(grid.rows[0]) > 1):
                drawn = grid if len(drawing) > 1 else Row(grid.rows[0], grid.start, grid.end)
                yield Item(Chain((*members, drawn), ("=",) * len(members)), *span)
        i = last


def _is_drawn(lines: Sequence[str]) -> bool:
    """Whether lines of brackets are drawings: commas, as lists have them, need names above rows without."""
    rows = (row for line in lines for row in _BRACKETED.finditer(line))
    if not any("," in (row[2] or row[3]) for row in rows):
        return True
    first, *below = lines
    return bool(below and _NAMES.fullmatch(first)) and all(_BELOW.fullmatch(line) for line in below)


@dataclass(frozen=True, slots=True)
class _DrawnRow:
    """The numbers of a row and what stands before it, with their offsets."""

    said: str
    start: int
    head: str
    head_start: int


def _columns(lines: Sequence[str], starts: Sequence[int]) -> Iterator[list[_DrawnRow]]:
    """The drawings of a block: one, or those whose brackets open in the same column."""
    found = [list(_BRACKETED.finditer(line)) for line in lines]
    one = all(len(brackets) == 1 for brackets in found)
    drawings: dict[int, list[_DrawnRow]] = {}
    for brackets, start in zip(found, starts, strict=True):
        seen = set()
        for bracket in brackets:
            cells = 2 if bracket[2] is not None else 3
            column = 0 if one else bracket.start(cells)
            seen.add(column)
            drawings.setdefault(column, []).append(
                _DrawnRow(bracket[cells], start + bracket.start(cells), bracket[1], start + bracket.start(1))
            )
        for column in drawings.keys() - seen:
            yield drawings.pop(column)
    yield from drawings.values()


def _drawn_names(drawing: Sequence[_DrawnRow], parser: Parser, offsets: Sequence[int]) -> list[Node]:
    """What stands before the sign beside the one row that has a name."""
    named = [row for row in drawing if row.head.strip()]
    if len(named) != 1 or not named[0].head.rstrip().endswith(("=", "≈", ":")):
        return []
    head, start = named[0].head, named[0].head_start
    at = start + len(head) - len(head.lstrip())
    return _heads(parser, bisect_left(offsets, at), start + len(head.rstrip()))


def _names_above(
    drawings: Sequence[Sequence[_DrawnRow]],
    lines: Sequence[str],
    starts: Sequence[int],
    i: int,
    parser: Parser,
    offsets: Sequence[int],
) -> dict[int, list[Node]]:
    """What the line above line i calls each drawing, by its first offset: as many names, each above one."""
    above = i - 1 if i and lines[i - 1].strip() else i - 2
    said = list(_ABOVE.finditer(lines[above])) if above >= 0 else []
    heads = sorted(drawing[0].start - 1 - starts[i] for drawing in drawings)
    if len(said) < 2 or len(heads) != len(said):
        return {}
    found: dict[int, list[Node]] = {}
    for words, column in zip(said, heads, strict=True):
        at = bisect_left(offsets, starts[above] + words.start())
        read = parser.chain(at) or parser.formula(at)
        if abs(words.start() - column) > FARTHEST or read is None:
            return {}
        node, _ = read
        members = node.members if isinstance(node, Chain) else (node,)
        if not any(resolve(name, Bases()) for member in members for name in names(member)):
            return {}
        found[starts[i] + column + 1] = list(members)
    return found


def _heads(parser: Parser, i: int, end: int) -> list[Node]:
    """The members of `Q = X W_Q =` before the drawing."""
    members: list[Node] = []
    while i < len(parser.tokens) and parser.tokens[i].start < end:
        read = parser.formula(i)
        if read is None:
            return []
        members.append(read[0])
        i = parser.skip(read[1])
        if parser.kind(i) != "rel":
            return []
        i = parser.skip(i + 1)
    return members


def _numbers(said: str, start: int) -> list[Node]:
    return [
        Num(n[0].replace("∞", "inf"), start + n.start(), start + n.end()) for n in _NUMERAL.finditer(said)
    ]


def _grid(rows: Sequence[Sequence[Node]]) -> Grid | None:
    if not rows or not rows[0] or any(len(row) != len(rows[0]) for row in rows):
        return None
    first, last = rows[0][0], rows[-1][-1]
    assert isinstance(first, Num)
    assert isinstance(last, Num)
    return Grid(tuple(tuple(row) for row in rows), first.start, last.end)
