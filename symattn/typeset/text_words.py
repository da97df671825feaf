"""Prose in a terminal: words broken at spaces, Chinese between characters except before a full stop."""

from __future__ import annotations

import re

from symattn.text.document import Code, Maths, Prose, Strong, Verdict
from symattn.typeset.ansi import NO_BREAK, styled
from symattn.typeset.box import Box
from symattn.typeset.cjk import display_width, plain
from symattn.typeset.roles import SIGNS
from symattn.typeset.text_maths import Setter

_SHORT = 24
_NO_LINE_START = "，。、；：？！）》」』】”’…—·％"
_SPACED = "\ufdee"  # the edge of a formula in a sentence
_NO_LINE_END = "（《「『【“‘"


def inline(words: Prose) -> str:
    """Prose as one long line, with style marks."""
    parts: list[str] = []
    for part in words:
        match part:
            case str():
                parts.append(plain(part))
            case Maths(formula=formula):
                parts.append(_SPACED + _kept_together(Setter(tall=False).box(formula).lines[0]) + _SPACED)
            case Strong(words=said):
                parts.append(styled(plain(said), "strong"))
            case Code(words=said):
                parts.append(styled(f"`{plain(said)}`", "code"))
            case Verdict(words=said, role=role):
                parts.append(styled(f"{SIGNS[role].verdict} {plain(said)}".lstrip(), role))
    return _between_scripts("".join(parts))


def _kept_together(formula: str) -> str:
    """A short formula stays on one line."""
    return formula.replace(" ", NO_BREAK) if display_width(formula) <= _SHORT else formula


def _between_scripts(words: str) -> str:
    """A blank where a formula meets a Chinese character, none where it meets punctuation or a blank."""
    words = re.sub(rf"(?<=[\u3400-\u9fff]){_SPACED}|{_SPACED}(?=[\u3400-\u9fff])", " ", words)
    return words.replace(_SPACED, "")


def wrapped(words: str, width: int, first: str = "", rest: str = "") -> list[str]:
    """`words` in lines of at most `width` columns, led by `first` and then by `rest`."""
    lines, current, used = [], first, display_width(first)
    start = used
    for chunk in _chunks(words):
        size = display_width(chunk.rstrip())
        if used + size > width and used > start:
            lines.append(current.rstrip())
            current, used = rest, display_width(rest)
            start, chunk = used, chunk.lstrip()
        for piece in _cut(chunk, width - used):
            if used + display_width(piece.rstrip()) > width and used > start:
                lines.append(current.rstrip())
                current, used = rest, display_width(rest)
                start = used
            current += piece
            used += display_width(piece)
    return [*lines, current.rstrip()]


def boxed(lines: list[str]) -> Box:
    """Lines of prose as a box."""
    width = max(map(display_width, lines), default=0)
    return Box(tuple(words + " " * (width - display_width(words)) for words in lines) or ("",))


def _chunks(words: str) -> list[str]:
    """What must stay together on a line, each with the blanks after it."""
    chunks: list[str] = []
    left = ""  # the last character that takes a column: style marks take none
    for character in words:
        if not chunks or _may_break(left, character):
            chunks.append(character)
        else:
            chunks[-1] += character
        left = character if display_width(character) else left
    return chunks


def _may_break(left: str, right: str) -> bool:
    if right == " " or right in _NO_LINE_START or left in _NO_LINE_END or display_width(right) == 0:
        return False
    return left == " " or display_width(left) == 2 or display_width(right) == 2


def _cut(chunk: str, room: int) -> list[str]:
    """A word longer than any line is cut where the line ends; every other stays whole."""
    return [chunk] if display_width(chunk.rstrip()) <= max(room, 1) else list(chunk)
