"""Rows of numbers on one line of a document, from which drawn matrices are made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from symattn.notes.grammar.syntax import Node, literal
from symattn.notes.grammar.tokens import Token

MOST_ROWS: Final = 32
"""How many bracketed rows on a line are looked at: so many matrices side by side nobody draws."""
MOST_LABEL_WORDS: Final = 3
_GO_ON: Final = ("REL", "MUL", "TRANS", "OPEN")
_SIGNS: Final = ("", "+", "-", "^", ",")
APART: Final = 3
"""So many blanks before a word are a gap between columns."""


class Row(Struct, eq=False):
    """Numbers side by side in tokens[start:end].

    `column` is where they begin, `words` are those before them (the first of them at `label`, if they are a
    label and nothing else), `led` says whether a sign leads to the row, and at `heads` is the line of the
    heads of its columns.
    """

    start: int
    end: int
    column: int
    node: Node
    words: tuple[str, ...]
    led: bool = False
    label: int = -1
    heads: int = -1

    @property
    def width(self) -> int:
        return len(self.node.tokens)


def numbers(tokens: Sequence[Token]) -> Node | None:
    """A row literal if the tokens are nothing but signed numbers, commas and bars between them, else None."""
    found: list[Token] = []
    signs: list[float] = []
    sign = 1.0
    for token in tokens:
        if token.kind == "NUM":
            found.append(token)
            signs.append(sign)
            sign = 1.0
        elif token.text in ("+", "-") and token.kind == "OP":
            sign = -1.0 if token.text == "-" else 1.0
        elif token.text not in (",", "|", "&"):
            return None
    return literal(found, signs, (len(found),)) if found else None


def lines(tokens: Sequence[Token], pairs: dict[int, int]) -> Iterator[tuple[int, int]]:
    """Each line as a range of tokens, lines inside of brackets that began on an earlier line left out."""
    start, end, open_until = 0, -1, -1
    for i, token in enumerate(tokens):
        last = i == len(tokens) - 1
        if token.kind == "NL" or last:
            if start > end:
                yield start, i + (token.kind != "NL")
            end, start = max(end, open_until), i + 1
        elif i in pairs:
            open_until = max(open_until, pairs[i])


def bracketed(tokens: Sequence[Token], pairs: dict[int, int], start: int, end: int) -> list[Row]:
    """The rows of numbers in brackets on a line, from which nothing goes on."""
    rows: list[Row] = []
    words: list[str] = []
    i = start
    while i < end and len(rows) < MOST_ROWS:
        token = tokens[i]
        if token.kind == "OPEN" and i in pairs and pairs[i] < end:
            row = _bracket(tokens, i, pairs[i] + 1, start, end)
            if row is not None:
                row.words = tuple(words)
                rows.append(row)
            i, words = pairs[i], []
        elif token.kind == "NAME":
            words.append(token.text)
        elif token.kind in ("MUL", "REL") or token.text == "+":
            words = []
        i += 1
    return rows


def _bracket(tokens: Sequence[Token], first: int, last: int, start: int, end: int) -> Row | None:
    before = tokens[first - 1] if first > start else None
    after = tokens[last] if last < end else None
    if before is not None and before.kind == "NAME" and not tokens[first].space:
        return None
    led = before is not None and (
        before.kind in ("REL", "MUL", "OPEN") or before.text in (":", "+", "-", "^", "_", ",")
    )
    if led and first - start < 2:
        return None
    if after is not None and after.space < APART and (after.kind in _GO_ON or after.text in _SIGNS):
        return None
    node = numbers(tokens[first + 1 : last - 1])
    return None if node is None else Row(first, last, tokens[first].column, node, (), led)


def plain(tokens: Sequence[Token], start: int, end: int) -> Row | None:
    """A line of numbers in columns, a label before it perhaps and a remark behind it."""
    i, words = start, list[str]()
    if i + 1 < end and tokens[i].kind == "NUM" and tokens[i + 1].text == ":":
        i += 2
    while i < end and (
        tokens[i].kind in ("NAME", "SUB", "PRIME")
        or tokens[i].text in ("|", ":", "_", "")
        or (words and _counts(tokens[i]) and tokens[i - 1].kind in ("NAME", "PRIME"))
    ):
        words += [tokens[i].text] * (tokens[i].kind in ("NAME", "NUM"))
        i += 1
    first = i
    while i < end and (tokens[i].kind == "NUM" or (tokens[i].kind == "OP" and tokens[i].text in "+-|")):
        i += 1
    if i < end and tokens[i].kind != "SEP" and tokens[i].space < 2:
        return None
    node = numbers(tokens[first:i])
    if node is None or len(node.tokens) < 2 or len(words) > MOST_LABEL_WORDS:
        return None
    pairs = zip(tokens[first:i], tokens[first + 1 : i], strict=False)
    if any(before.kind == "NUM" and not after.space for before, after in pairs):
        return None
    return Row(first, i, 0, node, tuple(words), label=start)


def _counts(token: Token) -> bool:
    """Whether a number belongs to the letter before it: `k0`."""
    return token.kind == "NUM" and not token.space and not token.unit


def heads(tokens: Sequence[Token], start: int, end: int, width: int) -> bool:
    """Whether a line is nothing but the heads of so many columns, that of their labels among them perhaps."""
    line = tokens[start:end]
    count = sum(t.kind == "NAME" for t in line)
    alone = all(t.kind == "NAME" or _counts(t) or t.kind == "SUB" or t.text == "_" for t in line)
    return alone and width <= count <= width + 1


def listed(tokens: Sequence[Token], start: int, end: int) -> tuple[int, Node] | None:
    """Numbers behind a colon or an equals sign to the end of the line: (where they begin, the vector)."""
    mark = end - 1
    while mark >= start and tokens[mark].text != ":" and tokens[mark].kind != "REL":
        mark -= 1
    if not any(t.kind in ("NAME", "TRANS") for t in tokens[start : max(mark, start)]):
        return None
    last = end - 1 if tokens[end - 1].text == "." else end
    node = numbers(tokens[mark + 1 : last])
    if node is None or len(node.tokens) < 2:
        return None
    commas = sum(t.text == "," for t in tokens[mark + 1 : last])
    later = tokens[mark + 2 : last]
    spread = all(t.space or commas for t in later if t.kind == "NUM")
    spread = spread and all(t.space for t in later if t.text in ("+", "-"))
    return (mark + 1, node) if spread and commas in (0, len(node.tokens) - 1) else None
