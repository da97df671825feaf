"""A reader of the matrices on a text page: brackets over several lines, labels outside of them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import groupby

from printed_matrices import Cells, Equation, named

Box = tuple[int, int, int, int]
"""Top and bottom line, left and right column of the brackets."""

_ONE_LINE = re.compile(r"\[[^\[\]]*\]")
_CONTINUED = re.compile(r"\s*[-+=≈] ")
_APART = "|"
_BESIDE = re.compile(r"^ {4,}(?=[^ =≈])")
_LABEL = re.compile(r"(?<=[-+=≈ ] )[^\W\d][\w\0]* $")
_ROUND = str.maketrans("⎛⎜⎝⎞⎟⎠", "((()))", "\0")


def equations_of(page: str) -> Iterator[Equation]:
    """Each chain of a page with names for its matrices, and the cells of these."""
    matrices: dict[str, Cells] = {}
    read = ""
    for is_blank, block in groupby(page.splitlines(), key=lambda line: not line.strip()):
        if is_blank:
            continue
        lines = [_columns(line) for line in block]
        chains = list(_chains(lines))
        if not chains or not _CONTINUED.match(lines[chains[0][0]]):
            yield from _apart(matrices, read)
            matrices, read = {}, ""
        for at, boxes in chains:
            read = f"{read} {_on_one_line(lines, at, boxes, matrices)}"
    yield from _apart(matrices, read)


def _apart(matrices: dict[str, Cells], read: str) -> Iterator[Equation]:
    """The chains that are side by side, each."""
    for chain in read.split(_APART):
        yield matrices, " ".join(chain.split())


def _columns(line: str) -> str:
    """The line with one character for each column of a terminal."""
    return "".join(
        character + "\0" * (unicodedata.east_asian_width(character) in "WF")
        for character in line
        if not unicodedata.combining(character)
    )


def _chains(lines: list[str]) -> Iterator[tuple[int, list[Box]]]:
    """The lines on which matrices of a block are centred, and these from left to right."""
    boxes = sorted(_boxes(lines), key=lambda box: (_baseline(box), box[2]))
    for at, several in groupby(boxes, key=_baseline):
        yield at, list(several)


def _on_one_line(lines: list[str], at: int, boxes: list[Box], matrices: dict[str, Cells]) -> str:
    """A line with names in place of its matrices, and without the labels of their rows.

    These begin in one column, which the other rows of a matrix show.
    """
    read, end = "", 0
    for box in boxes:
        top, bottom, left, right = box
        others = [lines[k][end:left].ljust(left - end) for k in range(top, bottom + 1) if k != at]
        label = min(
            (len(words) - len(words.lstrip()) for words in others if words.strip()), default=left - end
        )
        before = lines[at][end:left][:label]
        if top == bottom:
            before = _LABEL.sub("", before)
        read += f"{_BESIDE.sub(_APART, before) if end else before} {named(matrices, _cells(lines, box))} "
        end = right + 1
    return (read + lines[at][end:]).translate(_ROUND)


def _boxes(lines: list[str]) -> Iterator[Box]:
    for top, line in enumerate(lines):
        for left in (at for at, sign in enumerate(line) if sign == "⎡"):
            bottom = top + "".join(other[left : left + 1].ljust(1) for other in lines[top:]).find("⎣")
            right = line.find("⎤", left)
            if right >= 0 and lines[bottom][right : right + 1] == "⎦":
                yield top, bottom, left, right
        for found in _ONE_LINE.finditer(line):
            yield top, top, found.start(), found.end() - 1


def _baseline(box: Box) -> int:
    return box[0] + (box[1] - box[0] + 1) // 2


def _cells(lines: list[str], box: Box) -> Cells:
    """The cells between the brackets: columns are apart by two blanks or more in every line."""
    top, bottom, left, right = box
    inside = [lines[k][left + 1 : right] for k in range(top, bottom + 1)]
    blank = "".join(" " if all(line[k] == " " for line in inside) else "x" for k in range(right - left - 1))
    spans = [found.span() for found in re.finditer(r"x+(?: x+)*", blank)]
    return [[line[start:end].strip() for start, end in spans] for line in inside]
