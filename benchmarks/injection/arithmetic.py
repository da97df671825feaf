"""What the simulated arithmetic is made of: grids of 60-digit decimals, a step, a step without a result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal, getcontext

getcontext().prec = 60
getcontext().Emax = 10**9
getcontext().Emin = -(10**9)

Grid = list[list[Decimal]]
ZERO, ONE, HIDDEN = Decimal(0), Decimal(1), Decimal("-Infinity")


class Undefined(ArithmeticError):
    """The mistake cannot be made here: shapes do not fit, or a division by zero."""


@dataclass(frozen=True)
class Step:
    """One line of the walk; `facts` holds sizes and switches by name.

    `hidden` are the entries that a mask hides, query and key from 0; None is the causal mask.
    """

    name: str
    kind: str
    args: tuple[str, ...]
    facts: Mapping[str, int] = field(default_factory=dict)
    hidden: frozenset[tuple[int, int]] | None = None

    def hides(self, i: int, j: int) -> bool:
        """Whether the mask hides key j from query i."""
        return j > i if self.hidden is None else (i, j) in self.hidden


def transposed(a: Grid) -> Grid:
    return [list(row) for row in zip(*a, strict=True)]


def product(a: Grid, b: Grid) -> Grid:
    if len(a[0]) != len(b):
        raise Undefined("shapes")
    columns = transposed(b)
    return [[sum((x * y for x, y in zip(row, column, strict=True)), ZERO) for column in columns] for row in a]
