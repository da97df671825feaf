"""Common factors with square roots of integers in them, such as the e - sqrt(2) of (e^2 - 2)/(e - sqrt(2)).

Modulo a prime at which the integers are squares, a sum with roots is one polynomial for each choice of their
signs; python-flint cancels these, and the coefficients a + b sqrt(2) + ... follow from all of them. What is
found is taken only where multiplying out shows that the quotient is the same.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations, product
from math import prod
from typing import Any

from flint import Ordering, fmpq, fmpz, fmpz_mod_mpoly_ctx

from symattn.exact.forms.polynomial import ONE, Generator, Grid, Poly, TooLong, constant
from symattn.exact.forms.value import MOST_ROOTS, PLAIN, WHOLE, Radical, Value, name_of, product_of

BITS = 128
MOST_SCALES = 8
Terms = dict[tuple[int, ...], Any]


def without_root_factors(v: Value) -> list[tuple[Value, Value]]:
    """Numerators and denominators with nothing in common over the roots; none where they have nothing now."""
    integers = [g for g in v.radicands if isinstance(g, int)]
    if not integers or len(integers) > MOST_ROOTS or not v.under.generators:
        return []
    try:
        over = Poly({_with_root(r, m): q for r, p in v.parts.items() for m, q in p.terms.items()})
        found = _cancelled(over, v.under, integers)
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


def _cancelled(over: Poly, under: Poly, integers: list[int]) -> tuple[Poly, Poly] | None:
    """Both over their greatest common divisor; the denominator has the leading coefficient 1."""
    grid = Grid((over, under))
    at = {g.thing[1]: k for k, g in enumerate(grid.gens) if _is_radical(g)}
    places = [at[n] for n in integers]
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
        images.append([{m: int(c) * scale for m, c in f.to_dict().items()} for f in (top, bottom)])
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
    return sides[0], sides[1]


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
