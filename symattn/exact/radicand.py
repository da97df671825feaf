"""Square roots of integers, each in one way only: sqrt(n) = s sqrt(m), where m stands for n times any square.

Square roots of integers are linearly independent over the rationals when no product of two of them is
rational (Besicovitch 1940), so all that a normal form needs is one m for each class of integers up to
squares. Where n is short, or has only small primes and one short factor, m is squarefree. Otherwise a square
may be left in it that nobody has found. That two such integers are of one class is seen without their
primes: their product is a perfect square.
"""

from __future__ import annotations

from functools import lru_cache

from flint import fmpq, fmpz

LARGEST_FACTORED = 10**40
"""Up to here an integer is split into its primes, in at most some hundredths of a second."""
SMALL = 1 << 15
_SMALL_PRIMES = fmpz.primorial_ui(fmpz(SMALL))
_TESTED = tuple(p for p, _ in fmpz.primorial_ui(fmpz(131)).factor())[1:]
_CLASSES: dict[tuple[int, ...], list[int]] = {}
"""Every m above `SMALL` so far, by its Jacobi symbols, which all integers of one class share."""


@lru_cache(maxsize=4096)
def split_square(n: int) -> tuple[fmpq, int]:
    """(s, m) with sqrt(n) = s sqrt(m); m stands for the class of n, and has its sign."""
    if n == 0:
        return fmpq(0), 1
    square, free = _without_squares(fmpz(abs(n)))
    factor, m = class_of(-free if n < 0 else free)
    return square * factor, m


@lru_cache(maxsize=4096)
def product_of_roots(a: int, b: int) -> tuple[fmpq, int]:
    """sqrt(a) sqrt(b) = s sqrt(m) for integers that stand for their classes: (s, m)."""
    common = int(fmpz(a).gcd(fmpz(b)))
    factor, m = class_of((a // common) * (b // common))
    return (-common if a < 0 and b < 0 else common) * factor, m


def span_of_roots(roots: list[int], most: int) -> dict[int, int]:
    """The products of the roots: for each m the set of independent roots, as bits, of which it is one.

    `roots` stand for their classes. The search ends where there are more than `most` independent ones.
    """
    span = {1: 0}
    for m in roots:
        if m not in span and len(span) >> most == 0:
            bit = len(span)
            span |= {product_of_roots(m, r)[1]: bits | bit for r, bits in span.items()}
    return span


def _without_squares(n: fmpz) -> tuple[int, int]:
    """(s, m) with n = s^2 m: m is squarefree, but for primes that are neither small nor found."""
    square, free = 1, 1
    primes, rest = n.gcd(_SMALL_PRIMES).factor() if n > LARGEST_FACTORED else [], n
    for prime, _ in primes:
        times = 0
        while rest % prime == 0:
            rest, times = rest // prime, times + 1
        square, free = square * int(prime) ** (times // 2), free * int(prime) ** (times % 2)
    if rest <= LARGEST_FACTORED:
        for prime, times in rest.factor():
            square, free = square * int(prime) ** (times // 2), free * int(prime) ** (times % 2)
        return square, free
    if rest.is_square():
        return square * int(rest.isqrt()), free
    return square, free * int(rest)


def class_of(m: int) -> tuple[fmpq, int]:
    """(s, r) with sqrt(m) = s sqrt(r), where r stands for the class of m.

    No square of a small prime divides m.
    """
    n = fmpz(abs(m))
    if n < SMALL:
        return fmpq(1), m
    sign = -1 if m < 0 else 1
    small = n.gcd(_SMALL_PRIMES)
    rest = n // small
    if rest.is_square():
        return fmpq(rest.isqrt()), sign * int(small)
    known = _CLASSES.setdefault(tuple(n.jacobi(p) for p in _TESTED), [])
    for r in known:
        product = n * r
        if product.is_square():
            return fmpq(product.isqrt(), r), sign * r
    known.append(int(n))
    return fmpq(1), m
