"""Which quantity of the walk a formula of names means: `Q K^T / √d_k` is `scaled`, `softmax(scores)` is A."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from symattn.reading.notes.formulas.formula import Binary, Call, Grid, Index, Name, Node, Num, Row, Transpose
from symattn.reading.notes.formulas.names import Bases, Ref, entry_of, resolve

ROOT = "sqrt(d_k)"
OWN = "own "
"""What the keys of letters of a document's own begin with."""
LOGITS = ("scores", "scaled", "masked", "tempered")
_PRODUCTS: Mapping[tuple[str, str], str] = {
    ("X", "W_Q"): "Q",
    ("X", "W_K"): "K",
    ("X", "W_V"): "V",
    ("W_Q", "X"): "Q",
    ("W_K", "X"): "K",
    ("W_V", "X"): "V",
    ("Q", "K"): "scores",
    ("Q", "Q"): "scores",
    ("A", "V"): "Z",
    ("Z", "W_O"): "output",
    ("concat", "W_O"): "output",
    ("W_O", "Z"): "output",
    ("W_O", "concat"): "output",
    ("V", "A"): "Z",
    ("X", "X"): "scores",
    ("A", "X"): "Z",
    ("X+PE", "X+PE"): "scores",
    ("A", "X+PE"): "Z",
    ("X+PE", "W_Q"): "Q",
    ("X+PE", "W_K"): "K",
    ("X+PE", "W_V"): "V",
    ("memory", "W_K"): "K",
    ("memory", "W_V"): "V",
    ("W_K", "memory"): "K",
    ("W_V", "memory"): "V",
    ("output", "X"): "output",  # `MultiHead(X)`
    ("norm_1", "W_1"): "widened",
    ("active", "W_2"): "ffn",
    ("gamma_1", "norm_1.normalised"): "norm_1",
    ("gamma_2", "norm_2.normalised"): "norm_2",
    ("norm_1.normalised", "gamma_1"): "norm_1",
    ("norm_2.normalised", "gamma_2"): "norm_2",
}
_OF_NUMBERS: Mapping[str, str] = {"W_O": "output", "W_1": "widened", "W_2": "ffn"}
"""What a list or a matrix of numbers makes with weights that nothing else is multiplied by."""
_SUMS: Mapping[tuple[str, str], str] = {
    ("X", "PE"): "X+PE",
    ("X", "Z"): "residual_1",
    ("X", "output"): "residual_1",
    ("X+PE", "Z"): "residual_1",
    ("X+PE", "output"): "residual_1",
    ("norm_1", "ffn"): "residual_2",
    ("residual_1", "ffn"): "residual_2",
    ("Q", "b_Q"): "Q",
    ("K", "b_K"): "K",
    ("V", "b_V"): "V",
    ("output", "b_O"): "output",
    ("widened", "b_1"): "widened",
    ("ffn", "b_2"): "ffn",
    ("norm_1", "beta_1"): "norm_1",
    ("norm_2", "beta_2"): "norm_2",
}
_APPLIED: Mapping[tuple[str, str], str] = {
    ("layernorm", "residual_1"): "norm_1",
    ("layernorm", "residual_2"): "norm_2",
    ("relu", "widened"): "active",
    ("ffn", "norm_1"): "ffn",
    **{("softmax", scores): "A" for scores in LOGITS},
    **{("exp", scores): "exp" for scores in LOGITS},
}
_MASKS = frozenset({"M", "mask", "Mask"})
"""What a mask that is added to the scores is called."""
_NUMBERED = re.compile(r"([A-Za-z]+)(\d{1,3})")
_HEAD = re.compile(r"[Hh]ead_?\d{1,2}")
_RUNS: Mapping[str, Ref] = {
    "AV": Ref("Z"),
    "KT": Ref("K", transposed=True),
    "QKT": Ref("scores"),
    "QK'": Ref("scores"),
}
"""Products written without a sign between their letters."""


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
        case Binary(op="^", left=Name() as deviation, right=Num(text="2")):
            ref = _named(deviation, bases, renamed)
            squared = ref is not None and ref.name.endswith(".deviation")
            return replace(ref, name=ref.name.replace("deviation", "variance")) if ref and squared else None
        case Transpose(of=Name(text="QK" | "qK" | "qk")):
            return Ref("scores")
        case Transpose(of=inner):
            ref = denote(inner, bases, renamed)
            return None if ref is None else replace(ref, transposed=not ref.transposed)
        case Binary(op="*", left=Name() as function, right=Row(items=items)) if len(items) > 1:
            ref = _named(function, bases, renamed)
            if ref is None:
                return _attended(items, bases, renamed)
            return ref if ref.name in ("Z", "output", "concat") else None
        case Binary(op="*", left=Binary(op="*", left=factor, right=inner), right=right) if _scalar(factor):
            return denote(Binary("*", factor, Binary("*", inner, right)), bases, renamed)
        case Binary(op="*", left=Name(text=one), right=Name(text=other)) if {one, other} <= set(bases.tokens):
            return Ref("scores", bases.tokens.index(one), bases.tokens.index(other))
        case Binary(
            op="*", left=left, right=Name(text="K'" | "k'", subs=())
        ):  # as programs for matrices write
            return denote(Binary("*", left, Transpose(Name("K"))), bases, renamed)
        case Binary(op="*", left=left, right=right):
            return _product(denote(left, bases, renamed), denote(right, bases, renamed), left)
        case Binary(op="/", left=left, right=right):
            return _quotient(denote(left, bases, renamed), denote(right, bases, renamed), right)
        case Binary(op="+", left=left, right=right):
            return _sum(denote(left, bases, renamed), denote(right, bases, renamed), right)
        case Row(items=items) if len(items) > 1 and all(_is_of_head(item, bases, renamed) for item in items):
            return Ref("concat")
        case Call(function="sum", argument=argument):
            ref = denote(argument, bases, renamed)
            summed = {"exp": "sum", "Z": "Z"}.get(ref.name) if ref is not None else None
            return Ref(summed, ref.row) if ref is not None and summed is not None else None
        case Call(function="sqrt", argument=argument):
            ref = denote(argument, bases, renamed)
            return Ref(ROOT, 0, 0) if ref is not None and ref.name == "d_k" else None
        case Call(function=function, argument=argument):
            ref = denote(argument, bases, renamed)
            made = _APPLIED.get((function, ref.name)) if ref is not None else None
            return replace(ref, name=made) if ref is not None and made is not None else None
    return None


