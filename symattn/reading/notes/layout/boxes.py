"""Frames around one part of a page: a box with a title in its upper edge, and one cell a line.

    ┌─ scores ──┐          +-----------+
    │  4   2    │          | Q K^T     |
    │  1   3    │          |  4   2    |
    └───────────┘          |  1   3    |
                           +-----------+

The frame becomes blanks, so that every offset stays true, and the title a line that ends with a colon. What
has bars between its cells is a table, and stays.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_EDGE = "-─━═"
_TOP = re.compile(rf"[ \t>]*[┌┏╔╭+][{_EDGE}]+(?P<title>[^┬┳╦+|│\n]*)[┐┓╗╮+][ \t]*")
_LINE = re.compile(r"[ \t>]*[│┃║|](?P<said>[^│┃║|\n]*)[│┃║|][ \t]*")
_RULE = re.compile(rf"[ \t>]*[├┣╠╟+|│][{_EDGE}]+[┤┫╣╢+|│][ \t]*")
_BOTTOM = re.compile(rf"[ \t>]*[└┗╚╰+][{_EDGE}┬┴┼▼]+[┘┛╝╯+][ \t]*")
TALLEST = 60
SIGNS = ("┌", "┏", "╔", "╭", "+--")


def without_boxes(text: str) -> str:
    """The text without the frames of its boxes, exactly as long as before."""
    if not any(sign in text for sign in SIGNS):
        return text
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        top = _TOP.fullmatch(lines[at])
        last = _last(lines, at) if top is not None else None
        if top is None or last is None:
            at += 1
            continue
        lines[at] = _titled(lines[at], top)
        for inner in range(at + 1, last + 1):
            cell = _LINE.fullmatch(lines[inner])
            lines[inner] = _only(lines[inner], *cell.span("said")) if cell else " " * len(lines[inner])
        at = last + 1
    return "\n".join(lines)


def _last(lines: Sequence[str], top: int) -> int | None:
    """The lower edge of the box whose upper edge is a line, None where it is none of a single column."""
    for at in range(top + 1, min(top + TALLEST, len(lines))):
        if _LINE.fullmatch(lines[at]) is None and (at == top + 1 or _RULE.fullmatch(lines[at]) is None):
            return at if at > top + 1 and _BOTTOM.fullmatch(lines[at]) else None
    return None


def _titled(line: str, top: re.Match[str]) -> str:
    """The upper edge with nothing but its title, and a colon behind that."""
    start, end = top.span("title")
    end = start + len(line[start:end].rstrip(f" {_EDGE}"))
    start += len(line[start:]) - len(line[start:].lstrip(f" {_EDGE}"))
    if end <= start:
        return " " * len(line)
    kept = _only(line, start, end)
    return f"{kept[:end]}:{kept[end + 1 :]}"


def _only(line: str, start: int, end: int) -> str:
    return " " * start + line[start:end] + " " * (len(line) - end)
