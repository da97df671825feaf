"""Matrices of intervals, and what several operations do with them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from flint import ctx

from symattn.exact.matrix import Matrix
from symattn.floats.interval import BITS, ZERO, Interval

Table = list[list[Interval]]


def points(matrix: Matrix) -> Table:
    """A matrix of which no entry moves. Raises HasSymbols."""
    with ctx.workprec(BITS):
        return [[Interval(ball, ball) for ball in row] for row in matrix.enclosures(BITS)]


def still(table: Table) -> bool:
    """Whether no entry moves."""
    return all(a.low is a.high for row in table for a in row)


def transposed(a: Table) -> Table:
    """The transpose."""
    return [list(row) for row in zip(*a, strict=True)]


def total(row: Iterable[Interval]) -> Interval:
    """The sum of intervals."""
    found = ZERO
    for a in row:
        found = found + a
    return found


def product(a: Table, b: Table) -> Table:
    """The matrix product, tight where no interval is used twice in an entry."""
    columns = list(zip(*b, strict=True))
    return [[_dot(row, column) for column in columns] for row in a]


def _dot(row: Sequence[Interval], column: Sequence[Interval]) -> Interval:
    return total(a * b for a, b in zip(row, column, strict=True))


def added(a: Table, b: Table) -> Table:
    """The sum of two matrices; the second may be one row, for all rows of the first."""
    rows = b * len(a) if len(b) == 1 else b
    return [[x + y for x, y in zip(p, q, strict=True)] for p, q in zip(a, rows, strict=True)]


def scaled(a: Table, factors: Sequence[Interval]) -> Table:
    """Every column times its factor."""
    return [[x * y for x, y in zip(row, factors, strict=True)] for row in a]
