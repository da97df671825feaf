"""What a document calls by letters of its own: `H = X + Z`, `M` in `K = M W_K`.

A letter that means something to everybody keeps its meaning; one that does not takes that of the formula
that it is said to be.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.formula import (
    Binary,
    Chain,
    Grid,
    Name,
    Node,
    Num,
    Transpose,
    grid_of,
    numerals,
    walk,
)
from symattn.reading.notes.formulas.names import Bases, resolve
from symattn.reading.notes.formulas.works import is_literal
from symattn.reading.notes.layout.context import Context
from symattn.reading.notes.linking.denote import denote, lettered, own_key

MASK = "mask"
_ENCODER = re.compile(r"(?<![A-Za-z])enc(?:oder)?(?![A-Za-z])|\bmemory\b|编码器", re.IGNORECASE)
LINES_ABOVE, WORDS_ABOVE = 8, 2
LEARNED = frozenset(
    {
        *("X+PE", "residual_1", "norm_1", "widened", "active", "ffn", "residual_2", "norm_2", "tempered"),
        *("scores", "scaled", "masked", "A", "Z"),
    }
)


def learned(items: Sequence[Item], bases: Bases, context: Context) -> dict[str, str]:
    """The quantities that letters stand for, by the keys that `denote` looks them up with."""
    renamed: dict[str, str] = {}
    sources = dict(_sources(items, bases))
    for item in items:
        if not isinstance(item.node, Chain):
            continue
        first, *others = item.node.members
        if isinstance(first, Name) and _own(first, bases) and own_key(first) not in renamed:
            refs = (denote(other, bases, renamed) for other in others)
            known = next((ref for ref in refs if ref is not None), None)
            key = own_key(first) if known is None or known.row is None else _letter(first)
            if known is not None and known.name in LEARNED and key is not None:
                renamed.setdefault(key, known.name)
            elif is_mask(others[-1]):
                renamed[own_key(first)] = MASK
            elif (
                own_key(first) not in sources and grid_of(others[-1]) is not None and _encoder(first, context)
            ):
                renamed[own_key(first)] = "memory"
    return sources | renamed


def _letter(name: Name) -> str | None:
    """The key of the letter of which a name with an index is a row: that of `H` for `h_1`."""
    letter, tail = lettered(name)
    return own_key(Name(letter.upper())) if len(letter) == 1 and tail.isdecimal() else None


def _own(name: Name, bases: Bases) -> bool:
    """Whether a letter has no meaning that everybody knows; a prime makes another one of it."""
    return name.text.endswith("'") or resolve(name, Bases(tokens=bases.tokens)) is None


def _encoder(name: Name, context: Context) -> bool:
    """Whether a letter, or the words just above it, speak of what an encoder put out."""
    if _ENCODER.search("_".join((name.text, *name.subs))):
        return True
    here = context.line(name.start)
    above = [
        said
        for line in range(here - 1, max(here - LINES_ABOVE, -1), -1)
        if (said := context.said(line)).strip()
    ]
    return any(_ENCODER.search(said) for said in above[:WORDS_ABOVE])


def foreign(items: Sequence[Item], bases: Bases, renamed: Mapping[str, str]) -> frozenset[str]:
    """The projections whose weights multiply something that is not X, so that X does not make them."""
    sources: dict[str, set[str]] = {}
    for item in items:
        for node in walk(item.node):
            for source, weight in _product(node):
                ref = denote(source, bases, renamed)
                sources.setdefault(weight.removeprefix("W_"), set()).add(ref.name if ref is not None else "?")
    return frozenset(name for name, found in sources.items() if not found & {"X", "X+PE"})


def _sources(items: Sequence[Item], bases: Bases) -> Iterator[tuple[str, str]]:
    """The letters that weights are multiplied with: X where W_Q is among them, a memory where it is not.

    A letter beside an X that is given for itself is something else.
    """
    weights: dict[str, set[str]] = {}
    for item in items:
        for node in walk(item.node):
            for source, weight in _product(node):
                if _own(source, bases):
                    weights.setdefault(_letter(source) or own_key(source), set()).add(weight)
    given = any(_gives_x(item, bases) for item in items)
    for key, names in weights.items():
        if "W_Q" not in names:
            yield key, "memory"
        elif not given:
            yield key, "X"


def _gives_x(item: Item, bases: Bases) -> bool:
    match item.node:
        case Chain(members=(Name() as first, *others)) if not _own(first, bases):
            ref = resolve(first, bases)
            return ref is not None and ref.name == "X" and is_literal(others[-1])
    return item.target is not None and item.target.name == "X"


def _product(node: Node) -> Iterator[tuple[Name, str]]:
    """What the weights of a projection multiply, on either side: X W, X W^T, W x."""
    if not isinstance(node, Binary) or node.op != "*":
        return
    plain = [each.of if isinstance(each, Transpose) else each for each in (node.left, node.right)]
    for source, weights in (plain, plain[::-1]):
        if isinstance(source, Name) and isinstance(weights, Name):
            ref = resolve(weights, Bases())
            if ref is not None and ref.name in ("W_Q", "W_K", "W_V"):
                yield source, ref.name


def is_mask(node: Node) -> bool:
    """A square matrix of zeros and minus infinities, both of them."""
    grid = node if isinstance(node, Grid) else grid_of(node)
    if grid is None or len(grid.rows) < 2:
        return False
    texts = {num.text for num in numerals(grid)}
    whole = all(isinstance(cell, Num) for row in grid.rows for cell in row)
    return whole and "-inf" in texts and texts <= {"-inf", "0", "0.0"}
