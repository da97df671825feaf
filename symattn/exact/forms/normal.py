"""The normal form of an exact number; roots, powers of e, sines and logarithms are seen into."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from flint import fmpq

from symattn.exact.forms.nested import root_with_squares_out, settled, under_lone_root
from symattn.exact.forms.polynomial import (
    ONE,
    Generator,
    Monomial,
    Poly,
    TooLong,
    associate,
    constant,
    factors,
    primes,
    times,
)
from symattn.exact.forms.powers import Unsupported, angle_of, power_of_e, wave_value
from symattn.exact.forms.root_factors import (
    constant_root,
    content_and_rest,
    factors_with_roots,
    without_root_factors,
)
from symattn.exact.forms.signs import known_sign
from symattn.exact.forms.value import (
    IMAGINARY,
    MOST_ROOTS,
    NOTHING,
    PLAIN,
    WHOLE,
    Radical,
    Value,
    name_of,
    rational,
    reduced,
    under_root,
)
from symattn.exact.logarithm import Logarithm
from symattn.exact.number import Exact, Infinite
from symattn.exact.surd import Surd
from symattn.exact.symbolic import Coefficient
from symattn.exact.terms import UNIT, Terms
from symattn.exact.work import FORM_SUM
from symattn.text.errors import SymattnError

LARGEST_POWER = 64
HALF = fmpq(1, 2)
POWERS = (2, 3)


@lru_cache(maxsize=1 << 12)
def normal_form(x: Exact) -> Value | None:
    """The normal form, equal for equal values; None beyond the bound on work."""
    if isinstance(x, Infinite) or len(x.over.by_exponent) + len(x.under.by_exponent) > FORM_SUM:
        return None
    try:
        over = _sum(x.over)
        if x.under == UNIT:
            return settled(over)
        one_over = _one_over(x.under)
        return None if _beyond(over, one_over) else settled(over * one_over)
    except (TooLong, SymattnError):
        return None


def _sum(terms: Terms) -> Value:
    simple, others = _parted(terms)
    found = NOTHING
    for exponent, c in others:
        found = found + _coefficient(c) * Value({PLAIN: Poly({_exponential(exponent): fmpq(1)})})
    return found + simple if found else simple


def _beyond(over: Value, one_over: Value) -> bool:
    """Whether nothing could be cancelled in the product because of the degree of the denominator."""
    single = len(over.parts) == 1 == len(one_over.parts)
    return single and one_over.under.long and not next(iter(over.parts.values())).lone


@lru_cache(maxsize=1 << 8)
def _one_over(under: Terms) -> Value:
    """One over a sum, which the entries of a row share."""
    return _sum(under).inverse()


@lru_cache(maxsize=1 << 8)
def _parted(terms: Terms) -> tuple[Value, tuple[tuple[Coefficient, Coefficient], ...]]:
    """The sum of the terms with coefficients without denominators, and the other terms."""
    parts: dict[Radical, dict[Monomial, Any]] = {}
    others = []
    for exponent, c in terms.by_exponent.items():
        pieces: list[tuple[Radical, Monomial, Any]]
        if isinstance(c, Surd):
            pieces = [(_primes(m), (), q) for m, q in c.terms]
        else:
            part = _coefficient(c)
            if part.under != ONE:
                others.append((exponent, c))
                continue
            pieces = [(r, m, q) for r, p in part.parts.items() for m, q in p.terms.items()]
        factor = _exponential(exponent)
        for r, m, q in pieces:
            total = parts.setdefault(r, {})
            m = times(m, factor) if m else factor
            total[m] = total[m] + q if m in total else q
    simple = reduced({r: Poly({m: q for m, q in total.items() if q}) for r, total in parts.items()})
    return simple, tuple(others)


def term_by_term(terms: Terms) -> Value:
    """A sum, nothing of it cancelled: a coefficient with a denominator is an atom."""
    found, others = _parted(terms)
    for exponent, c in others:
        power = Value({PLAIN: Poly({_exponential(exponent): fmpq(1)})})
        found = found + atom(str(c), c.to_sympy()) * power
    return found


@lru_cache(maxsize=1 << 12)
def _exponential(exponent: Coefficient) -> Monomial:
    """e^exponent; where logarithms are in it, or pi times i, as an atom."""
    if not exponent:
        return ()
    try:
        return power_of_e(_coefficient(exponent))
    except Unsupported:
        return ((Generator("atom", f"e^({exponent})", ("power", exponent)), fmpq(1)),)


@lru_cache(maxsize=1 << 12)
def _coefficient(c: Coefficient) -> Value:
    if isinstance(c, Surd):
        return Value({_primes(m): constant(q) for m, q in c.terms})
    try:
        if isinstance(c, Logarithm) and (inside := normal_form(c.inside)) is not None:
            return _coefficient(c.factor) * logarithm(inside) + _coefficient(c.rest)
        return of_sympy(c.to_sympy())
    except (TooLong, Unsupported):
        return atom(str(c.to_sympy()), c.to_sympy())


def _primes(m: int) -> Radical:
    if m == 1:
        return PLAIN
    found = frozenset(p for p, _ in primes(abs(m)))
    return found | IMAGINARY if m < 0 else found


def of_sympy(e: Any) -> Value:
    """A SymPy tree as a value. Raises TooLong, Unsupported."""
    if e.is_Rational:
        return rational(fmpq(int(e.p), int(e.q)))
    name = type(e).__name__
    if e.is_Add or e.is_Mul:
        if len(e.args) > FORM_SUM:
            raise TooLong
        result = of_sympy(e.args[0])
        for part in e.args[1:]:
            result = result + of_sympy(part) if e.is_Add else result * of_sympy(part)
        return result
    if name == "ImaginaryUnit":
        return Value({IMAGINARY: ONE})
    if name in ("exp", "Exp1"):
        return Value({PLAIN: Poly({power_of_e(of_sympy(e.args[0]) if e.args else WHOLE): fmpq(1)})})
    if name == "HugePower":
        raise Unsupported
    if e.is_Pow and e.exp.is_Rational and e.exp.q in (1, 2) and abs(e.exp.p) <= LARGEST_POWER:
        base = of_sympy(e.base) if e.exp.q == 1 else root(of_sympy(e.base))
        base = base if e.exp.p > 0 else base.inverse()
        result = base
        for _ in range(abs(int(e.exp.p)) - 1):
            result = result * base
        return result
    if name == "log":
        return logarithm(of_sympy(e.args[0]))
    if name in ("sin", "cos"):
        try:
            return wave_value(name, of_sympy(e.args[0]))
        except Unsupported:
            pass
    return atom(str(e), e)


def atom(name: str, thing: Any) -> Value:
    """A symbol, a named entry, a function; a root or logarithm that stays whole."""
    return Value({PLAIN: Poly({((Generator("atom", name, thing), fmpq(1)),): fmpq(1)})})


@lru_cache(maxsize=1 << 8)
def root(v: Value) -> Value:
    """The square root: squares come out where their sign is known, what is left is a product of roots."""
    try:
        return _square_root(v)
    except Unsupported:
        pass
    try:
        return root_with_squares_out(v)
    except (Unsupported, TooLong):
        return atom(f"root {v.key}", ("root", v))


def _square_root(v: Value) -> Value:
    """The square root without roots under roots. Raises Unsupported; TooLong where v has no roots."""
    if not v:
        raise Unsupported
    if v.plain is not None:
        s = known_sign(v.under)
        return _root(v.plain[0].scaled(s)) * _root(v.under.scaled(s)).inverse()
    try:
        return _denested(Value(v.parts)) * _square_root(Value({PLAIN: v.under})).inverse()
    except TooLong:
        raise Unsupported from None


def _denested(v: Value) -> Value:
    """sqrt(a + b sqrt(m)) is u + b/(2u) sqrt(m) for u^2 = (a + n)/2 where a^2 - b^2 m is a square n^2.

    So it is for the square of a sum with roots. What n and u are roots of has one root less in it.
    Borodin, Fagin, Hopcroft and Tompa 1985. Raises Unsupported, TooLong.
    """
    *others, last = v.radicands
    if -1 in v.radicands or len(others) >= MOST_ROOTS:
        raise Unsupported
    by = Value({frozenset({last}): ONE})
    a = Value({r: p for r, p in v.parts.items() if last not in r})
    b = Value({r - {last}: p for r, p in v.parts.items() if last in r})
    n = _square_root(a * a + (b * by * b * by).scaled(-1))
    if not set(n.radicands) <= set(others):
        raise Unsupported
    u = _square_root((a + n).scaled(HALF))
    found = u + (b * by * u.inverse()).scaled(HALF)
    return found.scaled(known_sign(found))


def _root(f: Poly) -> Value:
    q, by, parts = factors(f)
    whole = len(parts) == 1 and parts[0][1] == 1  # then it is as positive as f
    result, left = ONE, set()
    for p, k in parts:
        s = (-1 if q < 0 else 1) if whole else known_sign(p)
        q, base = q * s**k, p.scaled(s)
        for _ in range(k // 2):
            result = result * base
        if k % 2:
            left.add(base)
    if q < 0:
        raise Unsupported
    ((m, c),) = Surd.root(q).terms
    half = tuple((g, k / 2) for g, k in by)
    return reduced({_primes(m) | left: result.scaled(c, half)})


def logarithm(v: Value) -> Value:
    """The logarithm of a product is the sum of those of its factors, where these are known to be positive."""
    try:
        if not v:
            raise Unsupported
        if len(v.parts) > 1:
            top, bottom = next(iter(without_root_factors(v)), (Value(v.parts), Value({PLAIN: v.under})))
            s = known_sign(bottom)
            return _of_sum(top.scaled(s)) + _of_sum(bottom.scaled(s)).scaled(-1)
        ((r, p),) = v.parts.items()
        s = known_sign(v.under)
        found = _logarithm(p.scaled(known_sign(p) if r else s)) + _logarithm(v.under.scaled(s)).scaled(-1)
        if r and known_sign(p) != s:
            raise Unsupported
        return found + _logarithm(under_root(r)).scaled(HALF) if r else found
    except (Unsupported, TooLong):
        return atom(f"log {v.key}", ("log", v))


def _of_sum(v: Value) -> Value:
    """The logarithm of a sum with roots, by its factors over these; its constant is made a power."""
    if len(v.parts) == 1:
        return logarithm(v)
    try:
        c, by, parts = factors_with_roots(v)
    except TooLong:
        half = _square_root_or_none(v)
        if half is not None:
            return logarithm(half).scaled(2)
        q, rest = content_and_rest(v)
        c, by, parts = rational(q), (), ((rest, 1),)
    total = angle_of(by)
    for f, k in parts:
        s = known_sign(f)
        c = c.scaled(s**k)
        total = total + (_logarithm(f.plain[0].scaled(s)) if f.plain else _log_atom(f.scaled(s))).scaled(k)
    if known_sign(c) < 0:
        raise Unsupported
    if len(c.parts) == 1:
        return logarithm(c) + total
    content, c = content_and_rest(c)
    total = total + _logarithm(constant(content))
    for k in POWERS:
        power = constant_root(c, k, v)
        if power is not None:
            return total + logarithm(power).scaled(k)
    return total + _log_atom(c)


def _square_root_or_none(v: Value) -> Value | None:
    try:
        half = _square_root(v)
    except (Unsupported, TooLong):
        return None
    return half if set(half.radicands) <= set(v.radicands) else None


def _log_atom(thing: Any, k: Any = 1) -> Value:
    g = Generator("log", name_of(frozenset({thing})), thing)
    return Value({PLAIN: Poly({((g, fmpq(1)),): fmpq(k)})})


def _logarithm(f: Poly) -> Value:
    try:
        q, by, parts = factors(f)
    except TooLong:  # of a high degree: the logarithm of the whole sum
        parts = ((f.primitive(), 1),)
        q, by = associate(f, parts[0][0])
    logs: dict[Any, int] = {}  # of irreducible factors and of primes
    for p, k in parts:
        s = known_sign(p)
        q = q * s**k
        logs[p.scaled(s)] = k
    if q < 0:
        raise Unsupported
    for n, sign in ((q.p, 1), (q.q, -1)):
        for prime, k in primes(int(n)):
            logs[prime] = logs.get(prime, 0) + sign * k
    total = NOTHING
    for thing, k in logs.items():
        inside = None if isinstance(thing, int) else under_lone_root(thing)
        if inside is not None:
            total = total + logarithm(inside).scaled(fmpq(k, 2))
            continue
        total = total + _log_atom(thing, k)
    return total + angle_of(by)
