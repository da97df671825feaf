"""Two worked examples in one document are two walks: where the second begins."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from symattn.reading.notes.chains import Item
from symattn.reading.notes.context import Context
from symattn.reading.notes.formula import Chain, Name, Num, Row, grid_of, numerals
from symattn.reading.notes.ledger import value
from symattn.reading.notes.names import Bases, resolve
from symattn.reading.notes.works import is_literal

Key = tuple[str, int | None]


def examples(found: Sequence[Item], context: Context, bases: Bases) -> list[list[Item]]:
    """The items of each example: a new one begins, with its heading, where the inputs are given anew."""
    defined = [(i, *what) for i, item in enumerate(found) if (what := _definition(item, bases)) is not None]
    wanted = "X" if any(key[0] == "X" for _, key, _ in defined) else "Q"
    starts: list[int] = []
    seen: dict[Key, list[Num]] = {}
    for i, key, nums in defined:
        if key[0] != wanted:
            continue
        if key in seen and _differs(seen[key], nums):
            starts.append(_with_heading(found, i, starts[-1] if starts else 0, context))
            seen = {}
        seen.setdefault(key, nums)
    bounds = [0, *starts, len(found)]
    return [list(found[a:b]) for a, b in pairwise(bounds)]


def _definition(item: Item, bases: Bases) -> tuple[Key, list[Num]] | None:
    """`X = [[...]]` or `x_1 = [...]`, which quantity and row it gives, and its numerals."""
    if not isinstance(item.node, Chain) or item.broken or len(item.node.members) != 2:
        return None
    name, node = item.node.members
    ref = resolve(name, bases) if isinstance(name, Name) else None
    if ref is None or ref.name not in ("X", "Q") or not is_literal(node) or isinstance(node, Num):
        return None
    if ref.row is None and grid_of(node) is None and isinstance(node, Row):
        return None
    return (ref.name, ref.row), list(numerals(node))


def _differs(first: Sequence[Num], again: Sequence[Num]) -> bool:
    """Whether two printings are of different things: another length, or most of the numbers differ."""
    if len(first) != len(again):
        return True
    return 2 * sum(value(a) != value(b) for a, b in zip(first, again, strict=True)) > len(first)


def _with_heading(found: Sequence[Item], i: int, after: int, context: Context) -> int:
    """The first item behind the last heading before item i."""
    line = context.line(found[i].start)
    while line > 0 and not context.said(line).startswith("#"):
        line -= 1
    heading = context.starts[line]
    while i - 1 > after and found[i - 1].start >= heading:
        i -= 1
    return i
