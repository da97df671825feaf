"""Exact numbers in neutral notation: the shortest writing of their normal form, as a person would print them.

Equal values print alike, nothing that cancels is left, and terms come in the order of their exponents. Beyond
the bound on work the terms are written as they are.
"""

from __future__ import annotations

from symattn.exact.forms.normal import normal_form, term_by_term
from symattn.exact.forms.polynomial import TooLong
from symattn.exact.forms.terms import in_waves
from symattn.exact.forms.tree import Style, spell_coefficient
from symattn.exact.forms.value import Value
from symattn.exact.forms.writings import distributed, written
from symattn.exact.number import Exact, Infinite
from symattn.exact.surd import Surd
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
    over, under = (_terms(v, style) for v in term_by_term(x))
    if under == Number("1"):
        return over
    return Negative(Quotient(over.term, under)) if isinstance(over, Negative) else Quotient(over, under)


def _terms(v: Value, style: Style) -> Formula:
    return distributed(in_waves(v), style)
