"""Numbers sum(q * sqrt(m)): rational q, squarefree integer m. Equality is equality of the terms.

Square roots of distinct squarefree integers are linearly independent over the rationals (Besicovitch
1940), so a sorted tuple of (m, q) is a normal form. A negative m stands for i*sqrt(|m|), which makes
i = sqrt(-1) one of the numbers: sines and cosines become exponential sums with these exponents.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from flint import fmpq, fmpz

from symattn.bilingual import Bilingual
from symattn.errors import DIVISION_BY_ZERO, OutOfBounds, UndefinedValue

if TYPE_CHECKING:
    import sympy

LARGEST_RADICAND = 10**40


@lru_cache(maxsize=4096)
def split_square(n: int) -> tuple[int, int]:
    """(s, m) with n = s^2 m, m squarefree and of the sign of n. Raises OutOfBounds beyond 10^40."""
    if n == 0:
        return 0, 1
    if abs(n) > LARGEST_RADICAND:
        raise OutOfBounds(
            Bilingual(
                f"the square root of an integer of {len(str(abs(n)))} digits",
                f"{len(str(abs(n)))} 位整数的平方根",
            ),
            Bilingual("integers under a root have at most 40", "根号下的整数最多 40 位"),
        )
    square, free = 1, -1 if n < 0 else 1
    for prime, exponent in fmpz(abs(n)).factor():
        square *= int(prime) ** (exponent // 2)
        if exponent % 2:
            free *= int(prime)
    return square, free


@lru_cache(maxsize=4096)
def product_of_roots(a: int, b: int) -> tuple[int, int]:
    """sqrt(a) sqrt(b) = s sqrt(m) for squarefree a, b: (s, m)."""
    common = int(fmpz(a).gcd(fmpz(b)))
    sign = -1 if a < 0 and b < 0 else 1
    magnitude = (abs(a) // common) * (abs(b) // common)
    return sign * common, magnitude if (a < 0) == (b < 0) else -magnitude


@lru_cache(maxsize=1024)
def _primes(m: int) -> tuple[int, ...]:
    """The prime divisors of a squarefree m, with -1 first when it is negative."""
    primes = tuple(int(p) for p, _ in fmpz(abs(m)).factor()) if abs(m) > 1 else ()
    return (-1, *primes) if m < 0 else primes


class Surd:
    """An immutable sum of rational multiples of square roots of squarefree integers."""

    __slots__ = ("_hash", "terms")
    terms: tuple[tuple[int, Any], ...]
    _hash: int

    def __init__(self, terms: tuple[tuple[int, Any], ...]) -> None:
        object.__setattr__(self, "terms", terms)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a Surd is immutable")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a Surd is immutable")

    @staticmethod
    def of(value: int | Fraction | fmpq | fmpz) -> Surd:
        """The rational number `value`."""
        q = _rational(value)
        return Surd(((1, q),)) if q else ZERO

    @staticmethod
    def root(value: int | Fraction | fmpq) -> Surd:
        """The principal square root of a rational; i times the root for a negative one."""
        q = _rational(value)
        if not q:
            return ZERO
        square, free = split_square(int(q.p) * int(q.q))
        return Surd(((free, fmpq(square, int(q.q))),))

    @staticmethod
    def _from(collected: dict[int, Any]) -> Surd:
        kept = tuple(sorted((m, q) for m, q in collected.items() if q))
        return Surd(kept) if kept else ZERO

    def __bool__(self) -> bool:
        return bool(self.terms)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Surd) and self.terms == other.terms

    def __hash__(self) -> int:
        try:
            return self._hash
        except AttributeError:  # of most numbers it is never asked
            key = hash(tuple((m, int(q.p), int(q.q)) for m, q in self.terms))
            object.__setattr__(self, "_hash", key)
            return self._hash

    @property
    def rational(self) -> Any | None:
        """The value as an fmpq, or None where a root remains."""
        if not self.terms:
            return fmpq(0)
        if len(self.terms) == 1 and self.terms[0][0] == 1:
            return self.terms[0][1]
        return None

    @property
    def real(self) -> Surd:
        """The real part."""
        return Surd._from({m: q for m, q in self.terms if m > 0})

    @property
    def imaginary(self) -> Surd:
        """The imaginary part, itself real."""
        return Surd._from({-m: q for m, q in self.terms if m < 0})

    def __neg__(self) -> Surd:
        return Surd(tuple((m, -q) for m, q in self.terms))

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, Surd):
            return NotImplemented
        if not self.terms:
            return other
        if not other.terms:
            return self
        if len(self.terms) == 1 == len(other.terms) and self.terms[0][0] == other.terms[0][0]:
            q = self.terms[0][1] + other.terms[0][1]
            return Surd(((self.terms[0][0], q),)) if q else ZERO
        collected = dict(self.terms)
        for m, q in other.terms:
            collected[m] = collected[m] + q if m in collected else q
        return Surd._from(collected)

    def __sub__(self, other: Any) -> Any:
        if not isinstance(other, Surd):
            return NotImplemented
        return self + (-other)

    def __mul__(self, other: Any) -> Any:
        if not isinstance(other, Surd):
            return NotImplemented
        if len(self.terms) == 1 == len(other.terms):
            (a, p), (b, q) = self.terms[0], other.terms[0]
            if a == 1 or b == 1:
                return Surd(((a * b, p * q),))
        collected: dict[int, Any] = {}
        for a, p in self.terms:
            for b, q in other.terms:
                s, m = product_of_roots(a, b)
                collected[m] = collected.get(m, 0) + s * p * q
        return Surd._from(collected)

    def inverse(self) -> Surd:
        """1/x, by conjugating one prime root after the other. Raises UndefinedValue at zero."""
        if not self.terms:
            raise UndefinedValue(DIVISION_BY_ZERO)
        if len(self.terms) == 1:
            m, q = self.terms[0]
            return Surd(((m, 1 / (q * m)),))
        prime = _primes(max(self.terms, key=lambda term: len(_primes(term[0])))[0])[0]
        conjugate = Surd(tuple((m, -q if prime in _primes(m) else q) for m, q in self.terms))
        return conjugate * (self * conjugate).inverse()  # type: ignore[no-any-return]

    def to_sympy(self) -> sympy.Expr:
        """The same number as a SymPy expression."""
        import sympy

        parts = [
            sympy.Rational(int(q.p), int(q.q)) * (sympy.sqrt(abs(m)) * (sympy.I if m < 0 else 1))
            for m, q in self.terms
        ]
        return sympy.Add(*parts)

    def __repr__(self) -> str:
        return "Surd(" + " + ".join(f"{q}*sqrt({m})" for m, q in self.terms) + ")"


def _rational(value: int | Fraction | fmpq | fmpz) -> fmpq:
    if isinstance(value, fmpq):  # before a Fraction, for which Python asks at length
        return value
    return fmpq(value.numerator, value.denominator) if isinstance(value, Fraction) else fmpq(value)


ZERO = Surd(())
ONE = Surd(((1, fmpq(1)),))
I = Surd(((-1, fmpq(1)),))  # noqa: E741
