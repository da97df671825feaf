"""Decimals that stand for a root: a printed 1.414 is the root of 2, and moves as a rounded number does."""

from __future__ import annotations

from math import isqrt

from flint import fmpq

from symattn.auditor.ranges.interval import Interval, between
from symattn.auditor.ranges.steps import Table, points
from symattn.exact.matrix import Matrix
from symattn.plan import base_name

LOGITS = ("scores", "scaled", "capped", "biased", "masked")
"""What is divided by a root of d_k, and may be printed as a decimal where a source begins."""
LEAST_PLACES = 2
MOST_PLACES = 9


def stands_for_root(value: fmpq, places: int) -> bool:
    """Whether sqrt(n/k) with n/k no square rounds to the number, for k up to 2, or 6 from three decimals on.

    Larger roots lie too close together for so few digits to tell one: n/k stays below 10^(places-1).
    """
    if places < LEAST_PLACES:
        return False
    size, half = abs(value), fmpq(1, 2 * 10**places)
    if size <= half or size * size > 10 ** (places - 1):
        return False
    parts = 2 if places == LEAST_PLACES else 6
    low, high = (size - half) ** 2 * parts, (size + half) ** 2 * parts
    n = int(high.floor())
    return n >= low and not _square(n * parts)


def _square(n: int) -> bool:
    return isqrt(n) ** 2 == n


def places_of(q: fmpq) -> int | None:
    """The decimals that a number needs, None where it has no end within `MOST_PLACES`."""
    return next((d for d in range(MOST_PLACES + 1) if (q * 10**d).q == 1), None)


def may_hide_roots(name: str) -> bool:
    """Whether decimals of the quantity may stand for roots."""
    return base_name(name) in LOGITS


def rooted(name: str, matrix: Matrix) -> Table | None:
    """The range of a given quantity of which some decimals stand for roots, None where none does."""
    if not may_hide_roots(name):
        return None
    n, m = matrix.shape
    moved: dict[tuple[int, int], Interval] = {}
    for i in range(n):
        for j in range(m):
            q = matrix[i, j].rational
            places = places_of(q) if q is not None else None
            if q is not None and places is not None and stands_for_root(q, places):
                half = fmpq(1, 2 * 10**places)
                moved[i, j] = between(q - half, q + half)
    if not moved:
        return None
    table = points(matrix)
    return [[moved.get((i, j), table[i][j]) for j in range(m)] for i in range(n)]
