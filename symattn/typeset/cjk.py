"""How many columns characters take in a terminal, and how to show those that would take it over.

East Asian wide and full-width characters take two columns, combining marks none (Unicode UAX #11).
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

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


def display_width(words: str) -> int:
    """The columns that `words` takes in a terminal."""
    if words.isascii():
        return len(words)
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
