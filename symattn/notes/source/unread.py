"""What of a text nobody reads: the ends of very long lines, and lines that only repeat those above them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

LONGEST_LINE: Final = 100_000
"""What is on a line behind so many characters is data."""
MOST_REPEATS: Final = 100
"""A pattern of lines that was repeated so often says nothing more."""
LONGEST_PATTERN: Final = 16
"""How many lines such a pattern has at most."""


def unread(text: str) -> Iterator[tuple[int, int]]:
    """The ranges of characters that are not read, in order; each ends before a line feed or with the text."""
    lines = text.split("\n")
    repeating = _repeating(lines)
    first, end = next(repeating, (len(lines), 0))
    place = start = 0
    for number, line in enumerate(lines):
        if number == first:
            start = place
        if number < first and len(line) > LONGEST_LINE:
            yield place + LONGEST_LINE, place + len(line)
        place += len(line) + 1
        if number + 1 == end:
            yield start, place - 1
            first, end = next(repeating, (len(lines), 0))


def _repeating(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The ranges of lines that go on with a pattern that was repeated often enough."""
    seen: dict[str, int] = {}
    period = begin = 0
    for number, line in enumerate(lines):
        if not period or line != lines[number - period]:
            if period and number > begin + MOST_REPEATS * period:
                yield begin + MOST_REPEATS * period, number
            begin = seen.get(line, number)
            period = number - begin
            period *= period <= LONGEST_PATTERN
        seen[line] = number
    if period and len(lines) > begin + MOST_REPEATS * period:
        yield begin + MOST_REPEATS * period, len(lines)
