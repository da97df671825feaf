"""Balls around quotients of exponential sums, and the sign that they show.

Every operation is Arb's (python-flint), whose balls bound the error of each step. A number with free
symbols has no ball.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from flint import acb, arb, ctx

from symattn.exact.evaluation import HasSymbols
from symattn.exact.surd import Surd
from symattn.exact.symbolic import Coefficient
from symattn.exact.terms import UNIT, Terms

FIRST_BITS = 128


def quotient_ball(over: Terms, under: Terms, bits: int) -> arb:
    """A real ball that contains over/under, computed with `bits` of working precision. Raises HasSymbols."""
    with ctx.workprec(bits):
        c = over.constant if under is UNIT or under == UNIT else None
        if isinstance(c, Surd):
            return _real_surd(c)
        return _real(_sum(over, bits) / _denominator(under, bits))


def refined_sign(ball_at: Callable[[int], arb], most_bits: int) -> int | None:
    """1 or -1 where a ball of at most that many bits shows the sign of what it contains, else None."""
    bits = FIRST_BITS
    try:
        while bits <= most_bits:
            with ctx.workprec(bits):
                found = ball_at(bits)
            if found > 0:
                return 1
            if found < 0:
                return -1
            bits *= 2
    except (HasSymbols, ValueError):
        pass
    return None


def _real(z: acb | arb) -> arb:
    return z.real if isinstance(z, acb) else z


def _real_surd(x: Surd) -> arb:
    total = arb(0)
    for m, q in x.terms:
        total += arb(q) if m == 1 else arb(q) * arb(m).sqrt()
    return total


def _coefficient(c: Coefficient) -> acb | arb:
    if not isinstance(c, Surd):
        return c.ball()
    if not any(m < 0 for m, _ in c.terms):
        return _real_surd(c)
    return acb(_real_surd(c.real), _real_surd(c.imaginary))


@lru_cache(maxsize=1 << 13)
def _denominator(terms: Terms, bits: int) -> acb | arb:
    """The sum, which all entries of a row divide by."""
    return _sum(terms, bits)


def _sum(terms: Terms, bits: int) -> acb | arb:
    """The sum at a working precision of `bits`."""
    total: acb | arb = arb(0)
    for exponent, c in terms.by_exponent.items():
        total = total + _coefficient(c) * (_power_of_e(exponent, bits) if exponent else 1)
    return total


@lru_cache(maxsize=1 << 14)
def _power_of_e(exponent: Coefficient, bits: int) -> acb | arb:
    """e^exponent at a working precision of `bits`, once for all entries in which it stands."""
    return _coefficient(exponent).exp()
