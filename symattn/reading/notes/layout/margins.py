"""Margins: what stands before every line of a listing and belongs to none: numbers of lines, comment signs.

     7  Q = X W_Q          // Q = X W_Q          [12:10:07] INFO Q = X W_Q
     8    = [[2, 6],       //   = [[2, 6],       [12:10:08] INFO   = [[2, 6],
     9       [2, 4]]       //      [2, 4]]       [12:10:09] INFO      [2, 4]]

So are the dashes before the rows of a matrix in YAML. Each becomes blanks, so that every offset stays true
and rows stand below one another.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

_NUMBERED = r"L?(?P<number>\d{1,5})(?::(?= |$)| ?[|│](?= |$)|\t|(?=  )|(?=\s*$))"
_SIGNED = r"(?P<sign>//+|--|;+|#)(?= |$)"
_STAMPED = (
    r"\[?(?:\d{4}-\d\d-\d\d[ T])?\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?Z?\]?:?"
    r"(?P<stamp> +(?:INFO|DEBUG|TRACE):?(?= |$))?"
)
_MARGIN = re.compile(rf"[ \t]*(?:{_NUMBERED}|{_SIGNED}|{_STAMPED})")
_LISTED = re.compile(r"^[ \t]*\w+:[ \t]*\n(?:[ \t]*- \[[^\[\]\n]*\][ \t]*(?:\n|\Z))+", re.MULTILINE)
"""A matrix in YAML, with its name."""
_DASH = re.compile(r"^([ \t]*)-", re.MULTILINE)
LEAST = 8
"""How many lines a listing has."""
EQUATIONS = 2


def without_margins(text: str) -> str:
    """The text with blanks for the margins of its listings, and of the rows that programs print."""
    if "- [" in text:
        text = _LISTED.sub(lambda found: _DASH.sub(r"\1 ", found[0]), text)
    if text.count("\n") < LEAST:
        return text
    made: list[str] = []
    for margins, lines in _runs(text.split("\n")):
        cut = margins and _is_listing([line[m.end() :] for m, line in zip(margins, lines, strict=True)])
        ends = [m.end() for m in margins] if cut else [0] * len(lines)
        made += [" " * end + line[end:] for end, line in zip(ends, lines, strict=True)]
    return "\n".join(made)


def _runs(lines: Sequence[str]) -> Iterator[tuple[list[re.Match[str]], list[str]]]:
    """The lines in their order: those that follow one another with margins of one kind, and those without."""
    found = [_MARGIN.match(line) for line in lines]
    kinds = (_kind(m, i) for i, m in enumerate(found))
    for kind, group in groupby(zip(kinds, found, lines, strict=True), key=lambda each: each[0]):
        members = list(group)
        yield [m for _, m, _ in members if m is not None and kind], [line for *_, line in members]


def _kind(margin: re.Match[str] | None, i: int) -> str:
    """What a margin has in common with those above and below it: numbers count the lines."""
    if margin is None:
        return ""
    if margin["number"] is not None:
        return f"{int(margin['number']) - i}"
    return margin["sign"] or f"at{margin['stamp'] or ''}"


def _is_listing(rest: Sequence[str]) -> bool:
    """Whether lines without their margins go on from one another: equations, and lines without a digit."""
    equations = sum("=" in line for line in rest)
    return (
        len(rest) >= LEAST
        and equations >= EQUATIONS
        and any(not any(c.isdigit() for c in line) for line in rest)
    )
