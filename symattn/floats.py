"""Exact to float, the only place: correctly rounded float64 of givens and parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flint import arb

from symattn.exact.enclosure import enclose
from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact, Infinite

if TYPE_CHECKING:
    from symattn.operation import Floats


def to_float(x: Exact) -> float:
    """The float64 nearest to x (within one ulp where x is irrational). Raises HasSymbols."""
    if isinstance(x, Infinite):
        return float("-inf")
    q = x.rational
    if q is not None:
        return int(q.p) / int(q.q)
    return ball_to_float(enclose(x, 128))


def ball_to_float(ball: arb) -> float:
    """The float64 nearest to the middle of a ball."""
    middle = ball.mid()
    mantissa, exponent = middle.man_exp()
    m, e = int(mantissa), int(exponent)
    if e >= 0:
        return float(m << e) if e < 2000 else float("inf") * (1 if m > 0 else -1)
    return m / (1 << -e) if -e < 4000 else 0.0


def matrix_to_floats(matrix: Matrix) -> Floats:
    """Every entry of a matrix as the nearest float64. Raises HasSymbols."""
    import numpy as np

    return np.array([[to_float(entry) for entry in row] for row in matrix.rows()], dtype=np.float64)
