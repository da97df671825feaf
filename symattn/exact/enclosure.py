"""Rigorous enclosures: balls that certainly contain an exact number, at any precision."""

from __future__ import annotations

from functools import lru_cache

from flint import arb

from symattn.exact.balls import quotient_ball
from symattn.exact.evaluation import HasSymbols
from symattn.exact.number import Exact, Infinite

__all__ = ["HasSymbols", "enclose"]


@lru_cache(maxsize=1 << 13)
def enclose(x: Exact, bits: int) -> arb:
    """A real ball that contains x, computed with `bits` of working precision. Raises HasSymbols."""
    return arb.neg_inf() if isinstance(x, Infinite) else quotient_ball(x.over, x.under, bits)
