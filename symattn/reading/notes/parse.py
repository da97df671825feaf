"""A small, tolerant Pratt parser: the longest formula that begins at a token, or None.

It never guesses: what it cannot read ends the formula before it. Depth is bounded, and every bracket is
tried once a level, so the time is linear in the number of tokens.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from symattn.reading.notes.formula import (
    Binary,
    Call,
    Chain,
    Dots,
    Grid,
    Index,
    Name,
    Negate,
    Node,
    Num,
    Row,
    Transpose,
    Words,
    names,
)
from symattn.reading.notes.names import known_words
from symattn.reading.notes.tokens import Token

DEEPEST = 24
LONGEST = 20_000
MOST_OPERATORS = 120
FUNCTIONS = {"sqrt": "sqrt", "exp": "exp", "softmax": "softmax", "sin": "sin", "cos": "cos", "ln": "ln", "log": "log"}
_POWER = {"+": 10, "-": 10, "*": 20, "/": 20, "⊙": 20, "^": 40}
_SYMBOL = re.compile(r"[xqkvzXQKVZA](?:_?\d)?|W_?[QKVOqkvo]?")
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_MARKED = frozenset({"mark"})
_BLANK = frozenset({"nl", "mark", "comment", "list"})
_ALIGNED = _BLANK | {"amp", "row"}  # outside of matrices, `&=` and `\\\\` only lay out

Read = tuple[Node, int]


class Parser:
    """Reads formulas out of a list of tokens."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens
        self.depth = 0
        self.failed: set[int] = set()
        self.closed = _closed(tokens)
        self.inside = 0

    def kind(self, i: int) -> str:
        return self.tokens[i].kind if i < len(self.tokens) else "end"

    def said(self, i: int) -> str:
        return self.tokens[i].text if i < len(self.tokens) else ""

    def skip(self, i: int, kinds: frozenset[str] = frozenset({"mark"})) -> int:
        while self.kind(i) in kinds:
            i += 1
        return i

    def chain(self, i: int) -> Read | None:
        """A formula and what it is related to: `Q = X W_Q = [1, 2]`."""
        first = self.formula(i)
        if first is None:
            return None
        if self.cut_short(first[1]):
            return first
        members, relations = [first[0]], []
        i = first[1]
        while len(members) < 200:
            at = self._relation(i)
            if at is None:
                break
            blank = _BLANK if self.inside else _ALIGNED
            after = self.skip(at + 1, _MARKED if self.inside else _MARKED | {"amp"})
            if self.kind(after) in ("nl", "row") and self.said(at) != ":":
                after = self.skip(after, blank)
            following = self.formula(after)
            if following is None or (self.said(at) == ":" and not isinstance(following[0], Num | Row | Grid | Binary | Call)):
                break
            if self.cut_short(following[1]):
                break
            relations.append(self.said(at))
            members.append(following[0])
            i = following[1]
        return (Chain(tuple(members), tuple(relations)), i) if relations else (members[0], i)

    def cut_short(self, i: int) -> bool:
        """Whether a formula that ends before token i goes on with something that was not read."""
        j = self.skip(i)
        if self.kind(j) == "op" and self.said(j) in "*/^+⊙":
            return True
        if self.kind(j) == "op" and self.said(j) == "-":
            return self.kind(j + 1) in ("num", "open", "command")
        return self.kind(i) in ("env", "command", "percent") or (
            self.kind(i) == "open" and self.said(i) != "{" and self.tokens[i].tight and not self._says(i)
        )

    def _says(self, i: int) -> bool:
        """Whether brackets hold words, an aside that multiplies nothing."""
        return any(self.kind(at) in ("cjk", "word", "text", "label") for at in range(i + 1, i + 4))

    def _relation(self, i: int) -> int | None:
        """Where the next relation sign stands, over marks, an aside in brackets and a line's end."""
        at = self.skip(i)
        if self.kind(at) == "open" and self.said(at) == "(":
            at = self.skip(self._aside(at))
        ends = 0
        blank = _BLANK if self.inside else _ALIGNED
        while self.kind(at) in blank:
            ends += self.kind(at) in ("nl", "row")
            at += 1
        if self.kind(at) != "rel" or self.said(at) in "<>≠≤≥∝" or (ends and (self.said(at) in ":→" or ends > 6)):
            return None
        return at

    def _aside(self, i: int) -> int:
        """Behind `(the new vector)`, brackets with words and without numerals; `i` where there are none."""
        for at in range(i + 1, min(i + 16, len(self.tokens))):
            if self.kind(at) in ("num", "nl", "rel", "open"):
                return i
            if self.kind(at) == "close":
                return at + 1
        return i

    def formula(self, i: int, power: int = 0) -> Read | None:
        """The longest formula of at least this binding power."""
        if self.depth >= DEEPEST or i in self.failed:
            return None
        self.depth += 1
        try:
            left = self._prefix(i)
            if left is None:
                self.failed.add(i)
                return None
            return self._rest(left, power)
        finally:
            self.depth -= 1

    def _rest(self, left: Read, power: int) -> Read:
        node, i = left
        for _ in range(MOST_OPERATORS):
            grown = self._postfix(node, i) or self._infix(node, i, power)
            if grown is None:
                return node, i
            node, i = grown
        return node, i

    def _postfix(self, node: Node, i: int) -> Read | None:
        kind, said = self.kind(i), self.said(i)
        if kind == "op" and said in ("^", "'"):
            if said == "'":
                return (node, i + 1) if isinstance(node, Name) else None
            j = i + 1
            braced = self.said(j) in ("{", "(") and self.kind(j) == "open"
            j += braced
            if self.kind(j) in ("word", "text") and self.said(j) in ("T", "t", "top"):
                return Transpose(node), j + 1 + braced
            return None
        if kind == "open" and said == "[" and self.tokens[i].tight and any(True for _ in names(node)):
            at: list[int] = []
            j = i + 1
            while self.kind(j) == "num" and self.said(j).isdigit() and len(self.said(j)) < 5:
                at.append(int(self.said(j)))
                j += 1
                if self.kind(j) == "comma":
                    j += 1
            if at and len(at) < 3 and self.kind(j) == "close" and self.said(j) == "]":
                if isinstance(node, Index) and len(node.at) + len(at) == 2:
                    return Index(node.of, (*node.at, *at)), j + 1
                return Index(node, tuple(at)), j + 1
        return None

    def _infix(self, node: Node, i: int, power: int) -> Read | None:
        at = i
        if self.kind(i) == "mark":
            at = self.skip(i)
            if not (self.kind(at) == "op" and self.said(at) in "*+/"):
                return None
        if self.kind(at) == "nl" and self.said(at + 1) in ("+", "*") and self.kind(at + 1) == "op":
            at += 1
        said = self.said(at)
        if self.kind(at) == "op" and said in _POWER:
            strength = _POWER[said]
            if strength < power or (strength == power and said != "^"):
                return None
            right = self.formula(self.skip(at + 1), strength)
            return None if right is None else (Binary(said, node, right[0]), right[1])
        if power >= 20 or not self._side_by_side(node, i):
            return None
        right = self.formula(i, 20)
        if right is None:
            return None
        if _shape_note(right[0]):
            return node, right[1]
        return Binary("*", node, right[0]), right[1]

    def _side_by_side(self, node: Node, i: int) -> bool:
        """Whether what follows multiplies without a sign: 0.4(2,1), 1/√2 [..], Q K^T."""
        kind, tight = self.kind(i), i < len(self.tokens) and self.tokens[i].tight
        if kind == "env" or (kind == "command" and self.said(i) in ("frac", "sqrt")):
            return True
        if kind == "open" and self.said(i) != "{":
            return not isinstance(node, Row | Grid | Words | Dots) and (tight or isinstance(node, Num | Binary))
        if kind == "word" and _SYMBOL.fullmatch(self.said(i)) and not isinstance(node, Row | Grid | Words | Dots):
            indexed = "_" in self.said(i) or self.said(i)[-1].isdigit() or self.said(i + 1) == "_"
            return indexed or not isinstance(node, Num)
        if kind in ("word", "text"):
            both = self.said(i) in "QKVXAWZ" and isinstance(node, Name | Transpose | Binary | Call)
            return both or (tight and not isinstance(node, Num | Row | Words))
        return False

    def _prefix(self, i: int) -> Read | None:
        kind, said = self.kind(i), self.said(i)
        token = self.tokens[i] if i < len(self.tokens) else None
        if token is None:
            return None
        match kind:
            case "num":
                percent = self.kind(i + 1) == "percent"
                end = self.tokens[i + 1].end if percent else token.end
                return Num(said + "%" * percent, token.start, end), i + 1 + percent
            case "op" if said in "+-":
                return self._signed(said, i)
            case "op" if said == "∞":
                return Num("inf", token.start, token.end), i + 1
            case "op" if said == "√":
                inner = self.formula(self.skip(i + 1), 30)
                return None if inner is None else (Call("sqrt", inner[0]), inner[1])
            case "open":
                return self._bracket(i)
            case "env":
                return self._environment(i)
            case "command":
                return self._command(said, i)
            case "dots":
                return Dots(), i + 1
            case "label":
                return Words(said), i + 1
            case "word" | "text" | "cjk":
                return self._name(i)
        return None

    def _signed(self, sign: str, i: int) -> Read | None:
        if self.kind(i + 1) not in ("num", "op", "open", "command", "word", "text", "env"):
            return None
        inner = self.formula(i + 1, 15)
        if inner is None:
            return None
        node = inner[0]
        if isinstance(node, Num) and not node.text.startswith("-"):
            text = node.text if sign == "+" else "-" + node.text
            return Num(text, self.tokens[i].start, node.end), inner[1]
        return (node if sign == "+" else Negate(node)), inner[1]

    def _command(self, said: str, i: int) -> Read | None:
        if said == "frac":
            over = self._group(i + 1)
            under = self._group(over[1]) if over else None
            return None if over is None or under is None else (Binary("/", over[0], under[0]), under[1])
        if said == "sqrt":
            inner = self._group(i + 1)
            return None if inner is None else (Call("sqrt", inner[0]), inner[1])
        if said in ("underset", "overset"):
            return self._group(self._behind(i + 1))
        return None

    def _group(self, i: int) -> Read | None:
        """A TeX argument: `{...}`, or one token."""
        if self.kind(i) == "open" and self.said(i) == "{":
            return self._bracket(i)
        if self.kind(i) == "num" and len(self.said(i)) > 1 and self.said(i).isdigit():
            return None
        return self._prefix(i)

    def _behind(self, i: int) -> int:
        """Behind a TeX argument that is not read."""
        if self.kind(i) != "open":
            return i + 1
        depth = 0
        for at in range(i, min(i + 200, len(self.tokens))):
            depth += {"open": 1, "close": -1}.get(self.kind(at), 0)
            if depth == 0:
                return at + 1
        return i + 1

    def _bracket(self, i: int) -> Read | None:
        opening = self.said(i)
        items: list[Node] = []
        commas = 0
        j = self.skip(i + 1, _BLANK)
        while self.kind(j) != "close":
            item = self.formula(j) if len(items) < LONGEST else None
            if item is None:
                return None
            items.append(item[0])
            j = item[1]
            comma = self.skip(j, _BLANK)
            if self.kind(comma) == "comma":
                commas += 1
                j = comma + 1
            elif self.kind(comma) != "close" and not (opening == "[" and _list_like(items)):
                return None
            j, items[-1] = self._labelled(j, items[-1])
            if self.kind(j) in ("end",):
                return None
        if self.said(j) != _CLOSING[opening]:
            return None
        end = self.tokens[j].end
        if items and isinstance(items[-1], Row) and self.kind(j + 1) == "comment":
            items[-1] = self._labelled(j + 1, items[-1])[1]
        if opening == "[" or commas:
            return (Row(tuple(items), self.tokens[i].start, end), j + 1) if items else None
        return (items[0], j + 1) if len(items) == 1 else None

    def _labelled(self, j: int, item: Node) -> Read2:
        """Over blanks; a quoted label in a comment behind a row belongs to the row."""
        while self.kind(j) in _BLANK:
            if self.kind(j) == "comment" and isinstance(item, Row):
                item = Row(item.items, item.start, item.end, _quoted(self.said(j)))
            j += 1
        return j, item

    def _environment(self, i: int) -> Read | None:
        """A matrix: cells between & and \\\\."""
        if i not in self.closed:
            return None
        j = i + 1
        if self.said(i) == "array" and self.said(j) == "{":
            j = self._behind(j)
        rows: list[list[Node]] = [[]]
        self.inside += 1
        j = self._cells(j, rows)
        self.inside -= 1
        if self.kind(j) != "endenv":
            return None
        return _grid(rows, self.tokens[i].start, self.tokens[j].end, j + 1)

    def _cells(self, j: int, rows: list[list[Node]]) -> int:
        """The cells of a matrix into `rows`; returns where it ends."""
        while self.kind(j) not in ("endenv", "end"):
            j = self.skip(j, _BLANK)
            kind = self.kind(j)
            if kind == "row":
                rows.append([])
                j += 1
            elif kind == "amp":
                rows[-1].extend([Dots()] if not rows[-1] else [])
                j += 1
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
            if self.kind(j) not in _BLANK and self.kind(j) != "comma":
                words.append(self.said(j))
            j += 1
        return j, "".join(words)

    def _name(self, i: int) -> Read | None:
        token = self.tokens[i]
        said, lower = token.text, token.text.lower()
        if token.kind != "cjk" and lower in FUNCTIONS:
            applied = self._applied(lower, i + 1)
            if applied is not None:
                return applied
        if said == "e" and self.said(i + 1) == "^" and self.kind(i + 1) == "op":
            inner = self._exponent(i + 2)
            return None if inner is None else (Call("exp", inner[0]), inner[1])
        count, text = known_words([t.text for t in self.tokens[i : i + 4] if t.kind in ("word", "cjk", "text")])
        if token.kind == "cjk" and not count:
            return None
        if count > 1 and any(t.kind not in ("word", "cjk", "text") for t in self.tokens[i : i + count]):
            count, text = 1, said
        if token.kind == "text" and not count and not said.isascii():
            return self._name(i + 1) if self.kind(i + 1) == "word" else (Words(said), i + 1)
        return self._scripts(text or said, i + max(count, 1), token.start)

    def _applied(self, function: str, i: int) -> Read | None:
        if self.kind(i) == "op" and self.said(i) == "^":
            return None
        if self.kind(i) == "open":
            inner = self._bracket(i)
        elif function in ("sin", "cos", "sqrt", "exp") and self.kind(i) in ("num", "command"):
            inner = self._prefix(i)
        else:
            return None
        return None if inner is None else (Call(function, inner[0]), inner[1])

    def _exponent(self, i: int) -> Read | None:
        if self.kind(i) == "op" and self.said(i) == "-":
            inner = self._prefix(i)
            return inner
        return self._prefix(i)

    def _scripts(self, text: str, i: int, start: int) -> Read:
        """Subscripts and naming superscripts behind a name."""
        subs: list[str] = []
        while self.kind(i) == "op" and self.said(i) in ("_", "^"):
            j = i + 1
            braced = self.kind(j) == "open"
            inside = [self.said(j)]
            if braced:
                inside, j = [], j + 1
                while self.kind(j) in ("word", "text", "num", "comma", "cjk") and len(inside) < 8:
                    if self.kind(j) != "comma":
                        inside.append(self.said(j))
                    j += 1
                if self.kind(j) != "close":
                    break
            elif self.kind(j) not in ("word", "text", "num"):
                break
            if self.said(i) == "^" and not all(part in ("Q", "K", "V", "O", "q", "k", "v", "o") for part in inside):
                break
            subs.extend(inside)
            i = j + 1
        return Name(text, tuple(subs), start, self.tokens[i - 1].end), i


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


