"""How many columns characters take in a terminal, and how to show those that would take it over.

East Asian wide and full-width characters take two columns, combining marks none (Unicode UAX #11); what the
encoding of the terminal lacks takes those of its ASCII form.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache

from symattn.typeset.ascii import in_encoding

_ENCODING = ContextVar("_ENCODING", default="utf-8")
_MARKS = re.compile("[\ufdd0-\ufdef]")
_LINE_BREAKERS = {"Zl", "Zp"}
# Zero-width (non-)joiner belong to the spelling of Persian, Indic scripts and emoji: they may pass.
_JOINERS = "\u200c\u200d"


@lru_cache(maxsize=4096)
def _columns(character: str) -> int:
    if is_mark(character) or "\u1160" <= character <= "\u11ff":
        return 0
    if unicodedata.category(character) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def is_mark(character: str) -> bool:
    """Whether this is one of the 32 noncharacters that Unicode keeps for a program's inner use.

    The text typesetter marks styles and places to break with them; `visible` spells them out in
    user text, so that nobody can smuggle one in.
    """
    return "\ufdd0" <= character <= "\ufdef"


@contextmanager
def laid_out_for(encoding: str) -> Iterator[None]:
    """Text is measured as a stream of this encoding shows it."""
    before = _ENCODING.set(encoding)
    try:
        yield
    finally:
        _ENCODING.reset(before)


def display_width(words: str) -> int:
    """The columns that `words` takes in a terminal."""
    if words.isascii():
        return len(words)
    if _ENCODING.get() != "utf-8":
        words = in_encoding(_MARKS.sub("", words), _ENCODING.get())
    return sum(map(_columns, words))


def pad(words: str, width: int, align: str = "l") -> str:
    """`words` filled up with spaces to `width` columns; align is l, c or r."""
    gap = max(0, width - display_width(words))
    before = {"l": 0, "c": gap // 2, "r": gap}[align]
    return " " * before + words + " " * (gap - before)


def visible(words: str) -> str:
    r"""User text with every character shown that would act instead of print.

    Control characters become their pictures (ESC is ␛, a line feed ␊); what turns the direction of
    writing, hides, breaks lines or is no character is spelled out (`\u202e`). No escape
    sequence and no bidirectional override survives, and the result is well-formed in XML.
    """
    return words if words.isprintable() else "".join(map(_shown, words))


def plain(words: str) -> str:
    """User text in a sentence, on one line: tabs and line breaks are a blank, what acts is shown."""
    return visible(re.sub(r"[\t\r\n]+", " ", words))


def _shown(character: str) -> str:
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    category = unicodedata.category(character)
    acts = category in {"Cc", "Cs", "Cf"} | _LINE_BREAKERS and character not in _JOINERS
    if acts or is_mark(character) or code & 0xFFFE == 0xFFFE:
        return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
    return character
