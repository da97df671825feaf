"""Rigorous enclosures: balls that certainly contain a number, at any precision.

Every operation is Arb's (python-flint), whose balls bound the error of each step. A number with free
symbols has no enclosure.
"""

from __future__ import annotations

from functools import lru_cache

from flint import acb, arb, ctx

from symattn.exact.evaluation import HasSymbols, ball
from symattn.exact.number import Exact, Infinite, Terms
from symattn.exact.surd import Surd
from symattn.exact.symbolic import Coefficient
from symattn.exact.trees import of_coefficient

__all__ = ["HasSymbols", "enclose"]


@lru_cache(maxsize=1 << 13)
def enclose(x: Exact, bits: int) -> arb:
    """A real ball that contains x, computed with `bits` of working precision. Raises HasSymbols."""
    if isinstance(x, Infinite):
        return arb.neg_inf()
    with ctx.workprec(bits):
        c = x.algebraic
        if isinstance(c, Surd):
            return _real_surd(c)
        return _real(_terms(x.over, bits) / _denominator(x.under, bits))


def _real(z: acb | arb) -> arb:
    return z.real if isinstance(z, acb) else z


def _real_surd(x: Surd) -> arb:
    total = arb(0)
    for m, q in x.terms:
        total += arb(q) if m == 1 else arb(q) * arb(m).sqrt()
    return total


def _coefficient(c: Coefficient) -> acb | arb:
    if not isinstance(c, Surd):
        return ball(of_coefficient(c))
    if not any(m < 0 for m, _ in c.terms):
        return _real_surd(c)
    return acb(_real_surd(c.real), _real_surd(c.imaginary))


@lru_cache(maxsize=1 << 13)
def _denominator(terms: Terms, bits: int) -> acb | arb:
    """The sum, which all entries of a row divide by."""
    return _terms(terms, bits)


def _terms(terms: Terms, bits: int) -> acb | arb:
    """The sum at a working precision of `bits`."""
    total: acb | arb = arb(0)
    for exponent, c in terms.by_exponent.items():
        total = total + _coefficient(c) * (_power_of_e(exponent, bits) if exponent else 1)
    return total


@lru_cache(maxsize=1 << 14)
def _power_of_e(exponent: Coefficient, bits: int) -> acb | arb:
    """e^exponent at a working precision of `bits`, once for all entries in which it stands."""
    return _coefficient(exponent).exp()
