"""Comparing what is printed with what it should be, number by number, and how many bits that says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Final

import numpy as np
from msgspec import Struct

from symattn.notes.grammar.syntax import Node, Ranged
from symattn.notes.interpreter.values import Value, reshaped

if TYPE_CHECKING:
    from symattn.notes.grammar.tokens import Token

Statuses = np.ndarray[tuple[int, ...], np.dtype[np.int64]]

WRONG, FAR, UNDECIDED, ROUNDING, CORRECT = range(5)
"""FAR: farther from a wide range than it is wide; only a formula on the page accuses such a number."""
INFORMATIVE: Final = 1.5
"""How many bits make a number one that says something."""
LIVE: Final = 10.0
"""A reading is live within so many bits of the best one."""
AGAINST: Final = 4
"""How many bits a wrong number takes off a reading."""
FINE, SLACK_OF_FINE, SLACK = 1e-5, 1e-6, 1e-9
WIDEST: Final = 20
"""A range of so many units is wide: it decides nothing about numbers near it."""


class Match(Struct, frozen=True, eq=False, gc=False):
    """How well a value explains a literal.

    `gained` are the bits that speak for it, `right` their share of all, `wrong` counts the numbers that it
    makes wrong, `far` those far from a wide range, `informative` those that say something, and `matched`
    those of them that are right.
    """

    value: Value
    status: Statuses
    gained: float
    right: float
    wrong: int
    far: int
    informative: int
    matched: int

    @property
    def score(self) -> float:
        """Bits for less bits against."""
        return self.gained - AGAINST * self.wrong


def match(node: Node, value: Value) -> Match | None:
    """The comparison of a literal with a value, or None where the shapes differ."""
    fitted = reshaped(value, node.shape)
    return None if fitted is None else weighed(node, fitted, _statuses(node, fitted))


def exactly(node: Node, found: Match) -> Match:
    """A comparison in which nothing but the very digits counts as right: of copies."""
    return weighed(node, found.value, np.where(found.status == ROUNDING, WRONG, found.status))


def weighed(node: Node, value: Value, status: Statuses) -> Match:
    """The bits of a comparison with this status of each number."""
    each = status.ravel().tolist()
    bits = node.bits().ravel().tolist()
    right = [of for of, one in zip(bits, each, strict=True) if one >= ROUNDING]
    possible, gained = sum(bits), sum(right)
    return Match(
        value,
        status,
        gained,
        gained / possible if possible else 0.0,
        each.count(WRONG),
        each.count(FAR),
        sum(of >= INFORMATIVE for of in bits),
        sum(of >= INFORMATIVE for of in right),
    )


def best(node: Node, candidates: Iterable[Value]) -> Match | None:
    """The comparison that explains most.

    A number is right in it if the most literal reading, the first, or one within ten bits makes it so.
    """
    found = [m for m in (match(node, v) for v in candidates) if m is not None]
    if len(found) < 2:
        return found[0] if found else None
    top = max(found, key=lambda m: (m.score, -m.wrong))
    live = [m.status for m in found if m is found[0] or m.score >= top.score - LIVE]
    return weighed(node, top.value, np.max(live, axis=0)) if len(live) > 1 else top


def meet(some: Sequence[Value], others: Sequence[Value]) -> bool:
    """Whether one of these values may be the same as one of those, or nobody knows."""
    return not (some and others) or any(
        a.shape == b.shape and bool(np.all((a.low <= b.high + SLACK) & (b.low <= a.high + SLACK)))
        for a in some
        for b in others
    )


def _statuses(node: Node, value: Value) -> Statuses:
    """The status of every number of a literal against a value of its shape."""
    several = zip(
        node.ranges(),
        value.mid.ravel().tolist(),
        value.low.ravel().tolist(),
        value.high.ravel().tolist(),
        strict=True,
    )
    return np.array([_status(*each) for each in several], dtype=int).reshape(node.shape)


def _status(printed: Ranged, mid: float, lowest: float, highest: float) -> int:
    """That of one number; literals are small, hence plain floats and no arrays."""
    number, unit, low, high = printed
    if isfinite(mid) != isfinite(number):
        return UNDECIDED
    gap, slack = abs(number - mid), (SLACK_OF_FINE if 0 < unit < FINE else SLACK) * max(1.0, abs(mid))
    if gap <= unit / 2 + slack or number == mid:
        return CORRECT
    if gap < unit - slack and abs(mid) > abs(number) and mid * number >= 0:
        return ROUNDING
    spread = highest - lowest
    if spread > WIDEST * max(unit, 1e-9) and highest > lowest:
        return FAR if unit > 0 and (low > highest + spread or high < lowest - spread) else UNDECIDED
    if low <= highest + slack and high >= lowest - slack:
        return ROUNDING
    whole = unit == 0 and isfinite(mid)
    if whole and gap <= 0.5 and abs(mid - round(mid)) > SLACK:
        return ROUNDING
    return ROUNDING if whole and abs(number) >= 1000 and gap <= _tens(number) / 2 else WRONG


def cuts(node: Node, found: Match) -> Iterator[Token]:
    """The numerals that are right only where digits are cut off."""
    value, printed, half = found.value, node.printed(), node.units() / 2
    apart = (printed + half < value.low) | (printed - half > value.high)
    for token, status, away in zip(node.tokens, found.status.ravel(), apart.ravel(), strict=True):
        if away and status == ROUNDING and token.unit:
            yield token


def _tens(printed: float) -> float:
    """The power of ten that ends an integer, from 1000 on, or 0: 72000000000 may be rounded to 10⁹."""
    return max((10.0**k for k in range(3, 13) if abs(printed) % 10**k == 0), default=0.0)
