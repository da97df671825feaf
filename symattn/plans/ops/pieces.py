"""Pieces of several operations, exact, in floats and written out, and the mistakes made in them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from symattn.floats.arrays import Floats, np
from symattn.plans.operation import Mistake, Slip
from symattn.plans.rules import root
from symattn.plans.slips import mistake


class Rooted:
    """Among the bases of a norm that divides by the root of a square."""

    def _root(self, square: Any) -> Any:
        return root(square)

    def _float_root(self, squares: Floats) -> Floats:
        roots: Floats = np.sqrt(squares)
        return roots


class Unrooted(Mistake, Rooted):
    """First among the bases of the mistake of dividing by the square itself."""

    def _root(self, square: Any) -> Any:
        return square

    def _float_root(self, squares: Floats) -> Floats:
        return squares


class Subtracting:
    """Among the bases of an operation that takes one thing less another."""

    def _apart(self, one: Any, other: Any) -> Any:
        """The difference of numbers of a rule, of matrices or of floats."""
        return one - other


class Unsubtracted(Mistake, Subtracting):
    """First among the bases of the mistake of not subtracting."""

    def _apart(self, one: Any, other: Any) -> Any:
        return one


class Exchanged(Mistake, Subtracting):
    """First among the bases of the mistake of subtracting the one from the other."""

    def _apart(self, one: Any, other: Any) -> Any:
        return other - one


def epsilon_elsewhere(norm: Any, code: str) -> Iterator[Slip]:
    """The mistake of a norm with `epsilon` added to the square, or `outside` to its root: the other way."""
    if norm.epsilon or norm.outside:
        elsewhere = replace(norm, epsilon=norm.outside, outside=norm.epsilon)
        yield mistake(f"{code}-epsilon-{'outside' if norm.epsilon else 'inside'}", elsewhere)
