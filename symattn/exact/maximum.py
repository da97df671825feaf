"""The largest of several exact numbers, and all of them in order."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cmp_to_key

from symattn.exact.decision import compare
from symattn.exact.number import MINUS_INFINITY, Exact
from symattn.exact.symbolic import coefficient
from symattn.text.bilingual import Bilingual
from symattn.text.errors import UndefinedValue


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


def decided(a: Exact, b: Exact, undecided: Bilingual) -> int:
    """1, 0 or -1 as a is above b, equal or below. Raises UndefinedValue with the reason `undecided`."""
    order = compare(a, b)
    if order is None:
        raise UndefinedValue(
            undecided, Bilingual("numbers whose order can be decided", "请给出能判定大小的数")
        )
    return order


def descending(numbers: Iterable[Exact], undecided: Bilingual) -> list[Exact]:
    """The largest first. Raises UndefinedValue as `decided` does."""

    def order(a: Exact, b: Exact) -> int:
        return decided(b, a, undecided)

    return sorted(numbers, key=cmp_to_key(order))
