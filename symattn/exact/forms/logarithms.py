"""Sums of logarithms as they are written: c ln f + c ln g as c ln(f g), ln(1 + e) + 2 as ln(e^2 + e^3)."""

from __future__ import annotations

from math import gcd, lcm
from typing import Any

from flint import fmpq

from symattn.exact.forms.polynomial import Monomial, Poly, TooLong, constant, times
from symattn.exact.forms.powers import power_of_e
from symattn.exact.forms.value import NOTHING, PLAIN, WHOLE, Parts, Value, reduced

LARGEST_POWER = 8
Members = list[tuple[Any, Any]]
"""Primes or polynomials, and how often the logarithm of each is taken."""


def by_logarithm(v: Value) -> list[tuple[Monomial, Value]]:
    """The value as a sum of products of logarithms with coefficients free of them; first what has none."""
    groups: dict[Monomial, dict[Any, dict[Monomial, Any]]] = {}
    for r, p in v.parts.items():
        for m, q in p.terms.items():
            logs = tuple(pair for pair in m if pair[0].kind == "log")
            groups.setdefault(logs, {}).setdefault(r, {})[times(m, logs, -1)] = q
    made: list[tuple[Monomial, Value]] = []
    for logs, terms in groups.items():
        parts: Parts = {r: Poly(t) for r, t in terms.items()}
        made.append((logs, reduced(parts, v.under)))
    return sorted(made, key=lambda pair: (bool(pair[0]), [(g.name, k) for g, k in pair[0]]))


def joined(groups: list[tuple[Monomial, Value]]) -> list[list[tuple[Value, Value]]]:
    """Of each sum of logarithms with rational ratios the ways c ln(x) to write it, as pairs of c and x."""
    sums: list[tuple[Value, Members]] = []
    for logs, c in groups:
        thing, plain = logs[0][0].thing, c.surd
        if plain is not None and plain.rational is not None and not sums:
            sums.append((WHOLE, []))
        for first, members in sums:
            ratio = _ratio(c, first)
            if ratio is not None:
                members.append((thing, ratio))
                break
        else:
            sums.append((c, [(thing, fmpq(1))]))
    return [_ways(c, members) for c, members in sums]


def _ratio(c: Value, first: Value) -> Any | None:
    """c/first where that is found to be rational."""
    try:
        found = (c * first.inverse()).surd
    except TooLong:
        return None
    return None if found is None else found.rational


def _ways(c: Value, members: Members) -> list[tuple[Value, Value]]:
    common = fmpq(gcd(*(int(q.p) for _, q in members)), lcm(*(int(q.q) for _, q in members)))
    if all(isinstance(t, int) for t, _ in members) and common.q == 1:
        common = fmpq(1)  # ln(4), not 2 ln(2)
    found = []
    for sign in (1, -1):
        made = inside([(t, q * sign / common) for t, q in members])
        if made is not None:
            found.append((c.scaled(sign * common), made))
    return found or [
        (c.scaled(q), inside([(t, fmpq(1))]) or WHOLE) for t, q in members[:1] if len(members) == 1
    ]


def inside(members: Members, exponent: Value = NOTHING) -> Value | None:
    """What a sum of logarithms and an exponent is the logarithm of; None where that is a high power."""
    if any(q.q != 1 or abs(q) > LARGEST_POWER for t, q in members if not isinstance(t, int)):
        return None
    if any(q.q != 1 or abs(q) > LARGEST_POWER**2 for _, q in members):
        return None
    made = Value({PLAIN: Poly({power_of_e(exponent): fmpq(1)})})
    for thing, q in members:
        base = Value({PLAIN: constant(thing) if isinstance(thing, int) else thing})
        base = base if q > 0 else base.inverse()
        for _ in range(abs(int(q.p))):
            made = made * base
    return made


def whole_logarithm(groups: list[tuple[Monomial, Value]]) -> tuple[int, Value] | None:
    """±1 and x where the sum is ±ln(x), x a sum of exponentials: ln(e^2 + e^3) for ln(1 + e) + 2."""
    rest = NOTHING
    members: Members = []
    for logs, c in groups:
        surd = c.surd
        if surd is None:
            return None
        if not logs:
            rest = c
        elif len(logs) > 1 or logs[0][1] != 1 or surd.rational is None:
            return None
        else:
            members.append((logs[0][0].thing, surd.rational))
    if not members or all(isinstance(t, int) for t, _ in members):
        return None
    for sign in (1, -1):
        made = inside([(t, sign * q) for t, q in members], rest.scaled(sign) if rest else rest)
        if made is not None and made.plain is not None and made.plain[1].lone:
            return sign, made
    return None
