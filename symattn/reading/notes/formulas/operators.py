"""Formulas by the strength of their operators: the longest one that begins at a token, or None.

It never guesses: what it cannot read ends the formula before it. Depth is bounded, and every bracket is
tried once a level, so the time is linear in the number of tokens.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from symattn.reading.notes.formulas.brackets import Read
from symattn.reading.notes.formulas.characters import unhatted
from symattn.reading.notes.formulas.formula import (
    Binary,
    Call,
    Dots,
    Grid,
    Index,
    Name,
    Node,
    Num,
    Row,
    Transpose,
    Words,
    names,
)
from symattn.reading.notes.formulas.lists import Lists
from symattn.reading.notes.formulas.stream import Token
from symattn.reading.notes.formulas.words import alias
from symattn.reading.notes.formulas.works import is_shape, is_word

DEEPEST = 24
MOST_OPERATORS = 120
_POWER = {"+": 10, "-": 10, "*": 20, "/": 20, "⊙": 20, "^": 40}
SYMBOL = re.compile(
    r"(?:[xqkvzXQKVZAS](?:_?\d|_[ijmnt])?|[qkv]_[a-z]{1,12}|W_?[QKVOqkvo]?_?\d?|[Qq][Kk]|AV)'?"
)
_INDEXED = re.compile(r"[qkvQKV]_?\d")
_MATRIX = re.compile(rf"{_INDEXED.pattern}|[A-HJ-SU-Z]|W_?[QKVOqkvo]")
_RATE = re.compile(r"[aαpw](?:_?[\dijmnt]{1,3})?")
"""Letters that, with an index, weigh what stands behind them: a_{1j} v_j."""
_MULTIPLIED = frozenset({"frac", "sqrt", "underset", "overset", "braced", "sum"})
_PROJECTION = re.compile(r"[A-Z]_[QKVqkv]")
"""Weights by a letter of their own, `M_Q`."""
_LETTERS = re.compile(r"[A-Z]{1,3}(?:_[A-Za-z\d]{1,4})?'?|[b-z](?:_[A-Za-z\d]{1,4}|\d{1,2})?'?")
"""Names that weights may stand behind without a sign."""
_WORD = re.compile(r"[A-Za-z]?[a-z]{2,}")
"""A word of prose, or what is called by one."""
_CAPITAL = re.compile(r"[B-HJ-Z]")
"""A letter of the document's own, which no sentence has for a word."""


