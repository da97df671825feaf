"""What a document calls by letters of its own: `H = X + Z`, `M` in `K = M W_K`.

A letter that means something to everybody keeps its meaning; one that does not takes that of the formula
that it is said to be.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.formula import (
    Binary,
    Chain,
    Grid,
    Name,
    Node,
    Num,
    grid_of,
    numerals,
    walk,
)
from symattn.reading.notes.formulas.names import Bases, resolve
from symattn.reading.notes.linking.denote import denote, own_key

MASK = "mask"
LEARNED = frozenset(
    {"X+PE", "residual_1", "norm_1", "widened", "active", "ffn", "residual_2", "norm_2", "tempered"}
)


def learned(items: Sequence[Item], bases: Bases) -> dict[str, str]:
    """The quantities that letters stand for, by the keys that `denote` looks them up with."""
    renamed: dict[str, str] = {}
    for item in items:
        if not isinstance(item.node, Chain):
            continue
        first, *others = item.node.members
        if isinstance(first, Name) and _own(first) and own_key(first) not in renamed:
            refs = (denote(other, bases, renamed) for other in others)
            known = next((ref for ref in refs if ref is not None), None)
            key = own_key(first) if known is None or known.row is None else _letter(first)
            if known is not None and known.name in LEARNED and key is not None:
                renamed.setdefault(key, known.name)
            elif is_mask(others[-1]):
                renamed[own_key(first)] = MASK
    return dict(_sources(items)) | renamed


def _letter(name: Name) -> str | None:
    """The key of the letter of which a name with an index is a row: that of `H` for `h_1`."""
    letter, _, tail = "_".join((name.text, *name.subs)).rpartition("_")
    return own_key(Name(letter.upper())) if len(letter) == 1 and tail.isdecimal() else None


def _own(name: Name) -> bool:
    """Whether a letter has no meaning that everybody knows; a prime makes another one of it."""
    return name.text.endswith("'") or resolve(name, Bases()) is None


def _sources(items: Sequence[Item]) -> Iterator[tuple[str, str]]:
    """The letters that weights are multiplied with: X where W_Q is among them, a memory where it is not."""
    weights: dict[str, set[str]] = {}
    for item in items:
        for node in walk(item.node):
            for source, weight in _product(node):
                weights.setdefault(own_key(source), set()).add(weight)
    for key, names in weights.items():
        if "W_Q" in names:
            yield key, "X"
        elif names:
            yield key, "memory"


def _product(node: Node) -> Iterator[tuple[Name, str]]:
    match node:
        case Binary(op="*", left=Name() as a, right=Name() as b):
            for source, other in ((a, b), (b, a)):
                ref = resolve(other, Bases())
                if ref is not None and ref.name in ("W_Q", "W_K", "W_V") and _own(source):
                    yield source, ref.name


def is_mask(node: Node) -> bool:
    """A square matrix of zeros and minus infinities, both of them."""
    grid = node if isinstance(node, Grid) else grid_of(node)
    if grid is None or len(grid.rows) < 2:
        return False
    texts = {num.text for num in numerals(grid)}
    whole = all(isinstance(cell, Num) for row in grid.rows for cell in row)
    return whole and "-inf" in texts and texts <= {"-inf", "0", "0.0"}
