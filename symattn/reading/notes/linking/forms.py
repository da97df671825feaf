"""The forms by which one chain is told from another: roots of numbers, products with W_O, powers of e."""

from __future__ import annotations

import math
import re

from symattn.reading.notes.formulas.formula import Binary, Call, Index, Name, Node, Num, Transpose
from symattn.reading.notes.formulas.names import resolve

_ROOT = re.compile(r"[1-9]\d{0,2}(?:\.(\d{2,8}))?")
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


def squared(node: Node) -> int | None:
    """What stands under a root that comes to a number: 64 of 8, 2 of 1.414; None where none does."""
    found = _ROOT.fullmatch(node.text) if isinstance(node, Num) else None
    if found is None:
        return None
    root, room = float(found[0]), 10.0 ** -len(found[1]) if found[1] else 1e-9
    under = round(root * root)
    return under if abs(math.sqrt(under) - root) < room else None


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
