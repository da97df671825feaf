"""What a quantity of the walk is called on a page: S for scores, E for exponentials, D for row sums."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from string import ascii_lowercase
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
        "dscaled": "dS'",
        "dscores": "dS",
        "dconcat": "dC",
        "doutput": "dO",
        "mixed": "N",
        "keys": "k",
        "total": "D",
        "relative": "r",
        "sink": "z",
        "new_K": "k",
        "new_V": "v",
        "concat": "C",
        "output": "O",
    }
)


def symbol(name: str) -> Symbol:
    """The symbol of a name: `head1.scaled` is S' with superscript (1)."""
    letter = LETTERS.get(base_name(name))
    if letter is None:
        return replace(named(base_name(name)), sup=_tag(name))
    return replace(Symbol(letter), sup=_tag(name))


def _tag(name: str) -> Text | None:
    """(1) for `head1.A`, (1, 2) for `head1.block2.m`."""
    head = head_of(name)
    numbers = [part.lstrip(ascii_lowercase) for part in head.split(".")]
    return Text(f"({', '.join(numbers)})") if head else None


def entry(name: str, i: int, j: int | None = None) -> Entry:
    """Entry (i, j) of a quantity, counted from 0 here and from 1 on the page."""
    return Entry(symbol(name), i + 1, None if j is None else j + 1)
