"""Which quantity of the walk a formula of names means: `Q K^T / √d_k` is `scaled`, `softmax(scores)` is A."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from symattn.reading.notes.formulas.formula import Binary, Call, Index, Name, Node, Num, Row, Transpose
from symattn.reading.notes.formulas.names import Bases, Ref, resolve

ROOT = "sqrt(d_k)"
_PRODUCTS: Mapping[tuple[str, str], str] = {
    ("X", "W_Q"): "Q",
    ("X", "W_K"): "K",
    ("X", "W_V"): "V",
    ("W_Q", "X"): "Q",
    ("W_K", "X"): "K",
    ("W_V", "X"): "V",
    ("Q", "K"): "scores",
    ("A", "V"): "Z",
    ("Z", "W_O"): "output",
    ("concat", "W_O"): "output",
    ("W_O", "Z"): "output",
    ("W_O", "concat"): "output",
    ("V", "A"): "Z",
}
_RUN = re.compile(r"XW_?([QKV])|AV")


def denote(node: Node, bases: Bases, renamed: Mapping[str, str]) -> Ref | None:
    """The quantity that a formula means, or None. `renamed` holds what the document calls otherwise."""
    match node:
        case Name():
            return _named(node, bases, renamed)
        case Index(of=inner, at=at):
            ref = denote(inner, bases, renamed)
            if ref is None and isinstance(inner, Name):
                ref = resolve(inner, bases, indexed=True)
            rows = [k - bases.bracket for k in at]
            if ref is None or min(rows) < 0 or ref.row is not None:
                return None
            return replace(ref, row=rows[0], col=rows[1] if len(rows) > 1 else None)
        case Transpose(of=Name(text="QK")):
            return Ref("scores")
        case Transpose(of=inner):
            ref = denote(inner, bases, renamed)
            return None if ref is None else replace(ref, transposed=not ref.transposed)
        case Binary(op="*", left=Name() as function, right=Row(items=items)) if len(items) > 1:
            ref = _named(function, bases, renamed)
            return ref if ref is not None and ref.name in ("Z", "output", "concat") else None
        case Binary(op="*", left=left, right=right):
            return _product(denote(left, bases, renamed), denote(right, bases, renamed), left)
        case Binary(op="/", left=left, right=right):
            a, b = denote(left, bases, renamed), denote(right, bases, renamed)
            if a is not None and a.name in ("scores", "scaled") and _divisor(right, b):
                return replace(a, name="scaled")
            if a is not None and b is not None and (a.name, b.name) == ("exp", "sum"):
                return replace(a, name="A")
            return None
        case Binary(op="+", left=left, right=right):
            a, b = denote(left, bases, renamed), denote(right, bases, renamed)
            if (
                a is not None
                and b is not None
                and a.name == b.name == "Z"
                and a.row == b.row
                and b.key is not None
            ):
                return Ref("Z", a.row)
            if (
                a is not None
                and b is not None
                and a.name in ("exp", "sum")
                and b.name == "exp"
                and a.row == b.row
            ):
                return Ref("sum", a.row, 0)
            return None
        case Call(function="softmax", argument=argument):
            ref = denote(argument, bases, renamed)
            return (
                replace(ref, name="A")
                if ref is not None and ref.name in ("scores", "scaled", "masked")
                else None
            )
        case Call(function="exp", argument=argument):
            ref = denote(argument, bases, renamed)
            return (
                replace(ref, name="exp")
                if ref is not None and ref.name in ("scores", "scaled", "masked")
                else None
            )
        case Call(function="sum", argument=argument):
            ref = denote(argument, bases, renamed)
            summed = {"exp": "sum", "Z": "Z"}.get(ref.name) if ref is not None else None
            return Ref(summed, ref.row) if ref is not None and summed is not None else None
        case Call(function="sqrt", argument=argument):
            ref = denote(argument, bases, renamed)
            return Ref(ROOT, 0, 0) if ref is not None and ref.name == "d_k" else None
    return None


def written(name: Name) -> str:
    """Under which key a document's own use of a word is kept: `Output` may be Z where `output` is Z W_O."""
    return f"written {name.text}"


def ambiguous(name: Name, bases: Bases, renamed: Mapping[str, str]) -> bool:
    """Whether a word such as `Output` may be Z or Z W_O: where there is a W_O, and it is no kind of Z."""
    if "projected" not in renamed or name.text[:1] in "zZhA":
        return False
    ref = resolve(name, bases)
    return ref is not None and ref.name == "Z"


def _named(name: Name, bases: Bases, renamed: Mapping[str, str]) -> Ref | None:
    run = _RUN.fullmatch(name.text)
    if run is not None:
        return None if name.subs else Ref(run[1].upper() if run[1] else "Z")
    if name.text in ("KT", "QKT") and not name.subs:
        return Ref("K", transposed=True) if name.text == "KT" else Ref("scores")
    ref = resolve(name, bases)
    if ref is not None and (written(name) in renamed or ambiguous(name, bases, renamed)):
        return replace(ref, name=renamed.get(written(name), "output"))
    return replace(ref, name=renamed[ref.name]) if ref is not None and ref.name in renamed else ref


def _divisor(node: Node, ref: Ref | None) -> bool:
    """Whether a formula is what scores are divided by."""
    if ref is not None:
        return ref.name in (ROOT, "d_k")
    return isinstance(node, Num) or (isinstance(node, Call) and node.function == "sqrt")


def _product(a: Ref | None, b: Ref | None, left: Node) -> Ref | None:
    if b is None:
        return None
    if a is None:
        scalar = (isinstance(left, Binary) and left.op == "/") or isinstance(left, Num)
        if scalar and b.name == "scores":
            return replace(b, name="scaled")
        return (
            Ref("Z", None, None, b.row)
            if isinstance(left, Num) and b.name == "V" and b.row is not None
            else None
        )
    if (a.name, b.name) == ("K", "Q") and a.transposed:
        return Ref("scores", b.row, a.row, running=b.running)
    made = _PRODUCTS.get((a.name, b.name))
    if made is None:
        return None
    if made == "scores":
        return Ref(made, a.row, b.row, running=a.running)
    if made == "Z" and b.row is not None:
        return Ref(made, a.row, None, b.row)
    rowed = b if a.name.startswith("W_") else a
    return Ref(made, rowed.row, running=rowed.running)
