"""The gate: which readings may accuse, and which numbers every good reading accuses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np
from msgspec import Struct, field

from symattn.notes.grammar.syntax import Node
from symattn.notes.interpreter.match import FAR, LIVE, ROUNDING
from symattn.notes.interpreter.reading import HIDDEN, Claim, Rank, Reading
from symattn.notes.interpreter.values import Value

if TYPE_CHECKING:
    from symattn.notes.grammar.tokens import Token

MATCHED: Final = 4
"""How many informative numbers must be right for a reading to be sure; one less under a written formula."""
SHARE: Final = 0.75
"""The share of the informative numbers that must be right."""
BITS: Final = 20.0
"""The bits that must speak for a reading that accuses."""
FOLLOWED: Final = 12.0
"""The bits of what follows from a number, for its formula to be believed."""
RELENT: Final = 6.0
"""The bits of a step on nearer prints, for what a farther formula accuses to be carried."""
KEPT: Final = 3
"""How many times more right than wrong numbers the written formulas of an author who keeps to them make."""

Verdict = Literal["right", "slip", "undecided"]
Lost = Literal["wrong", "unsure", "source", "bits", "agrees"]
"""Why a verdict does not rest on a reading: it makes more numbers wrong, it is not sure, its formula comes
from a weaker source, fewer bits speak for it; or it says the same."""


class _Family(Struct):
    """What formulas of one form make right in all."""

    matched: int = 0
    informative: int = 0
    gained: float = 0.0
    wrong: int = 0
    tokens: set[Token] = field(default_factory=set)

    def add(self, reading: Reading) -> None:
        found = reading.found
        if not self.tokens.intersection(reading.node.tokens):
            self.matched += found.matched
            self.informative += found.informative
            self.gained += found.gained
            self.tokens.update(reading.node.tokens)
            self.wrong += found.wrong + found.far

    @property
    def holds(self) -> bool:
        return self.matched >= MATCHED and self.matched >= SHARE * self.informative and self.gained >= BITS


class Gate:
    """Which readings may accuse, given all readings of a document.

    `followed`: the bits of what was made from each numeral; `kept`: the author's formulas mostly come out
    right.
    """

    def __init__(self, readings: Iterable[Reading], copies: Mapping[Token, Token]) -> None:
        self._families: dict[tuple[Any, ...], _Family] = {}
        self._followed: dict[Token, float] = {}
        self._copies = copies
        right, wrong, gained = 0, 0, 0.0
        for reading in readings:
            found = reading.found
            self._families.setdefault(_family(reading), _Family()).add(reading)
            if reading.rank in (Rank.WRITTEN, Rank.DEFINED) and reading.clear:
                right += found.status.size - found.wrong - found.far
                wrong += found.wrong + found.far
                gained += found.gained
            if (
                reading.rank > Rank.PASSIVE
                and found.informative
                and found.matched >= SHARE * found.informative
            ):
                for token in _origins(found.value.tokens, copies):
                    self._followed[token] = self._followed.get(token, 0.0) + found.gained
        self._kept = right >= KEPT * wrong and gained >= BITS

    def holds(self, reading: Reading) -> bool:
        """Most of the informative numbers of the literal are right, by many bits."""
        found, needed = reading.found, MATCHED - (reading.rank >= Rank.DEFINED)
        return found.matched >= needed and found.matched >= SHARE * found.informative and found.gained >= BITS

    def sure(self, reading: Reading) -> bool:
        """Whether a reading may accuse what it does not reproduce."""
        if reading.rank >= Rank.OUTRIGHT:
            return reading.clear
        if reading.rank <= Rank.COPIED:
            return False
        if self.holds(reading):
            return True
        family = self._families[_family(reading)]
        if bool(reading.form) and reading.rank >= Rank.USUAL and family.holds:
            return True
        return reading.rank >= Rank.WRITTEN and reading.clear and self._borne_out(reading, family)

    def hints(self, reading: Reading) -> dict[str, float]:
        """The bits for a reading: its own numbers, those of neighbours by one formula, and what follows."""
        gained = reading.found.gained
        neighbours = self._families[_family(reading)].gained - gained if reading.form else 0.0
        followed = max((self._followed.get(token, 0.0) for token in reading.node.tokens), default=0.0)
        return {"numbers": gained, "neighbours": neighbours, "followed": followed}

    def lost(self, reading: Reading, to: Reading, verdict: Verdict) -> Lost:
        """Why a verdict rests on another reading of the same numerals."""
        found, best = reading.found, to.found
        if verdict == "slip" and not self.sure(reading):
            return "unsure"
        if verdict == "slip" and reading.rank < to.rank:
            return "source"
        if verdict == "right" and found.wrong + found.far > best.wrong + best.far:
            return "wrong"
        return "bits" if found.gained < best.gained else "agrees"

    def _borne_out(self, reading: Reading, family: _Family) -> bool:
        """Whether a written formula that leaves no choice is confirmed by its neighbours or by what follows.

        A link under which (nearly) everything is wrong is refuted unless its operands stand in it.
        """
        found = reading.found
        half = (found.wrong + found.far) * 2 <= found.status.size and found.matched * 2 >= found.informative
        if half and (found.matched > 0 or (self._kept and found.status.size > 1)):
            return True
        if family.matched * 2 >= family.informative and family.gained >= FOLLOWED:
            return True
        if self._kept and family.wrong * 2 <= len(family.tokens):
            return True
        refuted = family.matched * 10 < family.informative and not reading.beside
        return not refuted and any(self._followed.get(t, 0.0) >= FOLLOWED for t in reading.node.tokens)

    def _masked(self, claim: Claim) -> bool:
        """Whether a number is hidden, or may be made without what is: several of the matrix are 0 where a
        link wants others, and one of them stands in its row."""
        reading = claim.reading
        if reading.rank == Rank.WORKING or reading.form[:1] == ("qkv",) or not reading.node.shape:
            return False
        printed = np.atleast_2d(reading.node.printed())
        hidden = ((printed == 0) | (printed < HIDDEN)) & (np.atleast_2d(reading.found.status) <= FAR)
        return int(hidden.sum()) > 1 and bool(hidden[claim.at // printed.shape[-1]].any())

    def verdict(self, found: Sequence[Claim]) -> tuple[Verdict, Claim]:
        """The verdict on a numeral, from what its readings say, and the claim that it rests on.

        A wrong number is one that every good reading accuses.
        """
        right = [c for c in found if c.status >= ROUNDING]
        accusing = [c for c in found if c.accuses and self.sure(c.reading) and not self._masked(c)]
        if accusing:
            worst = max(accusing, key=lambda c: (c.reading.rank, c.reading.found.gained))
            right = [c for c in right if self._acquits(c.reading, worst.reading)]
            if not right and not _at_odds(worst, accusing):
                return "slip", worst
        if right:
            return "right", max(right, key=lambda c: (c.status, c.reading.found.gained))
        return "undecided", max(found, key=lambda c: c.reading.found.gained)

    def _acquits(self, reading: Reading, accuser: Reading) -> bool:
        """A reading as good as the one that accuses, or within ten bits of it.

        A working on the page yields to nothing but a sure reading.
        """
        if reading.rank >= accuser.rank or self._between(reading, accuser):
            return True
        if accuser.rank == Rank.MISTAKEN:
            return reading.rank >= Rank.USUAL
        if reading.rank <= Rank.COPIED and accuser.rank >= Rank.WRITTEN:
            return False
        if accuser.rank == Rank.WORKING or (accuser.rank == Rank.WRITTEN and accuser.clear):
            return reading.rank > Rank.COPIED and self.holds(reading)
        return reading.found.gained >= accuser.found.gained - LIVE

    def _between(self, reading: Reading, accuser: Reading) -> bool:
        """Whether all of a print follows from what the accuser needs too, if anything, and matrices printed
        after all of that."""
        if reading.rank <= Rank.COPIED or reading.found.wrong or reading.found.gained < RELENT:
            return False
        farther = {self._first(token) for of in _matrices(accuser.found.value) for token in of.tokens}
        nearer = [
            _spot(token)
            for of in _matrices(reading.found.value)
            if farther.isdisjoint(map(self._first, of.tokens))
            for token in of.tokens
        ]
        return bool(nearer and farther) and min(nearer) > max(map(_spot, farther))

    def _first(self, token: Token) -> Token:
        """The numeral that another repeats in the end."""
        seen = {token}
        while (before := self._copies.get(token)) is not None and before not in seen:
            token = before
            seen.add(token)
        return token


def _at_odds(worst: Claim, accusing: Sequence[Claim]) -> bool:
    """Whether steps that no formula says expect different numbers, so that none of them is sure."""
    expected = [c.expected for c in accusing]
    unit = worst.reading.node.tokens[worst.at].unit
    return worst.reading.rank == Rank.STEP and max(expected) - min(expected) > unit


def _spot(token: Token) -> tuple[int, int]:
    return token.line, token.column


def _matrices(value: Value) -> set[Node]:
    """The vectors and matrices that a value is made of."""
    literal = value.made.literal
    if literal is not None:
        return {literal} if literal.shape else set()
    return {node for arg in value.made.args for node in _matrices(arg)}


def _family(reading: Reading) -> tuple[Any, ...]:
    """Readings by formulas of one form, whether the formula stands beside or was given before."""
    rank = Rank.DEFINED if reading.rank == Rank.WRITTEN else reading.rank
    return rank, reading.form


def _origins(tokens: Iterable[Token], copies: Mapping[Token, Token]) -> set[Token]:
    """Numerals, and those that they repeat."""
    found: set[Token] = set()
    for first in tokens:
        token: Token | None = first
        while token is not None and token not in found:
            found.add(token)
            token = copies.get(token)
    return found
