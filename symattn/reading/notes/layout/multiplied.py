"""The rows that the weights multiply, where no name says so: `cat: [1, 0]` below `Our sentence`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.formula import Chain, Grid, Name, Num, grid_of
from symattn.reading.notes.formulas.names import INPUTS, Bases, Ref, resolve
from symattn.reading.notes.formulas.works import is_literal

_SOURCES = frozenset({"X", "memory", "PE"})
_PROJECTING = frozenset({"W_Q", "W_K", "W_V"})


def with_multiplied(found: list[Item], bases: Bases) -> list[Item]:
    """The items; the first matrix without a name that the weights can multiply is X, if nothing else is.

    Rows of tokens may stand behind the weights; a matrix without labels stands before them.
    """
    given = list(_given(found, bases))
    weights = [(ref, grid) for ref, grid in given if ref.name in _PROJECTING]
    if not weights or any(ref.name in _SOURCES for ref, _ in given):
        return found
    sides = [{len(grid.rows), len(grid.rows[0])} for _, grid in weights]
    first = min(grid.start for _, grid in weights)
    for k, item in enumerate(found):
        node = grid_of(item.node)
        if node is None or item.target is not None or item.shown or item.broken or not is_literal(node):
            continue
        if (node.labels or node.start < first) and all(len(node.rows[0]) in side for side in sides):
            return [*found[:k], replace(item, target=Ref("X")), *found[k + 1 :]]
    return found


def _given(found: Sequence[Item], bases: Bases) -> Iterator[tuple[Ref, Grid]]:
    """What is given by a name or a caption, with its matrix."""
    for item in found:
        node, ref = item.node, item.target
        if ref is None and isinstance(node, Chain) and isinstance(node.members[0], Name):
            ref, node = resolve(node.members[0], bases), node.members[-1]
        grid = grid_of(node)
        if ref is not None and ref.name in INPUTS | _SOURCES:
            if grid is not None:
                yield ref, grid
            elif is_literal(node) and not isinstance(node, Num):
                yield ref, Grid(((node,),), 0, 0)
