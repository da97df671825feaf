"""Two-dimensional terminal text: boxes of lines that are set side by side on a common baseline."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from symattn.typeset.ansi import Style, styled
from symattn.typeset.cjk import display_width, pad

# one line, first, middle, last: Unicode's bracket pieces
Fence = tuple[str, str, str, str]
SQUARE: tuple[Fence, Fence] = (("[", "⎡", "⎢", "⎣"), ("]", "⎤", "⎥", "⎦"))
ROUND: tuple[Fence, Fence] = (("(", "⎛", "⎜", "⎝"), (")", "⎞", "⎟", "⎠"))
BARS: tuple[Fence, Fence] = (("|", "│", "│", "│"), ("|", "│", "│", "│"))


class Box(Struct, frozen=True):
    """A rectangle of text. Every line has the same display width; `baseline` is the line to align at."""

    lines: tuple[str, ...]
    baseline: int = 0

    @property
    def width(self) -> int:
        return display_width(self.lines[0])

    @property
    def height(self) -> int:
        return len(self.lines)


def line(words: str) -> Box:
    """A box of a single line."""
    return Box((words,))


def beside(*parts: Box | str) -> Box:
    """Boxes from left to right, their baselines on one line; a string is a box of one line."""
    boxes = [line(part) if isinstance(part, str) else part for part in parts]
    above = max(box.baseline for box in boxes)
    below = max(box.height - box.baseline for box in boxes)
    padded = [_stretch(box, above - box.baseline, below - box.height + box.baseline) for box in boxes]
    return Box(tuple(map("".join, zip(*padded, strict=True))), above)


def _stretch(box: Box, above: int, below: int) -> list[str]:
    blank = " " * box.width
    return [blank] * above + list(box.lines) + [blank] * below


def stacked(boxes: Iterable[Box], align: str = "l") -> tuple[str, ...]:
    """The lines of boxes from top to bottom, made equally wide."""
    lines = [words for box in boxes for words in box.lines]
    width = max(map(display_width, lines), default=0)
    return tuple(pad(words, width, align) for words in lines)


def fence(pieces: Fence, height: int, baseline: int) -> Box:
    """One bracket of the given height."""
    alone, first, middle, last = pieces
    if height == 1:
        return line(alone)
    return Box((first, *[middle] * (height - 2), last), baseline)


def enclosed(box: Box, pair: tuple[Fence, Fence] = ROUND) -> Box:
    """The box between brackets as tall as it is."""
    left, right = (fence(pieces, box.height, box.baseline) for pieces in pair)
    return beside(left, box, right)


def in_style(box: Box, style: Style) -> Box:
    """The box with every line in a style."""
    return Box(tuple(styled(words, style) for words in box.lines), box.baseline)


def packed(pieces: Iterable[Box], width: int) -> list[Box]:
    """Pieces set side by side as long as they fit, then on in the next box."""
    rows: list[Box] = []
    for piece in pieces:
        if rows and rows[-1].width + piece.width <= width:
            rows[-1] = beside(rows[-1], piece)
        else:
            rows.append(piece)
    return rows


def broken(words: str, width: int, preferred: str, hang: str = "  ") -> list[str]:
    """A one-line formula in lines of at most `width` columns where that can be had.

    It breaks before a `preferred` mark, at the outermost level of parentheses that fills a third
    of the line, or else at a space.
    """
    if display_width(words) <= width:
        return [words]
    best: tuple[int, int] | None = None
    depth = used = 0
    for at, character in enumerate(words):
        used += display_width(character)
        if used > width:
            break
        depth += (character in "([") - (character in ")]")
        weak = 100 if character == " " and words[at + 1 : at + 2] != preferred else 0
        if character in {preferred, " "} and used > width // 3 and (best is None or depth + weak <= best[0]):
            best = depth + weak, at
    if best is None:
        return [words]
    head, rest = words[: best[1]].rstrip(), words[best[1] :].lstrip(" " + preferred)
    return [head, *(hang + part for part in broken(rest, width - len(hang), preferred, ""))]
