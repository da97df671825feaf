"""What the matrices of a document are called in a plan: `s` is scores, the A of a second example another."""

from __future__ import annotations

from collections.abc import Container, Mapping
from functools import cache
from types import MappingProxyType

from symattn.attention.quantities import QUANTITIES
from symattn.attention.symbols import meant

MADE_BY: Mapping[str, str] = MappingProxyType({"softmax": "a", "exponential": "e", "positions": "pe"})
"""What a step makes, by the letters that documents use for it."""


@cache
def quantity(key: str) -> str | None:
    """The quantity that a document calls by these letters, without its index: `W_Q` for w_q, scores for s."""
    known = {name.lower(): name for name in reversed(tuple(QUANTITIES))}
    if key in known:
        return known[key]
    found = meant(key.upper(), tuple(QUANTITIES))
    return found[0] if found else None


class Names:
    """One name for each matrix; one that is taken gets its line."""

    def __init__(self) -> None:
        self.taken: set[str] = set()

    def of(self, key: str, line: int, known: Container[str] = ()) -> str:
        """The name of a matrix that the document calls `key`."""
        base, _, index = key.partition("_")
        whole, part = quantity(key), quantity(base)
        name = whole or (f"{part}_{index}" if part is not None else key.replace(".", "")) or "M"
        tried, count = name, 1
        while tried in self.taken or tried in known:
            tried = f"{name} (line {line})" if count == 1 else f"{name} (line {line}, {count})"
            count += 1
        self.taken.add(tried)
        return tried
