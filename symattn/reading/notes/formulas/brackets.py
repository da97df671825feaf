"""Lists, groups and matrix environments: the part of the parser that goes from one bracket to its other.

A bracket that does not read as a whole is not read at all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from symattn.reading.notes.formulas.formula import (
    Binary,
    Call,
    Chain,
    Dots,
    Grid,
    Name,
    Node,
    Num,
    Row,
    Transpose,
    Words,
    numerals,
)
from symattn.reading.notes.formulas.stream import Token
from symattn.reading.notes.formulas.tex import WITH_COLUMNS

LONGEST = 20_000
LONGEST_ASIDE = 24
_CLOSING = {"(": ")", "[": "]", "{": "}"}
MARKED = frozenset({"mark"})
BLANK = frozenset({"nl", "mark", "comment", "list"})

Read = tuple[Node, int]


_RULES = frozenset({"|", "mid", "vert"})
"""What a cell of a matrix has in it that is no more than a rule."""


class Brackets:
    """A cursor over tokens that reads what stands in brackets."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens
        self.kinds = [token.kind for token in tokens]
        self.count = len(tokens)
        self.closed = _closed(tokens)
        self.ends = _ends(tokens)
        self.inside = 0
        self.unread: set[int] = set()
        """The brackets that were tried and do not read as a whole."""
        self.opened = ""
        """The innermost bracket that is open."""
        self.listing = False
        """Whether things stand in it that nothing but blanks separates."""

    def formula(self, i: int, power: int = 0) -> Read | None:
        """The longest formula of at least this binding power that begins at token i."""
        raise NotImplementedError

    def chain(self, i: int) -> Read | None:
        """A formula and what it is related to."""
        raise NotImplementedError

    def kind(self, i: int) -> str:
        return self.kinds[i] if i < self.count else "end"

    def said(self, i: int) -> str:
        return self.tokens[i].text if i < self.count else ""

    def skip(self, i: int, kinds: frozenset[str] = MARKED) -> int:
        while i < self.count and self.kinds[i] in kinds:
            i += 1
        return i

    def apart(self, i: int) -> bool:
        """Whether more than one blank stands before token i: two columns of a text, and no product."""
        return i < len(self.tokens) and i > 0 and self.tokens[i].start - self.tokens[i - 1].end > 1

    def behind(self, i: int) -> int:
        """Behind a TeX argument that is not read."""
        end = self.ends.get(i, i)
        return end + 1 if end - i < 200 else i + 1

    def bracket(self, i: int) -> Read | None:
        """What stands in brackets, with a list or a matrix for several things."""
        if i in self.unread:
            return None
        outer = self.opened, self.listing
        self.opened, self.listing = self.said(i), False
        try:
            read = self._bracket(i)
        finally:
            self.opened, self.listing = outer
        if read is None:
            self.unread.add(i)
        return read

    def _bracket(self, i: int) -> Read | None:
        opening = self.said(i)
        items: list[Node] = []
        commas = 0
        listed, named = opening in "[(", opening == "["
        ends: list[int] = []
        j = self.skip(i + 1, BLANK)
        while self.kind(j) != "close":
            self.listing = bool(items) and not commas
            item = self.formula(j) if len(items) < LONGEST else None
            if item is None:
                return None
            keyed = self._keyed(*item) if opening == "{" else None
            items.append((keyed or item)[0])
            listed = listed and isinstance(items[-1], Num | Row)
            named = named and _is_indexed(items[-1])
            j = (keyed or item)[1]
            comma = self.skip(j, BLANK)
            if self.kind(comma) == "comma" or self.semicolon(comma):
                commas += 1
                ends += [len(items)] if self.semicolon(comma) else []
                j = self._behind_remark(comma + 1, items[-1])
            elif self.kind(comma) != "close" and not (listed or named):
                return None
            else:
                j = self._behind_remark(j, items[-1])
            j, items[-1] = self._labelled(j, items[-1])
            if self.kind(j) in ("end",):
                return None
        if self.said(j) != _CLOSING[opening]:
            return None
        end = self.tokens[j].end
        if items and isinstance(items[-1], Row) and self.kind(j + 1) == "comment":
            items[-1] = self._labelled(j + 1, items[-1])[1]
        if len(items) == 1 and isinstance(items[0], Grid):
            return items[0], j + 1
        if opening == "(" and commas == 1 and _is_inner(items):
            return Binary("*", items[0], items[1]), j + 1
        several = commas > 0 or (opening == "(" and len(items) > 1)
        if opening == "[" or several or any(isinstance(item, Row) and item.label for item in items):
            lines = _lines(items, ends)
            return (Row(lines, self.tokens[i].start, end), j + 1) if items else None
        return (items[0], j + 1) if len(items) == 1 else None

    def _keyed(self, key: Node, i: int) -> Read | None:
        """`"cat": [1, 0]`, an entry of a dictionary: the row, with its key as its label."""
        value = self.formula(self.skip(i + 1, BLANK)) if self.said(i) == ":" else None
        if value is None or not isinstance(value[0], Row) or not isinstance(key, Words):
            return None
        return replace(value[0], label=key.text), value[1]

    def semicolon(self, i: int) -> bool:
        """Whether `;` stands at token i: between rows with commas or blanks, else between entries."""
        return self.kind(i) == "stop" and self.said(i) == ";"

    def _behind_remark(self, j: int, item: Node) -> int:
        """Behind words that stand beside a row up to the end of its line, where the next row follows."""
        if not isinstance(item, Row):
            return j
        at = self._behind_aside(j)
        while self.kind(at) not in ("nl", "open", "close", "env", "comment", "end"):
            at = self._behind_aside(at + 1)
        follows = self.kind(self.skip(at, BLANK)) == "open"
        return at if self.kind(at) == "nl" and follows else j

    def _behind_aside(self, i: int) -> int:
        """Behind `(token 0's query)`, words in round brackets on one line; token i where there are none."""
        if self.said(i) != "(":
            return i
        words = False
        for at in range(i + 1, min(i + LONGEST_ASIDE, self.count)):
            if self.kind(at) == "close":
                return at + 1 if words else i
            if self.kind(at) in ("nl", "open", "env"):
                return i
            words = words or self.kind(at) in ("word", "text", "cjk")
        return i

    def _labelled(self, j: int, item: Node) -> tuple[int, Node]:
        """Over blanks; a quoted label in a comment behind a row belongs to the row."""
        while self.kind(j) in BLANK:
            if self.kind(j) == "comment" and isinstance(item, Row):
                item = Row(item.items, item.start, item.end, _quoted(self.said(j)))
            j += 1
        return j, item

    def environment(self, i: int) -> Read | None:
        """A matrix: cells between & and \\\\."""
        if i not in self.closed:
            return None
        j = i + 1
        j = self._behind_options(j)
        for _ in range(WITH_COLUMNS.get(self.said(i), 0)):
            j = self.behind(j) if self.said(j) == "{" else j
            j = self._behind_options(j)
        rows: list[list[Node]] = [[]]
        self.inside += 1
        j = self._cells(j, rows)
        self.inside -= 1
        if self.kind(j) != "endenv":
            return None
        return _grid(rows, self.tokens[i].start, self.tokens[j].end, j + 1)

    def _behind_options(self, i: int) -> int:
        """Behind `[first-row, first-col]` or `[t]`, what an environment is told right behind its name."""
        after = self.behind(i) if self.said(i) == "[" and self.tokens[i].tight else i
        return after if any(self.kind(k) == "word" for k in range(i + 1, min(after, i + 2))) else i

    def _cells(self, j: int, rows: list[list[Node]]) -> int:
        """The cells of a matrix into `rows`; returns where it ends."""
        while self.kind(j) not in ("endenv", "end"):
            j = self.skip(j, BLANK)
            kind = self.kind(j)
            if kind == "row":
                rows.append([])
                j += 1
            elif kind == "amp":
                rows[-1].extend([Dots()] if not rows[-1] else [])
                j += 1
            elif self.said(j) in _RULES and self.kind(self.skip(j + 1, BLANK)) == "amp":
                j = self.skip(j + 1, BLANK) + 1  # between the columns of two matrices side by side
            elif kind != "endenv":
                cell = self.chain(j)
                node, j = cell if cell is not None else (Words(""), j)
                j, words = self._to_separator(j)
                rows[-1].append(Words(words) if words and not isinstance(node, Chain) else node)
        return j

    def _to_separator(self, j: int) -> tuple[int, str]:
        """To the end of a cell, with the words in the way."""
        words: list[str] = []
        depth = 0
        while self.kind(j) != "end" and (depth or self.kind(j) not in ("amp", "row", "endenv")):
            depth += {"env": 1, "endenv": -1}.get(self.kind(j), 0)
            if self.kind(j) not in BLANK and self.kind(j) != "comma":
                words.append(self.said(j))
            j += 1
        return j, "".join(words)


