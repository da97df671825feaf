"""A page while it is written: each numeral is one character of a private plane, until its place is known.

So a page is put together with plain strings, and still knows where every number stands in the end.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from benchmarks.injection.truth import Truth
from benchmarks.injection.world import Entry

FIRST = 0xF0000
Role = Literal["given", "result", "copied"]


@dataclass(frozen=True)
class Numeral:
    """A numeral and its place, line and column from 1, in characters; a sign belongs to it.

    `copied` is what stands somewhere else already: an operand of a working, a result said again.
    """

    text: str
    role: Role
    entry: Entry
    truth: Truth
    line: int = 0
    column: int = 0

    @property
    def label(self) -> str:
        """Given, copied, or the truth of the result."""
        return self.truth.label if self.role == "result" else self.role


class Page:
    """Numerals in the order of writing."""

    def __init__(self) -> None:
        self.numerals: list[Numeral] = []

    def put(self, text: str, role: Role, entry: Entry, truth: Truth) -> str:
        """The character that stands for a numeral."""
        self.numerals.append(Numeral(text, role, entry, truth))
        return chr(FIRST + len(self.numerals) - 1)

    def plain(self, text: str) -> str:
        """A piece of the page as it will be read."""
        return "".join(self.numerals[ord(c) - FIRST].text if ord(c) >= FIRST else c for c in text)

    def width(self, text: str) -> int:
        """The characters that a piece will take."""
        return len(self.plain(text))

    def placed(self, text: str) -> Iterator[Numeral]:
        """The numerals of a page, with their places."""
        line, column = 1, 1
        for c in text:
            if ord(c) >= FIRST:
                numeral = self.numerals[ord(c) - FIRST]
                yield Numeral(numeral.text, numeral.role, numeral.entry, numeral.truth, line, column)
                column += len(numeral.text)
            else:
                line, column = (line + 1, 1) if c == "\n" else (line, column + 1)
