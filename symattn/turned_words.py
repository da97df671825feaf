"""Words about matrices with tokens as rows, said of tokens as columns."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from symattn.bilingual import Bilingual

_WORDS = (
    ("along the rows", "down the columns"),
    ("along each row", "down each column"),
    ("row", "column"),
    ("rows", "columns"),
    ("Row", "Column"),
    ("Rows", "Columns"),
    ("行", "列"),
    ("left factor", "right factor"),
    ("左边的因子", "右边的因子"),
    ("one below the other", "side by side"),
    ("i - j", "j - i"),
    ('"right"', '"left"'),
    ("X W^T", "W^T X"),
    ("X W", "W X"),
    ("A V", "V A"),
    ("Q K^T", "K^T Q"),
    ("K Q^T", "Q^T K"),
    ("Q Q^T", "Q^T Q"),
    ("K K^T", "K^T K"),
    ("multiplied Q by K instead of K^T", "multiplied K by Q instead of K^T"),
    ("A^T by V instead of A", "V by A^T instead of A"),
)
_EXCHANGED: Mapping[str, str] = MappingProxyType(dict(_WORDS) | {b: a for a, b in _WORDS})
_LATIN = r"(?<![A-Za-z{{]){}(?![A-Za-z_])"  # a part of no other word, and no mark of a sentence
_ANY = re.compile(
    r"(?P<n>\d+)×(?P<m>\d+)|"
    + "|".join(
        _LATIN.format(re.escape(words)) if words.isascii() else re.escape(words)
        for words in sorted(_EXCHANGED, key=len, reverse=True)
    )
)


def turned_text(text: Bilingual) -> Bilingual:
    """`turned_words` in both languages."""
    return Bilingual(turned_words(text.en), turned_words(text.zh))


def turned_words(words: str) -> str:
    """Words about matrices with tokens as rows, for columns: rows and columns exchanged, 2×3 for 3×2."""
    return _ANY.sub(lambda found: _EXCHANGED.get(found[0]) or f"{found['m']}×{found['n']}", words)
