"""Sums of matrices that keep their structures: the outputs of several heads, projected."""

from __future__ import annotations

from math import prod
from typing import ClassVar

from flint import arb, ctx

from symattn.exact.algebraic import MOST_BITS
from symattn.exact.carried import as_carried
from symattn.exact.enclosure import enclose
from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.exact.on_demand import OnDemand
from symattn.exact.work import LINE


class Summed(OnDemand):
    """A + B + ... for matrices of one shape: a table of entries once somebody asks for them."""

    __slots__ = ("parts",)
    most_bits: ClassVar[int] = MOST_BITS
    parts: tuple[Matrix, ...]

    def __init__(self, parts: tuple[Matrix, ...]) -> None:
        object.__setattr__(self, "parts", parts)
        object.__setattr__(self, "shape", parts[0].shape)

    def __getitem__(self, at: tuple[int, int]) -> Exact:
        self._inside(at)
        parts = [part[at] for part in self.parts]
        if self.shape[0] * self.shape[1] * _terms(parts) > LINE:
            parts = [as_carried(x) for x in parts]
        return sum(parts, Exact.of(0))

    def __add__(self, other: Matrix) -> Matrix:
        if other.shape == (1, self.shape[1]):
            return Summed((*self.parts[:-1], self.parts[-1] + other))
        return super().__add__(other)

    def ball_at(self, i: int, j: int) -> arb:
        """The ball of one entry, at the current working precision."""
        return sum((enclose(part[i, j], ctx.prec) for part in self.parts), arb(0))

    def balls(self) -> list[list[arb]]:
        tables = zip(*(part.balls() for part in self.parts), strict=True)
        return [[sum(balls, arb(0)) for balls in zip(*rows, strict=True)] for rows in tables]


def _terms(parts: list[Exact]) -> int:
    """How many terms a sum of quotients has above its common denominator, before any are collected."""
    common = prod(len(x.under.by_exponent) for x in parts)
    return sum(len(x.over.by_exponent) * common // len(x.under.by_exponent) for x in parts)
