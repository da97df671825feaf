"""Lists joined by arrows below a line of words that are joined alike, and say what each list is.

Scores → scaled → weights               得分 → 缩放 → 权重
  cat: (1, 0) → (0.71, 0.00) → ...       猫：(1, 0) → (0.71, 0.00) → (0.67, 0.33)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby, pairwise

from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.formula import Chain, Name, Row, Words, grid_of
from symattn.reading.notes.formulas.names import Bases, Ref
from symattn.reading.notes.formulas.works import is_literal
from symattn.reading.notes.layout.captions import named
from symattn.reading.notes.layout.context import Context

_ARROW = r"(?:→|⇒|⟶|➜|->|=>|—>)"
_LEGEND = re.compile(rf"^[^\n=]*?[^\W\d]{{1,30}} ?(?:{_ARROW} ?[^\n=→⇒⟶➜()\[\]>]{{1,30}})+$", re.MULTILINE)
_JOINS = re.compile(rf"[\s$`*]*{_ARROW}[\s$`*]*")
_SPLITS = re.compile(_ARROW)
_LISTS = frozenset({"X", "Q", "K", "V", "scores", "scaled", "masked", "tempered", "exp", "A", "Z"})
FARTHEST = 12
"""How many lines below such words they still speak of."""


def with_legends(found: Sequence[Item], context: Context, bases: Bases) -> list[Item]:
    """The items, with the lists of a line under the names that a line above it has for them in order."""
    legends = dict(_legends(context, bases))
    if not legends:
        return list(found)
    made: list[Item] = []
    for line, items in groupby(found, lambda item: context.line(item.start)):
        told = list(items)
        above = next((at for at in range(line - 1, line - 1 - FARTHEST, -1) if at in legends), None)
        made += told if above is None else _named(told, legends[above], context)
    return made


def _legends(context: Context, bases: Bases) -> Iterator[tuple[int, list[str]]]:
    """The lines of words joined by arrows, each with what the words name: different quantities."""
    for found in _LEGEND.finditer(context.text):
        names = [named(words, bases) for words in _SPLITS.split(found[0])]
        known = [name for name in names if name in _LISTS]
        if len(set(known)) == len(names):
            yield context.line(found.end()), known


def _named(items: Sequence[Item], names: Sequence[str], context: Context) -> list[Item]:
    """The items of a line, with names where as many lists are joined by nothing but arrows."""
    lists = [_list(item) for item in items]
    for first in range(len(items) - len(names) + 1):
        run = [each for each in lists[first : first + len(names)] if each is not None]
        joined = (_JOINS.fullmatch(context.text, one.end, other.start) for one, other in pairwise(run))
        if len(run) == len(names) and all(joined):
            told = [replace(each, target=Ref(name)) for each, name in zip(run, names, strict=True)]
            return [*items[:first], *told, *items[first + len(names) :]]
    return list(items)


def _list(item: Item) -> Item | None:
    """A list of numbers, alone or behind its label; None for what is something else."""
    match item.node:
        case Chain(members=(Name() | Words(), Row() as row), relations=(":",)):
            item = replace(item, node=row, start=row.start, broken=False)
    free = item.target is None and isinstance(item.node, Row) and grid_of(item.node) is None
    return item if free and is_literal(item.node) else None
