"""Hidden zeros and their neighbours: how many are decided rightly, and how fast.

    python benchmarks/hidden_zeros.py [--count 1000] [--seed 1] [--show]

Each pair is equal by construction: nested radicals multiplied out below a root, identities of sines and
cosines of rational multiples of pi, logarithms of products, exponentials of these, and polynomials in
symbols with such coefficients. Every second pair is moved apart by 10^-40. mpmath,
which shares no code with the decision, confirms at 120 digits what is zero and what is not before it is
asked.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

import mpmath

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from symattn.exact.expression import (
    IMAGINARY,
    Node,
    exponential,
    logarithm,
    number,
    power,
    product,
    root,
    total,
    unity,
)
from symattn.exact.zero import is_zero

TINY = Fraction(1, 10**40)
MINUS = number(-1)
Pair = tuple[Node, Node]
Radicals = dict[tuple[tuple[int, Fraction], ...], Fraction]
"""A sum of rationals times products of prime powers: {((2, 1/3), (5, 1/2)): 3}."""


def of_radicals(x: Radicals) -> Node:
    """The sum as an expression."""
    return total(
        *(
            product(number(q), *(power(root(number(p), e.denominator), e.numerator) for p, e in key))
            for key, q in x.items()
        )
    )


def times(a: Radicals, b: Radicals) -> Radicals:
    """The product, multiplied out."""
    found: Radicals = {}
    for left, p in a.items():
        for right, q in b.items():
            exponents: dict[int, Fraction] = dict(left)
            rational = p * q
            for prime, e in right:
                exponents[prime] = exponents.get(prime, Fraction(0)) + e
            for prime, e in list(exponents.items()):
                whole = e.numerator // e.denominator
                rational *= Fraction(prime) ** whole
                exponents[prime] = e - whole
            key = tuple(sorted((prime, e) for prime, e in exponents.items() if e))
            found[key] = found.get(key, Fraction(0)) + rational
    return {key: q for key, q in found.items() if q}


def some_radicals(rng: random.Random, terms: int = 2) -> Radicals:
    """A positive sum of small radicals."""
    found: Radicals = {}
    while len(found) < terms:
        prime, degree = rng.choice((2, 3, 5, 7, 11)), rng.choice((2, 2, 3, 3, 4, 5))
        key = ((prime, Fraction(1, degree)),) if rng.random() < 0.8 else ()
        found[key] = Fraction(rng.randint(1, 9), rng.choice((1, 1, 1, 2, 3)))
    return found


def nested(rng: random.Random) -> Pair:
    """The k-th root of the k-th power, multiplied out."""
    x, k = some_radicals(rng), rng.choice((2, 2, 3))
    whole = x
    for _ in range(k - 1):
        whole = times(whole, x)
    return root(of_radicals(whole), k), of_radicals(x)


def product_of_roots(rng: random.Random) -> Pair:
    """sqrt(x) sqrt(y) and sqrt(x y)."""
    x, y = some_radicals(rng), some_radicals(rng)
    return product(root(of_radicals(x), 2), root(of_radicals(y), 2)), root(of_radicals(times(x, y)), 2)


def reciprocal(rng: random.Random) -> Pair:
    """1/(a + b) and (a - b)/(a^2 - b^2) for square roots a and b."""
    p, q = rng.sample((2, 3, 5, 7, 11, 13), 2)
    a, b = root(number(p), 2), root(number(q), 2)
    return power(total(a, b), -1), product(total(a, product(MINUS, b)), number(Fraction(1, p - q)))


def cosine(k: int, n: int) -> Node:
    """cos(2 pi k/n)."""
    return product(number(Fraction(1, 2)), total(unity(Fraction(k, n)), unity(Fraction(-k, n))))


def angles(rng: random.Random) -> Pair:
    """2 cos a cos b and cos(a + b) + cos(a - b)."""
    n = rng.choice((7, 11, 13, 15, 17, 24, 41, 64, 97))
    a, b = rng.randint(1, n), rng.randint(1, n)
    return product(number(2), cosine(a, n), cosine(b, n)), total(cosine(a + b, n), cosine(a - b, n))


def gauss(rng: random.Random) -> Pair:
    """The Gauss sum of a prime p and its root: sqrt(p), or i sqrt(p)."""
    p = rng.choice((5, 7, 11, 13, 17, 19, 23))
    squares = {k * k % p for k in range(1, p)}
    terms = (product(number(1 if k in squares else -1), unity(Fraction(k, p))) for k in range(1, p))
    side = root(number(p), 2)
    return total(*terms), side if p % 4 == 1 else product(IMAGINARY, side)


def chebyshev(rng: random.Random) -> Pair:
    """cos 3a and 4 cos^3 a - 3 cos a."""
    n = rng.choice((7, 9, 11, 13, 31, 40))
    k = rng.randint(1, n - 1)
    c = cosine(k, n)
    return cosine(3 * k, n), total(product(number(4), power(c, 3)), product(number(-3), c))


def logarithms(rng: random.Random) -> Pair:
    """The logarithm of a product of powers and the sum of the logarithms."""
    bases = [Fraction(rng.randint(2, 60), rng.randint(1, 20)) for _ in range(rng.randint(2, 4))]
    powers = [rng.choice((-3, -2, -1, 1, 2, 3)) for _ in bases]
    whole = Fraction(1)
    for base, k in zip(bases, powers, strict=True):
        whole *= base**k
    parts = (product(number(k), logarithm(number(b))) for b, k in zip(bases, powers, strict=True))
    return logarithm(number(whole)), total(*parts)


def algebraic_logarithms(rng: random.Random) -> Pair:
    """log of a square of radicals, multiplied out, and twice the logarithm."""
    x = some_radicals(rng)
    factor = root(number(rng.choice((2, 3, 5))), 2)
    left = product(factor, logarithm(of_radicals(times(x, x))))
    return left, product(number(2), factor, logarithm(of_radicals(x)))


def exponentials(rng: random.Random) -> Pair:
    """e^a e^log b and b e^a' for two forms a and a' of one number."""
    left, right = rng.choice((nested, product_of_roots, angles, logarithms))(rng)
    base = number(Fraction(rng.randint(2, 9), rng.randint(1, 4)))
    third = number(Fraction(1, 3))
    ahead = exponential(total(left, product(third, logarithm(base))))
    return ahead, product(root(base, 3), exponential(right))


def symbolic(rng: random.Random) -> Pair:
    """(l + s)(t - s) and its expansion, where l has two forms."""
    left, right = rng.choice((nested, product_of_roots, angles, algebraic_logarithms, exponentials))(rng)
    s, t = Node("symbol", "s"), Node("symbol", "t")
    whole = product(total(left, s), total(t, product(MINUS, s)))
    minus = product(MINUS, s)
    return whole, total(product(right, t), product(right, minus), product(s, t), product(minus, s))


KINDS: tuple[Callable[[random.Random], Pair], ...] = (
    nested,
    product_of_roots,
    reciprocal,
    angles,
    gauss,
    chebyshev,
    logarithms,
    algebraic_logarithms,
    exponentials,
    symbolic,
)


def pairs(count: int, seed: int) -> Iterator[tuple[str, Node, bool]]:
    """(kind, difference, whether it is zero), one kind after the other, zeros and neighbours in turn."""
    rng = random.Random(seed)
    for k in range(count):
        kind = KINDS[k % len(KINDS)]
        left, right = kind(rng)
        zero = k // len(KINDS) % 2 == 0
        parts = (left, product(MINUS, right)) if zero else (left, product(MINUS, right), number(TINY))
        yield kind.__name__, total(*parts), zero


SYMBOLS = {"s": mpmath.mpf(3) / 7, "t": mpmath.mpf(-5) / 11}


def evaluated(node: Node) -> mpmath.mpc:
    """The number in mpmath's arithmetic."""
    parts = [evaluated(part) for part in node.arguments]
    match node.operation:
        case "number":
            return mpmath.mpf(node.value[0]) / node.value[1]
        case "unity":
            return mpmath.expjpi(2 * mpmath.mpf(node.value.numerator) / node.value.denominator)
        case "root":
            return mpmath.root(parts[0], node.value)
        case "power":
            return parts[0] ** node.value
        case "sum":
            return mpmath.fsum(parts)
        case "product":
            return mpmath.fprod(parts)
        case "exp":
            return mpmath.exp(parts[0])
        case "log":
            return mpmath.log(parts[0])
        case "symbol":
            return SYMBOLS[node.value]
    raise ValueError(node.operation)


