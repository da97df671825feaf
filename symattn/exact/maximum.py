"""The largest of several exact numbers."""

from __future__ import annotations

from collections.abc import Iterable

from symattn.exact.decision import compare
from symattn.exact.number import MINUS_INFINITY, Exact
from symattn.exact.symbolic import coefficient


def largest(numbers: Iterable[Exact]) -> Exact:
    """The maximum, minus infinity for none; max(a, b) as an expression where the order is undecided."""
    found: Exact = MINUS_INFINITY
    for x in numbers:
        order = compare(x, found)
        if order is None:
            import sympy

            found = Exact.of(coefficient(sympy.Max(found.to_sympy(), x.to_sympy())))
        elif order > 0:
            found = x
    return found
