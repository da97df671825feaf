"""Attention told twice in one document, with the scale and without it, or first without a mask: two walks.

The weights are printed twice, with other numbers, below a heading that leaves the scale out and one that
does not, or weights are printed before a heading that introduces the mask. The second walk begins at its
heading, with what was given before the first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType

from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.formula import Chain, Node, Num, grid_of, last_of, numerals
from symattn.reading.notes.formulas.names import INPUTS, Bases
from symattn.reading.notes.formulas.works import is_literal
from symattn.reading.notes.layout.context import Context
from symattn.reading.notes.layout.heard import OMITTED
from symattn.reading.notes.linking.closeness import agree
from symattn.reading.notes.linking.denote import denote
from symattn.reading.notes.linking.ledger import value

_SCALED = re.compile(r"\b(?:un)?scal(?:ed|ing)\b|缩放", re.IGNORECASE)
_MASKED = re.compile(r"\b(?:mask(?:ed|ing|s)?|causal)\b|掩码|遮罩|掩蔽|マスク|마스크", re.IGNORECASE)
_UNMASKED = re.compile(r"\b(?:no|without|before|un-?masked|not)\b|无掩码|不加|没有|无遮罩", re.IGNORECASE)
"""In a heading of the walk that hides nothing."""
_UNDERLINE = re.compile(r"[=~-]{3,}\s*$")
_HEADING = re.compile(
    r" {0,3}#|\\(?:sub)*(?:section|paragraph)\b|\*\*|\d+[.)] |(?:step|part) \d", re.IGNORECASE
)
_NOTHING: Mapping[str, str] = MappingProxyType({})
GIVEN = INPUTS | {"Q", "K", "V"}
LONGEST_HEADING = 60


def compared(found: Sequence[Item], context: Context, bases: Bases) -> tuple[int, list[Item]] | None:
    """Where the second walk begins, and the items that it shares with the first; None for one walk."""
    weights = [item for item in found if _told(item, bases) == "A" and len(_numbers(item)) > 1]
    return _by_scale(found, weights, context, bases) or _by_mask(found, weights, context, bases)


def _by_scale(
    found: Sequence[Item], weights: Sequence[Item], context: Context, bases: Bases
) -> tuple[int, list[Item]] | None:
    """The walk below the second of two headings, of which one leaves the scale out."""
    told = ((at, OMITTED.search(said) is not None) for at, said in _headings(context, _SCALED))
    headings = list(told)
    for (first, omitted), (second, left_out) in pairwise(headings):
        before = [item for item in weights if first <= item.start < second]
        behind = [item for item in weights if second <= item.start]
        if omitted != left_out and before and behind and _differ(before[0], behind[0]):
            return second, [item for item in found if item.start < first and _told(item, bases) in GIVEN]
    return None


def _by_mask(
    found: Sequence[Item], weights: Sequence[Item], context: Context, bases: Bases
) -> tuple[int, list[Item]] | None:
    """The walk below the first heading on a mask, where one without it was told up to its weights."""
    if not weights:
        return None
    first = min(item.start for item in weights)
    masked = [at for at, said in _headings(context, _MASKED) if at > first and not _UNMASKED.search(said)]
    start = masked[0] if masked else _masked_again(found, weights, context)
    if start is None:
        return None
    hidden = [num.start for item in found for num in numerals(item.node) if num.text == "-inf"]
    begin, end = context.span(context.lines[0])[0], context.span(context.lines[-1])[1]
    if min(hidden, default=start) < start or context.within(begin, start).causal:
        return None
    if not hidden and not context.within(start, end).causal:
        return None
    return start, [item for item in found if item.start < start and _told(item, bases) in GIVEN]


def _masked_again(found: Sequence[Item], weights: Sequence[Item], context: Context) -> int | None:
    """Where the paragraph begins that goes on to weights with zeros above their diagonal, as none before.

    It is the one of the first scores with infinities, where there are such between.
    """
    squares = [
        (item, grid.rows)
        for item in weights
        if (grid := grid_of(last_of(item.node))) and len(grid.rows) == len(grid.rows[0])
    ]
    if len(squares) < 2 or _hides_later(squares[0][1]) or not _hides_later(squares[-1][1]):
        return None
    last = next(item for item, rows in squares if _hides_later(rows))
    end = squares[0][0].end
    between = (item for item in found if end <= item.start < last.start)
    item = next((each for each in between if any(n.text == "-inf" for n in numerals(each.node))), last)
    line = context.line(item.start)
    while line - 1 in context.lines and context.said(line - 1).strip():
        line -= 1
    return context.starts[line] if context.starts[line] > end else item.start


def _hides_later(rows: Sequence[Sequence[Node]]) -> bool:
    """Whether the entries above a diagonal are 0, and no others."""
    cells = (
        (j > i, value(cell))
        for i, row in enumerate(rows)
        for j, cell in enumerate(row)
        if isinstance(cell, Num)
    )
    return all(later == (q == 0) for later, q in cells)


def _headings(context: Context, topic: re.Pattern[str]) -> Iterator[tuple[int, str]]:
    """The headings that speak of a topic: where each begins, and what it says."""
    for line in context.lines:
        said = context.said(line).rstrip("\n")
        if not 0 < len(said) <= LONGEST_HEADING or "=" in said or not topic.search(said):
            continue
        above, below = (context.said(at) if at in context.lines else "" for at in (line - 1, line + 1))
        alone = not above.strip() and not below.strip() and said.rstrip()[-1].isalpha()
        if alone or _HEADING.match(said) or _UNDERLINE.match(below):
            yield context.starts[line], said


def _told(item: Item, bases: Bases) -> str | None:
    """The quantity that an item prints, by its caption or by what stands first in it."""
    if item.target is not None:
        return item.target.name
    if not isinstance(item.node, Chain) or item.broken or not is_literal(item.node.members[-1]):
        return None
    ref = denote(item.node.members[0], bases, _NOTHING)
    return ref.name if ref is not None else None


def _differ(first: Item, second: Item) -> bool:
    """Whether two matrices, or the first rows of them, have other numbers in more than a few places."""
    pairs = list(zip(_numbers(first), _numbers(second), strict=False))
    return 3 * sum(not agree(a, b) for a, b in pairs) >= len(pairs) > 0


def _numbers(item: Item) -> list[Num]:
    last = last_of(item.node)
    return list(numerals(last))
