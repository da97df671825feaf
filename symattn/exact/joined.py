"""Matrices side by side that keep their structures: the outputs of several heads."""

from __future__ import annotations

from itertools import accumulate

from flint import arb

from symattn.exact.matrix import Matrix, SurdMatrix
from symattn.exact.number import Exact
from symattn.exact.on_demand import OnDemand
from symattn.exact.summed import Summed


class Joined(OnDemand):
    """[A | B | ...] for matrices with the same rows: a table of entries once somebody asks for them."""

    __slots__ = ("parts",)
    parts: tuple[Matrix, ...]

    def __init__(self, parts: tuple[Matrix, ...]) -> None:
        object.__setattr__(self, "parts", parts)
        object.__setattr__(self, "shape", (parts[0].shape[0], sum(part.shape[1] for part in parts)))

    def __getitem__(self, at: tuple[int, int]) -> Exact:
        self._inside(at)
        i, j = at
        for part in self.parts:
            if j < part.shape[1]:
                return part[i, j]
            j -= part.shape[1]
        raise IndexError(at)

    def _times(self, other: Matrix) -> Matrix:
        """[A | B] times surds is a sum of products, which keep their structures."""
        if not (isinstance(other, SurdMatrix) and len(self.parts) > 1):
            return super()._times(other)
        ends = list(accumulate(part.shape[1] for part in self.parts))
        columns = range(other.shape[1])
        blocks = [
            other.taken(range(stop - p.shape[1], stop), columns)
            for p, stop in zip(self.parts, ends, strict=True)
        ]
        return Summed(tuple(part @ block for part, block in zip(self.parts, blocks, strict=True)))

    def beside(self, other: Matrix) -> Matrix:
        return Joined((*self.parts, other)) if other.shape[0] == self.shape[0] else super().beside(other)

    def balls(self) -> list[list[arb]]:
        rows = zip(*(part.balls() for part in self.parts), strict=True)
        return [[ball for part in row for ball in part] for row in rows]
