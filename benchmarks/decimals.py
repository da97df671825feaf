"""Printed decimals against mpmath: rationals, surds, exponentials and softmax quotients of every magnitude.

    python benchmarks/decimals.py [--digits 1000000] [--seed 1]

Every number is made twice, as an exact number and as an mpmath program, with exponents of e from -10^60 to
10^60; it is printed with fixed places and with significant digits. mpmath, which shares no code with the
enclosures, gives the same number at a precision of the printed digits, the digits of the exponent and 40
more. A digit is wrong where the printed decimal is not the nearest one, ties away from zero.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

import mpmath

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from symattn.exact.decimal import rounded, significant
from symattn.exact.functions import exp, power, sqrt
from symattn.exact.number import Exact

Program = Callable[[], mpmath.mpf]
Number = tuple[Exact, Program]


def rational(rng: random.Random) -> Number:
    """A rational with up to 40 digits."""
    q = Fraction(
        rng.randint(-(10 ** rng.randint(1, 40)), 10 ** rng.randint(1, 40)),
        rng.randint(1, 10 ** rng.randint(1, 20)),
    )
    return Exact.of(q), lambda: mpmath.mpf(q.numerator) / q.denominator


def surd(rng: random.Random) -> Number:
    """A rational plus a rational multiple of a square root."""
    (a, left), (b, right), m = rational(rng), rational(rng), rng.randint(2, 99)
    return a + b * sqrt(Exact.of(m)), lambda: left() + right() * mpmath.sqrt(m)


def exponent(rng: random.Random) -> Number:
    """An exponent of either sign, from modest ones to 10^60."""
    size = rng.choice((0, 0, 1, 2, 5, 20, 38, 39, 40, 41, 45, 60))
    q = Fraction(rng.randint(-(10**size), 10**size) + rng.randint(-9, 9), rng.choice((1, 1, 3, 7)))
    x, program = Exact.of(q), lambda: mpmath.mpf(q.numerator) / q.denominator
    if size < 3 and rng.random() < 0.5:
        m = rng.randint(2, 30)
        return x * sqrt(Exact.of(m)), lambda: program() * mpmath.sqrt(m)
    return x, program


def exponential(rng: random.Random) -> Number:
    """A multiple of e to an exponent, or of a power of a small base."""
    (score, program), c = exponent(rng), rng.randint(1, 999)
    base = rng.choice((None, None, 2, 4, 10))
    if base is None or score.rational is None:
        return Exact.of(c) * exp(score), lambda: c * mpmath.exp(program())
    return Exact.of(c) * power(Exact.of(base), score), lambda: c * mpmath.exp(program() * mpmath.log(base))


def weight(rng: random.Random) -> Number:
    """An output of a softmax over two to four scores: sum v e^s over sum e^s."""
    scores = [exponent(rng) for _ in range(rng.randint(2, 4))]
    values = [rng.randint(-99, 99) for _ in scores]
    over, under = Exact.of(0), Exact.of(0)
    for (s, _), v in zip(scores, values, strict=True):
        over, under = over + Exact.of(v) * exp(s), under + exp(s)

    def program() -> mpmath.mpf:
        powers = [p() for _, p in scores]
        top = max(powers)
        terms = [mpmath.exp(p - top) for p in powers]
        return mpmath.fdot(zip(values, terms, strict=True)) / mpmath.fsum(terms)

    return over / under, program


KINDS = (rational, surd, exponential, weight)
LARGEST = mpmath.mpf(10) ** 2000


def numbers(seed: int) -> Iterator[tuple[str, Exact, Program]]:
    """(kind, the number, its program) without end, one kind after the other."""
    rng = random.Random(seed)
    while True:
        for kind in KINDS:
            yield kind.__name__, *kind(rng)


def nearest(x: mpmath.mpf) -> set[int]:
    """The nearest integer; both where x is a tie or closer to one than mpmath can tell."""
    size = abs(x)
    found = {int(mpmath.floor(size + mpmath.mpf(1) / 2))}
    tie = mpmath.floor(size) + mpmath.mpf(1) / 2
    if abs(size - tie) < mpmath.mpf(10) ** -60:
        found |= {int(mpmath.floor(size)), int(mpmath.floor(size)) + 1}
    return {-n if x < 0 else n for n in found}


def fixed_is_right(printed: str, program: Program, places: int) -> bool:
    """Whether fixed decimals are the nearest ones."""
    with mpmath.workdps(len(printed) + places + 130):
        return int(Fraction(printed) * 10**places) in nearest(program() * mpmath.mpf(10) ** places)


def significant_is_right(printed: str, program: Program, digits: int) -> bool:
    """Whether a decimal of so many significant digits is the nearest one."""
    mantissa, _, power_of_ten = printed.partition("e")
    value = Fraction(mantissa)
    if not value:
        return program() == 0
    places = digits - len(str(abs(value.numerator // value.denominator)))
    while abs(value) * Fraction(10) ** places < 10 ** (digits - 1):
        places += 1
    if value * Fraction(10) ** places != int(value * Fraction(10) ** places):
        return False  # more digits than were asked for
    with mpmath.workdps(len(printed) + digits + 130):
        scaled = program() * mpmath.mpf(10) ** (places - int(power_of_ten or 0))
        return int(value * Fraction(10) ** places) in nearest(scaled)


def judged(seed: int, most: int) -> Iterator[tuple[str, str, bool]]:
    """(kind, printed, right) until `most` digits were printed."""
    rng, done = random.Random(seed + 1), 0
    for kind, x, program in numbers(seed):
        places = rng.choice((0, 1, 4, 10, 50))
        digits = rng.choice((1, 3, 6, 15, 50))
        with mpmath.workdps(90):
            size = abs(program())
        found = [(significant(x, digits).digits, None)]
        if size < LARGEST:
            found.append((rounded(x, places).digits, places))
        for printed, fixed in found:
            done += sum(c.isdigit() for c in printed)
            right = (
                significant_is_right(printed, program, digits)
                if fixed is None
                else fixed_is_right(printed, program, fixed)
            )
            yield kind, printed, right
        if done >= most:
            return


def main() -> None:
    parser = argparse.ArgumentParser(description="Printed decimals against mpmath.")
    parser.add_argument("--digits", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    start, printed, digits, wrong = time.perf_counter(), 0, 0, 0
    for kind, decimal, right in judged(options.seed, options.digits):
        printed, digits = printed + 1, digits + sum(c.isdigit() for c in decimal)
        if not right:
            wrong += 1
            print(f"WRONG: {kind}: {decimal}")
    print(f"{digits} digits of {printed} decimals, {wrong} wrong, in {time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main()
