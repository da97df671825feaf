"""Markdown, LaTeX and plain text cut into segments with absolute offsets.

A segment is prose (a line of it), display mathematics, a code block, or quiet: front matter, images,
addresses, comments, in which no number means anything.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from typing import Literal

from symattn.immutable import immutable

Kind = Literal["prose", "math", "code", "quiet"]


@immutable(frozen=True, slots=True)
class Segment:
    """Characters `start` to `end` of the text, and how they are to be read."""

    kind: Kind
    start: int
    end: int


_FENCE = re.compile(r"[ \-*]{0,40}(```+|~~~+) *([\w+-]*)")
_MATHS = frozenset({"math", "latex", "tex", "katex"})
_DISPLAY = re.compile(
    r"\$\$|\\\[|\\begin\{(equation|align|gather|multline|eqnarray|displaymath|math|aligned|split)\*?\}"
)
_ESCAPED = re.compile(r"(?:\\\[)+[^\[\]\\\n]*\]|\\\[[-\d., ]+,[-\d., ]+\\\]")
"""A list whose brackets are kept from being those of a link, and no display: `\\[1, 0]`, `\\[1, 0\\]`."""
_NOISE = re.compile(
    r"!\[[^\[\]\n]{0,300}\]\((?:[^()\n]|\([^()\n]*\))*\)"  # images, with SVG inside
    r"|<!--[^<>]*-->"
    r"|</?[A-Za-z][^<>\n]*>"
    r"|(?<=\])\((?:https?:|#|\.{0,2}/)[^)\s]{0,2000}\)"
    r"|https?://[^\s)>\]]+"
    r"|(?<=[^\s] )\^[A-Za-z][\w-]{2,40}$"  # what other notes call a block by
    r"|table-format ?= ?[+-]?[\d.]+"
    r"|\\(?:label|ref|eqref|cite|citep|citet|includegraphics|usepackage|documentclass|vspace|hspace|column)\*?"
    r"(?:\[[^\]\n]{0,200}\])?\{[^{}\n]{0,300}\}"
    r"|\\(?:setlength|setcounter|renewcommand(?=\{\\(?:array|baseline)stretch\})|fontsize|begin\{minipage\}|parbox)"
    r"(?:\[[^\]\n]{0,200}\])?(?:\{[^{}\n]{0,300}\}){1,2}"
    r"|(?<!\d)(?:\d+|\d*\.\d+) ?\\(?:text|line|column|paper)(?:width|height)"
    r"|\b(?:Section|Sec\.|Figure|Fig\.|Table|Chapter|Eq\.|Equation|page|Example|Exercise)~[\d.]*\d",
    re.MULTILINE,
)


def segments(text: str, kind: str) -> Iterator[Segment]:
    """The segments of a normalised text, in order, without gaps except line ends."""
    position = _front_matter(text)
    if position:
        yield Segment("quiet", 0, position)
    length = len(text)
    closings = _Closings(text)
    while position < length:
        end = text.find("\n", position)
        end = length if end < 0 else end
        fence = _FENCE.match(text, position, end) if kind != "latex" else None
        if fence is not None:
            stop, after = _fence_end(text, end, fence[1])
            yield Segment("quiet", position, end)
            yield Segment("math" if fence[2].lower() in _MATHS else "code", min(end + 1, length), stop)
            position = after
            continue
        position = yield from _line(text, position, end, closings)


def _line(text: str, start: int, end: int, closings: _Closings) -> Generator[Segment, None, int]:
    """One line of prose, or up to the end of the display mathematics that begins on it."""
    at = start
    opening = _DISPLAY.search(text, start, end)
    while opening is not None:
        closing = None if _ESCAPED.match(text, opening.start(), end) else closings.of(opening)
        if closing is None:
            opening = _DISPLAY.search(text, opening.end(), end)
            continue
        yield from _prose(text, at, opening.start())
        yield Segment("math", opening.end(), closing[0])
        at = closing[1]
        if at > end:
            end = text.find("\n", at)
            end = len(text) if end < 0 else end
        opening = _DISPLAY.search(text, at, end)
    yield from _prose(text, at, end)
    return end + 1


def _prose(text: str, start: int, end: int) -> Iterator[Segment]:
    """Prose without images and addresses."""
    at = start
    for noise in _NOISE.finditer(text, start, end):
        yield Segment("prose", at, noise.start())
        yield Segment("quiet", noise.start(), noise.end())
        at = noise.end()
    if at < end or start == end:
        yield Segment("prose", at, end)


class _Closings:
    """Where display mathematics ends. What was not found once is not looked for again: linear time."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.missing: dict[str, int] = {}

    def of(self, opening: re.Match[str]) -> tuple[int, int] | None:
        """The offsets of the closing mark and behind it, or None where there is none."""
        mark = {"$$": "$$", "\\[": "\\]"}.get(opening[0]) or opening[0].replace("begin", "end", 1)
        if self.missing.get(mark, len(self.text) + 1) <= opening.end():
            return None
        at = self.text.find(mark, opening.end())
        if at < 0:
            self.missing[mark] = opening.end()
            return None
        return at, at + len(mark)


def _front_matter(text: str) -> int:
    """Where a YAML header ends, or 0."""
    if not text.startswith("---\n"):
        return 0
    end = text.find("\n---", 3, 20_000)
    lines = text[4:end].split("\n") if end > 0 else []
    keys = any(":" in line and line[:1] not in " -#" for line in lines)  # slides begin with `---` as well
    return end + 4 if keys and all(":" in line or line[:1] in " -#" or not line for line in lines) else 0


def _fence_end(text: str, start: int, mark: str) -> tuple[int, int]:
    """The end of the content of a fence and the beginning of the line after it."""
    closing = re.compile(rf"^ {{0,40}}{re.escape(mark[:3])}[`~]* *$", re.MULTILINE).search(text, start)
    if closing is None:
        return len(text), len(text) + 1
    return closing.start(), closing.end() + 1