Read2 = tuple[int, Node]


def _list_like(items: list[Node]) -> bool:
    return all(isinstance(item, Num | Row) for item in items)


def _quoted(comment: str) -> str:
    """The label in straight or curly quotation marks inside a comment."""
    for opening, closing in (('"', '"'), ("“", "”"), ("'", "'")):
        at = comment.find(opening)
        end = comment.find(closing, at + 1) if at >= 0 else -1
        if 0 < end - at < 26:
            return comment[at + 1 : end]
    return ""


def _shape_note(node: Node) -> bool:
    """`(3×4)` behind a name says a shape and multiplies nothing."""
    match node:
        case Binary(op="*", left=Num(text=a), right=Num(text=b)):
            return a.isdigit() and b.isdigit()
    return False


def _grid(rows: list[list[Node]], start: int, end: int, after: int) -> Read | None:
    kept = [row for row in rows if row and not all(isinstance(cell, Dots) for cell in row)]
    labels: list[str] = []
    if len(kept) > 1 and all(isinstance(cell, Words) for cell in kept[0]):
        kept = kept[1:]
    if kept and all(isinstance(row[0], Words) and len(row) > 1 for row in kept):
        labels = [row[0].text for row in kept if isinstance(row[0], Words)]
        kept = [row[1:] for row in kept]
    if not kept:
        return None
    return Grid(tuple(tuple(row) for row in kept), start, end, tuple(labels)), after
