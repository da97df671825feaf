"""Polynomials in real symbols with surds as coefficients, by square root and monomial.

`{m: {monomial: q}}` is the sum of q sqrt(m) times the monomial, without zeros: rationals alone are added and
multiplied. A monomial is the sorted tuple of its symbols, each as often as its power; () is 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import reduce
from typing import Any

from flint import fmpq

from symattn.exact.radicand import product_of_roots, split_square
from symattn.exact.surd import Surd

Monomial = tuple[str, ...]
Parts = dict[int, dict[Monomial, Any]]


def added(a: Parts, b: Parts, sign: int = 1) -> Parts:
    """a + b, or with sign -1 their difference."""
    found = {m: dict(p) for m, p in a.items()}
    for m, p in b.items():
        into = found.setdefault(m, {})
        for monomial, q in p.items() if sign == 1 else ((x, -q) for x, q in p.items()):
            into[monomial] = into[monomial] + q if monomial in into else q
    return _without_zeros(found)


def multiplied(a: Parts, b: Parts) -> Parts:
    """The product."""
    return add_product({}, a, b)


def add_product(found: Parts, a: Parts, b: Parts) -> Parts:
    """The product added to `found`, which is changed."""
    for m, p in a.items():
        for n, r in b.items():
            plain = m == 1 or n == 1
            factor, root = (1, m * n) if plain else product_of_roots(m, n)
            into = found.setdefault(root, {})
            known = into.setdefault
            for x, c in p.items():
                c = c if plain else c * factor
                for y, d in r.items():
                    monomial, term = tuple(sorted(x + y)), c * d
                    before = known(monomial, term)
                    if before is term:
                        continue
                    if total := before + term:
                        into[monomial] = total
                    else:
                        del into[monomial]
            if not into:
                del found[root]
    return found


def _without_zeros(parts: Parts) -> Parts:
    if all(map(len, parts.values())) and all(all(p.values()) for p in parts.values()):
        return parts
    kept = {m: p if all(p.values()) else {x: q for x, q in p.items() if q} for m, p in parts.items()}
    return {m: p for m, p in kept.items() if p}


def evaluated(parts: Parts, values: Mapping[str, fmpq]) -> Parts:
    """The polynomial with rationals for some of its symbols."""
    found: Parts = {}
    for m, p in parts.items():
        into = found.setdefault(m, {})
        for monomial, q in p.items():
            left = []
            for name in monomial:
                if name in values:
                    q = q * values[name]
                else:
                    left.append(name)
            rest = tuple(left)
            into[rest] = into[rest] + q if rest in into else q
    return _without_zeros(found)


def of_surd(surd: Surd) -> Parts:
    """A surd as a polynomial."""
    return {m: {(): q} for m, q in surd.terms}


def over_roots(parts: Parts) -> Parts:
    """The same where the roots may stand for their classes in another process."""
    each = (multiplied(of_surd(Surd.of_roots([(m, fmpq(1))])), {1: p}) for m, p in parts.items())
    return reduce(added, each, {})


def addends(parts: Parts) -> int:
    """How many terms it has."""
    count = 0
    for p in parts.values():
        count += len(p)
    return count


def to_sympy(parts: Parts) -> Any:
    """The same as a SymPy expression, expanded."""
    import sympy

    known = {name: sympy.Symbol(name, real=True) for p in parts.values() for x in p for name in x}
    terms = []
    for m, p in parts.items():
        root = sympy.sqrt(abs(m)) * (sympy.I if m < 0 else 1)
        for monomial, q in p.items():
            powers = (known[name] ** k for name, k in Counter(monomial).items())
            terms.append(sympy.Mul(sympy.Rational(int(q.p), int(q.q)), root, *powers))
    return sympy.Add(*terms)


def of_sympy(expression: Any) -> Parts | None:
    """An expanded SymPy expression, or None where something else is in it."""
    import sympy

    found: Parts = {}
    for term in sympy.Add.make_args(expression):
        rational, free = fmpq(1), 1
        names: list[str] = []
        for factor in sympy.Mul.make_args(term):
            if factor.is_Rational:
                rational *= fmpq(int(factor.p), int(factor.q))
                continue
            if factor is sympy.I:
                radicand = -1
            elif factor.is_Pow and factor.base.is_Integer and factor.exp in (sympy.S.Half, -sympy.S.Half):
                radicand = int(factor.base)
                if factor.exp == -sympy.S.Half:
                    rational /= radicand
            elif (power := _power(factor)) is not None:
                names += power
                continue
            else:
                return None
            sign = -1 if radicand < 0 and free < 0 else 1
            square, free = split_square(radicand * free if sign == 1 else abs(radicand * free))
            rational *= sign * square
        into, monomial = found.setdefault(free, {}), tuple(sorted(names))
        into[monomial] = into.get(monomial, fmpq(0)) + rational
    return _without_zeros(found)


def _power(factor: Any) -> list[str] | None:
    """The name of a real symbol, as often as its power."""
    import sympy

    symbol, times = (factor.base, factor.exp) if factor.is_Pow else (factor, sympy.S.One)
    if not (times.is_Integer and times > 0 and symbol.is_Symbol):
        return None
    return [symbol.name] * int(times) if symbol == sympy.Symbol(symbol.name, real=True) else None
