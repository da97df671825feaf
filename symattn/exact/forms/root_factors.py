"""Factors with square roots of integers in them, such as the e - sqrt(2) of (e^2 - 2)/(e - sqrt(2)).

Modulo a prime at which the integers are squares, a sum with roots is one polynomial for each choice of their
signs; python-flint cancels these, and the coefficients a + b sqrt(2) + ... follow from all of them. What is
found is taken only where multiplying out shows that the quotient is the same.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations, pairwise, product
from math import gcd, lcm, prod
from typing import Any

from flint import Ordering, fmpq, fmpz, fmpz_mod_mpoly_ctx

from symattn.exact.forms.polynomial import (
    ONE,
    Generator,
    Grid,
    Monomial,
    Poly,
    TooLong,
    constant,
    factors,
    times,
)
from symattn.exact.forms.signs import known_sign
from symattn.exact.forms.value import MOST_ROOTS, PLAIN, WHOLE, Radical, Value, name_of, product_of

BITS = 128
MOST_SCALES = 8
X: Monomial = ((Generator("atom", "x", "x"), fmpq(1)),)
Terms = dict[tuple[int, ...], Any]


def without_root_factors(v: Value) -> list[tuple[Value, Value]]:
    """Numerators and denominators with nothing in common over the roots; none where they have nothing now."""
    integers = [g for g in v.radicands if isinstance(g, int)]
    if not integers or len(integers) > MOST_ROOTS or not v.under.generators:
        return []
    try:
        over = _with_roots(v)
        found = _cancelled(over, v.under)
        if found is None:
            return []
        top, bottom = _by_root(found[0].scaled(over.content, over.unit)), _by_root(found[1])
        if Value(v.parts) * bottom != top * Value({PLAIN: v.under}):
            return []
        pairs = [(top * c, bottom * c) for c in _scales(top, bottom, integers)]
    except TooLong:
        return []
    return sorted(pairs, key=lambda pair: (_size(pair[0]) + _size(pair[1]), pair[0].key))


def _size(v: Value) -> Any:
    """How large the squares of the coefficients are, the smallest rational content taken out."""
    content = min(p.content for p in v.parts.values())
    return sum(abs(product_of(r)) * (q / content) ** 2 for r, p in v.parts.items() for q in p.terms.values())


def _scales(top: Value, bottom: Value, integers: list[int]) -> list[Value]:
    """Sums of roots that make one of the coefficients a rational, or one root; the same for equal values."""
    found = {WHOLE}
    for side in (top, bottom):
        for m in {m for p in side.parts.values() for m in p.terms}:
            c = Value({r: constant(p.terms[m]) for r, p in side.parts.items() if m in p.terms})
            found.add(c.inverse())
    plain = sorted(found, key=lambda c: (len(c.parts), c.key))[:MOST_SCALES]
    roots = [Value({frozenset(r): ONE}) for k in range(len(integers) + 1) for r in combinations(integers, k)]
    return list({c * r for c in plain for r in roots})


def factors_with_roots(v: Value) -> tuple[Value, Monomial, tuple[tuple[Value, int], ...]]:
    """Constant, power of e, coprime factors and their powers, the same for equal sums but for their order.

    The greatest common divisor with each factor of the norm, which has no roots, is divided out as often as
    it can be. Raises TooLong, also where there are other roots than those of positive integers.
    """
    integers = [g for g in v.radicands if isinstance(g, int) and g > 0]
    if v.under != ONE or len(integers) != len(v.radicands) or len(integers) > MOST_ROOTS:
        raise TooLong
    over = _with_roots(v)
    norm = v
    for n in integers:
        norm = norm * Value({r: p.scaled(-1) if n in r else p for r, p in norm.parts.items()})
    rest, found = over, []
    for part, _ in factors(norm.parts[PLAIN])[2]:
        common, layers = part, []
        while cancelled := _cancelled(rest, common):
            rest, _, common = cancelled
            layers.append(common)
        for k, (layer, above) in enumerate(pairwise([*layers, ONE]), 1):
            single = _cancelled(layer, above)
            made = _by_root(single[0] if single else layer)
            if made.generators:
                found.append((made, k))
    found = [(_associate(f), k) for f, k in found]
    whole = WHOLE
    for f, k in found:
        whole = whole * f.power(k)
    m = _first(whole)
    c = _coefficient(v, times(m, over.unit)) * _coefficient(whole, m).inverse()
    if c * whole * Value({PLAIN: Poly({over.unit: fmpq(1)})}) != v:
        raise TooLong
    return c, over.unit, tuple(sorted(found, key=lambda pair: pair[0].key))


def _associate(f: Value) -> Value:
    """The shortest multiple by a constant, the same for all multiples of a sum with leading coefficient 1."""
    choices = [f * c for c in _scales(f, WHOLE, f.radicands)]
    return content_and_rest(min(choices, key=lambda made: (_size(made), made.key)))[1]


def constant_factor(v: Value) -> Value:
    """The constant with roots, without content, that leaves the shortest multiple of a sum."""
    m = _first(v)
    lead = _coefficient(v, m)
    made = _associate(v * lead.inverse())
    c = content_and_rest(lead * _coefficient(made, m).inverse())[1]
    return c if known_sign(c) > 0 else c.scaled(-1)


def _first(v: Value) -> Monomial:
    """One of the monomials, the same for all multiples."""
    return min({m for p in v.parts.values() for m in p.terms}, key=lambda m: [(g.order, k) for g, k in m])


def content_and_rest(v: Value) -> tuple[Any, Value]:
    """The positive rational that leaves coprime integers, and these."""
    contents = [p.content for p in v.parts.values()]
    q = fmpq(gcd(*(int(q.p) for q in contents)), lcm(*(int(q.q) for q in contents)))
    return q, v.scaled(1 / q)


def _coefficient(v: Value, m: Monomial) -> Value:
    return Value({r: constant(p.terms[m]) for r, p in v.parts.items() if m in p.terms})


def constant_root(c: Value, k: int, beside: Value = WHOLE) -> Value | None:
    """The kth root of a positive constant where it has the roots of this and of another sum alone.

    It is in the factors of (x + 1)^k - c, which has no two conjugates among its zeros.
    """
    more = sorted({n for n in beside.radicands if isinstance(n, int)} - set(c.radicands)) if k == 2 else []
    for roots in (frozenset(r) for n in range(len(more) + 1) for r in combinations(more, n)):
        m = product_of(roots)
        x = Value({PLAIN: Poly({(): fmpq(1), X: fmpq(1)})})
        try:
            parts = factors_with_roots(x.power(k) + c.scaled(-m))[2]
        except TooLong:
            continue
        for f, _ in parts:
            if {at for p in f.parts.values() for at in p.terms} == {(), X}:
                zero = WHOLE + (_coefficient(f, ()) * _coefficient(f, X).inverse()).scaled(-1)
                found = zero * Value({roots: constant(fmpq(1, m))})
                if known_sign(found) > 0:
                    return found
    return None


def _with_roots(v: Value) -> Poly:
    """The numerator with the roots as atoms."""
    return Poly({_with_root(r, m): q for r, p in v.parts.items() for m, q in p.terms.items()})


def _with_root(r: Radical, m: Any) -> Any:
    """The monomial with the roots as atoms."""
    roots = ((Generator("atom", f"root {name_of(frozenset({g}))}", ("radical", g)), fmpq(1)) for g in r)
    return tuple(sorted((*m, *roots), key=lambda pair: pair[0].order))


def _by_root(p: Poly) -> Value:
    found: dict[Radical, dict[Any, Any]] = {}
    for m, q in p.terms.items():
        roots = frozenset(g.thing[1] for g, _ in m if _is_radical(g))
        found.setdefault(roots, {})[tuple(pair for pair in m if not _is_radical(pair[0]))] = q
    return Value({r: Poly(terms) for r, terms in found.items()})


def _is_radical(g: Generator) -> bool:
    return isinstance(g.thing, tuple) and g.thing[0] == "radical"


def _cancelled(over: Poly, under: Poly) -> tuple[Poly, Poly, Poly] | None:
    """Both over their greatest common divisor, and that, with leading coefficient 1 as the denominator."""
    grid = Grid((over, under))
    at = {g.thing[1]: k for k, g in enumerate(grid.gens) if _is_radical(g) and isinstance(g.thing[1], int)}
    integers, places = list(at), list(at.values())
    p, roots = _prime_with_roots(tuple(integers))
    ring = fmpz_mod_mpoly_ctx.get([f"x{k}" for k in range(len(grid.gens))], ordering=Ordering.lex, modulus=p)
    images: list[list[Terms]] = []
    choices = list(product((1, -1), repeat=len(integers)))
    for signs in choices:
        top, bottom = (ring.from_dict(_image(grid.put(f), places, signs, roots, p)) for f in (over, under))
        common = top.gcd(bottom)
        if common.is_constant():
            return None
        top, bottom = divmod(top, common)[0], divmod(bottom, common)[0]
        scale = pow(int(bottom.leading_coefficient()), -1, p)
        monic = common * pow(int(common.leading_coefficient()), -1, p)
        scaled = (top * scale, bottom * scale, monic)
        images.append([{m: int(c) for m, c in f.to_dict().items()} for f in scaled])
    sides = []
    for side in zip(*images, strict=True):
        terms: Terms = {}
        for m in {m: None for image in side for m in image}:
            for which in product((0, 1), repeat=len(integers)):
                c = sum(
                    image.get(m, 0) * prod(s for s, w in zip(signs, which, strict=True) if w)
                    for image, signs in zip(side, choices, strict=True)
                )
                c *= pow(len(choices) * prod(r for r, w in zip(roots, which, strict=True) if w), -1, p)
                if c % p:
                    powers = list(m)
                    for place, w in zip(places, which, strict=True):
                        powers[place] = w
                    terms[tuple(powers)] = _rational(c % p, p)
        sides.append(grid.take(terms))
    return sides[0], sides[1], sides[2]


def _image(f: Any, places: list[int], signs: tuple[int, ...], roots: list[int], p: int) -> Terms:
    """The polynomial with numbers modulo p in place of the roots."""
    found: Terms = {}
    for m, c in f.to_dict().items():
        powers = list(m)
        for place, s, r in zip(places, signs, roots, strict=True):
            c, powers[place] = c * (s * r) ** powers[place], 0
        found[tuple(powers)] = (found.get(tuple(powers), 0) + c) % p
    return found


@lru_cache(maxsize=64)
def _prime_with_roots(integers: tuple[int, ...]) -> tuple[int, list[int]]:
    """A prime that is 1 modulo 8 and modulo the integers, so that these are squares; their roots."""
    step = 8 * abs(prod(integers))
    p = (1 << BITS) // step * step + 1
    while not fmpz(p).is_prime():
        p += step
    return p, [int(fmpz(n % p).sqrtmod(p)) for n in integers]


def _rational(c: int, p: int) -> Any:
    """The quotient of integers below the root of p that is c modulo p. Raises TooLong."""
    a, b, t, u = p, c, 0, 1
    while b * b * 2 > p:
        a, b, t, u = b, a % b, u, t - a // b * u
    if u * u * 2 > p:
        raise TooLong
    return fmpq(b, u)
