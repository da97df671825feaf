"""The normal form of a value: sums of roots with polynomial coefficients, over one polynomial without roots.

Irreducible polynomials are under roots as primes are in a surd: the square roots of products of distinct
ones are linearly independent over the quotients of polynomials, and so are exponentials of independent
exponents (Lindemann-Weierstrass). With the denominator free of roots, everything in common cancelled and the
denominator primitive, equal values have equal normal forms.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

from flint import fmpq

from symattn.exact.forms.polynomial import (
    ONE,
    ZERO,
    Poly,
    TooLong,
    associate,
    constant,
    gcd,
    quotient,
)
from symattn.exact.surd import Surd

MOST_ROOTS = 4
Radical = frozenset[Any]
"""Primes (-1 for i) and irreducible polynomials; the root is of their product."""
PLAIN: Radical = frozenset()
IMAGINARY: Radical = frozenset({-1})
Parts = dict[Radical, Poly]


class Value:
    """sum(sqrt(radical) * poly) / under, immutable and in normal form."""

    def __init__(self, parts: Parts, under: Poly = ONE) -> None:
        self.parts = parts
        self.under = under

    @cached_property
    def key(self) -> str:
        """The same for equal values, in every run."""
        over = "+".join(sorted(f"{name_of(r)}({p.key})" for r, p in self.parts.items()))
        return over if self.under == ONE else f"{over}/({self.under.key})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Value) and self.parts == other.parts and self.under == other.under

    def __hash__(self) -> int:
        return hash((frozenset(self.parts.items()), self.under))

    def __bool__(self) -> bool:
        return bool(self.parts)

    def __add__(self, other: Value) -> Value:
        if self.under == other.under:
            return reduced(_added(self.parts, other.parts), self.under)
        left = {r: p * other.under for r, p in self.parts.items()}
        right = {r: p * self.under for r, p in other.parts.items()}
        return reduced(_added(left, right), self.under * other.under)

    def __mul__(self, other: Value) -> Value:
        return reduced(_multiplied(self.parts, other.parts), self.under * other.under)

    def scaled(self, q: Any) -> Value:
        """The value times a rational that is not 0."""
        return Value({r: p.scaled(q) for r, p in self.parts.items()}, self.under)

    def power(self, k: int) -> Value:
        """Its kth power, k not negative."""
        found = WHOLE
        for _ in range(k):
            found = found * self
        return found

    def inverse(self) -> Value:
        """One over it: roots are taken out of the denominator, one after the other. Raises TooLong."""
        top: Parts = {PLAIN: self.under}
        bottom = self.parts
        while roots := Value(bottom).radicands:
            if len(roots) > MOST_ROOTS:
                raise TooLong
            if len(bottom) == 1:
                ((r, p),) = bottom.items()
                top, bottom = _multiplied(top, {r: ONE}), {PLAIN: p * under_root(r)}
                break
            conjugate = {r: p.scaled(-1) if roots[0] in r else p for r, p in bottom.items()}
            top, bottom = _multiplied(top, conjugate), _multiplied(bottom, conjugate)
        return reduced(top, bottom[PLAIN])

    @property
    def plain(self) -> tuple[Poly, Poly] | None:
        """Numerator and denominator where there is no root."""
        return (self.parts.get(PLAIN, ZERO), self.under) if set(self.parts) <= {PLAIN} else None

    @property
    def surd(self) -> Surd | None:
        """The sum of square roots of integers, where it is one."""
        if self.under != ONE:
            return None
        found: list[tuple[int, Any]] = []
        for r, p in self.parts.items():
            if p.generators or not all(isinstance(g, int) for g in r):
                return None
            found.append((product_of(r), p.terms[()]))
        return Surd.of_roots(found)

    @property
    def radicands(self) -> list[Any]:
        """The primes and polynomials under its roots, in one order for equal values."""
        return sorted({g for r in self.parts for g in r}, key=_name)

    @property
    def generators(self) -> set[Any]:
        """The generators of all its polynomials, but for those under roots."""
        return {g for p in (*self.parts.values(), self.under) for g in p.generators}


NOTHING = Value({})
WHOLE = Value({PLAIN: ONE})


def _name(g: Any) -> str:
    return str(g) if isinstance(g, int) else f"[{g.key}]"


def name_of(r: Radical) -> str:
    """The same for equal radicals, in every run."""
    return ".".join(sorted(map(_name, r)))


def rational(q: Any) -> Value:
    """A rational as a value."""
    return Value({PLAIN: constant(fmpq(q))}) if q else NOTHING


def product_of(r: Any) -> int:
    """The product of the integers among the factors of a radical."""
    result = 1
    for g in r:
        result *= g if isinstance(g, int) else 1
    return result


def under_root(r: Radical) -> Poly:
    """What is under a root, multiplied out."""
    result = constant(product_of(r))
    for g in r:
        if isinstance(g, Poly):
            result = result * g
    return result


def _added(a: Parts, b: Parts) -> Parts:
    found = dict(a)
    for r, p in b.items():
        found[r] = found[r] + p if r in found else p
    return found


def _multiplied(a: Parts, b: Parts) -> Parts:
    found: Parts = {}
    for r, p in a.items():
        for s, q in b.items():
            part = p * q
            if r & s:
                part = part * under_root(r & s)
            found[r ^ s] = found[r ^ s] + part if r ^ s in found else part
    return {r: p for r, p in found.items() if p}


def reduced(parts: Parts, under: Poly = ONE) -> Value:
    """The quotient with all in common cancelled; the denominator primitive, without a common power of e."""
    parts = {r: p for r, p in parts.items() if p}
    if not parts:
        return NOTHING
    if under == ONE:
        return Value(parts)
    common = under
    for p in parts.values():
        if not common.generators:
            break
        common = gcd(common, p)
    if common.generators:
        under = quotient(under, common)
        parts = {r: quotient(p, common) for r, p in parts.items()}
    plain = under.primitive()
    ratio, by = associate(under, plain)
    return Value({r: p.scaled(1 / ratio, by, -1) for r, p in parts.items()}, plain)
