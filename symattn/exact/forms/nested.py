"""Square roots of sums with roots, which are atoms: squares are taken out, and products of two are one.

A multiple A sqrt(V) is the same as (A/d) sqrt(d^2 V) for every constant d with roots. Of these the one is
taken in which A is the shortest of its multiples. The content of V is an integer without squares, which is
before it where V is a constant.
"""

from __future__ import annotations

from typing import Any

from flint import fmpq

from symattn.exact.forms.polynomial import ONE, Generator, Monomial, Poly, factors, primes
from symattn.exact.forms.powers import Unsupported
from symattn.exact.forms.root_factors import constant_factor, content_and_rest, factors_with_roots
from symattn.exact.forms.signs import known_sign
from symattn.exact.forms.value import (
    NOTHING,
    PLAIN,
    WHOLE,
    Parts,
    Radical,
    Value,
    name_of,
    reduced,
)
from symattn.exact.surd import Surd


def root_with_squares_out(v: Value) -> Value:
    """The root of a positive sum with roots of integers, over a denominator. Raises Unsupported, TooLong."""
    c, by, parts = factors_with_roots(Value(v.parts))
    q, _, below = factors(v.under)
    c, out, left = c.scaled(q), WHOLE, WHOLE
    for f, k in (*parts, *((Value({PLAIN: p}), -k) for p, k in below)):
        s = known_sign(f)
        c = c.scaled(s**k)
        half = f.scaled(s).power(abs(k) // 2)
        out = out * (half if k > 0 else half.inverse())
        if k % 2 and f.plain:
            single = Value({frozenset({f.scaled(s).parts[PLAIN]}): ONE})
            out = out * (single if k > 0 else single.inverse())
        elif k % 2:
            left = left * f.scaled(s)
    unit = Value({PLAIN: Poly({tuple((g, k / 2) for g, k in by): fmpq(1)})})
    return _multiple(out * unit, c * left)


def settled(v: Value) -> Value:
    """The value with one root of a sum with roots at most in each term, and that as above."""
    if not any(map(_is_root, v.generators)) or any(map(_is_root, v.under.generators)):
        return v
    terms: dict[Monomial, dict[Radical, dict[Monomial, Any]]] = {}
    for r, p in v.parts.items():
        for m, q in p.terms.items():
            nested = tuple(pair for pair in m if _is_root(pair[0]))
            rest = tuple(pair for pair in m if not _is_root(pair[0]))
            terms.setdefault(nested, {}).setdefault(r, {})[rest] = q
    total = NOTHING
    for nested, parts in terms.items():
        by = reduced({r: Poly(p) for r, p in parts.items()}, v.under)
        inside = WHOLE
        for g, k in nested:
            by = by * g.thing[1].power(int(k.p) // 2)
            inside = inside * g.thing[1].power(int(k.p) % 2)
        if len(nested) > 1:
            try:
                found = root_with_squares_out(inside)
            except Unsupported:
                return v
            total = total + (settled(by * found) if inside != WHOLE else by)
        else:
            total = total + _multiple(by, inside)
    return total


def common_root(v: Value) -> Monomial:
    """The root of a sum with roots that is in every term, if one is."""
    found = {tuple(pair for pair in m if _is_root(pair[0])) for p in v.parts.values() for m in p.terms}
    return found.pop() if len(found) == 1 else ()


def under_lone_root(p: Poly) -> Value | None:
    """What is under the root where the sum is one such root."""
    if p.lone is None or p.lone[1] != 1 or len(p.lone[0]) != 1:
        return None
    ((g, k),) = p.lone[0]
    return g.thing[1] if k == 1 and _is_root(g) else None


def _multiple(by: Value, inside: Value) -> Value:
    """by sqrt(inside)."""
    if inside == WHOLE:
        return by
    groups: dict[Radical, Parts] = {}  # by the polynomials under roots
    for r, p in by.parts.items():
        polys = frozenset(g for g in r if isinstance(g, Poly))
        groups.setdefault(polys, {})[r - polys] = p
    like = Value(groups[min(groups, key=name_of)])
    c = constant_factor(like) if -1 not in like.radicands else WHOLE
    q, inside = content_and_rest(inside * c * c)
    ((m, r),) = Surd.root(q).terms
    by = (by * c.inverse()).scaled(r)
    if inside.generators:
        inside = inside.scaled(m)
    else:
        by = by * Value({frozenset(p for p, _ in primes(m)): ONE})
    g = Generator("atom", f"root {inside.key}", ("root", inside))
    return by * Value({PLAIN: Poly({((g, fmpq(1)),): fmpq(1)})})


def _is_root(g: Generator) -> bool:
    return isinstance(g.thing, tuple) and g.thing[0] == "root"
