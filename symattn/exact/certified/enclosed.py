"""Matrices in double-double arithmetic with a bound for each entry: gradients of a softmax and what follows.

The bounds are derived in docs/certified-decimals.md.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
from flint import arb, ctx
from msgspec import Struct

from symattn.exact.certified.covered import MOST_PLACES, NotCovered, single, softmax_of, values_of
from symattn.exact.certified.double_double import (
    PRODUCT,
    SUM,
    Floats,
    Pair,
    U,
    plus,
    product,
    slices,
    split,
    total,
    two_sum,
)
from symattn.exact.certified.integers import integers, multiplied
from symattn.exact.certified.power_tables import TABLE, TABLE_BITS, as_pairs
from symattn.exact.certified.softmax import SECOND_ORDER, SLICED_BITS, rounded
from symattn.exact.certified.table import DecimalTable
from symattn.exact.matrix import Matrix, SurdMatrix
from symattn.exact.weighted import Weighted

LOST = 2.0**-1000
"""More than the underflow of an operation takes from a result."""
QUIET = np.errstate(all="ignore")
"""What is no finite number has no finite bound."""


class Enclosed(Struct, frozen=True, eq=False):
    """Numbers (n, m) as pairs h + l that are wrong by at most `error`, to first order."""

    high: Floats
    low: Floats
    error: Floats

    @property
    def pair(self) -> Pair:
        return self.high, self.low

    @property
    def T(self) -> Enclosed:
        return Enclosed(self.high.T, self.low.T, self.error.T)

    @QUIET
    def plus(self, other: Enclosed) -> Enclosed:
        """The sum; a column is added to every column."""
        sizes = np.abs(self.high) + np.abs(other.high)
        return Enclosed(*plus(self.pair, other.pair), self.error + other.error + SUM * sizes)

    def negated(self) -> Enclosed:
        """The numbers with the other sign."""
        return Enclosed(-self.high, -self.low, self.error)

    def scaled(self, factor: Callable[[], arb]) -> Enclosed:
        """The numbers times one factor, given at the precision of `flint.ctx`. Raises Imprecise."""
        with ctx.workprec(TABLE_BITS):
            ball = factor()
            h, low = as_pairs([abs(ball)])
        sign = -1.0 if ball < 0 else 1.0
        return self.hadamard(Enclosed(sign * h[:, None], sign * low[:, None], TABLE * h[:, None]))

    @QUIET
    def hadamard(self, other: Enclosed) -> Enclosed:
        """Entry by entry the product; a column is repeated."""
        a, b = np.abs(self.high), np.abs(other.high)
        made = product(self.pair, other.pair, split(other.high))
        error = a * other.error + b * self.error + self.error * other.error + PRODUCT * np.abs(made[0])
        return Enclosed(*made, error + LOST * ((a > 0) & (b > 0)))

    @QUIET
    def row_sums(self) -> Enclosed:
        """The sums of the rows, a column: halves are added to halves."""
        h, low, levels = self.high, self.low, 0
        while h.shape[1] > 1:
            half = (h.shape[1] + 1) // 2
            padded = [np.pad(part[:, half:], ((0, 0), (0, 2 * half - part.shape[1]))) for part in (h, low)]
            h, low = plus((h[:, :half], low[:, :half]), (padded[0], padded[1]))
            levels += 1
        sizes = np.abs(self.high).sum(axis=1, keepdims=True)
        return Enclosed(h, low, self.error.sum(axis=1, keepdims=True) + levels * SUM * sizes)

    @QUIET
    def times(self, other: Enclosed) -> Enclosed:
        """The matrix product: both are cut into slices of which BLAS sums the products without rounding."""
        inner = self.high.shape[1]
        bits = (52 - inner.bit_length()) // 2
        count = -(-SLICED_BITS // bits)
        (x, of_rows), (y, of_columns) = _to_one(self), _to_one(other.T)
        left, right = slices(x, bits, count), slices(y, bits, count)
        terms = [
            multiplied(left[s], right[t].T)
            for order in range(count)
            for s in range(order + 1)
            for t in [order - s]
        ]
        made = total(terms[::-1])
        short = 2.0 ** (2 - bits)
        sizes = (np.abs(x[0]) + short) @ (np.abs(y[0]) + short).T
        lost = (count * count / 2 + 3) * inner * 2.0 ** (-bits * count)
        scale = np.ldexp(1.0, of_rows[:, None] + of_columns)
        apart = scale * (lost + (len(terms) - 1) ** 2 * U * U * sizes)
        a, b = np.abs(self.high), np.abs(other.high)
        carried = self.error @ (b + other.error) + a @ other.error
        rows, columns = np.any(a + self.error, axis=1), np.any(b + other.error, axis=0)
        return Enclosed(made[0] * scale, made[1] * scale, carried + (apart + LOST) * np.outer(rows, columns))

    def undecided(self) -> list[tuple[int, int]]:
        """The entries that may be 0, but for those that are."""
        sure = np.abs(self.high) - np.abs(self.low) > SECOND_ORDER * self.error
        return _places(~sure & ~self._nothing)

    @property
    def _nothing(self) -> Any:
        """Which entries are 0."""
        return (self.high == 0) & (self.error == 0)

    def decimals(self, places: int) -> DecimalTable | None:
        """Correctly rounded where bounds prove it, the others left open; None where it is not covered."""
        if not 0 <= places <= MOST_PLACES:
            return None
        y = self.hadamard(Enclosed(np.full((1, 1), 10.0**places), np.zeros((1, 1)), np.zeros((1, 1))))
        if not np.abs(y.high).max(initial=0.0) < 2.0**61 or not np.isfinite(y.error).all():
            return None
        nearest = np.zeros(y.high.shape, np.int64)
        unsure, maybe = rounded(y.pair, 0.0, y.error, nearest)
        return DecimalTable(nearest, y._nothing, places, _places((unsure | maybe) & ~y._nothing))


def _places(mask: Any) -> list[tuple[int, int]]:
    return [(int(i), int(j)) for i, j in np.argwhere(mask)]


def _to_one(x: Enclosed) -> tuple[Pair, Any]:
    """The pairs with every row over the power of two that leaves it at most 1, and these exponents."""
    exponents = np.frexp(np.abs(x.high).max(axis=1, initial=0.0))[1]
    down = np.ldexp(1.0, -exponents)[:, None]
    return (x.high * down, x.low * down), exponents


@QUIET
def enclosed(matrix: Matrix) -> Enclosed:
    """A matrix of constants in double-double arithmetic. Raises Imprecise."""
    with suppress(NotCovered):
        if isinstance(matrix, SurdMatrix):
            return _plain(matrix)
        if isinstance(matrix, Weighted) and matrix.normalised:
            return _weighted(matrix)
    return _of_balls(matrix)


def _plain(matrix: SurdMatrix) -> Enclosed:
    root, part = single(matrix.surds)
    numbers = integers(part)
    h = numbers.astype(np.float64)
    rest = numbers - (h.astype(np.int64) if numbers.dtype == np.int64 else np.vectorize(int, [object])(h))
    found = Enclosed(h, rest.astype(np.float64), U * U * np.abs(h))
    if root == matrix.surds.den == 1:
        return found
    return found.scaled(lambda: arb(root).sqrt() / matrix.surds.den)


def _weighted(matrix: Weighted) -> Enclosed:
    softmax = softmax_of(matrix.logits, matrix.base, 0)
    if matrix.coefficients is None:
        keys = matrix.shape[1]
        h, low, error = (part[:, :keys] for part in softmax.weights())
    else:
        h, low, error = softmax.outputs(values_of(matrix.coefficients, softmax.gaps.shape[1], 0))
    return Enclosed(h, low, error)


def _of_balls(matrix: Matrix) -> Enclosed:
    balls = matrix.enclosures(TABLE_BITS)
    with ctx.workprec(TABLE_BITS):
        high = [[float(ball.mid()) for ball in row] for row in balls]
        rest = [[ball - h for ball, h in zip(*rows, strict=True)] for rows in zip(balls, high, strict=True)]
        low = [[float(ball.mid()) for ball in row] for row in rest]
        error = [
            [float((ball - h).abs_upper()) for ball, h in zip(*rows, strict=True)]
            for rows in zip(rest, low, strict=True)
        ]
    return Enclosed(*two_sum(np.array(high), np.array(low)), np.array(error))