def _attended(items: Sequence[Node], bases: Bases, renamed: Mapping[str, str]) -> Ref | None:
    """What any function makes of queries, keys and values: `Att(q_1, K, V)`."""
    refs = [_named(item, bases, renamed) for item in items if isinstance(item, Name)]
    if len(refs) < len(items) or [ref and ref.name for ref in refs] != ["Q", "K", "V"]:
        return None
    return Ref("Z", refs[0].row) if refs[0] is not None else None


def _is_of_head(node: Node, bases: Bases, renamed: Mapping[str, str]) -> bool:
    """Whether a part of `[O^{(1)}; O^{(2)}]` or `[head_1, head_2]` is what one head puts out."""
    match node:
        case Name(text=text, subs=subs):
            return _HEAD.fullmatch("_".join((text, *subs))) is not None
        case Binary(op="^", left=Name() as name, right=Num()):
            return denote(name, bases, renamed) == Ref("Z")
    return False


def _quotient(a: Ref | None, b: Ref | None, divisor: Node) -> Ref | None:
    """Scores over a root or a temperature, and exponentials over their sum."""
    if a is None:
        return None
    if b is not None and b.name == "T" and a.name in LOGITS:
        return replace(a, name="tempered")
    if a.name in ("scores", "scaled") and _divisor(divisor, b):
        return replace(a, name="scaled")
    return replace(a, name="A") if b is not None and (a.name, b.name) == ("exp", "sum") else None


def _sum(a: Ref | None, b: Ref | None, added: Node) -> Ref | None:
    """A masked score, terms of a row, or X + Z and the other sums of a layer; a bias has no rows."""
    if a is not None and a.name in LOGITS and isinstance(added, Name) and added.text in _MASKS:
        return replace(a, name="masked")
    if a is None or b is None:
        return None
    if a.name == b.name == "Z" and a.row == b.row and b.key is not None:
        return Ref("Z", a.row)
    if a.name in ("exp", "sum") and b.name == "exp" and a.row == b.row:
        return Ref("sum", a.row, 0)
    made = _SUMS.get((a.name, b.name)) or _SUMS.get((b.name, a.name))
    if made is None or (a.row is not None and b.row is not None and a.row != b.row):
        return None
    return Ref(made, a.row if a.row is not None else b.row, running=a.running or b.running)