def _ends(tokens: Sequence[Token]) -> Mapping[int, int]:
    """Where each bracket that is closed again ends, whatever closes it."""
    opened: list[int] = []
    ends: dict[int, int] = {}
    for i, token in enumerate(tokens):
        if token.kind == "open":
            opened.append(i)
        elif token.kind == "close" and opened:
            ends[opened.pop()] = i
    return ends


def _closed(tokens: Sequence[Token]) -> frozenset[int]:
    """The environments that are closed again, so that an open one is never searched to the end."""
    opened: list[int] = []
    closed: set[int] = set()
    for i, token in enumerate(tokens):
        if token.kind == "env":
            opened.append(i)
        elif token.kind == "endenv" and opened:
            closed.add(opened.pop())
        elif token.kind == "nl" and token.text == "block":
            opened.clear()
    return frozenset(closed)


def _lines(items: Sequence[Node], ends: Sequence[int]) -> tuple[Node, ...]:
    """`[1, 0; 0, 1]`, whose rows end at `ends`, as a list of lists; single numbers are its entries."""
    bounds = [0, *ends, len(items)]
    lines = [items[a:b] for a, b in pairwise(bounds) if a < b]
    numbers = [[item for item in line if isinstance(item, Num)] for line in lines]
    if numbers != lines or len(lines) < 2 or all(len(line) == 1 for line in lines):
        return tuple(items)
    return tuple(Row(tuple(line), line[0].start, line[-1].end) for line in numbers)


