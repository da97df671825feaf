"""What a name usually is: the formulas of attention for a result that is printed without one."""

from __future__ import annotations

from symattn.notes.grammar.syntax import Node


def _name(base: str, *index: str) -> Node:
    return Node("name", name=base, index=tuple(index))


def _times(a: Node, b: Node) -> Node:
    return Node("mul", [a, b], mark="·")


def _scaled(a: Node) -> Node:
    return Node("div", [a, Node("sqrt", [_name("d", "k")])], mark="/")


def _softmax(a: Node) -> Node:
    return Node("call", [a], name="softmax")


def usual(key: str) -> list[Node]:
    """The usual formulas of a name: the same row of each operand where it has an index."""
    base, *index = key.split("_")
    if len(index) > 2:
        return []
    first, last = tuple(index[:1]), tuple(index[-1:])
    if base in ("q", "k", "v") and len(index) < 2:
        of_head = [_times(_name("x"), _name("w", base, *index))] if index else []
        return [_times(_name("x", *index), _name("w", base)), *of_head]
    keys = _name("k", *last) if len(index) == 2 else Node("T", [_name("k")])
    scores = _times(_name("q", *first), keys)
    if base == "s":
        return [scores, _scaled(scores)]
    if base in ("scaled", "masked"):
        return [_scaled(_name("s", *index)), _scaled(scores)]
    if base == "a" and len(index) < 2:
        printed, masked, plain = (_name(name, *index) for name in ("scaled", "masked", "s"))
        logits = [printed, masked, _scaled(plain), plain, _scaled(scores)]
        return [_softmax(each) for each in logits]
    if base == "z" and len(index) < 2:
        return [_times(_name("a", *index), _name("v"))]
    return []