def written(name: Name) -> str:
    """Under which key a document's own use of a word is kept: `Output` may be Z where `output` is Z W_O."""
    return f"written {name.text}"


def ambiguous(name: Name, bases: Bases, renamed: Mapping[str, str]) -> bool:
    """Whether a word such as `Output` may be Z or Z W_O: where there is a W_O, and it is no kind of Z.

    Where the heads stand side by side by another name, Z itself may be what W_O makes of them.
    """
    if "projected" not in renamed or (name.text[:1] in "zZhA" and "concat" not in renamed):
        return False
    ref = resolve(name, bases)
    return ref is not None and ref.name == "Z"


def _named(name: Name, bases: Bases, renamed: Mapping[str, str]) -> Ref | None:
    if name.text in _RUNS and not name.subs:
        return _RUNS[name.text]
    ref = resolve(name, bases)
    if ref is not None and (ref.name == "A" or ambiguous(name, bases, renamed)):
        usual = "A" if ref.name == "A" else "output"
        if renamed.get(written(name)) == "X":
            return entry_of("X", [*filter(None, lettered(name)[1:])], bases)
        return replace(ref, name=renamed.get(written(name), usual))
    if ref is not None and ref.name == "Z" and renamed.get(written(name)) in LOGITS:
        return replace(ref, name=renamed[written(name)])  # `z = q K^T`
    own = _learned(name, bases, renamed)
    if own is not None:
        return own
    if ref is not None and ref.name.startswith("norm."):
        norm = renamed.get("norm")
        return None if norm is None else replace(ref, name=f"{norm}{ref.name.removeprefix('norm')}")
    return replace(ref, name=renamed[ref.name]) if ref is not None and ref.name in renamed else ref


def own_key(name: Name) -> str:
    """Under which key it is kept what a document calls by a letter of its own: `H`, of `H = X + Z`."""
    return f"{OWN}{'_'.join((name.text, *name.subs))}"


def lettered(name: Name) -> tuple[str, str]:
    """The letter and the last index of `h_1`, `h1` and `h_cat`, the index empty where there is none."""
    whole = "_".join((name.text, *name.subs))
    letter, _, tail = whole.rpartition("_")
    digits = _NUMBERED.fullmatch(whole)
    return (digits[1], digits[2]) if digits is not None else (letter, tail if letter else "")


def _learned(name: Name, bases: Bases, renamed: Mapping[str, str]) -> Ref | None:
    """What a letter of the document's own stands for; `h_1` is the first row of `H`."""
    known = renamed.get(own_key(name))
    if known is not None:
        return Ref(known)
    letter, tail = lettered(name)
    known = renamed.get(f"{OWN}{letter}")
    if known is None and len(letter) == 1:
        known = renamed.get(f"{OWN}{letter.upper()}")
    return entry_of(known, [tail], bases) if known is not None and tail else None


def _divisor(node: Node, ref: Ref | None) -> bool:
    """Whether a formula is what scores are divided by."""
    if ref is not None:
        return ref.name in (ROOT, "d_k")
    return isinstance(node, Num) or (isinstance(node, Call) and node.function == "sqrt")


def _scalar(node: Node) -> bool:
    """Whether a factor is a number, or the quotient of two as `1/√2`."""
    return isinstance(node, Num) or (isinstance(node, Binary) and node.op == "/")


def _product(a: Ref | None, b: Ref | None, left: Node) -> Ref | None:
    if b is None:
        return None
    if a is None:
        if _scalar(left) and b.name == "scores":
            return replace(b, name="scaled")
        if b.name in _OF_NUMBERS and isinstance(left, Row | Grid):
            return Ref(_OF_NUMBERS[b.name])
        if b == Ref("V") and isinstance(left, Name) and left.text.islower() and not left.subs:
            return Ref("Z")  # `probs @ V`, whatever the weights are called
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
