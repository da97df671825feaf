"""What a line of words calls the print under it: `Scaled scores`, `Divide by √2:`, `## Softmax`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from msgspec import Struct

from symattn.notes.grammar.syntax import Node
from symattn.notes.names.words import letters

RESULTS: Final[tuple[str, ...]] = ("a", "scaled", "z", "s")
"""What a title is about if it names several: `weights by the softmax of the scores` are weights."""
SOURCES: Final[tuple[str, ...]] = ("q", "k", "v", "x")
MOST_WORDS: Final = 4
"""A longer line that names a source is about something else."""

MOST_NODES: Final = 24
"""How many parts of an expression are looked at."""


class Title(Struct, frozen=True, eq=False):
    """The name of a quantity, the root that it is divided by, and whether the title says softmax."""

    key: str
    root: Node | None = None
    softmax: bool = False


def titled(words: Sequence[str], nodes: Sequence[Node]) -> Title | None:
    """The quantity that the words and expressions of a line name, or None."""
    inner = [node for each in nodes for node in islice(_within(each), MOST_NODES)]
    spoken = [word.lower() for word in words] + [node.name for node in inner if node.kind == "call"]
    softmax = any("softmax" in word for word in spoken)
    found = {letters(word)[0][0] for word in words if len(word) > 1 or word in "QKV"}
    found |= {node.name for node in inner if node.kind == "name"} - {"a", "x"}
    root = next(
        (node for node in inner if node.kind == "sqrt" and node.args[0].kind in ("lit", "name")), None
    )
    if softmax:
        return Title("a", None, True)
    if root is not None:
        return Title("scaled", root)
    key = next((symbol for symbol in RESULTS if symbol in found), None)
    sources = [symbol for symbol in SOURCES if symbol in found]
    if key is None and len(sources) == 1 and "w" not in found and len(words) <= MOST_WORDS:
        key = sources[0]
    return Title(key) if key is not None else None


def _within(node: Node) -> Iterator[Node]:
    yield node
    for arg in node.args:
        yield from _within(arg)
