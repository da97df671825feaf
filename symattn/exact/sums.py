"""Sums of quotients of exponential sums, over the product of their distinct denominators."""

from __future__ import annotations

from collections.abc import Iterable
from math import prod

from symattn.exact.number import Exact
from symattn.exact.terms import Terms
from symattn.exact.work import LARGEST_COMMON_DENOMINATOR
from symattn.text.bilingual import Bilingual
from symattn.text.errors import OutOfBounds


def summed(numbers: Iterable[Exact]) -> Exact:
    """The sum. What has one denominator is added first, so that none is multiplied by itself.

    Raises OutOfBounds, before anything is multiplied out, where the common denominator would have more than
    `LARGEST_COMMON_DENOMINATOR` terms.
    """
    by_denominator: dict[Terms, Exact] = {}
    for x in numbers:
        by_denominator[x.under] = by_denominator[x.under] + x if x.under in by_denominator else x
    terms = prod(len(under.by_exponent) for under in by_denominator)
    if terms > LARGEST_COMMON_DENOMINATOR:
        raise OutOfBounds(
            Bilingual(
                f"a sum over a common denominator of about {terms:,} exponentials",
                f"通分后约有 {terms:,} 个指数项",
            ),
            Bilingual(
                f"at most {LARGEST_COMMON_DENOMINATOR:,} are multiplied out",
                f"最多展开 {LARGEST_COMMON_DENOMINATOR:,} 个",
            ),
        )
    return sum(by_denominator.values(), Exact.of(0))
