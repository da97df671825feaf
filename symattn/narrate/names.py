"""What quantities and their entries are called on a page."""

from __future__ import annotations

from symattn.attention.symbols import symbol
from symattn.text.notation import Entry

__all__ = ["entry", "symbol"]


def entry(name: str, i: int, j: int | None = None) -> Entry:
    """Entry (i, j) of a quantity, counted from 0 here and from 1 on the page."""
    return Entry(symbol(name), i + 1, None if j is None else j + 1)
