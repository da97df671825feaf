"""Numbers sum(q * sqrt(m)): rational q, integers m without a square. Equality is equality of the terms.

Each m stands for its class up to squares (`symattn.exact.radicand`); the square roots of integers of
distinct classes are linearly independent over the rationals (Besicovitch 1940), so a sorted tuple of (m, q)
is a normal form. A negative m stands for i*sqrt(|m|), which makes i = sqrt(-1) one of the numbers: sines and
cosines become exponential sums with these exponents.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar

from flint import fmpq, fmpz

from symattn.exact.radicand import class_of, product_of_roots, span_of_roots, split_square
from symattn.text.errors import DIVISION_BY_ZERO, UndefinedValue

if TYPE_CHECKING:
    import sympy


class Surd:
    """An immutable sum of rational multiples of square roots of integers that stand for their classes."""

    __slots__ = ("_hash", "terms")
    terms: tuple[tuple[int, Any], ...]
    carried: ClassVar[bool] = False
    """Whether it is a definition that is not written out: a surd is written out."""
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
        return _root(int(q.p), int(q.q))

    @staticmethod
    def of_roots(terms: Iterable[tuple[int, Any]]) -> Surd:
        """The sum of the terms (m, q), where the m may stand for their classes in another process."""
        collected: dict[int, Any] = {}
        for m, q in terms:
            s, r = class_of(m)
            collected[r] = collected.get(r, 0) + q * s
        return Surd._from(collected)

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
            key = hash(tuple([(m, int(q.p), int(q.q)) for m, q in self.terms]))
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
        """1/x, by conjugating one independent root after the other. Raises UndefinedValue at zero."""
        if not self.terms:
            raise UndefinedValue(DIVISION_BY_ZERO)
        if len(self.terms) == 1:
            m, q = self.terms[0]
            return Surd(((m, 1 / (q * m)),))
        roots = span_of_roots([m for m, _ in self.terms], len(self.terms))
        last = len(roots) // 2
        conjugate = Surd(tuple((m, -q if roots[m] & last else q) for m, q in self.terms))
        return conjugate * (self * conjugate).inverse()  # type: ignore[no-any-return]

    def has_more_roots(self, than: int) -> bool:
        """Whether more independent square roots of positive integers are in it."""
        return len(span_of_roots([abs(m) for m, _ in self.terms], than + 1)) > 1 << than

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
    if isinstance(value, fmpq):
        return value
    # before a Fraction, for which Python asks at length
    return fmpq(value) if isinstance(value, int | fmpz) else fmpq(value.numerator, value.denominator)


@lru_cache(maxsize=4096)
def _root(over: int, under: int) -> Surd:
    if not over:
        return ZERO
    (a, m), (b, n) = split_square(over), split_square(under)
    s, m = product_of_roots(m, n)
    return Surd(((m, a * b * s / under),))


ZERO = Surd(())
ONE = Surd(((1, fmpq(1)),))
I = Surd(((-1, fmpq(1)),))  # noqa: E741
