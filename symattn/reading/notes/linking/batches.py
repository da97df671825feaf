"""Several walks in one tensor: `Q = [[[1, 0], [0, 1]], [[2, 1], [1, 1]]]` is a batch of two, or two heads.

What stands below one another in every tensor is a walk of its own, over the weights that all of them share.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.formula import Grid, Node, Row, exchanged, grid_of, numerals
from symattn.reading.notes.formulas.names import Bases
from symattn.reading.notes.linking.variants import is_input

Blocks = Mapping[int, Sequence[Node]]
"""The matrices of each tensor, by where the first of their numbers stands."""
MOST = 16
_TENSOR = re.compile(r"\[\s*\[\s*\[|\(\s*\(\s*\(")


def first_blocks(text: str, found: list[Item]) -> tuple[list[Item], Blocks]:
    """The items with the first matrix of each tensor for the whole of it, and all the matrices."""
    blocks: dict[int, Sequence[Node]] = {}
    if _TENSOR.search(text) is None:
        return found, blocks

    def first(node: Node) -> Node | None:
        of = _blocks(node)
        if of is None:
            return None
        blocks[next(numerals(of[0])).start] = of
        return of[0]

    made = []
    for item in found:
        node = exchanged(item.node, first)
        made.append(item if node is item.node else replace(item, node=node))
    return made, blocks


def batches(found: list[Item], blocks: Blocks, bases: Bases) -> list[list[Item]]:
    """The items of each walk; one that all share is an input."""
    if not blocks:
        return [found]
    ((count, _),) = Counter(map(len, blocks.values())).most_common(1)

    def block(k: int, node: Node) -> Node | None:
        at = (
            next(numerals(node), None) if isinstance(node, Row | Grid) and grid_of(node) is not None else None
        )
        of = blocks.get(at.start, ()) if at is not None else ()
        return of[k] if len(of) == count else None

    walks = [found]
    for k in range(1, count):
        mine = []
        for item in found:
            node = exchanged(item.node, partial(block, k))
            if node is not item.node:
                mine.append(replace(item, node=node))
            elif is_input(item, bases):
                mine.append(item)
        walks.append(mine)
    return walks


def _blocks(node: Node) -> Sequence[Node] | None:
    """The matrices of a tensor, all of one shape; None for anything else."""
    if not isinstance(node, Row) or not 1 < len(node.items) <= MOST:
        return None
    grids = [grid_of(item) if isinstance(item, Row) else None for item in node.items]
    shapes = {(len(grid.rows), *map(len, grid.rows)) if grid is not None else None for grid in grids}
    return node.items if len(shapes) == 1 and None not in shapes else None
