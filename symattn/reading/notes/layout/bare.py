"""Matrices without brackets, or with one number a line: rows of numerals under the name of a quantity.

W_Q:                  X (3x2) =
0.1  0.1              [
0.5  0.5              2
                      0 ...

A column of single numbers is a matrix only where its shape is written above it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.characters import normalise
from symattn.reading.notes.formulas.formula import Chain, Grid, Name, Num, Row, names, numerals
from symattn.reading.notes.formulas.names import INPUTS, Bases, Ref, resolve
from symattn.reading.notes.formulas.words import alias
from symattn.reading.notes.layout.captions import caption, product_of
from symattn.reading.notes.layout.context import Context
from symattn.reading.notes.layout.rows import NUMBER, in_place, masked, numbers

_ROW = re.compile(rf"[ >]*[\[(|]*(?P<cells> *{NUMBER}(?: *[,;] *{NUMBER}| +{NUMBER})*) *[,;\])|]*")
_FRAME = re.compile(r"[ >]*[\[\](){},;]* *")
_FENCE = re.compile(r"[ >]*(?:```|~~~)")
_SHAPE = re.compile(r"(?<![\d.])(\d{1,2}) ?[*xX×] ?(\d{1,2})(?![\d.])")
_ANNOUNCES = re.compile(r"(?:[=:≈] *(?:\*\*)?|\b(?:is|are|gives?|get)|[是为]|得到?|如下) *$")
_QUANTITIES = frozenset({"Q", "K", "V", "scores", "scaled", "masked", "exp", "A", "Z", "output", *INPUTS})
_OWN = re.compile(r" *([A-Za-z]\w*) = *")
"""A line with nothing but a letter of the document's own, set to what stands below."""
_NUMBERED = re.compile(r" *\(\d{1,3}(?:\.\d{1,3}){0,2}\) *[.,]?")
"""The number of a display, below it where a page was copied: `(7.14)`."""
_COLUMNS = re.compile(r"\d[ ,;]")
_DRESS = " *_`#>."
_SENTENCE = re.compile(r"[.,;!?，。；！？、]|\d ")
LINES_ABOVE = 3
TALLEST = 4
"""How many lines a fraction takes that a page was copied with: what is divided, the root, d_k, a sign."""
LONGEST_HEAD = 32


def with_bare(text: str, found: list[Item], context: Context, bases: Bases) -> list[Item]:
    """The items, with the numerals of matrices without brackets exchanged for the matrices."""
    drawings = [
        (item.start, item.end if isinstance(item.node.members[-1], Grid) else name.start)
        for item in found
        if isinstance(item.node, Chain) and (name := next(names(item.node), None)) is not None
    ]
    firsts = {
        first.start: item.node
        for item in found
        if isinstance(item.node, Chain) and isinstance(row := item.node.members[-1], Row)
        if (first := next(numerals(row), None)) is not None
    }
    made = _matrices(normalise(text).split("\n"), firsts, context, bases)
    return in_place(found, [item for item in made if not _goes_on(item, drawings)])


def _goes_on(item: Item, drawings: Sequence[tuple[int, int]]) -> bool:
    """Whether rows are some of a drawing, or the first of one whose name stands beside a row further down."""
    return any(start <= item.start and item.end <= end for start, end in drawings)