def main() -> None:
    parser = argparse.ArgumentParser(description="Decide hidden zeros and their neighbours.")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true", help="print what is not decided rightly")
    options = parser.parse_args()
    found: Counter[tuple[str, str]] = Counter()
    seconds = slowest = 0.0
    for kind, difference, zero in pairs(options.count, options.seed):
        with mpmath.workdps(120):
            size = abs(evaluated(difference))
            assert (size < mpmath.mpf(10) ** -100) is zero, (kind, difference, size)
        start = time.perf_counter()
        answer = is_zero(difference)
        taken = time.perf_counter() - start
        seconds, slowest = seconds + taken, max(slowest, taken)
        verdict = "right" if answer is zero else "undecided" if answer is None else "WRONG"
        found[kind, verdict] += 1
        if options.show and verdict != "right":
            print(f"{verdict}: {kind}: {difference}")
    print(f"{'kind':22} right  undecided  wrong")
    for make in KINDS:
        counts = [found[make.__name__, verdict] for verdict in ("right", "undecided", "WRONG")]
        print(f"{make.__name__:22} {counts[0]:5}  {counts[1]:9}  {counts[2]:5}")
    print(f"{sum(found.values())} decided in {seconds:.2f} s, the slowest in {1000 * slowest:.1f} ms")


if __name__ == "__main__":
    main()
