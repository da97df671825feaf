"""Outputs and log-sum-exps in float64 with proved bounds on their errors (docs/golden.md derives them).

These are enough to round nearly every entry to formats of at most 24 bits; balls decide the others.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from msgspec import Struct

from symattn.exact.certified.double_double import U
from symattn.exact.certified.integers import ONE_THREAD
from symattn.golden.formats import Floats
from symattn.golden.inputs import Head

BLOCK = 1 << 17
"""Weights in a block of rows: so many stay in the cache."""
FEW = 32
"""Rows of one product."""
VANISHING = -700.0
"""Below it e^x < 10^-304 is taken for 0."""
EXP = 6 * U
"""The relative error of `exp`."""
SLACK = 1.02
"""Covers products of errors and the rounding of the bounds themselves."""
MOST_ERROR = 1e-3
"""Bounds on logarithms of weights beyond this one are given up."""
LOG2_E = 1.4426950408889634
LN2_HIGH = 6.93147180369123816490e-01
"""ln 2 to 32 bits, so that its products with integers below 2^21 are exact."""
LN2_LOW = 1.90821492927058770002e-10
COEFFICIENTS = [1 / math.factorial(i) for i in range(13, -1, -1)]


class Enclosed(Struct, frozen=True):
    """Numbers and by how much each may be wrong; nan or inf where nothing is proved."""

    middle: Floats
    error: Floats


def exp(x: Floats) -> Floats:
    """e^x for VANISHING <= x <= 0, wrong by at most EXP relative."""
    n = np.rint(x * LOG2_E)
    r = (x - n * LN2_HIGH) - n * LN2_LOW
    found = np.full_like(r, COEFFICIENTS[0])
    for each in COEFFICIENTS[1:]:
        found *= r
        found += each
    powers: Floats = np.ldexp(found, n.astype(np.int32))
    return powers


def enclosures(head: Head) -> Iterator[tuple[slice, Enclosed, Enclosed]]:
    """Outputs (rows, e) and log-sum-exps (rows) of some rows at a time."""
    with np.errstate(all="ignore"):
        step = max(1, BLOCK // len(head.k))
        largest_key = np.sqrt((head.k**2).sum(axis=1)).max() * SLACK
        columns = np.hstack([head.v, np.abs(head.v), np.ones((len(head.v), 1))])
        for start in range(0, len(head.q), step):
            rows = slice(start, min(len(head.q), start + step))
            yield rows, *_block(head, rows, largest_key, columns)


def scores(head: Head, rows: slice) -> Floats:
    """The scores of some rows in float64, -inf for keys that they do not see."""
    with np.errstate(all="ignore"):
        found = _scores(head, rows, 0.0)[0]
    return np.where(head.visible(rows), found, -np.inf)


def _step(columns: int) -> int:
    """How many products of an entry one call of BLAS adds, so that it starts no threads.

    On a busy machine these cost tenfold; and sums of partial sums are wrong by less.
    """
    return max(1, ONE_THREAD // (FEW * columns))


def _roundings(terms: int, columns: int) -> int:
    """A sum of that many products is wrong by at most so many u times the sum of their sizes."""
    return min(terms, _step(columns)) + -(-terms // _step(columns))


def _product(a: Floats, b: Floats) -> Floats:
    """a @ b, as sums of partial sums, some rows at a time."""
    step, found = _step(b.shape[1]), np.zeros((len(a), b.shape[1]))
    for at in range(0, len(a), FEW):
        for first in range(0, len(b), step):
            found[at : at + FEW] += a[at : at + FEW, first : first + step] @ b[first : first + step]
    return found


def _block(head: Head, rows: slice, largest_key: float, columns: Floats) -> tuple[Enclosed, Enclosed]:
    scores, error = _scores(head, rows, largest_key)
    seen = head.visible(rows)
    np.copyto(scores, -np.inf, where=~seen)
    top = scores.max(axis=1, keepdims=True)
    empty = np.isneginf(top)
    scores -= np.where(empty, 0.0, top)
    gone = scores < VANISHING
    scores[gone] = 0.0
    # the difference is rounded
    error = SLACK * (error + U * np.abs(scores).max(axis=1, keepdims=True))
    weights = exp(scores)
    weights[gone] = 0.0
    m, width = len(head.k), head.v.shape[1]
    mixed, summing = _product(weights, columns), _roundings(m, columns.shape[1])
    total = mixed[:, -1:]
    o, size = mixed[:, :width] / total, mixed[:, width:-1] / total
    of_weights = SLACK * (error + EXP)
    bad = of_weights > MOST_ERROR
    tiny = m * 1e-300 * (1 + np.abs(head.v).max(initial=0.0))
    o_error = SLACK * (of_weights * (size + np.abs(o)) + (2.1 * (summing + 2) + 8) * U * size) + tiny
    # log(total) = y + log(total e^-y), and the latter is |z| at most but for second order
    y = np.log(total)
    z = np.abs(total * exp(-y) - 1)
    lse = top + y
    lse_error = (
        SLACK * (z + of_weights + (summing + 12) * U + U * (np.abs(top) + np.abs(y) + np.abs(lse))) + tiny
    )
    nothing = np.where(empty, 0.0, np.where(bad, np.nan, 1.0))
    o, o_error = np.where(empty, 0.0, o), np.where(empty, 0.0, o_error * nothing)
    lse, lse_error = np.where(empty, -np.inf, lse), np.where(empty, 0.0, lse_error * nothing)
    return Enclosed(o, o_error), Enclosed(lse[:, 0], lse_error[:, 0])


def _scores(head: Head, rows: slice, largest_key: float) -> tuple[Floats, Any]:
    """Scores (rows, m) with what the mask adds; the largest error of each row.

    The sum of the sizes of the products is at most |q| |k| (Cauchy and Schwarz).
    """
    q, summing = head.q[rows], _roundings(head.q.shape[1], len(head.k))
    scale = float(head.scale.ball())
    most = SLACK * abs(scale) * largest_key * np.sqrt((q**2).sum(axis=1, keepdims=True))
    error = (summing + 6) * U * most + 1e-290 * abs(scale) + 1e-300
    scores = _product(q, head.k.T)
    scores *= scale
    if head.softcap is not None:
        scores /= head.softcap
        z = exp(np.maximum(-2 * np.abs(scores), VANISHING))
        scores = np.copysign(head.softcap * ((1 - z) / (1 + z)), scores)
        error, most = error + 20 * U * head.softcap, np.minimum(most, head.softcap)
    bias = head.bias(rows)
    if bias is not None:
        scores += bias
        most = most + np.abs(bias).max(axis=1, keepdims=True)
        error = error + U * SLACK * most
    return scores, error
