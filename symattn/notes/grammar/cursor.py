"""A place in a run of tokens, and what can be seen from there without reading on."""

from __future__ import annotations

from typing import Final

from msgspec import Struct, field

from symattn.notes.grammar.pairs import matches
from symattn.notes.grammar.syntax import Node
from symattn.notes.grammar.tokens import Token

GROUP: Final = 3
"""How many digits a group of them has."""
_ENDS: Final = ("NL", "HEAD", "SEP", "ROW")


class Shared(Struct, eq=False):
    """What the parsers of one document share.

    `asides` are brackets that say something about what is before them, or that cannot be read: they are read
    on their own. `brackets` are those that were read before, with the asides in them.
    """

    asides: list[list[Token]] = field(default_factory=list)
    brackets: dict[tuple[int, int, str], tuple[Node, list[list[Token]]]] = field(default_factory=dict)


class Cursor:
    """A run of tokens, its brackets, and the place `i` in it."""

    def __init__(self, tokens: list[Token], pairs: dict[int, int] | None, shared: Shared) -> None:
        self.tokens, self.i, self.shared = tokens, 0, shared
        self.pairs = matches(tokens) if pairs is None else pairs
        self._next_sign: list[int] | None = None

    def at(self, offset: int = 0) -> Token | None:
        """The token here, or some places further."""
        place = self.i + offset
        return self.tokens[place] if place < len(self.tokens) else None

    def sees(self, kind: str, *texts: str) -> bool:
        """Whether the token here is of a kind, and one of some texts."""
        token = self.at()
        return token is not None and token.kind == kind and (not texts or token.text in texts)

    def inner(self) -> list[Token]:
        """The tokens in the bracket here."""
        return self.tokens[self.i + 1 : self.pairs.get(self.i, self.i)]

    def behind(self) -> Token | None:
        """The token behind the bracket here."""
        end = self.pairs.get(self.i, self.i) + 1
        return self.tokens[end] if end < len(self.tokens) else None

    def group(self) -> list[Token]:
        """The tokens of a brace group or the single token that follows; the place moves behind them."""
        token = self.at()
        if token is None or token.kind in ("NL", "SEP", "REL"):
            return []
        if (token.text == "{" or token.kind == "OPEN") and self.i in self.pairs:
            inner = self.inner()
            self.i = self.pairs[self.i] + 1
            return inner
        after = self.at(1)
        if token.text == "-" and after is not None and after.kind == "NUM":
            self.i += 2
            return [token, after]
        self.i += 1
        return [token]

    def skip(self) -> bool:
        """Moves to the next sign of relation, if there is one before anything that ends a statement."""
        if self._next_sign is None:
            self._next_sign = self._signs()
        if self._next_sign[self.i] < 0:
            return False
        self.i = self._next_sign[self.i]
        return True

    def _signs(self) -> list[int]:
        """For each place that of the next sign of relation outside of brackets, or -1."""
        found = [-1] * (len(self.tokens) + 1)
        for place in range(len(self.tokens) - 1, -1, -1):
            token = self.tokens[place]
            if token.kind == "REL":
                found[place] = place
            elif token.kind not in _ENDS and (token.text not in (",", ";") or self._groups(place)):
                found[place] = found[self.pairs.get(place, place) + 1]
        return found

    def _groups(self, place: int) -> bool:
        """Whether a comma may be one between thousands: `2,500`."""
        before, after = self.tokens[max(place - 1, 0)], self.at(place + 1 - self.i)
        if after is None or before.kind != "NUM" or after.kind != "NUM" or self.tokens[place].space:
            return False
        return not after.space and len(after.text.partition(".")[0]) == GROUP
