"""A document as one string in which every character knows the line and column that it came from."""

from __future__ import annotations

from array import array

from msgspec import Struct


class Source(Struct, frozen=True, eq=False):
    """`text` with the line and column (1-based) of each of its characters."""

    text: str
    lines: array[int]
    columns: array[int]


class Writer:
    """Collects the characters of a source with their places."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._lines, self._columns = array("L"), array("L")

    def run(self, chars: str, line: int, column: int) -> None:
        """Characters side by side on a line, the first of them at a column."""
        self._parts.append(chars)
        self._lines.extend([line] * len(chars))
        self._columns.extend(range(column, column + len(chars)))

    def at(self, chars: str, line: int, column: int) -> None:
        """Characters that all come from one place."""
        self._parts.append(chars)
        self._lines.extend([line] * len(chars))
        self._columns.extend([column] * len(chars))

    def copy(self, source: Source, start: int, end: int) -> None:
        """Part of another source."""
        self._parts.append(source.text[start:end])
        self._lines.extend(source.lines[start:end])
        self._columns.extend(source.columns[start:end])

    def source(self) -> Source:
        return Source("".join(self._parts), self._lines, self._columns)


def plain(text: str) -> Source:
    """A text as it is."""
    writer = Writer()
    for number, row in enumerate(text.split("\n"), 1):
        writer.run(row + "\n", number, 1)
    return writer.source()
