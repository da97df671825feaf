"""Exact numbers in neutral notation: the shortest writing of their normal form, as a person would print them.

Equal values print alike, nothing that cancels is left, and terms come in the order of their exponents. Beyond
the bound on work the terms are written as they are.
"""

from __future__ import annotations

from functools import lru_cache

from symattn.exact.forms.normal import normal_form, term_by_term
from symattn.exact.forms.polynomial import TooLong
from symattn.exact.forms.terms import in_waves
from symattn.exact.forms.tree import Style, spell_coefficient
from symattn.exact.forms.writings import distributed, written
from symattn.exact.number import Exact, Infinite
from symattn.exact.surd import Surd
from symattn.exact.terms import Terms
from symattn.text.notation import Formula, Infinity, Negative, Number, Quotient


def spell(x: Exact, style: Style = "fraction") -> Formula:
    """The closed form of x."""
    if isinstance(x, Infinite):
        return Negative(Infinity())
    if isinstance(x.algebraic, Surd):
        return spell_coefficient(x.algebraic, style)
    value = normal_form(x)
    if value is not None:
        try:
            return written(value, style)
        except TooLong:
            pass
    over, under = _terms(x.over, style), _denominator(x.under, style)
    if under == Number("1"):
        return over
    return Negative(Quotient(over.term, under)) if isinstance(over, Negative) else Quotient(over, under)


def _terms(terms: Terms, style: Style) -> Formula:
    return distributed(in_waves(term_by_term(terms)), style)


_denominator = lru_cache(maxsize=1 << 8)(_terms)
"""The entries of a row share theirs."""
