"""Readings: what one explanation says of the numerals of a literal."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from msgspec import Struct

from symattn.notes.grammar.syntax import Node
from symattn.notes.interpreter.match import FAR, WRONG, Match

if TYPE_CHECKING:
    from symattn.notes.grammar.tokens import Token

HIDDEN: Final = -1000.0
"""What is printed below stands for minus infinity."""


class Rank(IntEnum):
    """Where the formula of a reading comes from, from a mere copy to a working on the page.

    MISTAKEN: a formula of which a usual mistake makes all of the print.
    """

    PASSIVE = 0
    COPIED = 1
    STEP = 2
    USUAL = 3
    DEFINED = 4
    WRITTEN = 5
    OUTRIGHT = 6
    MISTAKEN = 7
    WORKING = 8


class Reading(Struct, frozen=True, eq=False, gc=False):
    """One explanation of a literal.

    `form` is its formula without indices, shared with the neighbours that are made in the same way; `clear`
    says that the formula stands there and its operands leave no choice, `beside` that they stand in it.
    `sign` is the sign before the literal, = or ≈.
    """

    rank: Rank
    node: Node
    found: Match
    name: str
    why: str
    form: tuple[Any, ...] = ()
    clear: bool = False
    beside: bool = False
    sign: str = "="

    def claims(self) -> dict[Token, Claim]:
        """What it says of each numeral."""
        node, found = self.node, self.found
        flat, mids = np.atleast_1d(found.status).ravel(), np.atleast_1d(found.value.mid).ravel()
        out = {}
        for i, (token, sign) in enumerate(zip(node.tokens, node.signs, strict=True)):
            printed = sign * token.value
            out[token] = Claim(self, int(flat[i]), float(mids[i]), i, printed == 0 or printed < HIDDEN)
        return out


class Claim(Struct, frozen=True, eq=False, gc=False):
    """What one reading says of one numeral, which is number `at` of its literal.

    `hides` says that it may stand for something hidden: it is 0, or far below.
    """

    reading: Reading
    status: int
    expected: float
    at: int
    hides: bool

    @property
    def accuses(self) -> bool:
        """Whether the number is wrong by it; where the range is wide, only a formula on the page says so."""
        of = self.reading
        written = of.rank in (Rank.WRITTEN, Rank.WORKING) and of.clear
        return self.status == WRONG or (self.status == FAR and written)

    @property
    def place(self) -> str:
        """`a[0,1]`: the name of the reading, with the place of the number from 0."""
        shape = self.reading.node.shape
        place = np.unravel_index(self.at, shape) if shape else ()
        return self.reading.name + ("[" + ",".join(str(p) for p in place) + "]" if place else "")
