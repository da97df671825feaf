"""Outputs and log-sum-exps of one head in double-double arithmetic with proved bounds, for float64.

They are those of certified decimals (docs/certified-decimals.md), for scores q k^T as integers.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from flint import arb, ctx
from msgspec import Struct
from numpy.typing import NDArray

from symattn.exact.certified.double_double import U, two_sum
from symattn.exact.certified.gaps import LONGEST_INNER, GapsOfProduct
from symattn.exact.certified.integers import bits_of
from symattn.exact.certified.power_tables import Imprecise
from symattn.exact.certified.softmax import LONGEST, SECOND_ORDER, Softmax, Values
from symattn.golden.balls import Balls
from symattn.golden.dyadic import Dyadic, power_of_two
from symattn.golden.formats import Floats

BITS = 128


class Rows(Struct, frozen=True):
    """The outputs high + low (rows, e) of some rows, wrong by at most `error`, and log-sum-exps."""

    numbers: NDArray[np.int64]
    high: Floats
    low: Floats
    error: Floats
    logs: list[arb]

    def rounded(self) -> tuple[Floats, Floats, NDArray[np.bool_]]:
        """The nearest floats, by how much the outputs are larger, and where that is proved."""
        h, low = two_sum(self.high, self.low)
        far = self.error + 4 * U * np.abs(low)
        first, last = h + (low - far), h + (low + far)
        return first, (h - first) + low, first == last


def rows(balls: Balls) -> Iterator[Rows]:
    """The rows that see a key, some at a time; none at all where pairs of floats do not reach."""
    head = balls.head
    if head.softcap is not None or head.q.shape[1] >= LONGEST_INNER or head.v.shape[1] == 0:
        return
    every = slice(0, len(head.q))
    bias = head.bias(every)
    if bias is not None and bias.any():
        return
    visible = head.visible(every)
    numbers = np.flatnonzero(visible.any(axis=1))
    q, k, (v, denominator) = _integers(balls.q)[numbers], _integers(balls.k).T, _over(balls.v)
    if not len(numbers) or max(bits_of(v), denominator.bit_length()) >= LONGEST:
        return
    seen = visible[numbers]
    gaps = GapsOfProduct(q, k, None if seen.all() else seen)
    if gaps.bits >= LONGEST:
        return

    def factor() -> arb:
        return head.scale.ball() * power_of_two(balls.q.exponent + balls.k.exponent)

    try:
        softmax = Softmax(gaps, factor, 0, gaps.visible)
        for part in softmax.output_rows(Values(v, denominator)):
            (h, low), bound = part.outputs, part.bound
            with ctx.workprec(BITS):
                logs = [
                    factor() * top - arb(arb(a) + b, SECOND_ORDER * a * float(error)).log()
                    for top, a, b, error in zip(part.tops, *part.shares, part.share_bound, strict=True)
                ]
            yield Rows(numbers[part.rows], h, low, SECOND_ORDER * bound, logs)
    except Imprecise:
        return


def _integers(x: Dyadic) -> NDArray[np.object_]:
    return np.array(x.rows, object).reshape(x.shape)


def _over(x: Dyadic) -> tuple[NDArray[np.object_], int]:
    """Integers and the denominator that they have in common."""
    return _integers(x) * (1 << max(x.exponent, 0)), 1 << max(-x.exponent, 0)
