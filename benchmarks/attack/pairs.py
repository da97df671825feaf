"""Numbers that are equal by construction, in two typed forms, and rows of numbers of a known order.

Nested radicals multiplied out below a root, identities of sines and cosines of rational multiples of pi,
Gauss sums, logarithms of products, exponentials of these, and polynomials in symbols with such coefficients.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction

Pair = tuple[str, str]
Radicals = dict[tuple[tuple[int, Fraction], ...], Fraction]
"""A sum of rationals times products of prime powers: {((2, 1/3), (5, 1/2)): 3}."""


def typed(x: Radicals) -> str:
    """The sum as an expression."""
    return "+".join(
        "*".join((f"({q})", *(f"{prime}^({exponent})" for prime, exponent in key))) for key, q in x.items()
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


def radicals(rng: random.Random, terms: int = 2) -> Radicals:
    """A positive sum of small radicals."""
    found: Radicals = {}
    while len(found) < terms:
        prime, degree = rng.choice((2, 3, 5, 7, 11)), rng.choice((2, 2, 3, 3, 4, 5))
        key = ((prime, Fraction(1, degree)),) if rng.random() < 0.8 else ()
        found[key] = Fraction(rng.randint(1, 9), rng.choice((1, 1, 1, 2, 3)))
    return found


def nested(rng: random.Random) -> Pair:
    """The k-th root of the k-th power, multiplied out."""
    x, k = radicals(rng), rng.choice((2, 2, 3))
    whole = x
    for _ in range(k - 1):
        whole = times(whole, x)
    return f"({typed(whole)})^(1/{k})", typed(x)


def product_of_roots(rng: random.Random) -> Pair:
    """sqrt(x) sqrt(y) and sqrt(x y)."""
    x, y = radicals(rng), radicals(rng, 1)
    return f"sqrt({typed(x)})*sqrt({typed(y)})", f"sqrt({typed(times(x, y))})"


def reciprocal(rng: random.Random) -> Pair:
    """1/(a + b) and (a - b)/(a^2 - b^2) for square roots a and b."""
    p, q = rng.sample((2, 3, 5, 7, 11, 13), 2)
    return f"1/(sqrt({p})+sqrt({q}))", f"(sqrt({p})-sqrt({q}))/({p - q})"


def angles(rng: random.Random) -> Pair:
    """2 cos a cos b and cos(a + b) + cos(a - b)."""
    n = rng.choice((7, 11, 13, 15, 17, 24, 41, 64, 97))
    a, b = rng.randint(1, n), rng.randint(1, n)
    of = "cos(2*pi*({})/{})".format
    return f"2*{of(a, n)}*{of(b, n)}", f"{of(a + b, n)}+{of(a - b, n)}"


def gauss(rng: random.Random) -> Pair:
    """The Gauss sum of a prime p and sqrt(p), by cosines for p = 1 modulo 4 and by sines for p = 3."""
    p = rng.choice((5, 7, 11, 13, 17, 19))
    squares, wave = {k * k % p for k in range(1, p)}, "cos" if p % 4 == 1 else "sin"
    terms = (f"{'+' if k in squares else '-'}{wave}(2*pi*{k}/{p})" for k in range(1, p))
    return "0" + "".join(terms), f"sqrt({p})"


def chebyshev(rng: random.Random) -> Pair:
    """cos 3a and 4 cos^3 a - 3 cos a."""
    n = rng.choice((7, 9, 11, 13, 31, 40))
    k = rng.randint(1, n - 1)
    return f"cos(2*pi*{3 * k}/{n})", f"4*cos(2*pi*{k}/{n})^3-3*cos(2*pi*{k}/{n})"


def logarithms(rng: random.Random) -> Pair:
    """The logarithm of a product of powers and the sum of the logarithms."""
    bases = [Fraction(rng.randint(2, 30), rng.randint(1, 9)) for _ in range(rng.randint(2, 3))]
    whole, parts = Fraction(1), []
    for base in bases:
        k = rng.choice((-3, -2, -1, 1, 2, 3))
        whole *= base**k
        parts.append(f"({k})*log({base})")
    return f"log({whole})", "+".join(parts)


def algebraic_logarithms(rng: random.Random) -> Pair:
    """log of a square of radicals, multiplied out, and twice the logarithm, each times a root."""
    x, root = radicals(rng), f"sqrt({rng.choice((2, 3, 5))})"
    return f"{root}*log({typed(times(x, x))})", f"2*{root}*log({typed(x)})"


def exponentials(rng: random.Random) -> Pair:
    """e^(a + log(b)/3) and b^(1/3) e^a' for two forms a and a' of one number."""
    left, right = rng.choice((nested, product_of_roots, angles, logarithms))(rng)
    base = Fraction(rng.randint(2, 9), rng.randint(1, 4))
    return f"exp({left}+log({base})/3)", f"({base})^(1/3)*exp({right})"


def symbolic(rng: random.Random) -> Pair:
    """(l + s)(t - s) and its expansion, where l has two forms."""
    left, right = rng.choice((nested, product_of_roots, angles, algebraic_logarithms, exponentials))(rng)
    return f"({left}+s)*(t-s)", f"({right})*t-({right})*s+s*t-s^2"


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
