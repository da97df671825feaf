"""A document while it is written: characters, and where each numeral stands with what it truly is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from benchmarks.injection.truth import Truth
from benchmarks.injection.world import Entry

Role = Literal["result", "operand", "input"]


@dataclass(frozen=True)
class Num:
    """A numeral about to be printed: a result, an operand of a working, or an input."""

    text: str
    role: Role
    entry: Entry
    truth: Truth | None = None


@dataclass(frozen=True)
class Mark:
    """A printed numeral and its place, line and column from 1, in characters."""

    num: Num
    line: int
    column: int


@dataclass(frozen=True)
class Block:
    """A matrix that is laid out only where its first column is known."""

    rows: tuple[tuple[Num | str, ...], ...]
    labels: tuple[str, ...] = ()


Piece = str | Num | Block
Pieces = list[Piece]


class Paper:
    """Characters in order, and the numerals among them by their offsets."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.length = 0
        self.found: list[tuple[int, Num]] = []

    def write(self, *pieces: str | Num) -> None:
        for piece in pieces:
            text = piece.text if isinstance(piece, Num) else piece
            if isinstance(piece, Num):
                self.found.append((self.length, piece))
            self.parts.append(text)
            self.length += len(text)

    @property
    def text(self) -> str:
        return "".join(self.parts)

    def marks(self) -> list[Mark]:
        """Every numeral with its line and column."""
        text, marks, line, start = self.text, [], 1, 0
        for offset, num in self.found:
            line += text.count("\n", start, offset)
            start = offset
            marks.append(Mark(num, line, offset - text.rfind("\n", 0, offset)))
        return marks


def joined(separator: str, items: Iterable[Pieces]) -> Pieces:
    """The items with a separator between them."""
    told: Pieces = []
    for k, item in enumerate(items):
        told += [separator, *item] if k else item
    return told
