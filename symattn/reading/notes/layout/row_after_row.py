"""Lists that follow one another in a sentence and are the rows of one matrix: `Keys: [1, 0], [0, 1]`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.formula import Chain, Grid, Name, Row, grid_of
from symattn.reading.notes.formulas.names import Ref, is_whole, resolve
from symattn.reading.notes.formulas.words import IN_TURN
from symattn.reading.notes.formulas.works import is_literal
from symattn.reading.notes.layout.context import Context

_EACH_ROW = re.compile(
    r"(?<![A-Za-z])([A-Za-z](?:[_^]?\{?[A-Za-z]\}?)?)[ $*`]*的?(?:各|每一?|全部)行(?:向量)?"
    r"(?:依次|分别)?[为是:=]+[ $*`]*$|\brows of ([A-Za-z](?:_[A-Za-z])?)[ $*`]* (?:are|in turn are)[ :$*`]*$"
)
"""Before the first of several rows: `W_Q 的各行为`, `the rows of K are`."""
LONGEST_NAME = 40
_VECTORS = re.compile(
    r"embeddings|inputs|queries|keys|values|(?:词|嵌入|查询|键|值)向量|查询|键", re.IGNORECASE
)
"""Names of several vectors."""
_AND = re.compile(r"[`$]* ?(?:,|，|;|；|、)? ?(?:and|和|与|及)? ?[`$]*(?<=[^\s`$])[`$ ]*")
_SEVERAL = re.compile(r"[和与及]|\band\b")
"""Between several quantities: 查询和键分别为 tells of one each."""


def row_after_row(found: Sequence[Item], context: Context, rows: int | None) -> list[Item]:
    """The items, with lists that follow an equation in its sentence taken into it where they are all rows."""
    made: list[Item] = []
    i = 0
    while i < len(found):
        item = found[i]
        i += 1
        of = _of_rows(item, context)
        if of is not None and isinstance(item.node, Row):
            lists = _lists_from(item.node, found, i, context)
            i += len(lists) - 1
            grid = Grid(tuple(each.items for each in lists), lists[0].start, lists[-1].end)
            item = replace(item, node=grid, end=grid.end, target=of, broken=False)
        match item.node:
            case Chain(members=(Name() as name, *_, Row() as row)) as chain if is_whole(name) and _is_vector(
                row
            ):
                lists = _lists_from(row, found, i, context)
                i += len(lists) - 1
                if len(lists) > 1 and (len(lists) == rows or _each(name, row, context) or _is_plural(chain)):
                    grid = Grid(tuple(each.items for each in lists), row.start, lists[-1].end)
                    chain = replace(chain, members=(*chain.members[:-1], grid))
                    item = replace(item, node=chain, end=grid.end)
                else:
                    i -= len(lists) - 1
        made.append(item)
    return made


def _each(name: Name, row: Row, context: Context) -> bool:
    """Whether lists are said to be of one quantity each in turn: 查询向量分别为 [1, 0] 和 [0, 1]."""
    before = context.before(name.start)
    several = _SEVERAL.search(f"{before[-4:].rstrip()} {name.text}")
    return several is None and IN_TURN.search(context.text, name.start, row.start) is not None


def _is_plural(chain: Chain) -> bool:
    """Whether a line begins with the vectors that its lists are: `Keys: [1, 0], [0, 1]`."""
    name, *others = chain.members
    return len(others) == 1 and isinstance(name, Name) and _VECTORS.fullmatch(name.text) is not None


def _of_rows(item: Item, context: Context) -> Ref | None:
    """The matrix whose rows are told from an item on: W_Q, of `W_Q 的各行为 (1, 0)、(0, 1)`."""
    if not isinstance(item.node, Row) or item.target is not None or not _is_vector(item.node):
        return None
    before = context.before(item.start)
    said = _EACH_ROW.search(before[-LONGEST_NAME:])
    name = Name(said[1] or said[2]) if said is not None else None
    return resolve(name) if name is not None and is_whole(name) else None


def _lists_from(first: Row, found: Sequence[Item], i: int, context: Context) -> list[Row]:
    """A list, and those that follow it one after the other from item i on."""
    lists = [first]
    while (after := _next_list(found, i, lists[-1], context)) is not None:
        lists.append(after)
        i += 1
    return lists


def _next_list(found: Sequence[Item], i: int, before: Row, context: Context) -> Row | None:
    """The list that item i is, where no more than `and` or a comma stands between it and the one before."""
    item = found[i] if i < len(found) else None
    if item is None or not isinstance(item.node, Row) or item.target is not None:
        return None
    between = context.text[before.end : item.start]
    return item.node if _AND.fullmatch(between) and _is_vector(item.node) else None


def _is_vector(row: Row) -> bool:
    return grid_of(row) is None and is_literal(row)
