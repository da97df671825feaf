"""Sums of logarithms as they are written: c ln f + c ln g as c ln(f g), ln(1 + e) + 2 as ln(e^2 + e^3)."""

from __future__ import annotations

from math import gcd, lcm
from typing import Any

from flint import fmpq

from symattn.exact.forms.polynomial import ONE, Monomial, Poly, TooLong, constant, times
from symattn.exact.forms.powers import power_of_e
from symattn.exact.forms.root_factors import constant_root
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


def joined(groups: list[tuple[Monomial, Value]]) -> list[list[list[tuple[Value, Value]]]]:
    """Of each sum of logarithms with rational ratios the ways to write it: terms c ln(x) as pairs of both."""
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


def _ways(c: Value, members: Members) -> list[list[tuple[Value, Value]]]:
    """In one logarithm; where sums with roots would be multiplied out, or in high powers, in one for each.

    The constants are apart then, or with one sum with roots.
    """
    ways = [[way] for way in _in_one(c, members)]
    of_roots = [(t, q) for t, q in members if isinstance(t, Value) and t.generators]
    plain = [(t, q) for t, q in members if isinstance(t, Poly)]
    if ways and not of_roots:
        return ways
    factor, common = _constant([(t, q) for t, q in members if isinstance(t, int) or not t.generators])
    joint = _in_one(c, plain)[:1] or [(c.scaled(q), Value({PLAIN: t})) for t, q in plain]
    apart = [*joint, *((c.scaled(q), t) for t, q in of_roots)]
    if factor == WHOLE:
        return [*ways, apart]
    for at, (thing, q) in enumerate(of_roots, len(joint)):
        power = q / common
        base = factor if power > 0 else factor.inverse()
        root = constant_root(base, abs(int(power)), thing) if abs(power) > 1 else base
        if root is not None and power.q == 1:
            ways.append([*apart[:at], (c.scaled(q), thing * root), *apart[at + 1 :]])
    for sign, x in ((1, factor), (-1, factor.inverse())):
        ways.append([*apart, (c.scaled(sign * common), x)])
    return ways


def _constant(members: Members) -> tuple[Value, Any]:
    """What a sum of logarithms of constants is a rational times the logarithm of, and that rational."""
    common = fmpq(1, lcm(*(int(q.q) for _, q in members)))
    found = inside([(t, q / common) for t, q in members])
    if found is None:
        raise TooLong
    return found, common


def _in_one(c: Value, members: Members) -> list[tuple[Value, Value]]:
    if not members:
        return []
    common = fmpq(gcd(*(int(q.p) for _, q in members)), lcm(*(int(q.q) for _, q in members)))
    if all(isinstance(t, int) for t, _ in members) and common.q == 1:
        common = fmpq(1)  # ln(4), not 2 ln(2)
    found = []
    halves = [2 * common] if common.q % 2 == 0 and any(not isinstance(t, int) for t, _ in members) else []
    for whole in (common, *halves):
        for sign in (1, -1):
            made = inside([(t, q * sign / whole) for t, q in members])
            if made is not None:
                found.append((c.scaled(sign * whole), made))
    return found or [
        (c.scaled(q), inside([(t, fmpq(1))]) or WHOLE) for t, q in members[:1] if len(members) == 1
    ]


def inside(members: Members, exponent: Value = NOTHING) -> Value | None:
    """What a sum of logarithms and an exponent is the logarithm of; None where that is a high power."""
    if any(abs(q) > LARGEST_POWER for t, q in members if not isinstance(t, int)):
        return None
    if any(q.q > 2 or (q.q == 2 and isinstance(t, Value)) or abs(q) > LARGEST_POWER**2 for t, q in members):
        return None
    made = Value({PLAIN: Poly({power_of_e(exponent): fmpq(1)})})
    for thing, q in members:
        if q.q == 2:
            base = Value({frozenset({thing}): ONE})
        elif isinstance(thing, Value):
            base = thing
        else:
            base = Value({PLAIN: constant(thing) if isinstance(thing, int) else thing})
        base = base if q > 0 else base.inverse()
        made = made * base.power(abs(int(q.p)))
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
        if made is not None and made.under.lone:
            return sign, made
    return None
