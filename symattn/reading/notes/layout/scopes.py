"""How far words above a formula reach: to the end of their branch of an outline, or to a line of their form.

    - cat                     **cat**          cat: q = [1, 0]
      - query: [1, 0]         q = [1, 0]       dog: q = [0, 1]
    - dog                     **dog**
      - query: [0, 1]         q = [0, 1]

What stands below `dog` is none of the cat, whether or not anybody knows what `dog` is.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from symattn.reading.notes.formulas.formula import Name
from symattn.reading.notes.formulas.names import resolve
from symattn.reading.notes.formulas.words import alias

_BULLET = re.compile(r"(?P<indent> *)(?:[-*+•]|\d{1,2}[.)]) ")
_TITLE = re.compile(
    r"(?P<before>[ >]*(?:#{1,6} +|[-*+•] +)?[*_`\"'“‘「]*)(?P<word>[^\W\d_](?:[\w'’-]{0,20}\w)?)"
    r"(?P<after>[*_`\"'”’」]*[:：]?[*_]*)\s*"
)
"""A line with one word."""
_LABEL = re.compile(
    r"(?P<before>[^\w\n]{0,12}(?:\d{1,2}[.)] +)?[^\w\n]{0,4})(?P<word>[^\W\d_](?:[\w'’-]{0,20}\w)?)"
    r"(?P<after>[*_`\"'”’」]* ?(?:::?|：|=>?|->|[→⇒↦]|\|))"
)
"""A line that begins with a word of which something is told."""


def bullet_depth(said: str) -> int | None:
    """How far a bullet is indented; None for a line without one."""
    bullet = _BULLET.match(said)
    return len(bullet["indent"]) if bullet is not None else None


def is_title(said: str) -> bool:
    """Whether a line holds one word."""
    return _TITLE.fullmatch(said) is not None


class Scope:
    """What stands between a formula and the words above it, line by line upwards from the formula's own."""

    def __init__(self, here: str) -> None:
        own = _BULLET.match(here)
        self.indent = len(own["indent"]) if own is not None else None
        self.least = self.indent
        self.titles: set[tuple[str, str]] = set()

    def ends(self, said: str) -> bool:
        """Whether the words of a line do not reach down to the formula."""
        bullet, title = _BULLET.match(said), _TITLE.fullmatch(said)
        if title is not None and (title["before"], title["after"]) in self.titles:
            return True
        if bullet is None or self.least is None or self.indent is None:
            return False
        depth = len(bullet["indent"])
        return self.least < depth or (self.least == depth < self.indent)

    def pass_by(self, said: str) -> None:
        """Go up over a line."""
        bullet, title = _BULLET.match(said), _TITLE.fullmatch(said)
        if bullet is not None and self.least is not None:
            self.least = min(self.least, len(bullet["indent"]))
        if title is not None and not _means_something(title["word"]):
            self.titles.add((title["before"], title["after"]))


def is_labelled_otherwise(said: str, beside: Collection[str], tokens: Collection[str]) -> bool:
    """Whether a line begins with a word that nobody knows where the lines beside it begin with tokens."""
    own = _LABEL.match(said)
    if own is None or own["word"] in tokens or _means_something(own["word"]):
        return False
    form = own["before"], own["after"]
    others = (other for line in beside if (other := _LABEL.match(line)) is not None)
    return any((other["before"], other["after"]) == form and other["word"] in tokens for other in others)


def _means_something(word: str) -> bool:
    """Whether a word or a letter names a quantity."""
    return alias(word) is not None or resolve(Name(word)) is not None
