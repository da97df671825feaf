"""The line that a student writes under a sum: decimals put in, with places enough to end in the result."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import exp, prod, sqrt

from symattn.exact.number import Exact
from symattn.narrate.numbers import Link, Numbers
from symattn.narrate.page import Page
from symattn.narrate.rows import Row, total
from symattn.text.notation import Formula, Negative, Number, Power, Product, Quotient, Root, Sum, Symbol

MOST_KEYS = 6
"""Terms of a sum that are written with decimals put in."""
MORE_PLACES = 2
"""Places that factors may have beyond those of the page."""


def in_decimals(page: Page, row: Row, v: str, j: int, x: Exact) -> Iterator[Link]:
    """The sum with decimals put in, with as many places as make it end in the digits of the result.

    That is the line that a student writes. Nothing where a closed form is a number, or where a few places
    more do not do either.
    """
    target = page.numbers.decimal(x)
    if not page.short or target is None or x.rational is not None:
        return
    weights, values = page.by_rows[f"{row.tag}A"], page.by_rows[v]
    keys = [k for k in row.keys if k is not None and k in row.visible]
    if None in row.keys or len(keys) > MOST_KEYS:
        return
    for more in range(MORE_PLACES + 1):
        numbers = page.closer(more).numbers
        pairs = [
            (numbers.decimal(weights[row.i, k]), _value(page, numbers, values[k, j], v, k, j)) for k in keys
        ]
        terms = [page.product(Number(a.digits), b) for a, b in pairs if a is not None and b is not None]
        if len(terms) < len(pairs) or any(a is not None and "e" in a.digits for a, _ in pairs):
            return
        if lands(total(terms), target.digits):
            yield "≈", total(terms)
            return


def _value(page: Page, numbers: Numbers, x: Exact, v: str, k: int, j: int) -> Formula | None:
    """A value as a factor: as it stands on the page where that is a number, else its decimal."""
    if x.rational is not None:
        return page.by_token(v)(k, j)
    decimal = numbers.decimal(x)
    return None if decimal is None else Number(decimal.digits)


def lands(formula: Formula, digits: str) -> bool:
    """Whether a formula of numerals rounds to the printed digits; True for a formula of anything else."""
    try:
        x, target = numeric(formula), numeric(Number(digits))
    except (ValueError, ArithmeticError):
        return True
    places = len(digits.partition(".")[2])
    return abs(x - target) * 2 <= Fraction(1, 10**places)


def numeric(formula: Formula) -> Fraction:
    """The value of sums, products, quotients, roots and powers of e of numerals, as precise as floats.

    Raises ValueError for anything else.
    """
    match formula:
        case Number(digits=digits) if "e" not in digits:  # 10^(10^9) would not end
            return Fraction(digits.replace("−", "-"))
        case Negative(term=term):
            return -numeric(term)
        case Sum(terms=terms):
            return sum(map(numeric, terms), Fraction(0))
        case Product(factors=factors):
            return prod(map(numeric, factors), start=Fraction(1))
        case Quotient(over=over, under=under):
            return numeric(over) / numeric(under)
        case Root(radicand=radicand, index=2):
            return Fraction(sqrt(numeric(radicand)))
        case Power(base=Symbol(name="e", sub=None, sup=None), exponent=exponent):
            return Fraction(exp(numeric(exponent)))
    raise ValueError(formula)
