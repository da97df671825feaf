"""The lines of a document: where they begin, what stands on them, and where that is in the file."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from symattn.reading.notes.formulas.characters import lines_of, normalise

_BARE = re.compile(r"\s*(?:\$\$|\\[\[\]]|```\w*|\\(?:begin|end)\{\w+\*?\})?\s*")
"""A line that says nothing: blank, or no more than the mark of a display or a fence."""
LONGEST_LINE = 2_000


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the characters of an unpacked notebook stand in its file, and where the lines of that begin."""

    offsets: Sequence[int]
    starts: Sequence[int]


class Lines:
    """A document line by line; `telling` are the lines that say something. Lines count from 0."""

    def __init__(self, text: str, origin: Origin | None = None) -> None:
        self.text = normalise(text)
        self.starts = lines_of(text)
        self.origin = origin
        said = self.text.split("\n")
        self.telling = tuple(line for line, words in enumerate(said) if not _BARE.fullmatch(words))
        spans = pairwise((*self.starts, len(self.text)))
        self._said = [self.text[start : min(end, start + LONGEST_LINE)] for start, end in spans]

    @cached_property
    def above_tables(self) -> Sequence[str]:
        """For each line the words that stand above it, without blank lines and the rows of a table."""
        found, last = list[str](), ""
        for line in range(len(self.starts)):
            found.append(last)
            words = self.said(line).strip()
            last = words if words and not words.startswith("|") else last
        return found

    def line(self, offset: int) -> int:
        """The line of an offset, from 0."""
        return bisect_right(self.starts, offset) - 1

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both from 1, in characters."""
        if self.origin is not None:
            offset, starts = self.origin.offsets[offset], self.origin.starts
            line = bisect_right(starts, offset) - 1
            return line + 1, offset - starts[line] + 1
        line = self.line(offset)
        return line + 1, offset - self.starts[line] + 1

    def span(self, line: int) -> tuple[int, int]:
        """The offsets at which a line begins and the next one does."""
        end = self.starts[line + 1] if line + 1 < len(self.starts) else len(self.text)
        return self.starts[line], end

    def said(self, line: int) -> str:
        """The characters of a line, as many as words on it matter; none above the first."""
        return self._said[line] if line >= 0 else ""

    def beside(self, first: int, last: int) -> tuple[str, str]:
        """The lines directly above and below some lines, empty where there are none."""
        above = self.said(first - 1) if first > 0 else ""
        return above, self.said(last + 1) if last + 1 < len(self.starts) else ""

    def before(self, start: int) -> str:
        """What stands before an offset on its line, as much as matters."""
        return self.text[max(self.starts[self.line(start)], start - LONGEST_LINE) : start]

    def around(self, start: int, end: int) -> tuple[str, str]:
        """What stands on its lines before and behind a stretch of the text, as much as matters."""
        last = self.line(end - 1)
        behind = self.text[end : self.starts[last] + len(self.said(last))].rstrip("\n")
        return self.before(start), behind
