"""Integer matrices as arrays, and their products in floats that nothing rounds."""

from __future__ import annotations

from typing import Any

import numpy as np
from flint import fmpz_mat

from symattn.exact.certified.double_double import Floats

ONE_THREAD = 1 << 18
"""Multiplications up to which OpenBLAS starts no threads: on a busy machine they cost more than they save."""


def integers(matrix: fmpz_mat) -> Any:
    """An integer matrix as an array: int64, or Python integers where they have 62 bits or more."""
    shape, entries = (matrix.nrows(), matrix.ncols()), matrix.entries()
    try:
        found = np.fromiter(entries, np.int64, len(entries)).reshape(shape)
    except OverflowError:
        return np.array([int(x) for x in entries], dtype=object).reshape(shape)
    return found if bits_of(found) < 62 else found.astype(object)


def bits_of(matrix: Any) -> int:
    """The bits of the largest entry."""
    return max(int(matrix.max()), -int(matrix.min())).bit_length() if matrix.size else 0


def limbs(matrix: Any, bits: int) -> list[Floats]:
    """Floats with sum_l limb_l 2^(bits l) = matrix, every |entry| <= 2^(bits - 1)."""
    half = 1 << (bits - 1)
    found: list[Floats] = []
    while not found or matrix.any():
        digit = ((matrix + half) & (2 * half - 1)) - half
        found.append(digit.astype(np.float64))
        matrix = (matrix - digit) >> bits
    return found


def multiplied(a: Floats, b: Floats) -> Any:
    """a @ b for integers so small that every partial sum is one below 2^53: exact in any order."""
    step = max(1, ONE_THREAD // max(1, len(a) * b.shape[1]))
    return sum(a[:, at : at + step] @ b[at : at + step] for at in range(0, len(b), step))
