"""The formulas of a document in order, and every numeral with the role that its surroundings give it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from symattn.reading.notes.formulas.formula import (
    Binary,
    Call,
    Chain,
    Grid,
    Index,
    Name,
    Node,
    Num,
    Row,
    Transpose,
    Words,
)
from symattn.reading.notes.formulas.names import Bases, Ref, resolve
from symattn.reading.notes.formulas.parse import Parser
from symattn.reading.notes.formulas.tokens import Token


@dataclass(frozen=True, slots=True)
class Item:
    """A formula that the parser read between two tokens.

    `broken` says that something unread stands directly before it, so that its first member is only the
    end of something; `label` holds the words before it on its line.
    """

    node: Node
    start: int
    end: int
    broken: bool = False
    label: str = ""
    target: Ref | None = None
    """What a table or a printed variable says that the formula is, where it does."""


_SEPARATORS = frozenset({"nl", "stop", "list"})


def items(tokens: Sequence[Token]) -> list[Item]:
    """Every formula with a relation, and every list, matrix and lone numeral."""
    parser = Parser(tokens)
    found: list[Item] = []
    words: list[str] = []
    i = 0
    while i < len(tokens):
        kind = tokens[i].kind
        if kind in _SEPARATORS:
            words = []
        read = (
            None
            if kind in ("mark", "nl", "list", "comment", "stop", "comma", "rel", "close")
            else (parser.unbracketed(i) if _behind_sign(tokens, i) else None) or parser.chain(i)
        )
        if read is None:
            if kind in ("word", "cjk", "text", "label"):
                words = [*words[-7:], tokens[i].text]
            i += 1
            continue
        node, after = read
        if isinstance(node, Chain | Row | Grid | Binary | Num | Call):
            broken = _broken(tokens, i) or (not isinstance(node, Chain) and parser.cut_short(after))
            target = _printed(tokens, i) if isinstance(node, Row) and tokens[i].kind == "word" else None
            found.append(Item(node, tokens[i].start, tokens[after - 1].end, broken, " ".join(words), target))
            words = []
        elif isinstance(node, Name | Transpose | Index | Words):
            words = [
                *words[-7:],
                *(token.text for token in tokens[i:after] if token.kind in ("word", "cjk", "text", "label")),
            ]
        i = after
    return found


def _behind_sign(tokens: Sequence[Token], i: int) -> bool:
    """Whether a relation stands before token i: `猫：0.2, 0.8`."""
    at = i - 1
    while at >= 0 and tokens[at].kind == "mark":
        at -= 1
    return at >= 0 and tokens[at].kind == "rel"


def _printed(tokens: Sequence[Token], i: int) -> Ref | None:
    """The variable whose value `tensor([[...]])` is: the last word before `=` or in `print(...)` above it."""
    words: list[str] = []
    at = i - 1
    while at >= 0 and tokens[at].kind in ("nl", "mark", "rel"):
        at -= 1
    for back in range(at, max(at - 40, -1), -1):
        if tokens[back].kind == "nl":
            break
        if tokens[back].kind == "word":
            words.append(tokens[back].text)
        elif tokens[back].kind == "rel" and tokens[back].text == "=":
            words = []
    ref = resolve(Name(words[-1]), Bases()) if words and words[-1] != "print" else None
    ref = ref or (resolve(Name(words[-2]), Bases()) if len(words) > 1 and words[-1] == "print" else None)
    return ref if ref is not None and ref.row is None else None


def _broken(tokens: Sequence[Token], i: int) -> bool:
    """Whether an operator or an unread bracket stands directly before token i."""
    at = i - 1
    while at >= 0 and tokens[at].kind == "mark" and tokens[at].text != "quiet":
        at -= 1
    if at < 0:
        return False
    before = tokens[at]
    if before.kind in ("num", "percent"):
        return at == i - 1 and tokens[i].kind != "open"
    return (before.kind == "op" and before.text not in "'-") or before.kind == "dots"
