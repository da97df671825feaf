"""Names with indices, accents and powers, and calls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from symattn.notes.grammar.pairs import split
from symattn.notes.grammar.syntax import Node, number
from symattn.notes.grammar.tokens import Token

WRAPPERS: Final = frozenset(["tensor", "array", "matrix", "constant"])
_MODULES: Final = "np numpy torch math F nn tf jnp functional linalg jax scipy special"
MODULES: Final = frozenset(_MODULES.split())
METHODS: Final = {"sum": "rowsum", "softmax": "softmax"}
"""How code writes a matrix, the modules before its functions, and methods that are operations."""


def marked(node: Node | None, mark: str) -> Node:
    """A name with an accent is another name."""
    if node is None or node.kind != "name":
        return Node("hole")
    return Node("name", name=node.name + mark, index=node.index)


def called(action: str, argument: Node) -> Node:
    """A call without its keyword arguments: `softmax(S, dim=-1)`."""
    if argument.kind == "list" and len(argument.args) > 1 and action != "concat":
        first, *others = argument.args
        if first.kind == "name" or any(other.kind == "chain" for other in others):
            argument = first
    return Node("call", [argument], name=action)


def positional(inner: list[Token]) -> list[Token]:
    """The arguments of a call before those with keywords: `grad_fn=<MmBackward0>`, `device='cuda:0'`."""
    end = 0
    for run in split(inner, ","):
        said = [t for t in run if t.kind != "NL"]
        if end and said and said[0].kind == "NAME" and any(t.text == "=" for t in said):
            return inner[: end - 1]
        end += len(run) + 1
    return inner


def unwrapped(node: Node | None) -> Node | None:
    """What is in `tensor(...)`: its first argument."""
    if node is None or (node.kind == "lit" and len(node.shape) == 1 and node.shape[0] > 1):
        return node
    return node.args[0] if node.kind == "list" and node.args and node.args[0].kind == "lit" else node


def indexed(base: Node, inner: Sequence[Token]) -> Node | None:
    """A name with an index: `q_1`, `W_{Q}`, `V("I")`, `score(1,2)`."""
    if base.kind == "call":
        return base
    if base.kind == "pow":
        return Node("pow", [indexed(base.args[0], inner) or base.args[0], base.args[1]])
    digits = ("NAME", "NUM", "SUB", "OBJ")
    parts = tuple(t.text.lower() for t in inner if t.kind in digits or t.text.isdigit())
    if not parts or any(t.text in "*/" for t in inner):
        return None
    return Node("name", name=base.name, index=base.index + parts)


def is_transpose(inner: Sequence[Token]) -> bool:
    """Whether what is raised says that a matrix is transposed."""
    texts = [t.text for t in inner if t.text not in "{}"]
    return texts in (["T"], ["top"], ["t"]) and inner[0].kind in ("NAME", "TRANS", "OP")


def is_upper_index(base: Node, inner: Sequence[Token], boxed: bool) -> bool:
    """Whether what is raised is an index: `W^Q`, `Q^{(1)}`, and in brackets `Q^(1)`."""
    counts = boxed and len(inner) == 1 and is_digit_of(inner[0])
    return base.kind == "name" and (inner[0].kind in ("NAME", "OPEN") or counts) and len(inner) < 4


def is_digit_of(token: Token) -> bool:
    """Whether a number is the index of the name before it: `q1`."""
    return token.kind == "NUM" and not token.space and token.unit == 0 and token.text.isdigit()


def squared(base: Node, token: Token) -> Node | None:
    """A power by a raised digit."""
    if not token.text.isdigit():
        return None
    token.value = float(token.text)
    return Node("pow", [base, number(token)])
