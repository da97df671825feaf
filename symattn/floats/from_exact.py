"""Exact to float, the only place: correctly rounded float64 of givens and parameters."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from flint import arb

from symattn.exact.decision import MOST_BITS
from symattn.exact.enclosure import enclose
from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact, Infinite
from symattn.exact.whole import Whole
from symattn.floats.arrays import Floats, np

if TYPE_CHECKING:
    from symattn.floats.bounded import Bounded


def to_float(x: Exact) -> float:
    """The float64 nearest to x (within one ulp where x is irrational). Raises HasSymbols."""
    if isinstance(x, Infinite):
        return float("-inf")
    q = x.rational
    if q is not None:
        try:
            return int(q.p) / int(q.q)
        except OverflowError:
            return float("inf") if q > 0 else float("-inf")
    bits = 128
    ball = enclose(x, bits)
    while ball.rel_accuracy_bits() < 64 and bits < MOST_BITS:  # 1 - tanh(40) cancels more than that
        bits *= 2
        ball = enclose(x, bits)
    return ball_to_float(ball)


def ball_to_float(ball: arb) -> float:
    """The float64 nearest to the middle of a ball; infinite beyond 1.8e308."""
    middle = ball.mid()
    if not middle.is_finite():
        return float(middle)
    mantissa, exponent = middle.man_exp()
    m, e = int(mantissa), int(exponent)
    if m.bit_length() + e > 1024:
        return float("inf") if m > 0 else float("-inf")
    if m.bit_length() + e < -1100:
        return 0.0
    try:
        return float(m << e) if e >= 0 else m / (1 << -e)
    except OverflowError:  # rounded up past the largest float
        return float("inf") if m > 0 else float("-inf")


def matrix_to_floats(matrix: Matrix) -> Floats:
    """Every entry of a matrix as the nearest float64. Raises HasSymbols."""
    return np.array([[to_float(entry) for entry in row] for row in _rows(matrix)], dtype=np.float64)


def matrix_to_bounded(matrix: Matrix) -> Bounded:
    """The same with a bound on each entry: less than an ulp, and nothing where float64 holds it."""
    from symattn.floats.bounded import Bounded

    values = matrix_to_floats(matrix)
    held = np.array([[_is_held(entry) for entry in row] for row in _rows(matrix)])
    finite = np.isfinite(values)
    apart = np.where(finite, np.spacing(np.abs(np.where(finite, values, 0.0))), np.inf)
    return Bounded(values, np.where(held, 0.0, apart))


def _rows(matrix: Matrix) -> Iterable[tuple[Exact, ...]]:
    """The rows; those of a product that is carried by name, and not made."""
    return matrix.by_name() if isinstance(matrix, Whole) else matrix.rows()


def _is_held(x: Exact) -> bool:
    """Whether float64 holds a number as it is."""
    q = x.rational
    if q is None:
        return isinstance(x, Infinite)
    return int(q.q) & (int(q.q) - 1) == 0 and abs(int(q.p)) < 2**53 and int(q.q) < 2**1000
