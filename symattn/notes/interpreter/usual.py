"""What a name usually is: the formulas of attention for a result that is printed without one."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from symattn.notes.grammar.syntax import Node


def _name(base: str, *index: str) -> Node:
    return Node("name", name=base, index=tuple(index))


def _times(a: Node, b: Node) -> Node:
    return Node("mul", [a, b], mark="·")


def _scaled(a: Node) -> Node:
    return Node("div", [a, Node("sqrt", [_name("d", "k")])], mark="/")


def _softmax(a: Node) -> Node:
    return Node("call", [a], name="softmax")


EXPONENTIALS: Final = ("exp", "e", "p")
SUMS: Final = ("l", "sum", "d")
JOINED: Final = ("c", "h", "concat")
OUTPUTS: Final = ("z", "o", "y")
DERIVED: Final = ("q", "k", "v", "s", "scaled", "a", "z", *JOINED)
"""What an operand is computed as where it is not printed."""


@lru_cache(4096)
def usual(key: str, heads: tuple[str, ...] = ()) -> list[Node]:
    """The usual formulas of a name: the same row of each operand where it has an index."""
    base, *index = key.split("_")
    if len(index) > 2:
        return []
    first, last = tuple(index[:1]), tuple(index[-1:])
    if base in ("q", "k", "v") and len(index) < 2:
        of_head = [_times(_name("x"), _name("w", base, *index))] if index else []
        whole = [_name(base, *index)] if heads else []
        return [_times(_name("x", *index), _name("w", base)), *of_head, *whole]
    keys = _name("k", *last) if len(index) == 2 else Node("T", [_name("k")])
    scores = _times(_name("q", *first), keys)
    if base == "s":
        return [scores, _scaled(scores)]
    if base in ("scaled", "masked", "s'", "m"):
        return [_scaled(_name("s", *index)), _scaled(scores)]
    if len(index) == 2:
        return []
    printed = [_name(name, *index) for name in ("masked", "m")] + [_name("s", "masked", *index)]
    printed += [_name(name, *index) for name in ("scaled", "s'")] + [_name("s", "scaled", *index)]
    plain = _name("s", *index)
    logits = [*printed, _scaled(plain), plain, _scaled(scores), scores]
    exponentials = [Node("call", [each], name="exp") for each in logits]
    if base == "a":
        powers = (*(_name(name, *index) for name in EXPONENTIALS), *exponentials)
        shares = [
            Node("div", [power, _name(total, *index)], mark="/") for power in powers for total in SUMS[:2]
        ]
        return [*shares, *(_softmax(each) for each in logits)]
    if base in EXPONENTIALS:
        return exponentials
    if base in SUMS:
        return [
            Node("call", [each], name="rowsum")
            for each in (*(_name(name, *index) for name in EXPONENTIALS), *exponentials)
        ]
    joined = Node("call", [Node("list", [_name("z", *index, head) for head in heads])], name="concat")
    if base in JOINED:
        return [joined] if heads else []
    mixed = [_times(_name(name, *index), _name("w", "o")) for name in ("c", "z") if name != base]
    if base in OUTPUTS:
        return [_times(_name("a", *index), _name("v")), *mixed]
    return []
