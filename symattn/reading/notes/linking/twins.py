"""Softmaxes that a text works out twice, of scores and of these divided by the root of a width."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from itertools import chain, product

from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.formula import Call, Chain, Node, Num, Row, numerals
from symattn.reading.notes.formulas.works import is_literal
from symattn.reading.notes.linking.closeness import ROOM, near, unit
from symattn.reading.notes.linking.ledger import size

TINY = 1e-12
"""A part of a number that is less than its digits tell."""
LOOKED_AT = 2
"""By how many of its first numbers a list is looked up."""
Texts = tuple[str, ...]


def unscaled_twins(items: Sequence[Item], widths: Collection[int]) -> frozenset[int]:
    """Where weights begin whose scores are those of other weights times a root of a width: left unscaled."""
    told = [pair for item in items if (pair := _softmaxed(item.node)) is not None]
    roots = [width**0.5 for width in widths if width > 1]
    if len(told) < 2 or not roots:
        return frozenset()
    starts = defaultdict[Texts, list[int]](list)
    for weights, logits in told:
        starts[tuple(num.text for num in logits)].append(weights.start)
    lists = {tuple(num.text for num in logits): logits for _, logits in told}
    found = _Nearby(lists.values())

    def is_unscaled(texts: Texts, nums: Sequence[Num]) -> bool:
        sizes = _sizes(nums)
        return any(sizes) and any(
            all(near(num, x / root) for num, x in zip(others, sizes, strict=True))
            for root in roots
            for others in found.near([x / root for x in sizes[:LOOKED_AT]], len(sizes))
            if others is not nums or len(starts[texts]) > 1
        )

    unscaled = (starts[texts] for texts, nums in lists.items() if is_unscaled(texts, nums))
    return frozenset(chain.from_iterable(unscaled))


def _softmaxed(node: Node) -> tuple[Row, list[Num]] | None:
    """The weights that a softmax of a printed list comes to, and the list."""
    match node:
        case Chain(members=(*_, Call(function="softmax", argument=Row() as logits), Row() as weights)) if (
            is_literal(logits) and is_literal(weights)
        ):
            return weights, list(numerals(logits))
    return None


def _sizes(nums: Sequence[Num]) -> list[float]:
    return [size(num) or 0.0 for num in nums]


class _Nearby:
    """Lists of numbers by about how large the first of them are: so those like another are found."""

    def __init__(self, lists: Collection[Sequence[Num]]) -> None:
        first = (num for nums in lists for num in nums[:LOOKED_AT])
        rooms = (ROOM * unit(num) + TINY * abs(size(num) or 0.0) for num in first)
        self.step = max(rooms, default=0.0) or 1.0
        self.found = defaultdict[tuple[int, ...], list[Sequence[Num]]](list)
        for nums in lists:
            self.found[self._cell(_sizes(nums[:LOOKED_AT]), len(nums))].append(nums)

    def _cell(self, sizes: Sequence[float], length: int) -> tuple[int, ...]:
        return length, *(math.floor(x / self.step) for x in sizes)

    def near(self, sizes: Sequence[float], length: int) -> Iterator[Sequence[Num]]:
        """The lists of so many numbers of which the first may be near these."""
        length, *cell = self._cell(sizes, length)
        for around in product(*((at - 1, at, at + 1) for at in cell)):
            yield from self.found.get((length, *around), ())
