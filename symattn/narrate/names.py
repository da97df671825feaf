"""What a quantity of the walk is called on a page: S for scores, E for exponentials, D for row sums."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from symattn.notation import Entry, Symbol, Text, named
from symattn.plan import base_name, head_of

LETTERS: Mapping[str, str] = MappingProxyType(
    {
        "scores": "S",
        "scaled": "S'",
        "masked": "S''",
        "exp": "E",
        "sum": "D",
        "X+PE": "X'",
        "capped": "U",
        "biased": "B",
        "tempered": "L",
        "relative": "r",
        "sink": "z",
        "concat": "C",
        "output": "O",
    }
)


def symbol(name: str) -> Symbol:
    """The symbol of a name: `head1.scaled` is S' with superscript (1)."""
    letter = LETTERS.get(base_name(name))
    if letter is None:
        return named(name)
    head = head_of(name)
    return replace(Symbol(letter), sup=Text(f"({head.removeprefix('head')})") if head else None)


def entry(name: str, i: int, j: int | None = None) -> Entry:
    """Entry (i, j) of a quantity, counted from 0 here and from 1 on the page."""
    return Entry(symbol(name), i + 1, None if j is None else j + 1)
