"""Outputs and log-sum-exps in ball arithmetic, refined until their rounding is decided; ties are exact.

An output is a mean of values weighted by powers e^s. Where the scores s are algebraic, powers of different
ones are linearly independent over the algebraic numbers (Lindemann and Weierstrass): an output is rational,
so that it may be a tie, only if the keys of each score have one and the same mean of values, which it is
then. A log-sum-exp is algebraic only where one key is seen. All other numbers are no ties, and refinement
ends. The softcap has no such theorem; refinement is bounded there and everywhere by the effort.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import reduce
from math import isfinite
from typing import Any

import numpy as np
from flint import arb, arb_mat, ctx, fmpq, fmpz_mat
from msgspec import Struct

from symattn.exact.algebraic import effort
from symattn.exact.rounding import Undecided
from symattn.golden.dyadic import Dyadic, power_of_two
from symattn.golden.formats import Format
from symattn.golden.inputs import Head

FIRST_BITS = 128
BLOCK = 1 << 16
"""Weights of a block of rows."""


class Row(Struct, frozen=True):
    """The keys that a query sees, e^(s - top) for their scores s, and ds/dx where a softcap makes s of x."""

    seen: Sequence[int]
    powers: Sequence[arb]
    total: arb
    top: arb
    slopes: Sequence[arb] | None


class Balls:
    """The numbers of one head at the precision of `flint.ctx`."""

    def __init__(self, head: Head) -> None:
        self.head = head
        self.q, self.k, self.v = Dyadic(head.q), Dyadic(head.k), Dyadic(head.v)
        self._keys = self.k.matrix().transpose()
        self._values = self.v.matrix()

    def products(self, rows: Sequence[int]) -> fmpz_mat:
        """q k^T (rows, m) in units of 2^(exponent of q + exponent of k)."""
        return self.q.matrix(rows) * self._keys

    def weights(self, rows: Sequence[int]) -> Iterator[Row]:
        """The keys that each row sees and their powers."""
        head, m = self.head, len(self.head.k)
        products = self.products(rows).entries()
        factor = head.scale.ball() * power_of_two(self.q.exponent + self.k.exponent)
        cap = None if head.softcap is None else arb(head.softcap)
        for at, i in enumerate(rows):
            seen = np.flatnonzero(head.visible(slice(i, i + 1))[0]).tolist()
            scores = [factor * products[at * m + j] for j in seen]
            slopes = None
            if cap is not None:
                tangents = [(s / cap).tanh() for s in scores]
                scores, slopes = [cap * t for t in tangents], [1 - t * t for t in tangents]
            bias = head.bias(slice(i, i + 1))
            if bias is not None:
                scores = [s + b for s, b in zip(scores, bias[0, seen].tolist(), strict=True)]
            top = reduce(arb.max, scores).mid() if scores else arb(0)
            powers = [(s - top).exp() for s in scores]
            yield Row(seen, powers, sum(powers, arb(0)), top, slopes)

    def rows(self, rows: Sequence[int]) -> Iterator[tuple[int, list[arb]]]:
        """The outputs of some rows, the log-sum-exp behind them; 0 and -inf for a row that sees no key."""
        entries: list[arb] = []
        totals, logs = [], []
        m = len(self.head.k)
        for row in self.weights(rows):
            totals.append(row.total if row.seen else arb(1))
            logs.append(row.total.log() + row.top if row.seen else arb("-inf"))
            entries += spread(row.seen, row.powers, m)
        mixed = arb_mat(len(rows), m, entries) * arb_mat(self._values)
        unit, width = power_of_two(self.v.exponent), self.v.shape[1]
        table = mixed.entries()
        for at, i in enumerate(rows):
            share = unit / totals[at]
            yield i, [*(x * share for x in table[at * width : (at + 1) * width]), logs[at]]

    def exact(self, i: int, j: int) -> fmpq | None:
        """An output, or behind them the log-sum-exp, where it is rational."""
        return self._exact_log(i) if j == self.v.shape[1] else self._exact_output(i, j)

    def _exact_output(self, i: int, j: int) -> fmpq | None:
        groups: dict[Any, list[int]] = {}
        for key, score in self.exact_scores(i):
            groups.setdefault(score, []).append(self.v.rows[key][j])
        means = {Fraction(sum(each), len(each)) for each in groups.values()}
        return rational(means.pop(), self.v.exponent) if len(means) == 1 else None

    def _exact_log(self, i: int) -> fmpq | None:
        scores = list(self.exact_scores(i))
        if len(scores) != 1:
            return None
        score = scores[0][1]
        if isinstance(score, tuple):
            if score[0]:
                return None
            score = score[1]
        return rational(score)

    def exact_scores(self, i: int) -> Iterator[tuple[int, Fraction | tuple[int, Fraction]]]:
        """The keys that a row sees, with their scores, or with what tells scores apart."""
        head, scale = self.head, self.head.scale
        rows = slice(i, i + 1)
        bias = head.bias(rows)
        products = self.products([i]).entries()
        for j in np.flatnonzero(head.visible(rows)[0]).tolist():
            product = int(products[j])
            added = Fraction(0) if bias is None else Fraction(float(bias[0, j]))
            if scale.root == 1 and head.softcap is None:
                unit = Fraction(2) ** (self.q.exponent + self.k.exponent)
                yield j, scale.factor * product * unit + added
            else:
                yield j, (product if scale.factor else 0, added)


def spread(at: Iterable[int], entries: Iterable[arb], width: int) -> list[arb]:
    """A row of zeros but for some entries."""
    found = [arb(0)] * width
    for j, x in zip(at, entries, strict=True):
        found[j] = x
    return found


def rational(x: Fraction, exponent: int = 0) -> fmpq:
    """x 2^exponent."""
    x *= Fraction(2) ** exponent
    return fmpq(x.numerator, x.denominator)


class Entry(Struct, frozen=True):
    """A number of a table, correctly rounded, and by how much the exact one is larger."""

    row: int
    column: int
    rounded: float
    rest: float


def decide(
    wanted: Iterable[tuple[int, int]],
    enclose: Callable[[Sequence[int]], Iterator[tuple[int, Sequence[arb]]]],
    exact: Callable[[int, int], fmpq | None],
    target: Callable[[int], tuple[Format, bool]],
) -> Iterator[Entry]:
    """The wanted entries (row, column) of a table.

    `enclose` gives whole rows at the precision of `flint.ctx`, `exact` an entry where it is rational, and
    `target` the format of a column and whether it saturates. Raises Undecided beyond the effort.
    """
    left: dict[int, list[int]] = {}
    for i, j in wanted:
        left.setdefault(i, []).append(j)
    bits = FIRST_BITS
    while left and bits <= effort():
        undecided: dict[int, list[int]] = {}
        with ctx.workprec(bits):
            for i, balls in enclose(list(left)):
                for j in left[i]:
                    ball, (format, saturate) = balls[j], target(j)
                    rounded = format.of_ball(ball, saturate)
                    if rounded is None and bits == FIRST_BITS:
                        x = exact(i, j)
                        if x is not None:
                            ball, rounded = arb(x), format.of_rational(x, saturate)
                    if rounded is None:
                        undecided.setdefault(i, []).append(j)
                    else:
                        yield Entry(i, j, rounded, float(ball - rounded) if isfinite(rounded) else 0.0)
        left, bits = undecided, 2 * bits
    if left:
        i, columns = next(iter(left.items()))
        raise Undecided(f"how row {i + 1}, column {columns[0] + 1} rounds to {target(columns[0])[0].name}")


def blocks(rows: Sequence[int], width: int) -> Iterator[Sequence[int]]:
    """The rows, so many at a time as have a block of weights."""
    step = max(1, BLOCK // width)
    for at in range(0, len(rows), step):
        yield rows[at : at + step]
