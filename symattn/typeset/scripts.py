"""Which script a character belongs to, and the fonts that show scripts beyond Latin and Chinese.

A script is the first word of a character's name in Unicode, as in DEVANAGARI LETTER KA: no table of ranges
is needed, and a script that has a Noto font needs no entry here.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from itertools import groupby

CJK = "cjk"
SYMBOLS = "symbols"
EMOJI = "emoji"
ALL_EMOJI = ("Noto Emoji", "Symbola", "Noto Color Emoji", "Apple Color Emoji", "Segoe UI Emoji")
"""Fonts for typst, which unlike xelatex sets those in colour."""

_ALPHABETS = {"latin", "greek", "cyrillic"}
_NOTO = {
    *("arabic", "armenian", "bengali", "devanagari", "ethiopic", "georgian", "gujarati", "gurmukhi"),
    *("hebrew", "kannada", "khmer", "lao", "malayalam", "myanmar", "sinhala", "tamil", "telugu", "thai"),
}
_RIGHT_TO_LEFT = {"arabic", "hebrew"}
_FAMILIES = {
    CJK: tuple(f"{kind} CJK {land}" for kind in ("Noto Serif", "Noto Sans") for land in ("JP", "TC", "SC")),
    "hangul": ("Noto Serif CJK KR", "Noto Sans CJK KR", "Noto Serif CJK SC"),
    "arabic": ("Noto Naskh Arabic", "Amiri", "Noto Sans Arabic", "DejaVu Sans"),
    SYMBOLS: (
        *("DejaVu Serif", "Noto Serif", "DejaVu Sans", "Noto Sans Symbols", "Noto Sans Symbols2"),
        *("Noto Sans Math", "DejaVu Sans Mono"),
    ),
    EMOJI: ("Noto Emoji", "Symbola", "DejaVu Sans"),
    **dict.fromkeys(_ALPHABETS, ("CMU Serif", "Noto Serif", "DejaVu Serif")),
}
MARKS = "\u0300-\u036f"
"""The accents of alphabets, as in a class of a pattern."""
_JOINERS = "\u200c\u200d"


_FROM_RIGHT = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc](?:[ \u0590-\u08ff\u200c\u200d\ufb1d-\ufdff\ufe70-\ufefc]*"
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc])?"
)


def directed(words: str, mark: str = "\u200e") -> str:
    """Words of which those from the right leave what is behind them, such as `>`, to run from the left."""
    return _FROM_RIGHT.sub(rf"\g<0>{mark}", words)


def families(script: str) -> tuple[str, ...]:
    """Fonts that show the script, the one that fits the page best first."""
    title = script.title()
    named = (f"Noto Serif {title}", f"Noto Sans {title}", "FreeSerif", "Arial Unicode MS", "Nirmala UI")
    return _FAMILIES.get(script, named)


def right_to_left(script: str) -> bool:
    """Whether the script is written from the right."""
    return script in _RIGHT_TO_LEFT


def always_shown(script: str) -> bool:
    """Whether typst brings a font for the script."""
    return script in _ALPHABETS or script == SYMBOLS


def breaks_anywhere(script: str) -> bool:
    """Whether a long word may be cut between any two letters: none join or stand around another."""
    return script in _ALPHABETS


def printable(character: str) -> bool:
    """Whether some font may show the character: not what controls, is reserved or in private use."""
    return unicodedata.category(character) not in {"Cc", "Cf", "Cs", "Cn", "Co", "Zl", "Zp"}


@cache
def script_of(character: str) -> str:
    """The script of a printable character; what no script has alone is a symbol."""
    name = unicodedata.name(character, "")
    first = name.split()[0].partition("-")[0].lower() if name else ""
    if first in _NOTO or first in _ALPHABETS or first == "hangul":
        return first
    if first == "extended":  # EXTENDED ARABIC-INDIC DIGIT
        return "arabic"
    if first == "combining" or first == "modifier" or character.isascii():
        return "latin"
    if _is_picture(character):
        return EMOJI
    return CJK if unicodedata.east_asian_width(character) in "WFH" else SYMBOLS


def _is_picture(character: str) -> bool:
    return unicodedata.category(character) in {"So", "Sk"} and ord(character) >= 0x1F000


def clusters(words: str) -> Iterator[str]:
    """The characters as a reader counts them: a letter with its marks, an emoji with what is joined to it."""
    cluster = ""
    for character in words:
        if cluster and _continues(cluster, character):
            cluster += character
            continue
        if cluster:
            yield cluster
        cluster = character
    if cluster:
        yield cluster


def _continues(cluster: str, character: str) -> bool:
    base = cluster[0]
    kind = unicodedata.category(base)[0]
    if kind not in "LMN" and script_of(base) not in (SYMBOLS, EMOJI):
        return False
    mark = unicodedata.category(character)[0] == "M" or character in _JOINERS
    tone = "\U0001f3fb" <= character <= "\U0001f3ff"
    picture = cluster[-1] == "\u200d" and _is_picture(character)
    flag = len(cluster) == 1 and all("\U0001f1e6" <= c <= "\U0001f1ff" for c in cluster + character)
    virama = _is_virama(cluster) and script_of(character) == script_of(base)
    return mark or tone or picture or flag or virama


def _is_virama(cluster: str) -> bool:
    return unicodedata.combining(cluster.rstrip(_JOINERS)[-1:] or " ") == 9


def runs(parts: Iterator[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Neighbours of one script joined, and words from the right over the spaces between them."""
    joined = [
        (script, "".join(text for _, text in group)) for script, group in groupby(parts, lambda p: p[0])
    ]
    at = 0
    while at < len(joined):
        script, text = joined[at]
        while right_to_left(script) and [part for part, _ in joined[at + 1 : at + 3]] == ["", script]:
            if joined[at + 1][1] != " ":
                break
            text += " " + joined[at + 2][1]
            at += 2
        yield script, text
        at += 1