def _quoted(comment: str) -> str:
    """The label in straight or curly quotation marks inside a comment."""
    for opening, closing in (('"', '"'), ("“", "”"), ("'", "'")):
        at = comment.find(opening)
        end = comment.find(closing, at + 1) if at >= 0 else -1
        if 0 < end - at < 26:
            return comment[at + 1 : end]
    return ""


def _are_heads(row: Sequence[Node]) -> bool:
    """Whether a row of a table has words only; signs that nobody can read are none."""
    said = "".join(cell.text for cell in row if isinstance(cell, Words | Name))
    signs = bool(said) and not any(map(str.isalpha, said))
    formula = isinstance(row[0], Binary | Transpose | Call)  # `q_i · k_j`, `QK^T`
    corner = row[1:] and formula and next(numerals(row[0]), None) is None
    return not signs and all(isinstance(cell, Words | Name | Dots) for cell in (row[1:] if corner else row))


def _is_indexed(item: Node) -> bool:
    """Whether this is one of several vectors, `x_1` or `a^1`: they stand side by side without commas."""
    match item:
        case Name(text=text):
            return text[-1:].isdecimal()
        case Binary(op="^", left=Name(), right=Num()):
            return True
    return isinstance(item, Dots)


def _is_inner(items: Sequence[Node]) -> bool:
    """Whether these are a query and a key, of which `⟨q_1, k_2⟩` and `⟨q, k_2⟩` are the product."""
    match items:
        case [Name() as query, Name() as key]:
            letters, sizes = query.text[0] + key.text[0], (1, len(key.text))
            return letters in ("qk", "QK") and len(query.text) in sizes and len(key.text) < 4
    return False


def _grid(rows: list[list[Node]], start: int, end: int, after: int) -> Read | None:
    kept = [row for row in rows if row]
    labels: list[str] = []
    if len(kept) > 1 and _are_heads(kept[0]) and not _are_heads(kept[1]):
        kept = kept[1:]
    if any(isinstance(row[0], Words | Name) for row in kept) and all(
        isinstance(row[0], Words | Name | Dots) and len(row) > 1 for row in kept
    ):
        labels = [row[0].text if isinstance(row[0], Words | Name) else "..." for row in kept]
        kept = [row[1:] for row in kept]
    if not kept:
        return None
    return Grid(tuple(tuple(row) for row in kept), start, end, tuple(labels)), after
