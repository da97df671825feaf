"""e^(-f D) for integers D by tables: one for each group of bits of D, the entries multiplied as pairs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate, repeat
from operator import mul
from typing import Any

import numpy as np
from flint import arb, ctx, fmpz

from symattn.exact.certified.double_double import PRODUCT, Pair, U, product, split

TABLE = 2.1 * U * U
"""Relative error of an entry."""
TABLE_BITS = 160
SURE_BITS = 122
"""Bits to which a ball is known: its radius is below 2^-120 of it."""
VANISHING = 90
"""A weight below e^-90 < 2^-129 is taken for 0."""
GONE = 2.0**-129


class Imprecise(ArithmeticError):
    """The factor is not known well enough for the tables."""


def as_pairs(balls: Sequence[arb]) -> Pair:
    """Positive balls as pairs of floats. Raises Imprecise where one may be wrong by more than TABLE."""
    high = [float(ball) for ball in balls]
    low = [float(ball - h) for ball, h in zip(balls, high, strict=True)]
    h, rest = np.array(high), np.array(low)
    sure = min(ball.rel_accuracy_bits() for ball in balls) >= SURE_BITS
    if not (sure and h.min() > 0 and (np.abs(rest) <= U * h).all()):
        raise Imprecise
    return h, rest


class PowerTables:
    """e^(-f D) for 0 <= D < 2^most_bits; `factor` gives f > 0 at the precision of `flint.ctx`.

    `width` bits of D go into one table; it divides 18, so that no group lies in two digits.
    """

    def __init__(self, factor: Callable[[], arb], most_bits: int, width: int) -> None:
        if 18 % width:
            raise ValueError("a group of bits lies within one digit")
        with ctx.workprec(TABLE_BITS):
            if not factor() > 0:
                raise Imprecise
            beyond = (VANISHING / factor()).upper().ceil().unique_fmpz()
            if beyond is None:
                raise Imprecise
            # 2^bits f >= VANISHING, or 2^bits > D
            self.bits = min((int(beyond) - 1).bit_length(), most_bits)
            self.width = width
            self.tables = [self._table(factor, at) for at in range(0, max(self.bits, 1), width)]
        self.bound = len(self.tables) * TABLE + (len(self.tables) - 1) * PRODUCT

    def _table(self, factor: Callable[[], arb], at: int) -> tuple[Any, Any, Any, Any]:
        """The entries for the bits from `at` on: high and low parts, and the halves of the high ones."""
        step = (-(factor() * (fmpz(1) << at))).exp()
        count = 1 << max(0, min(self.width, self.bits - at))
        h, low = as_pairs(list(accumulate(repeat(step, count - 1), mul, initial=arb(1))))
        if not h.min() > 1e-200:
            raise Imprecise
        return h, low, *split(h)

    def powers(self, digits: list[Any], digit_bits: int) -> Pair:
        """(h, l) with |h + l - e^(-f D)| <= bound e^(-f D), or 0 where D >= 2^bits: below e^-90."""
        found: Pair | None = None
        mask = (1 << self.width) - 1
        for number, table in enumerate(self.tables):
            digit = min(number * self.width // digit_bits, len(digits) - 1)
            shift = number * self.width - digit * digit_bits
            if shift > 61:
                break
            at = (digits[digit] >> shift) & mask
            if at.max() >= len(table[0]):
                at = np.minimum(at, len(table[0]) - 1)  # D >= 2^bits
            h, low, h1, h2 = (part.take(at) for part in table)
            found = (h, low) if found is None else product(found, (h, low), (h1, h2))
        assert found is not None
        for number, digit in enumerate(digits):
            beyond = self.bits - number * digit_bits
            if beyond < 62:
                gone = digit >> max(beyond, 0) > 0
                found[0][gone] = found[1][gone] = 0.0
        return found
