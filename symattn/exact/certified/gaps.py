"""How far each score is below the largest one of its row: D_ij = max_k S_ik - S_ij, exact integers.

They come as int64 digits, lowest first, to the base 2^digit_bits; the last digit has no upper bound.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from symattn.exact.certified.integers import bits_of, limbs, multiplied

LONG_DIGIT, SHORT_DIGIT = 54, 18
LONGEST_INNER = 8192
"""Columns of Q and K up to which products of short digits are exact."""
BEHIND = 1 << 62


class Gaps(Protocol):
    """The gaps of a matrix of scores (n, m); that of a hidden key is given as 0."""

    digit_bits: int
    bits: int  # every gap is below 2^bits
    shape: tuple[int, int]

    def rows(self, start: int, stop: int) -> list[Any]:
        """The digits of some rows."""

    def score(self, i: int, j: int) -> int:
        """The score itself."""


class GapsOfProduct:
    """The gaps of S = Q K^T for integer Q (n, d) and K^T (d, m); S itself is not kept.

    `visible` (n, m) says which keys a query sees, in each row one or more; None is all. A `sink` is one more
    score of every row, the last one; it counts as a key.
    """

    def __init__(self, q: Any, k: Any, visible: Any = None, sink: int | None = None) -> None:
        inner = q.shape[1].bit_length()
        width = max(bits_of(q) + bits_of(k) + inner, (sink or 0).bit_length())
        self.bits, self.shape, self.visible = width + 1, (len(q), k.shape[1] + (sink is not None)), visible
        self.digit_bits = LONG_DIGIT if width <= 52 else SHORT_DIGIT
        if width <= 52:
            self.q, self.k = [q.astype(np.float64)], [k.astype(np.float64)]
        else:  # a product of limbs has 17 + 17 + inner bits, a sum of such a few more
            self.q, self.k = limbs(q, SHORT_DIGIT), limbs(k, SHORT_DIGIT)
        self.whole, self.last = (q, k), sink
        self.sink = None if sink is None else limbs(np.array([[sink]], object), self.digit_bits)

    def rows(self, start: int, stop: int) -> list[Any]:
        levels: list[Any] = [0.0] * (len(self.q) + len(self.k) - 1)
        for a, left in enumerate(self.q):
            for b, right in enumerate(self.k):
                levels[a + b] = levels[a + b] + multiplied(left[start:stop], right)
        if self.sink is not None:
            levels = _beside(levels, self.sink)
        seen = None if self.visible is None else self.visible[start:stop]
        near = sum(level * 2.0 ** (self.digit_bits * at) for at, level in enumerate(levels))
        largest = (near if seen is None else np.where(seen, near, -np.inf)).argmax(axis=1)
        digits = self._below(largest, [level.astype(np.int64) for level in levels])
        if ((digits[-1] < 0) if seen is None else (digits[-1] < 0) & seen).any():
            # floats did not tell the largest score; the exact gaps below any one score do
            top = digits[-1] if seen is None else np.where(seen, digits[-1], BEHIND)
            digits = self._below(np.lexsort([*digits[:-1], top], axis=-1)[:, 0], digits, -1)
        return digits if seen is None else [np.where(seen, digit, 0) for digit in digits]

    def score(self, i: int, j: int) -> int:
        q, k = self.whole
        if self.last is not None and j == k.shape[1]:
            return self.last
        return sum(a * b for a, b in zip(q[i].tolist(), k[:, j].tolist(), strict=True))

    def _below(self, largest: Any, levels: list[Any], sign: int = 1) -> list[Any]:
        """sign (levels at `largest` - levels) as digits, all but the last from 0 to 2^digit_bits."""
        digits: list[Any] = []
        carry, at = 0, np.arange(len(largest))
        for level in levels:
            digits.append(sign * (level[at, largest][:, None] - level) + carry)
            carry = digits[-1] >> self.digit_bits
            digits[-1] -= carry << self.digit_bits
        digits[-1] += carry << self.digit_bits
        return digits


def _beside(levels: list[Any], column: list[Any]) -> list[Any]:
    """The levels of a row of scores and those of a last one; the levels that one of them lacks are 0."""
    n, m = levels[0].shape
    count = max(len(levels), len(column))
    full = [*levels, *[np.zeros((n, m))] * (count - len(levels))]
    last = [*column, *[np.zeros((1, 1))] * (count - len(column))]
    return [np.hstack([a, np.broadcast_to(b, (n, 1))]) for a, b in zip(full, last, strict=True)]


class GapsOfScores:
    """The same from S itself, int64 or Python integers."""

    digit_bits = LONG_DIGIT

    def __init__(self, scores: Any, visible: Any = None, sink: int | None = None) -> None:
        if sink is not None:
            kind = scores.dtype if sink.bit_length() < 62 else object
            scores = np.hstack([scores, np.full((len(scores), 1), sink, kind)])
        self.bits, self.shape, self.visible = bits_of(scores) + 1, scores.shape, visible
        self.scores = scores if self.bits <= 61 else scores.astype(object)

    def score(self, i: int, j: int) -> int:
        return int(self.scores[i, j])

    def rows(self, start: int, stop: int) -> list[Any]:
        scores = self.scores[start:stop]
        if self.visible is None:
            rest = scores.max(axis=1)[:, None] - scores
        else:
            seen = self.visible[start:stop]
            largest = np.where(seen, scores, scores.min()).max(axis=1)[:, None]
            rest = np.where(seen, largest - scores, 0)
        digits = []
        while int(rest.max()).bit_length() > 61:
            digits.append((rest & (1 << self.digit_bits) - 1).astype(np.int64))
            rest = rest >> self.digit_bits
        return [*digits, rest.astype(np.int64)]
