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
        "shifted": "Delta",
        "prediction": "P",
        "target": "Y",
        "mixed": "N",
        "keys": "k",
        "total": "D",
        "relative": "r",
        "sink": "z",
        "new_K": "k",
        "new_V": "v",
        "concat": "C",
        "output": "O",
        "residual_1": "R",
        "residual_2": "R'",
        "norm_1": "Y",
        "norm_2": "Y'",
        "widened": "H",
        "active": "G",
        "ffn": "F",
    }
)

CACHED: Mapping[str, str] = MappingProxyType({"past_K": "K", "past_V": "V"})
"""What a cache holds of earlier tokens: K and V with the index "past"."""

PARTED = ("X", "Z", "concat", "output", "norm_1", "norm_2", "residual_1", "residual_2")
"""The values whose gradient is a sum of parts, named after the ways in which they come."""


def symbol(name: str) -> Symbol:
    """The symbol of a name: `head1.scaled` is S' with superscript (1), `dscaled` is dS'."""
    base = base_name(name)
    if base in LETTERS:
        return Symbol(LETTERS[base], sup=_tag(name))
    if base[0] == "d" and base[1:] in LETTERS:
        return Symbol("d" + LETTERS[base[1:]], sup=_tag(name))
    cached = base.removeprefix("d")
    if cached in CACHED:
        letter = CACHED[cached] if cached == base else "d" + CACHED[cached]
        return Symbol(letter, sub=Text("past"), sup=_tag(name))
    index = base.partition("_")[2]
    plain = named(base)
    # a part of a gradient: dnorm_1_R is dnorm with the index 1, R
    sub = Symbol(index.replace("_", ", ")) if "_" in index else plain.sub
    return replace(plain, sub=sub, sup=_tag(name))


def subject(base: str) -> str:
    """What a gradient is the gradient of: `X` for `dX` and for its part `dX_QK`; "" for anything else."""
    if base[0] != "d":
        return ""
    stem, _, label = base[1:].rpartition("_")
    part = stem in PARTED or (label.isdigit() and len(label) > 1)
    return stem if part else base[1:]


def _tag(name: str) -> Text | None:
    """(1) for `head1.A`, (1, 2) for `head1.block2.m`."""
    head = head_of(name)
    numbers = [part.lstrip(ascii_lowercase) for part in head.split(".")]
    return Text(f"({', '.join(numbers)})") if head else None


def entry(name: str, i: int, j: int | None = None) -> Entry:
    """Entry (i, j) of a quantity, counted from 0 here and from 1 on the page."""
    return Entry(symbol(name), i + 1, None if j is None else j + 1)
