"""Matrices written as one list each, `X = (1 0 2 1)`: row after row, or column after column.

That they are matrices is sure where a list of inputs is multiplied with a list of weights: no such product is
defined. How high they are follows from how many numbers there are of both and of what they make.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import isqrt

from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.formula import Chain, Grid, Node, Num, Row
from symattn.reading.notes.formulas.names import PROJECTIONS, Bases
from symattn.reading.notes.linking.closeness import near
from symattn.reading.notes.linking.denote import LOGITS, denote
from symattn.reading.notes.linking.ledger import size

Lists = Mapping[str, Sequence[Num]]
Shape = tuple[int, int]
FEWEST = 4


def unrolled(found: list[Item], bases: Bases) -> list[Item]:
    """The items, with the lists of a document that only prints lists as the matrices that they are."""
    told = {at: name for at, item in enumerate(found) if (name := _told(item, bases)) is not None}
    lists: dict[str, Sequence[Num]] = {}
    for at, name in told.items():
        lists.setdefault(name, _listed(found[at].node))
    shapes = _shapes(lists) if "X" in lists and lists.keys() & PROJECTIONS else {}
    if not shapes:
        return found
    by_rows = next((way for way in (True, False) if _fits(lists, shapes, way)), None)
    if by_rows is None:
        return found
    made = list(found)
    for at, name in told.items():
        nums, (rows, cols) = _listed(found[at].node), shapes.get(name, (0, 0))
        if len(nums) == rows * cols:
            grid = Grid(_table(nums, (rows, cols), by_rows), nums[0].start, nums[-1].end)
            chain = found[at].node
            assert isinstance(chain, Chain)
            made[at] = replace(found[at], node=replace(chain, members=(*chain.members[:-1], grid)))
    return made


def _listed(node: Node) -> Sequence[Num]:
    """The numbers of the list that an equation comes to."""
    last = node.members[-1] if isinstance(node, Chain) else None
    nums = [cell for cell in last.items if isinstance(cell, Num)] if isinstance(last, Row) else []
    return nums if isinstance(last, Row) and len(nums) == len(last.items) >= FEWEST else ()


def _told(item: Item, bases: Bases) -> str | None:
    """The quantity that an equation gives as a list."""
    if item.broken or not isinstance(item.node, Chain) or not _listed(item.node):
        return None
    ref = denote(item.node.members[0], bases, {})
    return ref.name if ref is not None and ref.row is None and not ref.transposed else None


def _shapes(lists: Lists) -> dict[str, Shape]:
    """How many rows and columns each quantity has: X of n and d, W of d and k make n k numbers."""
    found: dict[str, Shape] = {}
    for name in ("Q", "K", "V"):
        weights = f"W_{name}"
        if name in lists and weights in lists:
            x, w, made = len(lists["X"]), len(lists[weights]), len(lists[name])
            rows = isqrt(x * made // w)
            if not rows or rows * rows * w != x * made or x % rows or made % rows:
                return {}
            shapes = {"X": (rows, x // rows), weights: (x // rows, made // rows), name: (rows, made // rows)}
            if any(found.get(key, shape) != shape for key, shape in shapes.items()):
                return {}
            found |= shapes
    rows = found.get("X", (0, 0))[0]
    squares = dict.fromkeys((*LOGITS, "exp", "A"), (rows, rows))
    return {**squares, **found, **({"Z": found["V"]} if "V" in found else {})} if rows > 1 else {}


def _fits(lists: Lists, shapes: Mapping[str, Shape], by_rows: bool) -> bool:
    """Whether at least half of what the weights should make is printed."""
    pairs = [
        (num, x)
        for name in ("Q", "K", "V")
        if name in shapes
        for printed, row in zip(
            _table(lists[name], shapes[name], by_rows), _made(lists, shapes, name, by_rows), strict=True
        )
        for num, x in zip(printed, row, strict=True)
    ]
    return 2 * sum(near(num, x) for num, x in pairs) >= len(pairs) > 0


def _made(lists: Lists, shapes: Mapping[str, Shape], name: str, by_rows: bool) -> Iterator[list[float]]:
    x = _sizes(lists, shapes, "X", by_rows)
    columns = list(zip(*_sizes(lists, shapes, f"W_{name}", by_rows), strict=True))
    for row in x:
        yield [sum(a * b for a, b in zip(row, column, strict=True)) for column in columns]


def _sizes(lists: Lists, shapes: Mapping[str, Shape], name: str, by_rows: bool) -> list[list[float]]:
    return [[size(num) or 0.0 for num in row] for row in _table(lists[name], shapes[name], by_rows)]


def _table(nums: Sequence[Num], shape: Shape, by_rows: bool) -> tuple[tuple[Num, ...], ...]:
    rows, cols = shape
    if by_rows:
        return tuple(tuple(nums[i * cols : (i + 1) * cols]) for i in range(rows))
    return tuple(tuple(nums[i::rows]) for i in range(rows))
