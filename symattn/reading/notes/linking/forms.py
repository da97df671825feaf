"""The forms by which one chain is told from another: roots of numbers, products with W_O, powers of e."""

from __future__ import annotations

import re

from symattn.reading.notes.formulas.formula import Binary, Call, Index, Name, Node, Num, Transpose
from symattn.reading.notes.formulas.names import resolve

_IDENTITY = re.compile(r"I(?:_\w+)?")


def word_of(node: Node) -> Name | None:
    """The word of `Output` and of `Output[0][1]`."""
    return node if isinstance(node, Name) else word_of(node.of) if isinstance(node, Index) else None


def under_root(node: Node) -> int | None:
    """What stands under the root of `sqrt(64)`."""
    match node:
        case Call(function="sqrt", argument=Num(text=text)) if text.isdigit() and len(text) < 6:
            return int(text)
    return None


def before_w_o(node: Node) -> Name | None:
    """`O` of `O W_O` and of `O W_O^T`; the heads side by side are what they are called."""
    match node:
        case (
            Binary(op="*", left=Name() as word, right=Name() as weights)
            | Binary(op="*", left=Name() as word, right=Transpose(of=Name() as weights))
        ):
            ref, said = resolve(weights), resolve(word)
            joined = said is not None and said.name == "concat"
            return word if ref is not None and ref.name == "W_O" and not joined else None
    return None


def is_exponential(node: Node) -> bool:
    """e to a single number: `Softmax: e^{2.1} = 8.17` is about the exponential and not about A."""
    return isinstance(node, Call) and node.function == "exp" and isinstance(node.argument, Num)


def is_identity(node: Node) -> bool:
    """I, I_4 or I_{2x2}: the identity matrix."""
    return isinstance(node, Name) and _IDENTITY.fullmatch(node.text) is not None
