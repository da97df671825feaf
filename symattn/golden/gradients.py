"""dQ, dK and dV in ball arithmetic, correctly rounded once.

P = softmax(S), dV = P^T dO, dP = dO V^T, dS = P (dP - D) with D_i = sum_k P_ik dP_ik, through the softcap
dX = dS (1 - tanh^2), dQ = f dX K, dK = f dX^T Q (Dao et al. 2022, FlashAttention, appendix B).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import isfinite

import numpy as np
from flint import arb, arb_mat, ctx, fmpq
from msgspec import Struct

from symattn.exact.algebraic import effort
from symattn.exact.rounding import Undecided
from symattn.golden.attention import Rounded, Target
from symattn.golden.balls import FIRST_BITS, Balls, blocks, rational, spread
from symattn.golden.dyadic import Dyadic, power_of_two
from symattn.golden.formats import Floats
from symattn.golden.inputs import Head, Inputs


class Backward:
    """The backward pass of one head, at the precision of `flint.ctx`."""

    def __init__(self, head: Head) -> None:
        assert head.grad is not None
        self.head, self.balls, self.grad = head, Balls(head), Dyadic(head.grad)
        self.flat = lru_cache(maxsize=None)(self._flat)
        self.passed = lru_cache(maxsize=None)(self._passed)

    def tables(self, done: Callable[[float], None]) -> tuple[arb_mat, arb_mat, arb_mat]:
        """dQ (n, d), dK (m, d) and dV (m, e); `done` hears each share of the work."""
        head, balls = self.head, self.balls
        (n, d), (m, e) = head.q.shape, head.v.shape
        factor = head.scale.ball()
        keys, values = arb_mat(balls.k.matrix()), balls.v.matrix().transpose()
        dQ: list[arb] = []
        dK, dV = arb_mat(m, d), arb_mat(m, e)
        for rows in (parts := list(blocks(range(n), m))):
            grads = self.grad.matrix(rows)
            dP = (grads * values).entries()
            unit = power_of_two(self.grad.exponent + balls.v.exponent)
            weights: list[arb] = []
            dX: list[arb] = []
            for at, row in enumerate(balls.weights(rows)):
                share = [p / row.total for p in row.powers]
                weights += spread(row.seen, share, m)
                passed = [dP[at * m + j] for j in row.seen]
                if len(set(passed)) <= 1:  # exactly 0
                    dX += [arb(0)] * m
                    continue
                mean = sum((p * x for p, x in zip(share, passed, strict=True)), arb(0))
                scores = [p * (x - mean) * unit for p, x in zip(share, passed, strict=True)]
                if row.slopes is not None:
                    scores = [x * slope for x, slope in zip(scores, row.slopes, strict=True)]
                dX += spread(row.seen, scores, m)
            inner = arb_mat(len(rows), m, dX)
            dQ += [x * factor * power_of_two(balls.k.exponent) for x in (inner * keys).entries()]
            dK += (
                inner.transpose() * arb_mat(balls.q.matrix(rows)) * (factor * power_of_two(balls.q.exponent))
            )
            dV += (
                arb_mat(len(rows), m, weights).transpose() * arb_mat(grads) * power_of_two(self.grad.exponent)
            )
            done(1 / len(parts))
        return arb_mat(n, d, dQ), dK, dV

    def exact_dq(self, i: int, j: int) -> Fraction | None:
        """An entry of dQ where it is known to be rational."""
        passed = self.passed(i)
        if passed is None:
            return None
        total = sum((x * self.balls.k.rows[key][j] for key, x in passed.items()), Fraction(0))
        return self._scaled(total, self.balls.k.exponent)

    def exact_dk(self, key: int, j: int) -> Fraction | None:
        """The part of an entry of dK that comes from this head, where it is known to be rational."""
        total = Fraction(0)
        for i, row in enumerate(self.balls.q.rows):
            if row[j] and self.head.visible(slice(i, i + 1))[0, key]:
                passed = self.passed(i)
                if passed is None:
                    return None
                total += passed[key] * row[j]
        return self._scaled(total, self.balls.q.exponent)

    def exact_dv(self, key: int, j: int) -> Fraction | None:
        """The part of an entry of dV that comes from this head, where it is known to be rational."""
        total = Fraction(0)
        for i, row in enumerate(self.grad.rows):
            if row[j] and self.head.visible(slice(i, i + 1))[0, key]:
                count = self.flat(i)
                if count is None:
                    return None
                total += Fraction(row[j], count)
        return total * Fraction(2) ** self.grad.exponent

    def _flat(self, i: int) -> int | None:
        """How many keys a row sees, if all have the same score."""
        scores = [score for _, score in self.balls.exact_scores(i)]
        return len(scores) if len(set(scores)) == 1 else None

    def _passed(self, i: int) -> dict[int, Fraction] | None:
        """dX of the keys that a row sees, where it is rational."""
        seen = np.flatnonzero(self.head.visible(slice(i, i + 1))[0]).tolist()
        grad = self.grad.rows[i]
        dP = [sum(a * b for a, b in zip(grad, self.balls.v.rows[k], strict=True)) for k in seen]
        if len(set(dP)) <= 1:
            return dict.fromkeys(seen, Fraction(0))
        count = self.flat(i)
        if count is None or (self.head.softcap is not None and self.balls.products([i])[0, seen[0]] != 0):
            return None
        unit, total = Fraction(2) ** (self.grad.exponent + self.balls.v.exponent), sum(dP)
        return {k: (x - Fraction(total, count)) / count * unit for k, x in zip(seen, dP, strict=True)}

    def _scaled(self, x: Fraction, exponent: int) -> Fraction | None:
        if self.head.scale.root != 1 and x:
            return None
        return x * self.head.scale.factor * Fraction(2) ** exponent


class _Table(Struct, frozen=True):
    """A result that is filled in: which entries are open, and what it is where it is rational."""

    name: str
    to: Rounded
    left: set[tuple[int, int]]
    exact: Callable[[int, int], fmpq | None]


def gradients(
    inputs: Inputs, target: Target, watch: Callable[[float], None] = lambda share: None
) -> Mapping[str, Rounded]:
    """dq, dk and dv in the layout of the inputs; `watch` hears which share is done."""
    found = {
        name: Rounded(np.zeros(x.shape), np.zeros(x.shape), target.format)
        for name, x in (("dq", inputs.q), ("dk", inputs.k), ("dv", inputs.v))
    }
    batches, groups = inputs.k.shape[:2]
    share = inputs.q.shape[1] // groups
    done = 0.0
    for batch in range(batches):
        for group in range(groups):
            heads = [inputs.head(batch, head) for head in range(group * share, (group + 1) * share)]
            parts = {
                name: [Rounded(x.values[batch, at], x.rest[batch, at], x.format) for at in places]
                for (name, x), places in zip(
                    found.items(), (range(group * share, (group + 1) * share), [group], [group]), strict=True
                )
            }

            def more(heads: float) -> None:
                nonlocal done
                done += heads
                watch(min(done / inputs.q.shape[0] / inputs.q.shape[1], 1.0))

            _group(heads, [*parts["dq"], *parts["dk"], *parts["dv"]], target, more)
    return {
        name: Rounded(_given(x.values, name, inputs), _given(x.rest, name, inputs), x.format)
        for name, x in found.items()
    }


def _given(x: Floats, name: str, inputs: Inputs) -> Floats:
    """A gradient in the layout of what it is of: without the keys of the past."""
    return inputs.laid_out(x if name == "dq" else x[:, :, inputs.past :])


def _group(
    heads: Sequence[Head], results: Sequence[Rounded], target: Target, done: Callable[[float], None]
) -> None:
    """Fills in dQ of the heads that share keys, and dK and dV of these."""
    backward = [Backward(head) for head in heads]

    def summed(parts: Sequence[Fraction | None]) -> fmpq | None:
        known = [x for x in parts if x is not None]
        return rational(sum(known, Fraction(0))) if len(known) == len(parts) else None

    def of_queries(each: Backward) -> Callable[[int, int], fmpq | None]:
        return lambda i, j: summed([each.exact_dq(i, j)])

    exact = [
        *map(of_queries, backward),
        lambda key, j: summed([each.exact_dk(key, j) for each in backward]),
        lambda key, j: summed([each.exact_dv(key, j) for each in backward]),
    ]
    names = ["dq"] * len(heads) + ["dk", "dv"]
    tables = [
        _Table(name, to, set(np.ndindex(*to.values.shape)), one)
        for name, to, one in zip(names, results, exact, strict=True)
    ]
    bits = FIRST_BITS
    while any(table.left for table in tables) and bits <= effort():
        with ctx.workprec(bits):
            dK, dV = None, None
            for each, table in zip(backward, tables, strict=False):
                dQ, k, v = each.tables(done if bits == FIRST_BITS else lambda share: None)
                dK, dV = (k, v) if dK is None or dV is None else (dK + k, dV + v)
                _round(dQ, table, target, bits == FIRST_BITS)
            assert dK is not None
            assert dV is not None
            _round(dK, tables[-2], target, bits == FIRST_BITS)
            _round(dV, tables[-1], target, bits == FIRST_BITS)
        bits *= 2
    for table in tables:
        for i, j in sorted(table.left)[:1]:
            raise Undecided(f"how row {i + 1}, column {j + 1} of {table.name} rounds to {target.format.name}")


def _round(balls: arb_mat, table: _Table, target: Target, first: bool) -> None:
    """Rounds what the balls decide, and at first what is rational."""
    entries, width = balls.entries(), balls.ncols()
    for i, j in list(table.left):
        ball = entries[i * width + j]
        rounded = target.format.of_ball(ball, target.saturate)
        if rounded is None and first:
            x = table.exact(i, j)
            if x is not None:
                ball, rounded = arb(x), target.format.of_rational(x, target.saturate)
        if rounded is not None:
            table.left.remove((i, j))
            table.to.values[i, j] = rounded
            table.to.rest[i, j] = float(ball - rounded) if isfinite(rounded) else 0.0
