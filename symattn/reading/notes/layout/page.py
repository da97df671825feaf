"""What drawings are read from: the lines of a text, and a parser for the formulas in them."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from symattn.reading.notes.formulas.characters import lines_of, normalise
from symattn.reading.notes.formulas.formula import Grid, Node, Num, numerals
from symattn.reading.notes.formulas.parse import Parser
from symattn.reading.notes.formulas.stream import Token
from symattn.reading.notes.layout.rows import NUMERAL

_WORKED = re.compile(r"\d *[+*/]|\(|\d +- +\d")
APART = re.compile(r"\S+(?: \S+)*")
"""What stands between gaps of two blanks and more."""


@dataclass(frozen=True, slots=True)
class Page:
    """A text line by line: `starts` are the offsets of its lines, `offsets` those of its tokens."""

    lines: Sequence[str]
    starts: Sequence[int]
    parser: Parser
    offsets: Sequence[int]

    @staticmethod
    def of(text: str, stream: Sequence[Token]) -> Page:
        plain = normalise(text)
        return Page(plain.split("\n"), lines_of(plain), Parser(stream), [token.start for token in stream])

    def span(self, first: int, last: int) -> tuple[int, int]:
        """The offsets of lines, `last` not among them."""
        return self.starts[first], self.starts[last - 1] + len(self.lines[last - 1])

    def line(self, offset: int) -> int:
        """The line of an offset, from 0."""
        return bisect_right(self.starts, offset) - 1

    def token(self, offset: int) -> int:
        """The first token at an offset or behind it."""
        return bisect_left(self.offsets, offset)

    def heads(self, start: int, end: int) -> list[Node]:
        """The members of `Q = X W_Q =` before a drawing."""
        members: list[Node] = []
        i = self.token(start)
        while i < len(self.offsets) and self.offsets[i] < end:
            read = self.parser.formula(i)
            if read is None:
                return []
            members.append(read[0])
            i = self.parser.skip(read[1])
            if self.parser.kind(i) != "rel":
                return []
            i = self.parser.skip(i + 1)
        return members

    def cells(self, said: str, start: int) -> list[Node]:
        """The cells of a row: numerals, or workings such as `1*2 + 0*1` with two blanks between them."""
        if not _WORKED.search(said):
            return [
                Num(n[0].replace("∞", "inf"), start + n.start(), start + n.end())
                for n in NUMERAL.finditer(said)
            ]
        found: list[Node] = []
        for cell in APART.finditer(said):
            read = self.parser.formula(self.token(start + cell.start()))
            if read is None or (read[1] < len(self.offsets) and self.offsets[read[1]] < start + cell.end()):
                return []
            found.append(read[0])
        return found


def grid_of_rows(rows: Sequence[Sequence[Node]]) -> Grid | None:
    """Equally long rows as a matrix."""
    if not rows or not rows[0] or any(len(row) != len(rows[0]) for row in rows):
        return None
    nums = [num for row in rows for cell in row for num in numerals(cell)]
    return Grid(tuple(tuple(row) for row in rows), nums[0].start, nums[-1].end) if nums else None
