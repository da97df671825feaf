r"""Decimals that say themselves that digits follow: `1.414…`, `2.71828...`, `0.577\ldots`."""

from __future__ import annotations

import re

_UNENDED = re.compile(r"(?<![\d.,])(\d+(?:\.\d+|,\d{2,}))(\.{3}|…+|\\(?:l?dots|cdots)(?![A-Za-z]))(?! ?\d)")
"""Dots with a blank before them leave out what stands in a row of numbers, and no digits."""
_SIGNS = ("…", "...", "dots")


def without_unended(text: str) -> str:
    """The text with blanks in place of the dots directly behind decimals; every offset stays true."""
    if not any(sign in text for sign in _SIGNS):
        return text
    return _UNENDED.sub(lambda said: said[1] + " " * len(said[2]), text)
