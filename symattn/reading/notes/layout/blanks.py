r"""Cells that a mask leaves empty: `[0.3, -, -]`, `1.2 & \text{masked}`, the upper right of a triangle.

Each becomes the sign of infinity, one character for its first, so that every offset stays true and every
kind of matrix reads it as a hidden key.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from symattn.immutable import immutable

_NUMBER = r"[-−–]?\d+(?:\.\d+)?%?"
_MARK = (
    r"[-−–—·×✗*]|\\(?:cdot|times|ast|bullet"
    r"|(?:text(?:bf|rm|it)?|mbox|math(?:rm|bf|it))\{ ?(?:masked|mask|屏蔽|掩码) ?\})"
    r"|masked|mask|屏蔽|掩码|被掩|N/A"
)
_CELL = re.compile(rf"[*$ ]*(?:(?P<number>{_NUMBER})|(?P<mark>{_MARK})|(?P<blank>))[*$ ]*")
_LISTED = re.compile(r"\[([^\[\]\n]*)\]|\(([^()\[\]\n]*)\)")
_SPACED = re.compile(rf"[^\[\]|\n]*[\[|](?P<cells> *{_NUMBER}(?: +{_NUMBER})*(?: +[-−–—·.×*])* *)[\]|] *")
_PIPED = re.compile(r" {0,3}\|(.*)\| *")
_MATRIX = re.compile(r"\\begin\{([a-zA-Z]*matrix|array)\}((?:(?!\\begin).)*?)\\end\{\1\}", re.DOTALL)
_ROW_END = re.compile(r"\\\\(?:\[[^\]\n]*\])?")
_SPACED_CELL = re.compile(r"\S+")
HIDDEN = "∞"
LONGEST_CELL = 40


@immutable(frozen=True, slots=True)
class _Cell:
    """A cell of a matrix: what kind of thing stands in it, and where."""

    kind: str
    start: int
    end: int


_Row = Sequence[_Cell]


def with_hidden(text: str) -> str:
    """The text with a sign of infinity in the cells that its matrices leave to the mask."""
    made = list(text)
    for matrix in _matrices(text):
        if _is_masked(matrix):
            for row in matrix:
                for cell in row:
                    if cell.kind != "number":
                        made[cell.start : cell.end] = HIDDEN.ljust(cell.end - cell.start)
    return "".join(made)


def _is_masked(matrix: Sequence[_Row]) -> bool:
    """Whether rows of one width hold numbers and empty cells, blank ones in the upper right alone."""
    if len(matrix) < 2 or len({len(row) for row in matrix}) > 1:
        return False
    kinds = [[cell.kind for cell in row] for row in matrix]
    if not all("number" in row for row in kinds) or all(set(row) == {"number"} for row in kinds):
        return False
    below = len(matrix[0]) - len(matrix)
    return all(
        kind not in ("blank", "point") or j > i + below
        for i, row in enumerate(kinds)
        for j, kind in enumerate(row)
    )


def _matrices(text: str) -> Iterator[list[_Row]]:
    for found in _MATRIX.finditer(text):
        rows, at = [], found.start(2)
        for part in _ROW_END.split(found[2]):
            rows.append(_cells(part, at, "&"))
            end = _ROW_END.match(text, at + len(part))
            at += len(part) + (len(end[0]) if end else 0)
        yield [row for row in rows if row and (len(row) > 1 or row[0].kind != "blank")]
    yield from _of_lines(text)


def _of_lines(text: str) -> Iterator[list[_Row]]:
    """The matrices of which each row stands on a line of its own, or in a list of lists."""
    rows: list[_Row] = []
    at = 0
    for line in text.split("\n"):
        lists = []
        if "," in line:
            lists = [_listed(found, at) for found in _LISTED.finditer(line) if "," in found[0]]
        if len(lists) > 1:
            yield [row for row in lists if row]
        row: _Row | None = None
        if len(lists) == 1:
            row = lists[0]
        elif "|" in line or "[" in line:
            row = _spaced(line, at) or _piped(line, at)
        if row:
            rows.append(row)
        elif rows:
            yield rows
            rows = []
        at += len(line) + 1
    yield rows


def _listed(found: re.Match[str], at: int) -> _Row:
    group = 1 if found[1] is not None else 2
    return _cells(found[group], at + found.start(group), ",")


def _piped(line: str, at: int) -> _Row:
    """The cells of a line of a table without their label."""
    found = _PIPED.fullmatch(line)
    label, _, cells = found[1].partition("|") if found else ("", "", "")
    return _cells(cells, at + len(found[0][: found.start(1)]) + len(label) + 1, "|") if found else ()


def _spaced(line: str, at: int) -> _Row:
    """`[0.3  -  -]`: cells between blanks, in which a mark stands behind the numbers."""
    found = _SPACED.fullmatch(line)
    if found is None:
        return ()
    start = at + found.start("cells")
    return tuple(
        _Cell(_kind(cell[0]), start + cell.start(), start + cell.end())
        for cell in _SPACED_CELL.finditer(found["cells"])
    )


def _kind(said: str) -> str:
    return "number" if said[-1].isdigit() or said[-1] == "%" else "point" if said == "." else "mark"


def _cells(said: str, at: int, between: str) -> _Row:
    """The cells between signs; none where one of them holds something else than a number or a mark."""
    cells: list[_Cell] = []
    for part in said.split(between):
        found = _CELL.fullmatch(part.replace("\n", " ")) if len(part) <= LONGEST_CELL else None
        if found is None or not part:
            return ()
        kind = str(found.lastgroup)
        inside = (0, len(part)) if kind == "blank" else found.span(kind)
        cells.append(_Cell(kind, at + inside[0], at + inside[1]))
        at += len(part) + len(between)
    return cells
