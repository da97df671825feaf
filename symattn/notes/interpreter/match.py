"""Comparing what is printed with what it should be, number by number, and how many bits that says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
from msgspec import Struct

from symattn.notes.grammar.syntax import Node
from symattn.notes.interpreter.values import Array, Value, reshaped

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


class Match(Struct, frozen=True, eq=False):
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
    bits, good = node.bits(), status >= ROUNDING
    possible, gained, telling = bits.sum(), float((bits * good).sum()), bits >= INFORMATIVE
    return Match(
        value,
        status,
        gained,
        gained / float(possible) if possible else 0.0,
        int((status == WRONG).sum()),
        int((status == FAR).sum()),
        int(telling.sum()),
        int((telling & good).sum()),
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
    printed, unit = node.printed(), node.units()
    given = np.array([t.given for t in node.tokens]).reshape(node.shape)
    least = min((t.unit for t in node.tokens if t.unit and not t.given), default=0.0)
    half = np.where(given, 0.0, np.where(unit > 0, unit, least) / 2)
    with np.errstate(invalid="ignore"):
        gap = np.abs(printed - value.mid)
        slack = np.where((unit > 0) & (unit < FINE), SLACK_OF_FINE, SLACK) * np.maximum(
            1.0, np.abs(value.mid)
        )
        right = (gap <= unit / 2 + slack) | (printed == value.mid)
        cut = (gap < unit - slack) & (np.abs(value.mid) > np.abs(printed)) & (value.mid * printed >= 0)
        away = np.where([t.cut for t in node.tokens], 2, 1).reshape(node.shape) * half
        low, high = printed - np.where(printed > 0, half, away), printed + np.where(printed < 0, half, away)
        meets = (low <= value.high + slack) & (high >= value.low - slack)
        whole = (unit == 0) & (np.abs(value.mid - np.round(value.mid)) > SLACK)
        near = meets | whole & (gap <= 0.5)
        large = (unit == 0) & (np.abs(printed) >= 1000)
        if large.any():
            near |= large & (gap <= _tens(printed) / 2)
        spread = value.high - value.low
        wide = (spread > WIDEST * np.maximum(unit, 1e-9)) & (value.high > value.low)
        far = wide & (unit > 0) & ((low > value.high + spread) | (high < value.low - spread))
    out = np.full(node.shape, WRONG)
    out[near] = ROUNDING
    out[wide] = UNDECIDED
    out[far] = FAR
    out[cut] = ROUNDING
    out[right] = CORRECT
    out[~np.isfinite(value.mid) != ~np.isfinite(printed)] = UNDECIDED
    return out


def cuts(node: Node, found: Match) -> Iterator[Token]:
    """The numerals that are right only where digits are cut off."""
    value, printed, half = found.value, node.printed(), node.units() / 2
    apart = (printed + half < value.low) | (printed - half > value.high)
    for token, status, away in zip(node.tokens, found.status.ravel(), apart.ravel(), strict=True):
        if away and status == ROUNDING and token.unit:
            yield token


def _tens(printed: Array) -> Array:
    """The power of ten that ends an integer, from 1000 on, or 0: 72000000000 may be rounded to 10⁹."""
    whole = np.where(np.isfinite(printed), np.abs(printed), 0)
    powers = [np.where((whole > 0) & (whole % 10**k == 0), 10.0**k, 0.0) for k in range(3, 13)]
    found: Array = np.max(powers, axis=0)
    return found
