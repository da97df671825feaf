"""Words in typst: every character of user text prints as itself, or as a visible U+XXXX.

The repertoire is that of the LaTeX pages (:mod:`symattn.typeset.latex_text`), so that both engines make the
same page; New Computer Modern, which the compiler brings, and one Chinese font have all of it.
"""

from __future__ import annotations

import re
import unicodedata

from symattn.typeset.latex_text import estimated_em, shortened, shows

_ACTIVE = re.compile(
    r"""[\\#$*_`<>@~'"/=+\[\]{}]"""
    r"|(?<![A-Za-z0-9])-|-(?![A-Za-z0-9])"  # dashes, list items, minus signs
    r"|\.(?=\.)|(?<=\.)\.|(?<!\S)[0-9]*\.(?!\S)"  # ellipses, numbered items
)
_LONG = re.compile(r"[^\s\u2e80-\uffff]{17,}")
_SYLLABLE = re.compile(r"(.{8})(?=.)")
_BREAK = "\u200b"


def escape(words: str) -> str:
    """User text as markup: it prints as it was typed, on one line."""
    return _marked_up(_shown(words))


def escape_prose(words: str) -> str:
    """User text in running prose: as `escape`, and a long run without spaces may break."""
    shown = _LONG.sub(lambda run: _SYLLABLE.sub(rf"\1{_BREAK}", run.group()), _shown(words))
    return _marked_up(shown).replace(_BREAK, r"\u{200b}")


def string(words: str) -> str:
    """User text as a string of typst's code, quotes and all: for code, and for words in formulas."""
    inside = _shown(words).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{inside}"'


def label(words: str) -> str:
    """The name of a row or column as a string, no longer than on other pages."""
    return string(shortened(words))


def _marked_up(shown: str) -> str:
    return _ACTIVE.sub(lambda found: found.group()[:-1] + "\\" + found.group()[-1], shown)


def _shown(words: str) -> str:
    composed = unicodedata.normalize("NFC", words)
    spaced = re.sub(r"[\s\u2028\u2029\u3000]", " ", composed)
    return "".join(character if _is_there(character) else f"U+{ord(character):04X}" for character in spaced)


def _is_there(character: str) -> bool:
    """Whether LaTeX shows the character, in its text fonts or as mathematics."""
    return shows(character) or estimated_em(character) == 1.0
