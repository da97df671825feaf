"""The lists of an example: in one line, down the lines below one another, and as results of alike formulas.

- cat: 65.9 %        | cat | 2.0 | 7.389 |       e^2 = 7.389, e^1 = 2.718 and e^0.1 = 1.105
- dog: 24.2 %        | dog | 1.0 | 2.718 |
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby, pairwise

from symattn.immutable import immutable
from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.formula import Chain, Grid, Node, Num, Row, grid_of, numerals, parts
from symattn.reading.notes.formulas.works import is_literal
from symattn.reading.notes.layout.context import Context

LONGEST = 16
MOST_IN_LINE = 8
WIDE = 3
"""How long the rows of a matrix are that are lists: of two numbers much follows by chance."""
LONGEST_LEAD, SHORTEST_LEAD = 160, 12
_NUMBER = re.compile(r"[ *_`$]*\d+(?:\.\d+)?[ *_`$]*")
_SAYS = re.compile(r"\w")
_MATRIX = re.compile(r"[^#]*#[,;#\[\]()]*")
"""The form of a line of several numbers with no more than commas and brackets between them."""
_DRESS, _WORDS = re.compile(r"[\s*_$`\\]+"), re.compile(r"[\s*_$`\\\w]+")


@immutable(frozen=True, slots=True)
class Listing:
    """Numbers that belong together, and the words that tell of them."""

    nums: tuple[Num, ...]
    words: str
    alone: bool = True
    """Whether no other numbers stand between its own."""
    in_row: bool = False
    """Whether it is a row of a table, of which mostly the columns are lists."""

    @property
    def start(self) -> int:
        """Where the first number stands."""
        return self.nums[0].start

    @property
    def end(self) -> int:
        """Where the last number ends."""
        return self.nums[-1].end


def listings(found: Sequence[Item], context: Context) -> list[Listing]:
    """Every list of an example, in the order in which they begin."""
    nums = in_order(found)
    lines = [(line, tuple(each)) for line, each in groupby(nums, key=lambda num: context.line(num.start))]
    made = [
        *_across(found, context),
        *_alike(found, context),
        *_down(lines, context),
        *(row for line in lines for row in _row(*line, context)),
    ]
    return sorted({each.nums: each for each in reversed(made)}.values(), key=lambda each: each.start)


def _across(found: Sequence[Item], context: Context) -> Iterator[Listing]:
    """Lists as they stand in formulas and sentences, and the rows of matrices."""
    for item in found:
        for node in item.node.members if isinstance(item.node, Chain) else (item.node,):
            if not isinstance(node, Row | Grid) or not is_literal(node):
                continue
            grid = grid_of(node)
            rows = [[node]] if grid is None else grid.rows if len(grid.rows[0]) >= WIDE else ()
            for row in rows:
                nums = tuple(num for cell in row for num in numerals(cell))
                if 1 < len(nums) <= LONGEST:
                    yield Listing(nums, _lead(next(numerals(node)).start, context))


def _lead(start: int, context: Context) -> str:
    """The words before a list, in its own paragraph; those above a list that begins one."""
    above, _, said = context.text[max(start - LONGEST_LEAD, 0) : start].rpartition("\n\n")
    return said if len(said) > SHORTEST_LEAD else f"{above} {said}"


def _alike(found: Sequence[Item], context: Context) -> Iterator[Listing]:
    """The numbers of equations of one form that follow one another, place by place."""
    for (form, _), run in groupby(found, key=lambda item: (_form(item.node), context.line(item.start))):
        same = list(run)
        if form is None or not 1 < len(same) <= LONGEST:
            continue
        words = context.said(context.line(same[0].start))
        for nums in zip(*(tuple(numerals(item.node)) for item in same), strict=True):
            yield Listing(nums, words)


def _form(node: Node) -> str | None:
    """The form of an equation, whatever its numbers and names are; None for anything else."""
    if not isinstance(node, Chain) or not isinstance(node.members[-1], Num):
        return None
    first, *others = node.members
    label = node.relations[0] == ":" and len(others) > 1 and next(numerals(first), None) is None
    return _shape(replace(node, members=tuple(others)) if label else node)  # `Powers: e^2 = 7.39, e^1 = 2.72`


def _shape(node: Node) -> str:
    said = getattr(node, "op", None) or getattr(node, "function", None) or type(node).__name__
    return f"{said}({','.join(map(_shape, parts(node)))})"


def _row(line: int, nums: Sequence[Num], context: Context) -> Iterator[Listing]:
    """The numbers that the cells of a row of a table end with, and the head of the row."""
    if "|" not in context.said(line):
        return
    label = next(filter(_SAYS.search, context.said(line).split("|")), "")
    before = [(context.before(num.start), num) for num in nums]
    cells = {said.count("|"): num for said, num in before if label in said and "|" in said}
    counts = _NUMBER.fullmatch(label) is not None
    words = f"{_heads(line, context)} {head(nums[0], line, context)} = {label}" if counts else label
    if 1 < len(cells) <= LONGEST:
        yield Listing(tuple(cells.values()), words, alone=False, in_row=True)


def _heads(line: int, context: Context) -> str:
    """The first line of the table of a line."""
    top = line
    while top > line - LONGEST and "|" in context.said(top - 1):
        top -= 1
    return context.said(top)


def _down(lines: Sequence[tuple[int, tuple[Num, ...]]], context: Context) -> Iterator[Listing]:
    """The columns of lines of one form."""
    at = 0
    while at < len(lines):
        form = _layout(*lines[at], context)
        end = at + 1
        while (
            end < len(lines)
            and _below(lines[end - 1][0], lines[end][0], context)
            and _layout(*lines[end], context) == form
        ):
            end += 1
        if 1 < end - at <= LONGEST and form is not None and not _MATRIX.fullmatch(form):
            for column in zip(*(each for _, each in lines[at:end]), strict=True):
                yield Listing(column, head(column[0], lines[at][0], context), len(lines[at][1]) == 1)
        at = end


def _below(line: int, other: int, context: Context) -> bool:
    """Whether one line follows another, or stands below a blank line or the rule of a table."""
    return other - line == 1 or (other - line == 2 and not context.said(line + 1).strip("| \n:-+"))


def in_order(found: Sequence[Item]) -> list[Num]:
    """Every number of some formulas once, as they stand in the text."""
    nums = {num.start: num for item in found for num in numerals(item.node)}
    return [nums[start] for start in sorted(nums)]


def _layout(line: int, nums: Sequence[Num], context: Context) -> str | None:
    """What stands around the numbers of a line, without its words and what only dresses it."""
    if len(nums) > MOST_IN_LINE:
        return None
    before = context.before(nums[0].start)
    gaps = [context.text[a.end : b.start] for a, b in pairwise(nums)]
    return "#".join([_DRESS.sub("", before)[-1:], *(_WORDS.sub("", gap) for gap in gaps)])


def head(num: Num, line: int, context: Context) -> str:
    """The head of the column of a table, or the line above and what stands before the number."""
    before = context.before(num.start)
    top = line
    while top > line - LONGEST and "|" in context.said(top - 1):
        top -= 1
    cells, at = context.said(top).split("|"), before.count("|")
    if top < line and 0 < at < len(cells):
        return cells[at].strip()
    above = (context.said(other) for other in range(line - 1, max(line - 4, -1), -1))
    return f"{next(filter(_SAYS.search, above), '')} {before}"
