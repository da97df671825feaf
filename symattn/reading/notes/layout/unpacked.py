"""Names that are given values at once: `Q, K = np.array([[1, 0]]), np.array([[0, 1]])`, `Q(1,0)  K(0,1)`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.formula import Binary, Chain, Name, Row, grid_of, numerals
from symattn.reading.notes.formulas.names import VECTORS, resolve
from symattn.reading.notes.formulas.works import is_literal
from symattn.reading.notes.layout.context import Context

_NAMES = re.compile(r"(?:^|[^\w,])((?:[A-Za-z]\w{0,20} *, *)+)$")
_BETWEEN = re.compile(r"\)* *, *(?:[A-Za-z]\w*\.)?(?:\w+\()?")


def with_unpacked(found: Sequence[Item], context: Context) -> list[Item]:
    """The items, with as many values as there are names given to these, one by one.

    A vector right behind the letter of a quantity is its value: the two multiply nothing.
    """
    made: list[Item] = []
    i = 0
    while i < len(found):
        item = _of_its_letter(found[i])
        others = _names_before(item, context)
        values = found[i + 1 : i + 1 + len(others)]
        if others and _follow(item, values, context):
            assert isinstance(item.node, Chain)
            last, first = item.node.members
            names = (*others, last)
            nodes = (first, *(value.node for value in values))
            made += [
                replace(each, node=Chain((name, node), ("=",)), label="", broken=False)
                for each, name, node in zip((item, *values), names, nodes, strict=True)
            ]
        else:
            made.append(item)
            values = ()
        i += 1 + len(values)
    return made


def _of_its_letter(item: Item) -> Item:
    match item.node:
        case Binary(op="*", left=Name() as letter, right=Row() as row) if not item.broken and not item.target:
            ref = resolve(letter)
            given = ref is not None and ref.name in VECTORS and grid_of(row) is None
            return replace(item, node=Chain((letter, row), (":",))) if given and is_literal(row) else item
    return item


def _names_before(item: Item, context: Context) -> tuple[Name, ...]:
    """The names that stand with commas before the name of an equation."""
    match item.node:
        case Chain(members=(Name(), Row() as row), relations=("=",)) if is_literal(row):
            before = context.before(item.start)
            said = _NAMES.search(before)
            return tuple(Name(each.strip()) for each in said[1].split(",") if each.strip()) if said else ()
    return ()


def _follow(item: Item, values: Sequence[Item], context: Context) -> bool:
    """Whether lists follow an equation, with no more than commas between them."""
    ends = (item, *values)
    return bool(values) and all(
        isinstance(value.node, Row)
        and is_literal(value.node)
        and next(numerals(value.node), None) is not None
        and _BETWEEN.fullmatch(context.text, before.end, value.start) is not None
        for before, value in zip(ends, values, strict=False)
    )
