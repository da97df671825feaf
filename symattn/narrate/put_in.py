"""The line that a student writes under a sum: decimals put in, with places enough to end in the result."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from symattn.exact.number import Exact
from symattn.narrate.numbers import Link, Numbers
from symattn.narrate.page import Page
from symattn.narrate.rows import Row, total
from symattn.text.notation import Formula, Number

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
    if not page.short or target is None or x.rational is not None or page.numbers.significant is not None:
        return
    weights, values = page.by_rows[f"{row.tag}A"], page.by_rows[v]
    keys = [k for k in row.keys if k is not None and k in row.visible]
    if None in row.keys or len(keys) > MOST_KEYS:
        return
    for digits in range(page.numbers.digits, page.numbers.digits + MORE_PLACES + 1):
        numbers = replace(page.numbers, digits=digits, _known={})
        pairs = [
            (numbers.decimal(weights[row.i, k]), _put_in(page, numbers, values[k, j], v, k, j)) for k in keys
        ]
        if any(a is None or b is None for a, b in pairs):
            return
        products = (Fraction(a.digits) * b[0] for a, b in pairs if a is not None and b is not None)
        total_of = sum(products, Fraction(0))
        if _ends_in(total_of, target.digits):
            terms = [
                page.product(Number(a.digits), b[1]) for a, b in pairs if a is not None and b is not None
            ]
            yield "≈", total(terms)
            return


def _put_in(
    page: Page, numbers: Numbers, x: Exact, v: str, k: int, j: int
) -> tuple[Fraction, Formula] | None:
    """A value as a factor: as it stands on the page where that is a number, else its decimal."""
    q = x.rational
    if q is not None:
        return Fraction(int(q.p), int(q.q)), page.by_token(v)(k, j)
    decimal = numbers.decimal(x)
    return None if decimal is None else (Fraction(decimal.digits), Number(decimal.digits))


def _ends_in(x: Fraction, digits: str) -> bool:
    """Whether x rounds to the printed digits."""
    places = len(digits.partition(".")[2])
    return abs(x - Fraction(digits)) < Fraction(1, 2 * 10**places)
