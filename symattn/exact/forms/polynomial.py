"""Polynomials in independent generators, with greatest common divisors and factors from python-flint.

A generator is a power of e, e^(i a) for a real a (a turn), a logarithm, or an atom. Powers of e and turns
have any rational exponents; two polynomials that are looked at together get the coarsest grid that holds
theirs, so that e^(14 sqrt 2) and e^(98 sqrt 2) are x and x^7.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from math import gcd as common
from math import lcm
from typing import Any, Literal

from flint import Ordering, fmpq, fmpz, fmpz_mpoly_ctx

from symattn.exact.work import FORM_POLYNOMIAL, FORM_PRODUCT

LARGEST_DEGREE = 50_000
LARGEST_FACTORED = 64
MOST_VARIABLES = 30

Kind = Literal["exp", "turn", "log", "atom"]


class TooLong(ArithmeticError):
    """More work than a form is worth; it is written as it is."""


class Generator:
    """e^thing, e^(i thing), ln(thing) or an atom; equal where kind, name and thing are.

    Two computations may call two numbers by one name, such as `layer2.norm_1`: what is known of one, its sign
    or its size, is not known of the other.
    """

    __slots__ = ("kind", "name", "order", "thing", "unit")

    def __init__(self, kind: Kind, name: str, thing: Any) -> None:
        self.kind, self.name, self.thing = kind, name, thing
        self.order = (kind, name)
        self.unit = kind in ("exp", "turn")

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, Generator) and self.order == other.order and bool(self.thing == other.thing)
        )

    def __hash__(self) -> int:
        return hash(self.name)


Monomial = tuple[tuple[Generator, fmpq], ...]


class _Hashed(tuple[tuple[Generator, fmpq], ...]):
    """A monomial that remembers its hash, which takes long for rationals."""

    _hash: int

    def __hash__(self) -> int:
        try:
            return self._hash
        except AttributeError:
            self._hash = super().__hash__()
            return self._hash


def times(a: Monomial, b: Monomial, sign: int = 1) -> Monomial:
    """The product of two monomials, or with sign -1 their quotient."""
    if not b:
        return a
    if not a and sign == 1:
        return b
    powers = dict(a)
    for g, k in b:
        before = powers.get(g)
        powers[g] = sign * k if before is None else before + sign * k
    return monomial(powers)


def monomial(powers: dict[Generator, Any]) -> Monomial:
    """The powers in the one order of generators."""
    kept = [pair for pair in powers.items() if pair[1]]
    return _Hashed(sorted(kept, key=_order) if len(kept) > 1 else kept)


def _order(pair: tuple[Generator, Any]) -> tuple[str, str]:
    return pair[0].order


class Poly:
    """A finite sum of rationals times monomials, immutable."""

    def __init__(self, terms: dict[Monomial, Any]) -> None:
        self.terms = terms

    @cached_property
    def key(self) -> str:
        """The same for equal sums, in every run."""
        parts = (f"{q}" + "".join(f"*{g.name}^{k}" for g, k in m) for m, q in self.terms.items())
        return "+".join(sorted(parts))

    @cached_property
    def _hash(self) -> int:
        return hash(frozenset(self.terms))

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Poly) and self.terms == other.terms)

    def __hash__(self) -> int:
        return self._hash

    def __bool__(self) -> bool:
        return bool(self.terms)

    def __add__(self, other: Poly) -> Poly:
        found = dict(self.terms)
        for m, q in other.terms.items():
            found[m] = found[m] + q if m in found else q
        return Poly({m: q for m, q in found.items() if q})

    def __mul__(self, other: Poly) -> Poly:
        if self == ONE:
            return other
        if other == ONE:
            return self
        if len(self.terms) * len(other.terms) > FORM_PRODUCT:
            raise TooLong
        one, many = (self, other) if self.lone else (other, self)
        if one.lone and len(many.terms) <= FORM_POLYNOMIAL:
            m, q = one.lone
            return many.scaled(q, m)
        found: dict[Monomial, Any] = {}
        for a, p in self.terms.items():
            for b, q in other.terms.items():
                m = times(a, b)
                found[m] = found[m] + p * q if m in found else p * q
        if len(found) > FORM_POLYNOMIAL:
            raise TooLong
        return Poly({m: q for m, q in found.items() if q})

    def scaled(self, q: Any, by: Monomial = (), sign: int = 1) -> Poly:
        """The sum times a rational and a monomial (or over it)."""
        if not by:
            return self if q == 1 else Poly({m: c * q for m, c in self.terms.items()})
        return Poly({times(m, by, sign): c * q for m, c in self.terms.items()})

    @cached_property
    def content(self) -> Any:
        """The positive rational q for which the sum over q has coprime integers."""
        over = common(*(int(q.p) for q in self.terms.values()))
        return fmpq(over, lcm(*(int(q.q) for q in self.terms.values())))

    @cached_property
    def unit(self) -> Monomial:
        """The largest power of each e^.. that divides every term."""
        if len(self.terms) > 1 and () in self.terms and all(k > 0 for m in self.terms for _, k in m):
            return ()
        powers = [dict(m) for m in self.terms]
        return monomial({g: min(m.get(g, NO) for m in powers) for g in self.generators if g.unit})

    @cached_property
    def generators(self) -> list[Generator]:
        return sorted({g for m in self.terms for g, _ in m}, key=lambda g: g.order)

    @cached_property
    def units(self) -> bool:
        """Whether nothing but powers of e is in it."""
        return all(g.unit for g in self.generators)

    @cached_property
    def long(self) -> bool:
        """Whether its degree is beyond the bound, and so that beside any other polynomial."""
        try:
            Grid((self,))
        except TooLong:
            return True
        return False

    @property
    def lone(self) -> tuple[Monomial, Any] | None:
        """The one term of a sum that has one."""
        return next(iter(self.terms.items())) if len(self.terms) == 1 else None

    def primitive(self) -> Poly:
        return self._primitive

    @cached_property
    def _primitive(self) -> Poly:
        """The associate without content and power of e, the first of whose coefficients is positive."""
        found = self.scaled(1 / self.content, self.unit, -1)
        first = min(found.terms, key=lambda m: [(g.order, k) for g, k in m])
        return found if found.terms[first] > 0 else found.scaled(-1)


NO = fmpq(0)
ONE = Poly({(): fmpq(1)})
ZERO = Poly({})


def constant(q: Any) -> Poly:
    return Poly({(): fmpq(q)}) if q else ZERO


def gcd(f: Poly, g: Poly) -> Poly:
    """The greatest common divisor, primitive."""
    if not f or not g:
        return (f or g).primitive()
    if (f.lone and f.units) or (g.lone and g.units):
        return ONE
    if f.long:
        raise TooLong
    grid = Grid((f, g))
    found = grid.put(f).gcd(grid.put(g))
    return ONE if found.total_degree() == 0 else grid.take(found.to_dict()).primitive()


def quotient(f: Poly, g: Poly) -> Poly:
    """f/g where g divides f."""
    if g == ONE or not f:
        return f
    if g.lone and g.units:
        return f.scaled(1 / g.lone[1], g.lone[0], -1)
    grid = Grid((f, g))
    over, rest = divmod(grid.put(f), grid.put(g))
    if rest != 0:
        raise TooLong
    return grid.take(over.to_dict()).scaled(f.content / g.content, times(f.unit, g.unit, -1))


Factors = tuple[tuple[Poly, int], ...]


@lru_cache(maxsize=4096)
def factors(f: Poly) -> tuple[Any, Monomial, Factors]:
    """Rational, power of e, irreducible primitive factors with their powers. Raises TooLong."""
    if f.lone and f.units:
        return f.lone[1], f.lone[0], ()
    grid = Grid((f,))
    if grid.degree > LARGEST_FACTORED or len(f.terms) > LARGEST_FACTORED:
        raise TooLong
    try:
        _, found = grid.put(f).factor()
    except OverflowError as error:  # python-flint 0.9 orders factors by coefficients, as integers of C
        raise TooLong from error
    parts = tuple(
        sorted(((grid.take(p.to_dict()).primitive(), int(k)) for p, k in found), key=lambda pair: pair[0].key)
    )
    q, by = associate(f, multiplied(parts))
    return q, by, parts


def multiplied(parts: Factors) -> Poly:
    """The product of powers."""
    made = ONE
    for p, k in parts:
        for _ in range(k):
            made = made * p
    return made


def associate(f: Poly, plain: Poly) -> tuple[Any, Monomial]:
    """q and m with f = q m plain, where plain has no power of e in all its terms."""
    if f is plain:
        return fmpq(1), ()
    m = next(iter(plain.terms))
    return f.terms[times(m, f.unit)] / plain.terms[m], f.unit


class Grid:
    """Integer exponents and coefficients for the polynomials that are looked at together."""

    def __init__(self, polys: Sequence[Poly]) -> None:
        self.gens = sorted({g for p in polys for g in p.generators}, key=lambda g: g.order)
        if len(self.gens) > MOST_VARIABLES:
            raise TooLong
        at = {g: j for j, g in enumerate(self.gens)}
        over = [1] * len(self.gens)
        for p in polys:
            for g, k in (pair for m in p.terms for pair in m):
                over[at[g]] = lcm(over[at[g]], int(k.q))
        steps = [0] * len(self.gens)
        rows: dict[int, list[list[int]]] = {}  # by identity: equal sums have their terms in any order
        for p in polys:
            rows[id(p)] = [[0] * len(self.gens) for _ in p.terms]
            low = dict(p.unit)
            for row, m in zip(rows[id(p)], p.terms, strict=True):
                powers = dict(m)
                for j, g in enumerate(self.gens):
                    k = powers.get(g, NO) - low.get(g, NO)
                    row[j] = int(k.p) * (over[j] // int(k.q))
                    steps[j] = common(steps[j], row[j])
        steps = [step or 1 for step in steps]
        self.sizes = [fmpq(step, d) for step, d in zip(steps, over, strict=True)]
        self.places = {
            p: [tuple(k // step for k, step in zip(row, steps, strict=True)) for row in found]
            for p, found in rows.items()
        }
        self.degree = max((max(row, default=0) for found in self.places.values() for row in found), default=0)
        if self.degree > LARGEST_DEGREE:
            raise TooLong
        self.ring = _ring(max(len(self.gens), 1))

    def put(self, f: Poly) -> Any:
        """The primitive part of f (its sign kept) as a polynomial of python-flint."""
        terms = zip(self.places[id(f)], f.terms.values(), strict=True)
        return self.ring.from_dict({at or (0,): (q / f.content).p for at, q in terms})

    def take(self, terms: dict[tuple[int, ...], Any]) -> Poly:
        """The terms of a polynomial of python-flint as a sum."""
        found: dict[Monomial, Any] = {}
        for at, c in terms.items():
            powers = zip(self.gens, at, self.sizes, strict=False)
            found[tuple((g, int(k) * size) for g, k, size in powers if k)] = fmpq(c)
        return Poly(found)


@lru_cache(maxsize=MOST_VARIABLES)
def _ring(n: int) -> Any:
    return fmpz_mpoly_ctx.get([f"x{i}" for i in range(n)], Ordering.lex)


@lru_cache(maxsize=4096)
def primes(m: int) -> tuple[tuple[int, int], ...]:
    """The primes of a positive integer with their powers. Raises TooLong for a long one."""
    if m.bit_length() > LARGEST_FACTORED:
        raise TooLong
    return tuple((int(p), int(k)) for p, k in fmpz(m).factor()) if m > 1 else ()
