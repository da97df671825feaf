"""How far printed numbers move: which hide digits, and the range of a quantity when those that do move."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from flint import fmpq

from symattn.auditor.numeral import Numeral
from symattn.exact.enclosure import HasSymbols
from symattn.exact.matrix import Matrix
from symattn.floats.interval import Interval, between
from symattn.floats.tables import Table, points
from symattn.plans.plan import Line
from symattn.plans.transposed import on_rows

Cell = tuple[int, int]
"""An entry of a matrix, row and column from 0."""


def end(exact: Matrix, numerals: Collection[Numeral]) -> bool:
    """Whether every exact entry of a quantity ends within its printed decimals: no digit is hidden."""
    if all(numeral.exact for numeral in numerals):
        return True
    places = min(numeral.places for numeral in numerals)
    entries: Iterable[fmpq | None] = (entry.rational for row in exact.rows() for entry in row)
    return all(q is not None and ends_within(q, places) for q in entries)


def ends_within(q: fmpq, places: int) -> bool:
    """Whether so many decimals show all digits of the number."""
    return bool((q * 10 ** max(places, 0)).q == 1)


def shows_all(numeral: Numeral, line: Line | None, q: fmpq | None, bounds: Interval | None) -> bool:
    """Whether a wrong number can hide no digit: sums and products of digits that end in print as well.

    `q` and `bounds` are what its step, `line`, gives from the numbers printed before it.
    """
    if q is None or (bounds is not None and bounds.low is not bounds.high):
        return False
    ends = line is None or on_rows(line.op).finite_decimals
    return q == numeral.value or (ends and ends_within(q, numeral.places))


def with_room(
    matrix: Matrix, table: Table | None, units: Mapping[Cell, fmpq], truncates: bool
) -> Table | None:
    """The range with room where a slip was put right: its author may have held the right one rounded.

    `units` are those of the last place that such a number has.
    """
    if not units:
        return table
    table = _known(matrix, table)
    if table is None:
        return None
    share = 1 if truncates else fmpq(1, 2)
    return [
        [a.widened(units[i, j] * share) if (i, j) in units else a for j, a in enumerate(row)]
        for i, row in enumerate(table)
    ]


def moved(
    matrix: Matrix,
    table: Table | None,
    taken: Mapping[Cell, Numeral],
    still: Collection[Cell],
    loose: Mapping[Cell, fmpq],
    truncates: bool,
) -> Table | None:
    """The range of the matrix; entries `taken` from print move through their preimages, if not `still`.

    Those that are `loose` stand for what nobody printed, and may be so far off.
    """
    n, m = matrix.shape
    if len(taken) < n * m:
        table = _known(matrix, table)
        if table is None:
            return None

    def cell(i: int, j: int) -> Interval:
        numeral = taken.get((i, j))
        if numeral is None:
            assert table is not None
            return table[i][j]
        if (i, j) in still:
            return between(numeral.value, numeral.value)
        low, high = numeral.preimage(truncates)
        spare = loose.get((i, j), 0)
        return between(low - spare, high + spare)

    return [[cell(i, j) for j in range(m)] for i in range(n)]


def _known(matrix: Matrix, table: Table | None) -> Table | None:
    """The range, or where there is none the matrix itself, None for one with symbols."""
    if table is not None:
        return table
    try:
        return points(matrix)
    except (HasSymbols, ValueError):
        return None
