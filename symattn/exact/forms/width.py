"""How many characters a formula takes on one line, spaces left out: by it the shortest writing is found."""

from __future__ import annotations

from symattn.text.notation import (
    Absolute,
    Call,
    Entry,
    Formula,
    Negative,
    Number,
    Power,
    Product,
    Quotient,
    Root,
    Sum,
    Symbol,
)
from symattn.typeset.greek import GREEK


def width(form: Formula | None) -> int:
    """The characters of a closed form."""
    match form:
        case Number(digits=digits):
            return len(digits)
        case Symbol(name=name, sub=sub):
            return (1 if name in GREEK else len(name)) + (1 + width(sub) if sub is not None else 0)
        case Sum(terms=terms):
            signed = [isinstance(term, Negative) or width(term) == 0 for term in terms[1:]]
            return sum(map(width, terms)) + len(signed) - sum(signed)
        case Negative(term=term):
            return 1 + _within(term, Sum)
        case Product(factors=factors, sign=sign):
            return sum(_within(f, Sum, Negative) for f in factors) + (len(factors) - 1 if sign else 0)
        case Quotient(over=over, under=under):
            return _within(over, Sum) + 1 + _within(under, Sum, Product, Quotient)
        case Power(base=base, exponent=exponent):
            bare = isinstance(exponent, Symbol) or (
                isinstance(exponent, Number) and exponent.digits.isdigit()
            )
            return _within(base, Sum, Product, Quotient, Negative) + 1 + width(exponent) + (0 if bare else 2)
        case Root(radicand=radicand):
            return 1 + width(radicand) + (0 if isinstance(radicand, (Number, Symbol)) else 2)
        case Call(function=function, arguments=arguments):
            return len(function) + 1 + sum(map(width, arguments)) + len(arguments)
        case Entry(matrix=matrix):
            return width(matrix) + 2
        case Absolute(body=body):
            return width(body) + 2
    return 1


def _within(form: Formula, *loose: type) -> int:
    return width(form) + (2 if isinstance(form, loose) else 0)
