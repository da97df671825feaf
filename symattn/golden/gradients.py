"""dQ, dK, dV and the gradient of sinks in ball arithmetic, correctly rounded once.

P = softmax(S), dV = P^T dO, dP = dO V^T, dS = P (dP - D) with D_i = sum_k P_ik dP_ik, through the softcap
dX = dS (1 - tanh^2), dQ = f dX K, dK = f dX^T Q (Dao et al. 2022, FlashAttention, appendix B). That of a sink
is the sum of its dS, -P D, over the rows of its head in all batches.
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

    def tables(self, done: Callable[[float], None]) -> tuple[arb_mat, ...]:
        """dQ (n, d), dK (m, d), dV (m, e) and of the sink (1, 1); `done` hears each share of the work."""
        head, balls = self.head, self.balls
        (n, d), (m, e) = head.q.shape, head.v.shape
        factor = head.scale.ball()
        keys, values = arb_mat(balls.k.matrix()), balls.v.matrix().transpose()
        dQ: list[arb] = []
        dK, dV, of_sink = arb_mat(m, d), arb_mat(m, e), arb(0)
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
            of_sink = sum(dX[m - 1 :: m], of_sink)
            inner = arb_mat(len(rows), m, dX)
            dQ += [x * factor * power_of_two(balls.k.exponent) for x in (inner * keys).entries()]
            dK += (
                inner.transpose() * arb_mat(balls.q.matrix(rows)) * (factor * power_of_two(balls.q.exponent))
            )
            dV += (
                arb_mat(len(rows), m, weights).transpose() * arb_mat(grads) * power_of_two(self.grad.exponent)
            )
            done(1 / len(parts))
        return arb_mat(n, d, dQ), dK, dV, arb_mat([[of_sink]])

    def exact(self, part: int, i: int, j: int) -> Fraction | None:
        """An entry of one of the tables where it is known to be rational."""
        return (self.exact_dq, self.exact_dk, self.exact_dv, self.exact_sink)[part](i, j)

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

    def exact_sink(self, i: int, j: int) -> Fraction | None:
        """What this batch adds to the gradient of the sink, where it is known to be rational."""
        total = Fraction(0)
        for row in range(len(self.head.q)):
            passed = self.passed(row)
            if passed is None:
                return None
            total += passed[self.head.keys]
        return total

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
    """A result that is filled in: which entries are open, and what it is the sum of."""

    name: str
    to: Rounded
    left: set[tuple[int, int]]
    of: Sequence[int]
    """Heads, by their numbers."""
    part: int
    """Which of their tables."""


def gradients(
    inputs: Inputs, target: Target, watch: Callable[[float], None] = lambda share: None
) -> Mapping[str, Rounded]:
    """dq, dk, dv and perhaps dsinks in the layout of the inputs; `watch` hears which share is done."""
    shapes = [("dq", inputs.q.shape), ("dk", inputs.k.shape), ("dv", inputs.v.shape)]
    if inputs.sinks is not None:
        shapes.append(("dsinks", (*inputs.sinks.shape, 1, 1)))
    found = {name: Rounded(np.zeros(x), np.zeros(x), target.format) for name, x in shapes}
    (batches, groups), all_heads = inputs.k.shape[:2], inputs.q.shape[0] * inputs.q.shape[1]
    share = inputs.q.shape[1] // groups
    done = 0.0

    def more(heads: float) -> None:
        nonlocal done
        done += heads
        watch(min(done / all_heads, 1.0))

    for group in range(groups):
        members = [(batch, group * share + at) for batch in range(batches) for at in range(share)]

        def table(name: str, place: tuple[int, ...], of: Sequence[int]) -> _Table:
            x = found[name]
            to = Rounded(x.values[place], x.rest[place], x.format)
            return _Table(name, to, set(np.ndindex(*to.values.shape)), of, [*found].index(name))

        tables = [table("dq", place, [number]) for number, place in enumerate(members)]
        for batch in range(batches):
            of = range(batch * share, (batch + 1) * share)
            tables += [table(name, (batch, group), of) for name in ("dk", "dv")]
        if inputs.sinks is not None:
            tables += [
                table("dsinks", (head,), range(at, len(members), share))
                for at, (_, head) in enumerate(members[:share])
            ]
        _fill([Backward(inputs.head(*place)) for place in members], tables, target, more)
    return {
        name: Rounded(_given(x.values, name, inputs), _given(x.rest, name, inputs), x.format)
        for name, x in found.items()
    }


def _given(x: Floats, name: str, inputs: Inputs) -> Floats:
    """A gradient in the layout of what it is of: without the keys of the past."""
    if name == "dsinks":
        return x[:, 0, 0]
    return inputs.laid_out(x if name == "dq" else x[:, :, inputs.past :])


def _fill(
    heads: Sequence[Backward], tables: Sequence[_Table], target: Target, done: Callable[[float], None]
) -> None:
    """Fills in the tables, which are sums over some of the heads."""
    bits = FIRST_BITS
    while any(table.left for table in tables) and bits <= effort():
        first = bits == FIRST_BITS
        sums: dict[int, arb_mat] = {}
        with ctx.workprec(bits):
            for at, each in enumerate(heads):
                wanted = [number for number, table in enumerate(tables) if table.left and at in table.of]
                parts = each.tables(done if first else lambda share: None) if wanted else ()
                for number in wanted:
                    table = tables[number]
                    part = parts[table.part]
                    sums[number] = sums[number] + part if number in sums else part
                    if at == table.of[-1]:
                        _round(sums.pop(number), table, target, heads if first else ())
        bits *= 2
    for table in tables:
        for i, j in sorted(table.left)[:1]:
            raise Undecided(f"how row {i + 1}, column {j + 1} of {table.name} rounds to {target.format.name}")


def _exact(heads: Sequence[Backward], table: _Table, i: int, j: int) -> fmpq | None:
    """An entry where it is known to be rational."""
    parts = [heads[at].exact(table.part, i, j) for at in table.of]
    known = [x for x in parts if x is not None]
    return rational(sum(known, Fraction(0))) if len(known) == len(parts) else None


def _round(balls: arb_mat, table: _Table, target: Target, heads: Sequence[Backward]) -> None:
    """Rounds what the balls decide, and where there are heads what is rational."""
    entries, width = balls.entries(), balls.ncols()
    for i, j in list(table.left):
        ball = entries[i * width + j]
        rounded = target.format.of_ball(ball, target.saturate)
        if rounded is None and heads:
            x = _exact(heads, table, i, j)
            if x is not None:
                ball, rounded = arb(x), target.format.of_rational(x, target.saturate)
        if rounded is not None:
            table.left.remove((i, j))
            table.to.values[i, j] = rounded
            table.to.rest[i, j] = float(ball - rounded) if isfinite(rounded) else 0.0
