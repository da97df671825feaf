"""Styles inside terminal text: set as zero-width marks, painted or dropped at the very end.

While lines are measured, padded and broken, a style is a noncharacter (see `cjk.is_mark`); only
`paint` turns it into an ANSI escape sequence, and only if colour was asked for.
"""

from __future__ import annotations

import re
from typing import Literal

from symattn.text.notation import Role

Style = Role | Literal["title", "heading", "label", "code", "strong"]

_END = "\ufdd0"
SOFT_BREAK = "\ufdef"  # before a plus or minus: where a formula may go on in the next line
NO_BREAK = "\u00a0"  # a blank that a line may not be broken at; printed as a plain one

_SEQUENCES: dict[Style, str] = {
    "slip": "31",
    "carried": "33",
    "rounding": "36",
    "undecided": "35",
    "right": "32",
    "token": "1",
    "used": "4",
    "title": "1",
    "heading": "1",
    "label": "2",
    "code": "36",
    "strong": "1",
}
_MARKS: dict[Style, str] = {style: chr(0xFDD1 + at) for at, style in enumerate(_SEQUENCES)}
_MARK = re.compile("[\ufdd0-\ufdef]")
_PAINT = {mark: f"\x1b[{_SEQUENCES[style]}m" for style, mark in _MARKS.items()} | {_END: "\x1b[0m"}


def styled(words: str, style: Style) -> str:
    """`words` in a style, each word marked by itself so that lines may break between them."""
    return " ".join(f"{_MARKS[style]}{word}{_END}" if word else "" for word in words.split(" "))


def paint(line: str, colour: bool) -> str:
    """A finished line: marks become escape sequences or nothing, trailing blanks go."""
    out = _MARK.sub(lambda mark: _PAINT.get(mark[0], "") if colour else "", line)
    return out.replace(NO_BREAK, " ").rstrip()
