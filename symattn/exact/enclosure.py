"""Rigorous enclosures: balls that certainly contain a number, at any precision.

Every operation is Arb's (python-flint), whose balls bound the error of each step. A number with free
symbols has no enclosure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from flint import acb, arb, ctx, fmpq

from symattn.exact.number import Exact, Infinite, Terms
from symattn.exact.surd import Surd
from symattn.exact.symbolic import Coefficient


class HasSymbols(ValueError):
    """A number with free symbols was asked for its numerical value."""


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
        return _expression(c.expression)
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


_FUNCTIONS: Mapping[str, Callable[[acb | arb], acb | arb]] = {
    "exp": lambda z: z.exp(),
    "log": lambda z: z.log(),
    "sin": lambda z: z.sin(),
    "cos": lambda z: z.cos(),
    "tan": lambda z: z.tan(),
    "tanh": lambda z: z.tanh(),
    "sinh": lambda z: z.sinh(),
    "cosh": lambda z: z.cosh(),
    "erf": lambda z: z.erf(),
    "Abs": lambda z: abs(z),
}


def _expression(expression: Any) -> acb | arb:
    """Interval evaluation of a SymPy tree. Raises HasSymbols, or ValueError for an unknown function."""
    if expression.is_Rational:
        return arb(fmpq(int(expression.p), int(expression.q)))
    if expression.is_Symbol:
        raise HasSymbols(str(expression))
    name = type(expression).__name__
    if name == "Named":
        return expression.ball()  # type: ignore[no-any-return]
    if name == "Pi":
        return arb.pi()
    if name == "Exp1":
        return arb.const_e()
    if name == "ImaginaryUnit":
        return acb(0, 1)
    parts = [_expression(argument) for argument in expression.args]
    if expression.is_Add:
        total = parts[0]
        for part in parts[1:]:
            total = total + part
        return total
    if expression.is_Mul:
        total = parts[0]
        for part in parts[1:]:
            total = total * part
        return total
    if expression.is_Pow:
        return _power(expression, parts[0], parts[1])
    if name in _FUNCTIONS:
        return _FUNCTIONS[name](parts[0])
    if name == "Max":
        largest = _real(parts[0])
        for part in parts[1:]:
            largest = largest.max(_real(part))
        return largest
    raise ValueError(f"no enclosure for {name}")


def _power(expression: Any, base: acb | arb, exponent: acb | arb) -> acb | arb:
    rational = expression.exp
    if rational.is_Integer:
        return base ** int(rational)
    if rational.is_Rational and rational.q == 2 and isinstance(base, arb) and base >= 0:
        root = base.sqrt()
        return root ** int(rational.p)
    return base**exponent
