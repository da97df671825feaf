"""What a quantity is called on a page: S for scores, E for exponentials, D for row sums."""

from __future__ import annotations

from dataclasses import replace
from string import ascii_lowercase

from symattn.notation import Entry, Symbol, Text, named
from symattn.plan import base_name, head_of
from symattn.quantities import QUANTITIES


def symbol(name: str) -> Symbol:
    """The symbol of a name: `head1.scaled` is S' with superscript (1), `dscaled` is dS'."""
    base = base_name(name)
    quantity, of = QUANTITIES.of(base), QUANTITIES.of(base[1:])
    if quantity is not None:
        return replace(quantity.symbol, sup=_tag(name))
    if of is not None and base.startswith("d"):
        return replace(of.slope, sup=_tag(name))
    whole = QUANTITIES.get(QUANTITIES.subject(base))
    if whole is not None and whole.letter:
        part = base.removeprefix(f"d{whole.name}_").replace("_", "")
        return replace(
            whole.slope, sub=Text(f"{whole.index}, {part}" if whole.index else part), sup=_tag(name)
        )
    index = base.partition("_")[2]
    plain = named(base)
    # a part of a gradient: dnorm_1_R is dnorm with the index 1, R
    sub = Symbol(index.replace("_", ", ")) if "_" in index else plain.sub
    return replace(plain, sub=sub, sup=_tag(name))


def _tag(name: str) -> Text | None:
    """(1) for `head1.A`, (1, 2) for `head1.block2.m`."""
    head = head_of(name)
    numbers = [part.lstrip(ascii_lowercase) for part in head.split(".")]
    return Text(f"({', '.join(numbers)})") if head else None


def entry(name: str, i: int, j: int | None = None) -> Entry:
    """Entry (i, j) of a quantity, counted from 0 here and from 1 on the page."""
    return Entry(symbol(name), i + 1, None if j is None else j + 1)
