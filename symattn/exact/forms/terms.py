"""The order of the terms of a sum, and the parts of a value that are written with sines and cosines."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from flint import fmpq

from symattn.exact.forms.polynomial import (
    ONE,
    Factors,
    Generator,
    Monomial,
    Poly,
    monomial,
    multiplied,
    times,
)
from symattn.exact.forms.powers import angle_of, real_terms
from symattn.exact.forms.signs import ball_of
from symattn.exact.forms.value import IMAGINARY, PLAIN, Parts, Radical, Value, product_of


def leads_with_minus(p: Poly) -> bool:
    """Whether a minus belongs in front: every coefficient is negative."""
    return all(q < 0 for q in p.terms.values())


def signed_factors(p: Poly, by: Monomial, parts: Factors) -> Factors:
    """The factors with signs such that they multiply to p; none where that needs a minus before all."""
    plain = [(f.scaled(-1) if leads_with_minus(f) else f, k) for f, k in parts]
    if multiplied(tuple(plain)).scaled(1, by) == p:
        return tuple(plain)
    for n, (f, k) in enumerate(plain):
        if k % 2 and not leads_with_minus(f.scaled(-1)):
            plain[n] = (f.scaled(-1), k)
            return tuple(plain)
    return ()


def ordered(p: Poly) -> list[tuple[Monomial, Any]]:
    """By powers of e, 1 first: upwards, or downwards where none is above 1, or where a minus would lead."""
    monomials, powers = _ranked(tuple(p.terms))
    terms = [(m, p.terms[m]) for m in monomials]
    return terms[::-1] if powers and terms[0][1] < 0 < terms[-1][1] else terms


@lru_cache(maxsize=1 << 8)
def _ranked(monomials: tuple[Monomial, ...]) -> tuple[tuple[Monomial, ...], bool]:
    """The monomials, which sums of a row share, in their order, and whether they are powers of e alone."""
    found = sorted(monomials, key=growth)
    powers = all(g.kind == "exp" for m in monomials for g, _ in m)
    if powers and len(found) > 1 and growth(found[-1])[2] <= 0 and growth(found[0])[2] < 0:
        found.reverse()
    return tuple(found), powers


def by_radical(part: tuple[Radical, Poly]) -> Any:
    """What the terms of a sum are ordered by: the roots of each."""
    return len(part[0]), product_of(part[0]), sorted(g.key for g in part[0] if isinstance(g, Poly))


@lru_cache(maxsize=1 << 14)
def growth(m: Monomial) -> Any:
    """What terms are ordered by: atoms before none, then the exponent (0 before one with symbols)."""
    exponent = angle_of(tuple(pair for pair in m if pair[0].kind == "exp"))
    atoms = [(g.order, -k) for g, k in m if g.kind != "exp"]
    found = ball_of(exponent)
    return not atoms, atoms, 0.0 if found is None else float(found.mid()), exponent.key


def in_waves(v: Value) -> Value:
    """The value with its turns as sines and cosines, which are atoms then; not in normal form."""
    if not any(g.kind == "turn" for p in (*v.parts.values(), v.under) for g in p.generators):
        return v
    shift = _middle(v.under)
    parts = {r: p.scaled(1, shift, -1) for r, p in v.parts.items()}
    below: Parts = {PLAIN: v.under.scaled(1, shift, -1)}
    if any(-1 in r for r, _, _, _ in real_terms(below)):
        parts = {r ^ IMAGINARY: p.scaled(-1 if -1 in r else 1) for r, p in parts.items()}
        below = {IMAGINARY: below[PLAIN]}
    over, under = _atoms(parts), _atoms(below)
    bottom = under.get(PLAIN, ONE)
    if leads_with_minus(bottom):
        return Value({r: p.scaled(-1) for r, p in over.items()}, bottom.scaled(-1))
    return Value(over, bottom)


def _middle(under: Poly) -> Monomial:
    """Over what a sum of turns is its own conjugate, or minus it."""
    middle: dict[Generator, Any] = {}
    for g in under.generators:
        if g.kind == "turn":
            powers = [dict(m).get(g, fmpq(0)) for m in under.terms]
            middle[g] = (min(powers) + max(powers)) / 2
    return monomial(middle)


def _atoms(parts: Parts) -> Parts:
    found: dict[Any, dict[Monomial, Any]] = {}
    for r, m, wave, q in real_terms(parts):
        at = m if wave is None else times(m, ((_wave(*wave), fmpq(1)),))
        terms = found.setdefault(r, {})
        terms[at] = terms.get(at, 0) + q
    return {r: Poly(terms) for r, terms in found.items()}


def _wave(name: str, angle: Value) -> Generator:
    """The atom of a sine or cosine; by its name angles come in their order, cosines before sines."""
    size = ball_of(angle)
    first = "" if size is None else f"{float(size.mid()):020.9f} "
    return Generator("atom", f"{first}{angle.key} {name}", (name, angle))
