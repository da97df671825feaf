"""The derivative of an exact number by a free symbol: (c e^l)' = (c' + c l') e^l, and the quotient rule."""

from __future__ import annotations

from symattn.exact.number import Exact, Infinite, Terms
from symattn.exact.substitution import free_symbols
from symattn.exact.surd import ZERO, Surd
from symattn.exact.symbolic import Coefficient, coefficient, named_symbol


def derivative(x: Exact, name: str) -> Exact:
    """dx/dname. A quotient of exponential sums again, so that its equality with another stays decided."""
    if isinstance(x, Infinite) or name not in free_symbols(x):
        return Exact.of(0)
    over = _of_terms(x.over, name) * x.under + -(x.over * _of_terms(x.under, name))
    return Exact.quotient(over, x.under * x.under)


def _of_terms(terms: Terms, name: str) -> Terms:
    total = Terms({})
    for exponent, c in terms.by_exponent.items():
        rate = _of_coefficient(c, name) + c * _of_coefficient(exponent, name)
        if rate:
            total = total + Terms({exponent: rate})
    return total


def _of_coefficient(c: Coefficient, name: str) -> Coefficient:
    return ZERO if isinstance(c, Surd) else coefficient(c.to_sympy().diff(named_symbol(name).expression))