class Operators(Lists):
    """Reads formulas without relation signs out of a list of tokens."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        super().__init__(tokens)
        self.nested = 0
        self.failed: set[int] = set()

    def _opens_equation(self, i: int) -> bool:
        """Whether a name and a sign begin at token i: behind a matrix, `W_K = ...` is no factor of it."""
        named = self._name(i) if self.kind(i) in ("word", "text") else None
        return named is not None and self.said(self.skip(named[1])) in ("=", "≈")

    def prefix(self, i: int) -> Read | None:
        """One operand; None below the deepest nesting, which `e^e^e^...` reaches without brackets."""
        if self.nested >= DEEPEST:
            return None
        self.nested += 1
        try:
            return super().prefix(i)
        finally:
            self.nested -= 1

    def formula(self, i: int, power: int = 0) -> Read | None:
        """The longest formula of at least this binding power."""
        if self.depth >= DEEPEST or i in self.failed:
            return None
        self.depth += 1
        try:
            left = self.prefix(i)
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
                return (replace(node, text=node.text + "'"), i + 1) if isinstance(node, Name) else None
            j = i + 1
            braced = self.said(j) in ("{", "(") and self.kind(j) == "open"
            j += braced
            index = self._index(j) if braced else None  # the head of `K^{(1)\top}`
            if index is not None:
                node, j = Binary("^", node, index), j + 3
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

    def _index(self, i: int) -> Num | None:
        """The number of `(1)` at token i."""
        told = [self.said(i), self.kind(i + 1), self.said(i + 2)] == ["(", "num", ")"]
        return Num(self.said(i + 1), self.tokens[i + 1].start, self.tokens[i + 1].end) if told else None

    def _infix(self, node: Node, i: int, power: int) -> Read | None:
        while self.kind(i) == "mark" and self.said(i) == "thin":
            i += 1
        at = i
        if self.kind(i) == "mark":
            at = self.skip(i)
            if not (self.kind(at) == "op" and self.said(at) in "*+/"):
                return None
        if self.kind(at) == "nl":
            at = self._next_line(at)
        if self._dotted(at):
            right = self.formula(at + 1, _POWER["*"])
            return None if right is None else (Binary("*", node, right[0]), right[1])
        said = self.said(at)
        if self._begins(at) or (said == "-" and self._is_told(node, at)):
            return None
        strength = _POWER.get(said) if self.kind(at) == "op" else None
        if strength is not None:
            weak = strength < power or (strength == power and said != "^")
            right = None if weak else self.formula(self._operand(said, at + 1), strength)
            return None if right is None else (Binary(said, node, right[0]), right[1])
        if isinstance(node, Row) and power < 20 and self.opens_table(i):
            return self.times_table(node, i)
        if (power >= 20 and not self._applies(node, i)) or not self._side_by_side(node, i):
            return None
        right = self.bracket(i) if self._applies(node, i) else self.formula(i, 20)
        if right is None:
            return None
        return (node if is_shape(right[0]) else Binary("*", node, right[0])), right[1]

    def _next_line(self, i: int) -> int:
        """Where a formula goes on with a sign behind the end of its line, or of its display; else token i."""
        at = i + 1
        if self.said(i) == "block" and [self.kind(at), self.kind(at + 1)] == ["nl", "op"]:
            at += self.said(at + 1) == "+"
        goes_on = self.kind(at) == "op" and self.said(at) in ("+", "*") and not self.is_step(at)
        return at if goes_on else i

    def _operand(self, sign: str, i: int) -> int:
        """Where the right operand begins: on the next line, where a line ends with the sign."""
        at = self.skip(i)
        goes_on = sign in "+*" and self.kind(at) == "nl" and self.kind(at + 1) in ("num", "open", "env")
        return at + 1 if goes_on else at

    def _begins(self, i: int) -> bool:
        """Whether token i is the sign of the next number of a list: `[0.8 -0.5]`, `(0.8  -0.5)`."""
        listed = self.opened == "[" or (self.opened == "(" and (self.listing or self.apart(i)))
        signed = listed and self.kind(i) == "op" and self.said(i) in "+-"
        return signed and not self.tokens[i].tight and self.kind(i + 1) == "num" and self.tokens[i + 1].tight

    def _is_told(self, node: Node, i: int) -> bool:
        """Whether a word, which subtracts nothing, stands before the minus of a number: `gives -0.5`."""
        plain = isinstance(node, Name) and not node.subs and _WORD.fullmatch(node.text) is not None
        apart = not self.tokens[i].tight and self.kind(i + 1) == "num" and self.tokens[i + 1].tight
        return plain and apart

    def _dotted(self, i: int) -> bool:
        """Whether token i is the full stop of `q . k`, `X.W_Q` or `q_1.k_2`, a product and no end."""
        if self.kind(i) != "stop" or self.said(i) != "." or i + 1 >= len(self.tokens):
            return False
        after = self.tokens[i + 1]
        if self.tokens[i].tight:
            sign = _MATRIX if after.tight else _INDEXED
            left, right = (sign.fullmatch(self.said(at)) is not None for at in (i - 1, i + 1))
            return right and (left or self.said(i - 1) in ("q", "Q"))
        return not after.tight and (after.kind == "open" or SYMBOL.fullmatch(after.text) is not None)

    def _side_by_side(self, node: Node, i: int) -> bool:
        """Whether what follows multiplies without a sign: 0.4(2,1), 1/√2 [..], Q K^T."""
        kind, tight = self.kind(i), i < len(self.tokens) and self.tokens[i].tight
        if kind == "word" and self.apart(i):
            return False
        if kind == "op" and self.said(i) == "√":
            return tight and isinstance(node, Num)
        environment = kind == "env" or (kind == "open" and self.kind(i + 1) == "env")
        if environment or (kind == "command" and self.said(i) in _MULTIPLIED):
            return True
        if kind == "open" and self.said(i) == "{":
            return self._is_power(i) and all(SYMBOL.fullmatch(name.text) for name in names(node))
        if kind == "open":
            return not (isinstance(node, Row | Grid | Words | Dots) or is_word(node)) and (
                tight or isinstance(node, Num | Binary) or self._is_power(i)
            )
        if kind == "word" and isinstance(node, Name) and _PROJECTION.fullmatch(self.said(i)):
            return _LETTERS.fullmatch(node.text) is not None
        if kind in ("word", "text") and SYMBOL.fullmatch(self.said(i)):
            return self._letter_beside(node, i)
        return kind in ("word", "text") and tight and not isinstance(node, Num | Row | Words)

    def _letter_beside(self, node: Node, i: int) -> bool:
        """Whether a letter of the field multiplies what stands before it: `X W_Q`, `2 q_1`, `[1, 0] W`."""
        said = self.said(i)
        if isinstance(node, Row | Grid):
            several = isinstance(node, Grid) or all(isinstance(item, Row) for item in node.items)
            return said.startswith("W") and not (several and self._opens_equation(i))
        if said[0] == "W" and (_applied(node) or _is_multiplied_by_weights(node)):
            return True
        if isinstance(node, Num):
            return "_" in said or said[-1].isdigit() or self.said(i + 1) == "_"
        return not isinstance(node, Words | Dots) and all(
            SYMBOL.fullmatch(name.text)
            or _CAPITAL.fullmatch(unhatted(name.text))
            or name.text.rstrip("'") in ("PE", "d", "d_k", "φ", "phi", "α")
            or (_RATE.fullmatch(name.text) and (name.subs or len(name.text) > 1))
            for name in names(node)
        )

    def _applies(self, node: Node, i: int) -> bool:
        """Whether a function stands before its argument: `φ(K)^T` is the transpose of all of it."""
        tight = self.said(i) == "(" and self.tokens[i].tight
        return isinstance(node, Name) and tight and not SYMBOL.fullmatch(node.text)

    def _is_power(self, i: int) -> bool:
        """Whether brackets around a symbol carry an exponent, as in `X (W_Q^1)^T`."""
        after = self.behind(i)
        return (
            SYMBOL.fullmatch(self.said(i + 1)) is not None
            and self.kind(after) == "op"
            and self.said(after) == "^"
        )


def _is_multiplied_by_weights(node: Node) -> bool:
    """Whether a name is that of a matrix, by its letters or by a word for it: `hidden W`, `concat W_O`."""
    if not isinstance(node, Name):
        return False
    short = _LETTERS.fullmatch("_".join((node.text.rstrip("\u0302"), *node.subs))) is not None
    return short or alias(node.text) in ("Z", "concat", "memory")


def _applied(node: Node) -> bool:
    """`Concat(head_1, head_2)` and `ReLU(h)`, a word or a function and what it is of."""
    named = isinstance(node, Binary) and isinstance(node.left, Name) and isinstance(node.right, Row)
    return named or isinstance(node, Call)
