"""Words in typst: every character of user text prints as itself, or as a visible U+XXXX.

New Computer Modern, which the compiler brings, has all alphabets that are written from the left, one Chinese
font what Chinese needs; other scripts take the fonts of :mod:`symattn.typeset.scripts`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from symattn.typeset.latex_text import estimated_em, held, in_scripts, may_be_cut, shortened, shows
from symattn.typeset.scripts import ALL_EMOJI, CJK, EMOJI, MARKS, always_shown, directed, families

_ACTIVE = re.compile(
    r"""[\\#$*_`<>@~'"/=+\[\]{}]"""
    r"|(?<![A-Za-z0-9])-|-(?![A-Za-z0-9])"  # dashes, list items, minus signs
    r"|\.(?=\.)|(?<=\.)\.|(?<!\S)[0-9]*\.(?!\S)"  # ellipses, numbered items
)
_LONG = re.compile(r"[^\s\u2e80-\uffff]{17,}")
_SYLLABLE = re.compile(rf"(.{{8}}[{MARKS}]*)(?=.)")
_BREAK = "\u200b"
_INSTALLED: ContextVar[frozenset[str] | None] = ContextVar("_INSTALLED", default=None)


def escape(words: str) -> str:
    """User text as markup: it prints as it was typed, on one line."""
    return _marked_up(_shown(words))


def escape_prose(words: str) -> str:
    """User text in running prose: as `escape`, and a long run without spaces may break."""
    shown = held(_LONG.sub(_breakable, _shown(words)))
    return _marked_up(shown).replace(_BREAK, r"\u{200b}").replace("\xa0", "~")


def string(words: str) -> str:
    """User text as a string of typst's code, quotes and all: for code, and for words in formulas."""
    inside = _shown(words).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{inside}"'


def label(words: str) -> str:
    """The name of a row or column as a string, no longer than on other pages."""
    return string(shortened(words))


def _breakable(run: re.Match[str]) -> str:
    word = run.group()
    return _SYLLABLE.sub(rf"\1{_BREAK}", word) if may_be_cut(word) else word


def _marked_up(shown: str) -> str:
    return _ACTIVE.sub(lambda found: found.group()[:-1] + "\\" + found.group()[-1], shown)


def _shown(words: str) -> str:
    composed = unicodedata.normalize("NFC", words)
    spaced = re.sub(r"[\s\u2028\u2029\u3000]", " ", composed)
    shown = (
        text if _is_there(script, text) else "".join(f"U+{ord(c):04X}" for c in text)
        for script, text in in_scripts(spaced)
    )
    return directed("".join(shown))


def _is_there(script: str, text: str) -> bool:
    if not script:
        return all(shows(c) or estimated_em(c) == 1.0 for c in text)
    installed = _INSTALLED.get()
    return installed is None or always_shown(script) or not installed.isdisjoint(fonts_of(script))


def fonts_of(script: str) -> tuple[str, ...]:
    """The fonts of a script, for typst."""
    return ALL_EMOJI if script == EMOJI else families(script)


@contextmanager
def set_in(installed: frozenset[str] | None) -> Iterator[None]:
    """These fonts are there, and what they do not show is spelled out; None where that is not known."""
    before = _INSTALLED.set(installed)
    try:
        yield
    finally:
        _INSTALLED.reset(before)


def fonts_for(source: str) -> tuple[list[str], list[str]]:
    """The fonts of the scripts in a source that are there: before those of the page, and after them.

    The first are for one script alone, of which the fonts of the page have letters without their joins.
    """
    installed = _INSTALLED.get()
    before, after = [], []
    for script in sorted(
        {script for script, _ in in_scripts("\n".join({*source})) if script and not always_shown(script)}
    ):
        fonts = [string(font) for font in fonts_of(script) if installed is None or font in installed]
        if script in (CJK, EMOJI):
            after += fonts
        else:
            signs = rf"[\\p{{{script.title()}}}\\u{{200c}}\\u{{200d}}\\u{{964}}\\u{{965}}]"
            before += [f'(name: {font}, covers: regex("{signs}"))' for font in fonts]
    return before, after
