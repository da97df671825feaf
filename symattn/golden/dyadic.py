"""Floats as integers over a power of two."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from flint import arb, fmpz_mat

from symattn.golden.formats import Floats


class Dyadic:
    """A matrix of finite floats as an integer matrix times 2^exponent."""

    def __init__(self, x: Floats) -> None:
        mantissa, exponent = np.frexp(x)
        whole = np.ldexp(mantissa, 53).astype(np.int64)
        places = np.where(whole == 0, 0, exponent.astype(np.int64) - 53)
        trailing = np.frexp((whole & -whole).astype(np.float64))[1] - 1
        self.exponent = int((places + trailing)[whole != 0].min()) if whole.any() else 0
        self.shape = x.shape
        shifts = (places - self.exponent).tolist()
        self.rows = [
            [a << s if s >= 0 else a >> -s for a, s in zip(row, shift, strict=True)]
            for row, shift in zip(whole.tolist(), shifts, strict=True)
        ]

    def matrix(self, rows: Iterable[int] | None = None) -> fmpz_mat:
        """The integers of some rows, or of all."""
        chosen = self.rows if rows is None else [self.rows[i] for i in rows]
        return fmpz_mat(len(chosen), self.shape[1], [x for row in chosen for x in row])


def power_of_two(exponent: int) -> arb:
    """2^exponent, exactly."""
    return arb(2) ** exponent
