"""Decimals of softmax weights and outputs against balls of 200 bits, on random and on adversarial scores.

    python benchmarks/certified.py [--entries 1000000] [--rows 256] [--seed 1] [--only sink]

Scores near zero, spread, saturated, of many digits, equal and nearly equal ones, masks, sinks; values that
cancel, that are constant, with twelve decimals; rows whose first weight is made to lie as near to a tie as
the arithmetic is wrong. All go through `rounded_matrices`. What 200 bits leave open, ties above all, is held
to what one entry by itself gives.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from flint import arb, arb_mat, ctx, fmpq, fmpz, fmpz_mat

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from symattn.exact.decimal import printed, rounded_matrices
from symattn.exact.functions import sqrt
from symattn.exact.masked import mask_of, with_mask
from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.exact.weighted import Weighted

BITS = 200
Rows = list[list[int]]


@dataclass(frozen=True)
class Sample:
    """Integers Q (n, d), K (m, d), V (m, e); logits unit sqrt(root) Q K^T, values V / denominator.

    A sink is q sqrt(m) for (q, m).
    """

    name: str
    q: Rows
    k: Rows
    v: Rows
    unit: fmpq
    root: int = 1
    denominator: int = 10_000
    places: int = 15
    visible: Sequence[bytes] | None = None
    sink: tuple[fmpq, int] | None = None
    base: fmpq | None = None

    def matrices(self) -> tuple[Weighted, Weighted]:
        """A and Z."""
        logits = (Matrix.rational(self.q) @ Matrix.rational(self.k).T).scaled(
            Exact.of(self.unit) * sqrt(Exact.of(self.root))
        )
        if self.visible is not None:
            masked = with_mask(logits, mask_of(self.visible))
            assert masked is not None
            logits = masked
        base = None if self.base is None else Exact.of(self.base)
        powers = Weighted(logits, normalised=False, base=base)
        sums = powers.row_sums()
        if self.sink is not None:
            sums = powers.sums_with(Exact.of(self.sink[0]) * sqrt(Exact.of(self.sink[1])))
        weights = powers.over(sums)
        assert isinstance(weights, Weighted)
        values = Matrix.rational(self.v).scaled(Exact.of(fmpq(1, self.denominator)))
        outputs = weights @ values
        assert isinstance(outputs, Weighted)
        return weights, outputs


def table(rng: random.Random, rows: int, columns: int, most: int) -> Rows:
    return [[rng.randint(-most, most) for _ in range(columns)] for _ in range(rows)]


def samples(seed: int, n: int) -> Iterator[Sample]:
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
            [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
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
        [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
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


def near_ties(
    rng: random.Random, count: int, sink: tuple[fmpq, int] | None = None, base: fmpq | None = None
) -> Rows:
    """Rows of scores s for which 1 / (1 + sum of b^s) is a tie of 18 places but for 2^-40 of it or less."""
    found = []
    most = 9 * 10**17 if sink is None else 4 * 10**16
    with ctx.workprec(300):
        for _ in range(count):
            whole = rng.randint(most // 9, most)
            units = rng.choice([-1, 1]) * rng.randint(1, 10**6) * whole
            apart = fmpq(units, 10**6 * 10**18 * 2 ** rng.randint(40, 46))
            rest, row = 1 / arb((fmpq(2 * whole + 1, 2) + apart) / fmpz(10) ** 18) - 1, []
            rest -= 0 if sink is None else (arb(sink[0]) * arb(sink[1]).sqrt()).exp()
            for _ in range(3):
                rate = (arb(1) if base is None else arb(base).log()) / 2**36
                row.append(int((rest.log() / rate).floor().unique_fmpz()))  # type: ignore[arg-type]
                rest -= (row[-1] * rate).exp()
            found.append(row)
    return found


def judged(sample: Sample) -> tuple[int, int, int]:
    """(entries, wrong ones, those that were left open by 200 bits)."""
    matrices = sample.matrices()
    decimals = [made.digits() for made in rounded_matrices(matrices, sample.places)]
    entries = wrong = left_open = 0
    with ctx.workprec(BITS):
        scores = (fmpz_mat(sample.q) * fmpz_mat(sample.k).transpose()).tolist()
        rate = arb(1) if sample.base is None else arb(sample.base).log()
        factor, scale, half = (
            arb(sample.unit) * arb(sample.root).sqrt() * rate,
            fmpz(10) ** sample.places,
            fmpq(1, 2),
        )
        powers, tops = [], []
        for i, row in enumerate(scores):
            seen = sample.visible[i] if sample.visible is not None else b"\1" * len(row)
            top = max(s for s, there in zip(row, seen, strict=True) if there)
            tops.append(top)
            powers.append(
                [(factor * (s - top)).exp() if there else arb(0) for s, there in zip(row, seen, strict=True)]
            )
        mixed = (arb_mat(powers) * arb_mat(fmpz_mat(sample.v))).tolist()
        for i, (row, line) in enumerate(zip(powers, mixed, strict=True)):
            extra = arb(0)
            if sample.sink is not None:
                logit = arb(sample.sink[0]) * arb(sample.sink[1]).sqrt() * rate
                extra = (logit - factor * tops[i]).exp()
            per_sum = scale / sum(row, extra)
            for at, balls in enumerate(
                ([p * per_sum for p in row], [z * per_sum / sample.denominator for z in line])
            ):
                for j, (ball, digits) in enumerate(zip(balls, decimals[at][i], strict=True)):
                    size = (abs(ball) + half).floor().unique_fmpz()
                    entries += 1
                    if size is None:
                        left_open += 1
                        wrong += printed(matrices[at][i, j], sample.places).digits != digits
                    else:
                        right = -size if ball < 0 else size
                        wrong += right != int(digits.replace(".", ""))
    return entries, wrong, left_open


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
