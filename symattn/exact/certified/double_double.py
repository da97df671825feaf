"""Double-double arithmetic on arrays: a number is a pair h + l with |l| <= u |h| and u = 2^-53.

Each function says what is exact or by how much, relative to the result, it may be wrong (derived in
docs/certified-decimals.md). NumPy rounds every operation to nearest and contracts none with another.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Pair = tuple[Floats, Floats]

U = 2.0**-53
SPLITTER = 2.0**27 + 1.0
PRODUCT = 8.0 * U * U
"""Relative error of `product`, to first order."""
QUOTIENT = 8.0 * U * U
"""Relative error of `quotient`, to first order."""
SUM = 3.0 * U * U
"""Error of `plus` relative to the sizes of both, to first order."""


def two_sum(a: Any, b: Any) -> Pair:
    """s + e = a + b exactly, s the rounded sum (Knuth)."""
    s = a + b
    back = s - a
    return s, (a - (s - back)) + (b - back)


def split(a: Any) -> Pair:
    """high + low = a exactly, each of at most 26 bits and a sign (Veltkamp, Dekker)."""
    scaled = SPLITTER * a
    high = scaled - (scaled - a)
    return high, a - high


def two_product(a: Any, a_halves: Pair, b: Any, b_halves: Pair) -> Pair:
    """p + e = a b exactly, p the rounded product (Dekker); the halves are those of `split`."""
    (a1, a2), (b1, b2) = a_halves, b_halves
    p = a * b
    e = a1 * b1
    e -= p
    e += a1 * b2
    e += a2 * b1
    e += a2 * b2
    return p, e


def product(a: Pair, b: Pair, b_halves: Pair) -> Pair:
    """a b, wrong by at most PRODUCT; `b_halves` is `split(b[0])`."""
    (ah, al), (bh, bl) = a, b
    p, e = two_product(ah, split(ah), bh, b_halves)
    cross = ah * bl
    cross += al * bh
    e += cross
    h = p + e
    p -= h
    e += p
    return h, e


def plus(a: Pair, b: Pair) -> Pair:
    """a + b, wrong by at most SUM times |a| + |b|."""
    s, e = two_sum(a[0], b[0])
    return two_sum(s, e + (a[1] + b[1]))


def quotient(c: float, b: Pair) -> Pair:
    """c / b for one float c, wrong by at most QUOTIENT."""
    bh, bl = b
    first = c / bh
    p, e = two_product(first, split(first), bh, split(bh))
    second = (((c - p) - e) - first * bl) / bh
    h = first + second
    return h, second - (h - first)


def total(terms: Sequence[Any]) -> Pair:
    """The sum of k arrays, wrong by at most (k - 1)^2 u^2 times the sum of their sizes."""
    h, low = terms[0], np.zeros_like(terms[0])
    for term in terms[1:]:
        h, e = two_sum(term, h)
        low = low + e
    return two_sum(h, low)


def slices(pair: Pair, bits: int, count: int) -> Floats:
    """`count` arrays, slice s a multiple of 2^(-bits (s + 1)) of at most 2^bits units, that sum to h + l.

    For pairs from 0 to 1; what is left out is below 2^(-bits count).
    """
    rest, low = pair
    found = np.empty((count, *rest.shape))
    for s, part in enumerate(found):
        if bits * (s + 1) > 50:
            rest, low = two_sum(rest, low)
        shifter = 1.5 * 2.0 ** (52 - bits * (s + 1))
        np.add(rest, shifter, out=part)
        part -= shifter
        rest = rest - part
    return found
