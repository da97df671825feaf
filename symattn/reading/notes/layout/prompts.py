"""What was typed at the prompts of a console, and what it answered.

>>> (A @ V).round(2)
array([[1.33, 0.67]])
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from symattn.reading.notes.formulas.segment import Segment

_PROMPT = re.compile(r"[ \t]*(?:>>>|[A-Za-z]*>|In \[\d+\]:) ?(?P<code>.*)")
_MORE = re.compile(r"[ \t]*(?:\.\.\.|\+) .*")
"""Lines of a console that somebody typed: behind a prompt, and going on from the one above."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a block of code."""

    said: str
    start: int


def lines_in(plain: str, block: Segment) -> list[Line]:
    """The lines of a block."""
    lines, at = [], block.start
    for said in plain[block.start : block.end].split("\n"):
        lines.append(Line(said, at))
        at += len(said) + 1
    return lines


def is_console(text: str, block: Segment) -> bool:
    """Whether a line of a block begins with a prompt; `text` is the document as it was typed."""
    return any(map(_PROMPT.fullmatch, _typed(text, block)))


def _typed(text: str, block: Segment) -> list[str]:
    return text[block.start : block.end].split("\n")


def answers(text: str, plain: str, block: Segment) -> Iterator[tuple[list[Line], Sequence[str]]]:
    """What a console answers, with what was typed at the prompt above it."""
    code: list[str] = []
    answer: list[Line] = []
    for line, whole in zip(lines_in(plain, block), _typed(text, block), strict=True):
        typed = _PROMPT.fullmatch(whole)
        if typed is None and (answer or not _MORE.fullmatch(whole)):
            answer.append(line)
            continue
        if answer:
            yield answer, code
            code, answer = [], []
        code.append(typed["code"] if typed is not None else whole)
    yield answer, code
