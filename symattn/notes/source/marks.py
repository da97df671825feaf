"""Headings, code and formulas of each kind of document as in Markdown, character for character."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from symattn.casefile.file_kinds import Kind

Rule = tuple[re.Pattern[str], Callable[[str], str]]
"""What is replaced, and by what; both are of one length."""


def as_markdown(text: str, kind: Kind) -> str:
    """The text with the marks of its kind as those of Markdown."""
    for pattern, write in (*_RULES.get(kind, ()), _ENTITY):
        text = pattern.sub(lambda found: write(found[0]), text)  # noqa: B023
    return text


def _rule(pattern: str, write: Callable[[str], str]) -> Rule:
    return re.compile(pattern, re.M | re.I), write


def _blank(mark: str) -> str:
    return " " * len(mark)


def _fence(mark: str) -> str:
    return "```".ljust(len(mark))


def _heading(mark: str) -> str:
    return "#" * (len(mark) - 1) + " "


_FORMULA = _rule(r"\b(?:latex|ascii)?(?:stem|math):\[[^\]\n]{0,2000}\]", lambda mark: f"{_inside(mark)} ")


def _entity(mark: str) -> str:
    """`&times;` as its sign, and marks of no width."""
    sign = html.unescape(mark)
    return sign.ljust(len(mark), "\u200b") if len(sign) == 1 else mark


_ENTITY = _rule(r"&[a-z]{2,8};", _entity)


def _inside(mark: str) -> str:
    """`stem:[x = 1]` without its brackets."""
    opening = mark.index("[") + 1
    return " " * opening + mark[opening:-1]


_RULES: Final[Mapping[Kind, tuple[Rule, ...]]] = MappingProxyType(
    {
        "rst": (
            _rule(r"^[ \t]*\.\. (?:code|code-block|sourcecode|parsed-literal)::[^\n]*", _blank),
            _rule(r"^[ \t]*\.\. [\w:+-]{1,40}::", _blank),
            _rule(r":math:(?=`)", _blank),
            _rule(r"::$", lambda mark: ": "),
        ),
        "org": (
            _rule(r"^[ \t]*#\+(?:begin|end)_(?:src|example)\b[^\n]*", _fence),
            _rule(r"^[ \t]*#\+\w+:?[^\n]*", _blank),
            _rule(r"^\*{1,6} ", _heading),
        ),
        "asciidoc": (
            _rule(r"^(?:-{4,}|\.{4,})[ \t]*$", _fence),
            _rule(r"^(?:\+{4,}|\[[^\]\n]{1,80}\]|\|={3,})[ \t]*$", _blank),
            _rule(r"^={1,6} ", _heading),
            _FORMULA,
        ),
        "typst": (_rule(r"^={1,6} ", _heading),),
    }
)
