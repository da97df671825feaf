"""Decimals of softmax weights, outputs, heads and gradients against balls of 200 bits.

    python benchmarks/certified.py [--entries 1000000] [--rows 256] [--seed 1] [--only sink]

Scores near zero, spread, saturated, of many digits, equal and nearly equal ones, masks, sinks, biases, other
bases, heads, gradients; values and heads that cancel, that are constant, with twelve decimals; rows whose
first weight is made to lie as near to a tie as the arithmetic is wrong. All go through `rounded_matrices`;
digits and flags are compared. What 200 bits leave open, ties above all, is held to what one entry gives.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from flint import arb, ctx, fmpq, fmpz

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.certified_inputs import BITS, Gradients, Heads, Rows, Sample
from symattn.exact.decimal import Decimal, printed, rounded_matrices
from symattn.exact.number import Exact

ZERO = fmpq(0), 1
UNITS = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
"""Keys for which the scores of a query are 0 and its entries."""


def table(rng: random.Random, rows: int, columns: int, most: int) -> Rows:
    return [[rng.randint(-most, most) for _ in range(columns)] for _ in range(rows)]


def samples(seed: int, n: int) -> Iterator[Sample | Heads | Gradients]:
    """One sample of each kind."""
    rng = random.Random(seed)
    q, k, v = (table(rng, n, 16, 2**15) for _ in range(3))
    one = fmpq(1, 2**30)
    yield Sample("near zero", q, k, v, one / 16, 7)
    yield Sample("spread", q, k, v, one * 4)
    yield Sample("saturated", q, k, v, one * 900, 3)
    yield Sample("of 46 bits", table(rng, n, 8, 2**46), table(rng, n, 8, 2**46), v, fmpq(2, 2**92), 5)
    yield Sample("of 120 bits", table(rng, n, 5, 2**120), table(rng, n, 5, 2**120), v, fmpq(2, 2**240))
    few = table(rng, n, 2, 2), table(rng, n, 2, 2)
    constant = [[7, (-1) ** i, row[0], *row[:5]] for i, row in enumerate(v)]
    yield Sample("equal ones", *few, constant, fmpq(1, 3), denominator=8, places=2)
    close = [[x * 10**12 + rng.randint(-1, 1) for x in row] for row in few[0]]
    yield Sample("nearly equal ones", close, few[1], constant, fmpq(1, 10**11), denominator=16, places=10)
    large = [
        [sign * (x * 10**11 + rng.randint(0, 99)) for x in row]
        for row, sign in zip(v, [1, -1] * n, strict=False)
    ]
    yield Sample("values that cancel", q, k, large, one / 4, denominator=10**14, places=14)
    precise = [[rng.randint(-(10**15), 10**15) for _ in range(8)] for _ in range(n)]
    yield Sample("values of twelve decimals", q, k, precise, one, denominator=10**12)
    causal = [b"\1" * (i + 1) + bytes(n - 1 - i) for i in range(n)]
    yield Sample("a causal mask", q, k, v, one, 2, visible=causal)
    scattered = [bytes(max(rng.getrandbits(1), i == j) for j in range(n)) for i in range(n)]
    yield Sample(
        "a scattered mask",
        table(rng, n, 8, 2**46),
        k=table(rng, n, 8, 2**46),
        v=v,
        unit=fmpq(9, 2**92),
        visible=scattered,
    )
    for name, sink in (
        ("", None),
        (", a sink among the scores", (fmpq(3), 1)),
        (", a sink apart", (fmpq(1), 2)),
    ):
        yield Sample(
            "next to ties" + name,
            near_ties(rng, 4 * n, sink),
            UNITS,
            [[1], [0], [0], [0]],
            fmpq(1, 2**36),
            denominator=1,
            places=18,
            sink=sink,
        )
    two, ten = fmpq(2), fmpq(10)
    yield Sample("base 2, transcendental", q, k, v, one, 7, base=two)
    yield Sample("base 2, algebraic", q, k, large, one, 1, 10**14, 14, causal, base=two)
    yield Sample("base 9/4, saturated", q, k, v, one * 900, base=fmpq(9, 4))
    yield Sample("base 10, with a sink", q, k, v, one, visible=scattered, sink=(fmpq(1, 3), 1), base=ten)
    yield Sample("base 3/2, equal ones", *few, constant, fmpq(1, 3003), 1, 8, 2, base=fmpq(3, 2))
    yield Sample("base 2, nearly equal ones", close, few[1], constant, fmpq(1, 10**11), 1, 16, 10, base=two)
    yield Sample("base 2, whole gaps", few[0], few[1], constant, fmpq(1), 1, 8, 2, base=two)
    yield Sample(
        "base 2, next to ties",
        near_ties(rng, 4 * n, base=two),
        UNITS,
        [[1], [0], [0], [0]],
        fmpq(1, 2**36),
        denominator=1,
        places=18,
        base=two,
    )
    yield Sample("a sink of 0", q, k, v, one, 7, sink=(fmpq(0), 1))
    yield Sample("a sink among the scores", q, k, large, one, 1, 10**14, 14, causal, (fmpq(7, 3), 1))
    yield Sample("a sink apart", q, k, large, one, 2, 10**14, 14, scattered, (fmpq(-1, 3), 3))
    yield Sample("a sink near the largest", q, k, v, one * 900, 3, sink=(fmpq(1000), 1))
    yield Sample("equal ones with a sink", *few, constant, fmpq(1, 3), 1, 8, 2, None, (fmpq(1, 3), 1))
    yield Sample("equal ones, a sink apart", *few, constant, fmpq(1, 3), 1, 8, 2, None, (fmpq(1), 2))

    b = [rng.randint(-(2**15), 2**15) for _ in v[0]]
    third = fmpq(1, 3), 1
    yield Sample("a sink among the scores, a bias", q, k, v, one, visible=causal, sink=third, bias=b)
    yield Sample("a sink apart, a bias", q, k, v, one, 2, visible=scattered, sink=third, bias=b)
    yield Sample("equal ones, a sink, a bias", *few, constant, fmpq(1, 3), 1, 8, 2, None, third, bias=b[:8])
    yield Sample("base 10, a sink, a bias", q, k, v, one, sink=third, base=ten, bias=b)
    yield from dependent(rng, n)
    yield from several_heads(rng, n)
    yield from gradients(rng, n)


def gradients(rng: random.Random, n: int) -> Iterator[Gradients]:
    """The gradients of rows of scores of each kind, for a random gradient of the outputs."""
    q, k, v, dz = (table(rng, max(n, 34), 8, 2**15) for _ in range(4))
    n, one = len(q), fmpq(1, 2**30)
    causal = [b"\1" * (i + 1) + bytes(n - 1 - i) for i in range(n)]
    scattered = [bytes(max(rng.getrandbits(1), i == j) for j in range(n)) for i in range(n)]
    few = table(rng, n, 2, 2), table(rng, n, 2, 2)
    same = [[7, (-1) ** i, i % 3] for i in range(n)]
    sink, apart = (fmpq(1, 3), 1), (fmpq(-1, 3), 3)
    for name, sample, slopes in (
        ("spread", Sample("", q, k, v, one * 4), dz),
        ("saturated", Sample("", q, k, v, one * 60, 3), dz),
        ("of a causal mask", Sample("", q, k, v, one, 2, visible=causal), dz),
        ("of a scattered mask", Sample("", q, k, v, one * 9, visible=scattered), dz),
        ("of equal scores", Sample("", *few, same, fmpq(1, 3), denominator=8), [row[:3] for row in dz]),
        ("of values that cancel", Sample("", q, k, [[x, -x] for x, *_ in v], one), [row[:2] for row in dz]),
        ("of values of many digits", Sample("", q, k, wide(rng, v), one, denominator=10**20), wide(rng, dz)),
        ("of a sink among the scores", Sample("", q, k, v, one, visible=causal, sink=sink), dz),
        ("of a sink apart", Sample("", q, k, v, one * 4, 2, sink=apart), dz),
        ("to the base 2", Sample("", q, k, v, one * 4, base=fmpq(2)), dz),
        ("to the base 10, a sink", Sample("", q, k, v, one, visible=scattered, sink=sink, base=fmpq(10)), dz),
    ):
        yield Gradients(f"gradients {name}", sample, slopes)


def wide(rng: random.Random, rows: Rows) -> Rows:
    """The numbers, less than one of them apart, with 16 digits more."""
    return [[x * 10**16 + rng.randint(0, 10**16) for x in row] for row in rows]


def dependent(rng: random.Random, n: int) -> Iterator[Sample]:
    """Powers of rational bases that are dependent: entries are rational without equal means."""

    def keys(rows: Rows) -> Rows:
        return [[int(i == j) for j in range(len(rows[0]))] for i in range(len(rows[0]))]

    # 2^-1 + ... + 2^-10 + 2^-10 = 1, and what is below 2^-300
    sums = [rng.sample([*range(-10, 0), -10, -350, -400, -450], 14) for _ in range(n)]
    pairs = [[(-1) ** i, rng.randint(-9, 9), 16 * rng.randint(-9, 9)] for i in range(14)]
    for base, unit in ((2, fmpq(1)), (4, fmpq(1, 2)), (8, fmpq(1, 3)), (fmpq(9, 4), fmpq(1))):
        yield Sample(f"base {base}, sums of one", sums, keys(sums), pairs, unit, 1, 1, 6, base=fmpq(base))
    yield Sample(
        "base 2, a sink, sums of two", sums, keys(sums), pairs, fmpq(1), 1, 1, 7, None, ZERO, fmpq(2)
    )
    # (1 + 2^(-1/2)) (1 + 1/4): values that are 1 and 1 over it are 4/5
    starts = [rng.randint(-9, 9) for _ in range(n)]
    roots = [[x, x + 1, x + 4, x + 5] for x in starts]
    mixed = [[1, 1, 3], [1, 1, -1], [0, -1, 3], [0, -1, -1]]
    for base, unit in ((2, fmpq(1, 2)), (64, fmpq(1, 12))):
        yield Sample(
            f"base {base}, roots that cancel", roots, keys(roots), mixed, unit, 1, 4, 1, base=fmpq(base)
        )


def several_heads(rng: random.Random, n: int) -> Iterator[Heads]:
    """Three heads and more, n queries and an eighth as many keys."""
    m, one = max(16, n // 8), fmpq(1, 2**30)
    w_o, b = table(rng, 24, 32, 2**12), [rng.randint(-(2**15), 2**15) for _ in range(32)]
    causal = [b"\1" * min(m, i + 1) + bytes(max(0, m - 1 - i)) for i in range(n)]
    scattered = [bytes(max(rng.getrandbits(1), i % m == j) for j in range(m)) for i in range(n)]

    def head(unit: fmpq, *more: Any, **settings: Any) -> Sample:
        q, k, v = table(rng, n, 16, 2**15), table(rng, m, 16, 2**15), table(rng, m, 8, 2**15)
        return Sample("", q, k, v, unit, *more, **settings)

    def heads(unit: fmpq, *more: Any, **settings: Any) -> list[Sample]:
        return [head(unit, *more, **settings) for _ in range(3)]

    sink, apart, two = (fmpq(1, 3), 1), (fmpq(-1, 3), 3), fmpq(2)
    for name, parts, bias in (
        ("spread", heads(one * 4), None),
        ("a bias", heads(one, 7), b),
        ("saturated, a bias", heads(one * 60, 3), b),
        ("of a causal mask, a bias", heads(one, 2, visible=causal), b),
        ("of a scattered mask, saturated", heads(one * 60, visible=scattered), None),
        ("of sinks, masks, a bias", heads(one, visible=scattered, sink=sink), b),
        ("of sinks apart", heads(one, 2, visible=causal, sink=apart), None),
        ("of sinks apart, a bias", heads(one, 2, sink=apart), b),
        ("of one kind each", [head(one), head(one, 3, visible=causal), head(one, 2, sink=apart)], None),
        ("to the base 2, a bias", heads(one * 4, visible=causal, base=two), b),
        ("to the base 2, sinks, a bias", heads(one * 4, 7, sink=ZERO, base=two), b),
    ):
        yield Heads(f"heads {name}", parts, w_o, 10**4, bias)
    yield Heads("eight heads", [head(one) for _ in range(8)], table(rng, 64, 32, 2**12), 10**4, b)
    first = head(one * 4)
    near = [[10**12 * x for x in row] for row in w_o[:8]]
    for digits in (12, 18):
        less = [[-x - rng.randint(0, 10 ** (18 - digits)) for x in row] for row in near]
        yield Heads(f"heads that cancel, {digits} digits", [first, first], [*near, *less], 10**16, b)
    few = table(rng, 16, 2, 2), table(rng, 16, 2, 2)
    same = Sample("", *few, [[7, (-1) ** i, i] for i in range(16)], fmpq(1, 3), denominator=8)
    both = [[1, 0, 2], [0, 1, 0], [0, 1, 1], [0, 0, 2], [0, -1, 0], [0, -1, -1]]
    yield Heads("heads of equal scores that cancel", [same, same], both, 1, [1, 0, 3], 2)
    for name, base in (("", None), (" to the base 2", two)):
        scores = near_ties(rng, 4 * n, base=base)
        one_hot = Sample("", scores, UNITS, [[1], [0], [0], [0]], fmpq(1, 2**36), 1, 1, base=base)
        with ctx.workprec(300):
            before = [row[0] for row in one_hot.weights()]
        second = replace(one_hot, q=near_ties(rng, 4 * n, base=base, before=before, places=17))
        yield Heads(f"heads next to ties{name}", [one_hot, second], [[1], [1]], places=17)


def near_ties(
    rng: random.Random,
    count: int,
    sink: tuple[fmpq, int] | None = None,
    base: fmpq | None = None,
    before: Sequence[arb] = (),
    places: int = 18,
) -> Rows:
    """Rows of scores s for which 1 / (1 + sum of b^s) is a tie but for 2^-40 of it or less.

    With a weight `before` in each row, their sum is.
    """
    found = []
    most = 9 * 10 ** (places - 1) if sink is None else 4 * 10 ** (places - 2)
    with ctx.workprec(300):
        for at in range(count):
            other = before[at] if before else arb(0)
            whole = rng.randint(most // 9, most) + int(
                (other * 10**places).floor().unique_fmpz()  # type: ignore[arg-type]
            )
            units = rng.choice([-1, 1]) * rng.randint(1, 10**6) * whole
            apart = fmpq(units, 10 ** (6 + places) * 2 ** rng.randint(40, 46))
            tie = arb((fmpq(2 * whole + 1, 2) + apart) / fmpz(10) ** places)
            rest, row = 1 / (tie - other) - 1, []
            rest -= 0 if sink is None else (arb(sink[0]) * arb(sink[1]).sqrt()).exp()
            for _ in range(3):
                rate = (arb(1) if base is None else arb(base).log()) / 2**36
                row.append(int((rest.log() / rate).floor().unique_fmpz()))  # type: ignore[arg-type]
                rest -= (row[-1] * rate).exp()
            found.append(row)
    return found


def judged(sample: Sample | Heads | Gradients) -> tuple[int, int, int]:
    """(entries, those with a wrong digit or flag, those that were left open by 200 bits)."""
    matrices = sample.matrices()
    decimals = [[list(row) for row in made] for made in rounded_matrices(matrices, sample.places)]
    entries, left_open = compared(sample, decimals, BITS)
    wrong = sum(right is False for right in entries.values())
    if left_open:
        entries_again, _ = compared(sample, decimals, 8 * BITS)
        for at, i, j in left_open:
            right = entries_again[at, i, j]
            if right is None:
                q = sample.constant(at, j)
                x = matrices[at][i, j] if q is None else Exact.of(q)
                right = printed(x, sample.places) == decimals[at][i][j]
            wrong += not right
    return len(entries), wrong, len(left_open)


def compared(
    sample: Sample | Heads | Gradients, decimals: Sequence[Sequence[Sequence[Decimal]]], bits: int
) -> tuple[dict[tuple[int, int, int], bool | None], list[tuple[int, int, int]]]:
    """Whether each decimal and its flag are right by (matrix, i, j), and where so many bits leave it open."""
    found: dict[tuple[int, int, int], bool | None] = {}
    with ctx.workprec(bits):
        scale, half = fmpz(10) ** sample.places, fmpq(1, 2)
        for at, (made, balls) in enumerate(zip(decimals, sample.balls(), strict=True)):
            for i, (row, line) in enumerate(zip(made, balls, strict=True)):
                for j, (decimal, x) in enumerate(zip(row, line, strict=True)):
                    ball = x * scale
                    size = (abs(ball) + half).floor().unique_fmpz()
                    if size is None or (ball.contains_integer() and not ball.is_zero()):
                        found[at, i, j] = None
                    else:
                        digits = int(decimal.digits.replace(".", ""))
                        right = -size if ball < 0 else size
                        found[at, i, j] = digits == right and decimal.exact == ball.is_zero()
    return found, [key for key, right in found.items() if right is None]


def main() -> None:
    parser = argparse.ArgumentParser(description="Decimals of softmax against balls of 200 bits.")
    parser.add_argument("--entries", type=int, default=1_000_000)
    parser.add_argument("--rows", type=int, default=256)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="a word in the names of the kinds to run")
    options = parser.parse_args()
    start, totals, seed = time.perf_counter(), {}, options.seed
    while sum(found[0] for found in totals.values()) < options.entries:
        for sample in samples(seed, options.rows):
            if options.only not in sample.name:
                continue
            before = totals.get(sample.name, (0, 0, 0))
            totals[sample.name] = tuple(a + b for a, b in zip(before, judged(sample), strict=True))
        seed += 1
    for name, (entries, wrong, left_open) in totals.items():
        print(f"{name:38}{entries:12,} entries {wrong:3} wrong {left_open:9,} left open by 200 bits")
    entries, wrong, _ = (sum(column) for column in zip(*totals.values(), strict=True))
    print(f"{entries:,} entries, {wrong} wrong, in {time.perf_counter() - start:.0f} s")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
