"""Prints as operands of steps: those of one shape as one array, on which steps are tried together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from symattn.notes.interpreter import values
from symattn.notes.interpreter.values import Array, Value

Shape = tuple[int, ...]
Order = tuple[int, ...]
Maker = Callable[[], Value | None]


class Operand(NamedTuple):
    """A print, by its place and whether it is mended, and whether it is transposed."""

    order: Order
    turned: bool
    value: Value

    def whole(self) -> Value:
        return values.transposed(self.value) if self.turned else self.value


class Group:
    """Operands of one shape; `mids` has them along its first axis, `places` where they are printed."""

    __slots__ = ("among", "mids", "places")

    def __init__(self, among: Sequence[Operand]) -> None:
        self.among = among
        self.mids: Array = np.stack([each.value.mid.T if each.turned else each.value.mid for each in among])
        self.places = np.array([each.order[0] for each in among])

    def __getitem__(self, n: int) -> Operand:
        return self.among[n]

    def of(self, step: int, n: int) -> tuple[Order, Maker]:
        """One of them, and its place in the order of steps."""
        return (*self.among[n].order, step), self.among[n].whole


Groups = Mapping[tuple[Shape, bool], Group]
"""By shape, and whether they are transposed."""


def groups(known: Sequence[Sequence[Value]]) -> Groups:
    """Prints, each as it is and mended, and their transposes."""
    found: dict[tuple[Shape, bool], list[Operand]] = {}
    for place, several in enumerate(known):
        for mended, a in enumerate(several):
            for turned in (False, True) if len(a.shape) == 2 else (False,):
                shape = a.shape[::-1] if turned else a.shape
                found.setdefault((shape, turned), []).append(Operand((place, mended), turned, a))
    return {key: Group(among) for key, among in found.items()}


class Pairs:
    """All pairs of different prints from two groups."""

    def __init__(self, first: Group, second: Group) -> None:
        self._first, self._second = first, second
        self._one, self._two = np.nonzero(first.places[:, None] != second.places)

    def __len__(self) -> int:
        return len(self._one)

    @property
    def mids(self) -> tuple[Array, Array]:
        """Both operands of every pair, along the first axis."""
        return self._first.mids[self._one], self._second.mids[self._two]

    def order(self, n: int) -> Order:
        """The place of a pair among all: by prints, then whether they are mended."""
        (i, mended), (j, too) = self._first[self._one[n]].order, self._second[self._two[n]].order
        return i, j, mended, too

    def made(self, n: int, step: Callable[[Value, Value], Value | None]) -> Maker:
        """A step on the two values of a pair."""
        left, right = self._first[self._one[n]], self._second[self._two[n]]
        return lambda: step(left.whole(), right.whole())
