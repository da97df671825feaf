"""Characters read as others, one for one: full width, bold and script letters, digits of every script."""

from __future__ import annotations

from typing import Final
from unicodedata import normalize

_WIDE = range(0xFF01, 0xFF5F)
_MATHEMATICAL = range(0x1D400, 0x1D800)
_ZEROS = (
    *(0x0660, 0x06F0, 0x0966, 0x09E6, 0x0A66, 0x0AE6, 0x0B66, 0x0BE6, 0x0C66, 0x0CE6, 0x0D66),
    *(0x0E50, 0x0ED0, 0x0F20, 0x1040, 0x17E0, 0x1810),
)
"""The zeros of the scripts from Arabic to Mongolian; their other digits follow."""
_BLOCKS = range(0x2580, 0x25A0)
"""Blocks, which draw bars: blanks."""
_ARABIC_SIGNS = {0x066B: ".", 0x066C: "'", 0x066A: "%"}

IN_ONE_ALPHABET: Final[dict[int, str]] = (
    {code: chr(code - 0xFEE0) for code in _WIDE}
    | {code: letter for code in _MATHEMATICAL if len(letter := normalize("NFKC", chr(code))) == 1}
    | {zero + digit: str(digit) for zero in _ZEROS for digit in range(10)}
    | dict.fromkeys(_BLOCKS, " ")
    | _ARABIC_SIGNS
)
"""For `str.translate`."""
