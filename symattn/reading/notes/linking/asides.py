"""Paragraphs with inputs of their own amid a worked example: reminders, exercises, `suppose instead that`."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace

from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.formula import (
    Chain,
    Name,
    Node,
    Num,
    Row,
    grid_of,
    names,
    numerals,
    walk,
)
from symattn.reading.notes.formulas.names import VECTORS, Bases, resolve
from symattn.reading.notes.formulas.works import is_literal
from symattn.reading.notes.layout.context import Context
from symattn.reading.notes.layout.otherwise import Otherwise
from symattn.reading.notes.linking.closeness import agree
from symattn.reading.notes.linking.place import table_of

_OTHER = re.compile(
    r"\b(?:reminder|recall|recap|suppose|instead|another|different|say|exercises?|homework|try|cross-attention"
    r"|compare|comparison|if)\b|复习|回顾|换|假如|如果|若|例如|比如|练习|举例|对比|另一|交叉注意力|思考题",
    re.IGNORECASE,
)
"""What a paragraph says that has an example of its own."""
_ASKS = re.compile(r"\b(?:compute|calculate|find|determine|what (?:is|are))\b|[?？]|计算|求", re.IGNORECASE)
_FENCE = re.compile(r"\s*(?:```|~~~)")
MOST_GIVEN = 400
"""Rows of inputs among which asides are looked for: a longer document is a book of examples."""


@dataclass(frozen=True, slots=True)
class _Given:
    """A row of an input that item number `at` gives; without an index it is one of any."""

    at: int
    name: str
    row: int | None
    nums: Sequence[Num]


@dataclass(frozen=True, slots=True)
class _Block:
    """The items of a paragraph or of a fenced block, `first` up to `last`, and what stands there."""

    first: int
    last: int
    start: int
    end: int
    fenced: bool


Aside = tuple[int, int, list[Item]]
"""From where to where it stands, and the equations of numbers in it."""


def without_asides(
    found: Sequence[Item], context: Context, bases: Bases, otherwise: Otherwise
) -> tuple[list[Item], list[Aside]]:
    """The items without those of asides, and the asides.

    An aside is a paragraph that gives an input otherwise than all the rest of the document does, and has
    results of its own or asks for them, below words that tell of another example; so is what the text
    itself says to be of something else, or wrong.
    """
    of = {at: span for at, item in enumerate(found) if (span := otherwise.surely(item.start, item.end))}
    given = [each for at, item in enumerate(found) for each in _given(at, item, bases) if at not in of]
    if len({each.at for each in given}) > 1 and len(given) <= MOST_GIVEN:
        blocks = list(_blocks(found, context))
        fenced = {at for block in blocks if block.fenced for at in range(block.first, block.last)}
        for block in blocks:
            if _is_aside(block, found, given, fenced, context):
                of |= dict.fromkeys(range(block.first, block.last), (block.start, block.end))
    asides: dict[tuple[int, int], list[Item]] = {span: [] for span in of.values()}
    for at, span in of.items():
        asides[span] += _worked(found[at])
    kept = [item for at, item in enumerate(found) if at not in of]
    return kept, [(*span, asides[span]) for span in sorted(asides)]


def _given(at: int, item: Item, bases: Bases) -> Iterator[_Given]:
    """The rows of inputs that an item tells, as literals or as what a formula comes to."""
    ref, node = item.target, item.node
    if isinstance(node, Chain) and not item.broken and item.target is None:
        name, node = node.members[0], node.members[-1]
        ref = resolve(name, bases) if isinstance(name, Name) else None
    if (
        ref is None
        or ref.name not in VECTORS
        or ref.transposed
        or isinstance(node, Num)
        or not is_literal(node)
    ):
        return
    whole = ref.row is None and grid_of(node) is not None
    for row, nums in enumerate(table_of(node) or ()):
        yield _Given(at, ref.name, row if whole else ref.row, nums)


def _blocks(found: Sequence[Item], context: Context) -> Iterator[_Block]:
    """The paragraphs and the fenced blocks in which items stand."""
    begin, fence, at = 0, False, 0
    lines = [context.said(line) for line in range(len(context.starts))]
    for line, said in enumerate([*lines, ""]):
        opens = _FENCE.match(said) is not None
        if opens or (not fence and not said.strip()):
            closes = fence and opens
            end = context.starts[line] if line < len(lines) else len(context.text)
            first = at
            while at < len(found) and found[at].start < end:
                at += 1
            if at > first:
                yield _Block(first, at, context.starts[begin], end, closes)
            begin = min(line + (not opens or closes), len(lines) - 1)
            fence = opens and not closes


def _is_aside(
    block: _Block,
    found: Sequence[Item],
    given: Sequence[_Given],
    fenced: Container[int],
    context: Context,
) -> bool:
    mine = [each for each in given if block.first <= each.at < block.last]
    others = [each for each in given if not block.first <= each.at < block.last]
    if not any(_is_otherwise(each, others) for each in mine):
        return False
    if block.fenced:
        return not any(each.at in fenced for each in others)
    said = context.text[block.start : block.end]
    given_here = {each.at for each in mine}
    results = (found[at] for at in range(block.first, block.last) if at not in given_here)
    solved = any(any(numerals(item.node)) for item in results) or _ASKS.search(said) is not None
    return solved and _OTHER.search(said) is not None and not _goes_on(block, mine, others, found)


def _is_otherwise(mine: _Given, others: Sequence[_Given]) -> bool:
    """Whether a row is none of those that the rest of the document has in its place, which agree."""
    there = [
        each.nums
        for each in others
        if each.name == mine.name and (mine.row is None or each.row is None or each.row == mine.row)
    ]
    if mine.row is not None and any(not _same(nums, there[0]) for nums in there):
        return False
    return bool(there) and not any(_same(nums, mine.nums) for nums in there)


def _goes_on(block: _Block, mine: Sequence[_Given], others: Sequence[_Given], found: Sequence[Item]) -> bool:
    """Whether numbers go on from what a paragraph gives: a list of it stands again, or nothing else does.

    Above all other inputs there may be no result between.
    """
    first = min(each.at for each in others)
    between = found[block.last : first] if block.last <= first else found[block.last :]
    known = [each.nums for each in others]
    own = [each.nums for each in mine if not any(_same(each.nums, nums) for nums in known)]
    lists = (list(numerals(part)) for item in between for part in _lists(item.node))
    return any(_same(nums, each) for nums in lists for each in own) or (
        block.last <= first and any(any(numerals(item.node)) for item in between)
    )


def _lists(node: Node) -> Iterator[Node]:
    return (part for part in walk(node) if isinstance(part, Row))


def _same(first: Sequence[Num], again: Sequence[Num]) -> bool:
    return len(first) == len(again) and all(map(agree, first, again))


def _worked(item: Item) -> Iterator[Item]:
    """What of an item is arithmetic alone, `1·3 + 2·4 = 11` of `q·k = 1·3 + 2·4 = 11`."""
    if isinstance(item.node, Chain) and not item.broken:
        plain = [member for member in item.node.members if next(names(member), None) is None]
        if len(plain) > 1 and not is_literal(plain[0]):
            relations = item.node.relations[-len(plain) + 1 :]
            yield replace(item, node=Chain(tuple(plain), relations), label="", target=None, shown=False)
