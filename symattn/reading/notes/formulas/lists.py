"""Lists of numbers that have no brackets: behind a sign, and in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from symattn.reading.notes.formulas.atoms import Atoms
from symattn.reading.notes.formulas.brackets import Read
from symattn.reading.notes.formulas.formula import Binary, Num, Row, grid_of
from symattn.reading.notes.formulas.stream import Token
from symattn.reading.notes.formulas.words import alias

_LIST_ENDS = frozenset({"nl", "stop", "end", "comment"})
_AND = frozenset({"and", "und", "et", "y", "e", "и", "和", "与", "及", "と", "와", "과"})


LONGEST_LINE = 200
"""Tokens before a list in which the line that it stands in is looked at."""


class Lists(Atoms):
    """Reads lists where nothing else is being read: `depth` formulas are open."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        super().__init__(tokens)
        self.depth = 0

    def unbracketed(self, i: int) -> Read | None:
        """`0.5, 0.3` or `0.5 | 0.3` behind a sign, up to the end of its line or to words: a list."""
        if self.inside or self.depth:
            return None
        items: list[Num] = []
        j = after = i
        while self.kind(after) in ("num", "op"):
            signed = self.kind(after) == "op"
            item = self.prefix(after)
            if item is None or not isinstance(item[0], Num) or (signed and not self.tokens[after + 1].tight):
                return None
            items.append(item[0])
            j = after = item[1]
            behind = self.skip(j)
            if self.kind(j) == "comma" or self.semicolon(j) or self.said(j) == "|":
                after += 1
            elif self.kind(behind) == "comma" and self.kind(self.skip(behind + 1)) == "num":
                after = self.skip(behind + 1)  # `$0.5$, $0.3$`
            elif self.kind(j) == "op" and not self._is_sign(j):
                return None
        ends = _LIST_ENDS if after == j else _LIST_ENDS | {"cjk", "label"}
        if after > j and self.semicolon(j):
            ends = ends | {"word", "text"}
        then = self.skip(after)
        apart = after > j or not self.tokens[min(then, len(self.tokens) - 1)].tight
        summed = self.said(then) == "和" and self.kind(then + 1) == "rel"
        named = apart and (summed or alias(self.said(then)) is not None)  # `16.9, 4.1, 1.0, sum 22.0`
        goes_on = self.said(then) == "→" and not self._paired(i)
        dressed = i > 0 and after == j and self.said(i - 1) == self.said(j) == "$"  # `得 $1.41,\ 0.71$，再`
        if len(items) < 2 or not (self.kind(then) in ends or named or goes_on or dressed):
            return None
        return Row(tuple(items), items[0].start, items[-1].end), j

    def _paired(self, i: int) -> bool:
        """Whether one number stands before the first arrow of a line: `16 → 8.00, 3 → 1.50` is of pairs."""
        first, at = 0, i - 1
        while at > max(i - LONGEST_LINE, 0) and self.kind(at) != "nl":
            first = at if self.said(at) == "→" else first
            at -= 1
        return first > 1 and self.kind(first - 1) == "num" and self.kind(first - 2) != "comma"

    def _is_sign(self, i: int) -> bool:
        """Whether token i is the sign of the number behind it, and not between two numbers."""
        tight = [token.tight for token in self.tokens[i : i + 2]]
        return self.said(i) == "-" and tight == [False, True]

    def enumerated(self, i: int) -> Read | None:
        """`1.41 and 3.54`, `0.2, 0.8`, decimals in a sentence: a list without brackets."""
        items: list[Num] = []
        j = after = i
        joined = False
        while self.kind(after) in ("num", "op"):
            item = self.prefix(after)
            if item is None or not isinstance(item[0], Num) or "." not in item[0].text:
                break
            items.append(item[0])
            j = after = item[1]
            after = self.skip(after)
            comma = self.kind(after) == "comma"
            after = self.skip(after + comma)
            if self.said(after) in _AND and self.kind(self.skip(after + 1)) in ("num", "op"):
                joined, after = True, self.skip(after + 1)
            elif not comma:
                break
        if not joined and self.kind(self.skip(j)) not in ("nl", "stop", "end"):
            return None
        if len(items) < 2 or self.kind(j) in ("op", "open"):
            return None
        return Row(tuple(items), items[0].start, items[-1].end), j

    def is_step(self, i: int) -> bool:
        """Whether a line says what is done next, `·V →`, and not how the product above goes on."""
        at = i + 1
        while self.kind(at) in ("word", "text", "mark", "op", "sup", "attribute") and at < i + 10:
            at += 1
        return self.said(at) == "→"

    def opens_table(self, i: int) -> bool:
        """Whether token i opens a list of lists outside of all brackets."""
        return self.said(i) == self.said(i + 1) == "[" and not self.inside

    def times_table(self, left: Row, i: int) -> Read | None:
        """`[0.8, 0.2] [[5], [10]]`: lists side by side that fit as the factors of a product."""
        right = self.bracket(i)
        rows, table = grid_of(left), grid_of(right[0]) if right is not None else None
        width = len(rows.rows[0]) if rows is not None else len(left.items)
        if right is None or table is None or width != len(table.rows):
            return None
        return Binary("*", left, right[0]), right[1]