def _matrices(
    lines: Sequence[str], firsts: Mapping[int, Chain], context: Context, bases: Bases
) -> Iterator[Item]:
    """The matrices, with what stands before a sign above them, else with their names.

    `firsts` are the formulas that end with a list, which is then the first row, by where that begins.
    """
    i = 0
    while i < len(lines):
        last = i
        while last < len(lines) and lines[last].strip() and _framed(lines[last]):
            last += 1
        rows = [(k, row) for k in range(i, last) if (row := _ROW.fullmatch(lines[k])) is not None]
        if len(rows) > 2 and _NUMBERED.fullmatch(lines[rows[-1][0]]) and _COLUMNS.search(rows[0][1]["cells"]):
            rows = rows[:-1]
        if len(rows) > 1:
            grid = _grid([numbers(row, context.starts[k]) for k, row in rows], lines, i)
            quotient = _is_quotient(lines, i)
            formula = firsts.get(grid.start) if grid is not None and not quotient else None
            name = "scaled" if quotient else _named(lines, i, last, context, bases)
            if grid is not None and (name is not None or _is_whole(lines[i:last])):
                name = masked(name, grid)
            letter = _OWN.fullmatch(above[-1]) if (above := _above(lines, i)) else None
            if grid is not None and formula is not None:
                chain = replace(formula, members=(*formula.members[:-1], grid))
                yield Item(chain, next(names(formula), grid).start, grid.end)
            elif grid is not None and name is not None:
                yield Item(grid, grid.start, grid.end, target=Ref(name))
            elif grid is not None and letter is not None:
                yield Item(Chain((Name(letter[1]), grid), ("=",)), grid.start, grid.end)
        i = max(last, i + 1)


def _is_whole(lines: Sequence[str]) -> bool:
    """Whether lines are no part of a list of lists that begins above them."""
    said = "".join(lines)
    return said.count("[") == said.count("]")


def _framed(line: str) -> bool:
    """Whether a line holds only numerals, or only brackets."""
    return _ROW.fullmatch(line) is not None or _FRAME.fullmatch(line) is not None


def _above(lines: Sequence[str], i: int) -> list[str]:
    """The nearest lines above line i, beyond blanks and the mark of a fence."""
    near = [
        line for line in lines[max(i - 2 * LINES_ABOVE, 0) : i] if line.strip() and not _FENCE.match(line)
    ]
    return near[-LINES_ABOVE:]


def _named(lines: Sequence[str], i: int, last: int, context: Context, bases: Bases) -> str | None:
    """The quantity that the line above announces with a sign at its end."""
    above = _above(lines, i)
    if not above or not (
        _ANNOUNCES.search(above[-1]) or _means(above[-1].strip(_DRESS), bases) or _heads(lines, i, last)
    ):
        return None
    name = caption(context, bases, i)
    return name if name in _QUANTITIES else None


def _is_quotient(lines: Sequence[str], i: int) -> bool:
    """Whether the lines above are a fraction of which every part fell on a line of its own."""
    above = [line.strip() for line in lines[max(i - TALLEST, 0) : i]]
    roots = [k for k, line in enumerate(above) if line[:1] == "√"]
    return bool(roots) and roots[-1] > 0 and product_of("".join(above[roots[-1] - 1 :])) == "scaled"


def _heads(lines: Sequence[str], i: int, last: int) -> bool:
    """Whether a short line that is no sentence stands directly above line i: `X 输入`, `输出 = A·V`.

    A line with blanks around it is the head of rows that stand by themselves, with a blank behind them.
    """
    said = lines[i - 1].strip() if i else ""
    if (
        not said
        and i > 1
        and not any(line.strip() for line in (*lines[i - 3 : i - 2], *lines[last : last + 1]))
    ):
        said = lines[i - 2].strip()
    return 0 < len(said) <= LONGEST_HEAD and _SENTENCE.search(said) is None


def _means(said: str, bases: Bases) -> bool:
    """Whether a line is no more than the name of a quantity."""
    return alias(said) is not None or resolve(Name(said), bases) is not None


def _grid(rows: Sequence[tuple[Num, ...]], lines: Sequence[str], i: int) -> Grid | None:
    """Equally long rows; single numbers in the shape that is written above them."""
    if any(len(row) != len(rows[0]) for row in rows):
        return None
    first, last = rows[0][0].start, rows[-1][-1].end
    if len(rows[0]) > 1:
        return Grid(tuple(rows), first, last)
    column = [row[0] for row in rows]
    for line in reversed(_above(lines, i)):
        shape = _SHAPE.search(line)
        if shape is not None:
            n, m = int(shape[1]), int(shape[2])
            return (
                Grid(tuple(tuple(column[k * m : k * m + m]) for k in range(n)), first, last)
                if n * m == len(column)
                else None
            )
    return None
