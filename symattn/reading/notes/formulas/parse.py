"""A small, tolerant Pratt parser: formulas and the signs that relate them.

What it cannot read ends the chain before it.
"""

from __future__ import annotations

from symattn.reading.notes.formulas.brackets import BLANK, MARKED, Read
from symattn.reading.notes.formulas.formula import (
    Binary,
    Call,
    Chain,
    Grid,
    Name,
    Node,
    Num,
    Row,
)
from symattn.reading.notes.formulas.operators import SYMBOL, Operators
from symattn.reading.notes.formulas.works import is_literal

LONGEST_CHAIN = 200
PUNCTUATION = frozenset(".;!|。；！：？")
"""What may stand directly behind a formula that is read whole; another sign there is a part of it."""
_GOING_ON = frozenset({"op", "rel", "amp", "row", "close", "comma"})
_ALIGNED = BLANK | {"amp", "row"}  # outside of matrices, `&=` and line ends only lay out


class Parser(Operators):
    """Reads chains of formulas out of a list of tokens."""

    def chain(self, i: int) -> Read | None:
        """A formula and what it is related to: `Q = X W_Q = [1, 2]`."""
        first = self.formula(i)
        if first is None:
            return None
        if self.cut_short(first[1]):
            return first
        if isinstance(first[0], Num) and self.said(self.skip(first[1])) == ":":
            return first
        members, relations = [first[0]], []
        i = first[1]
        while len(members) < LONGEST_CHAIN:
            at = self._relation(i)
            if at is None:
                break
            blank = BLANK if self.inside else _ALIGNED
            after = self.skip(at + 1, MARKED if self.inside else MARKED | {"amp"})
            if self.kind(after) in ("nl", "row") and self.said(at) != ":":
                after = self.skip(after, blank)
            if self.said(at) == "→" and any(self.kind(between) == "list" for between in range(at, after)):
                break  # `Q = X W_Q →`, and what each token comes to below it
            following = self.unbracketed(after) or self._told(after) or self.formula(after)
            if following is not None and self._begins_anew(at, after, following):
                break
            if following is None or (
                self.said(at) == ":" and not isinstance(following[0], Num | Row | Grid | Binary | Call)
            ):
                break
            if self.cut_short(following[1]):
                break
            if self.said(at) == "→" and (self._defines(following) or _leads_on(members[-1], following[0])):
                break
            if isinstance(members[-1], Num) and _is_list(following[0]):
                break  # `sum = 3`, and below it `= [0.4, 0.6]`, which goes on from what is above the sum
            relations.append(self.said(at))
            members.append(following[0])
            i = following[1]
        return (Chain(tuple(members), tuple(relations)), i) if relations else (members[0], i)

    def _told(self, i: int) -> Read | None:
        """`1.41 and 3.54` behind a sign, as far as the words of the sentence go on."""
        return None if self.inside or self.depth else self.enumerated(i)

    def _defines(self, read: Read) -> bool:
        """Whether `sum = 8` or `softmax [0.2, 0.8]` begins here, which is no link of the chain before it."""
        behind = self.skip(read[1])
        return isinstance(read[0], Name) and (self.said(behind) == "=" or self.kind(behind) == "open")

    def _begins_anew(self, sign: int, after: int, read: Read) -> bool:
        """Whether an equation of its own stands below a sign and a blank line: `K =`, and `V = [1, 2]`."""
        ends = sum(self.kind(k) == "nl" for k in range(sign, after))
        return ends > 1 and isinstance(read[0], Name) and self.said(self.skip(read[1])) == "="

    def _parted(self, i: int, j: int) -> bool:
        """Whether a line ends between two tokens, or TeX leaves a wide space."""
        wide = any(token.kind == "mark" and token.text == " " for token in self.tokens[i:j])
        return wide or self.kind(j - 1) == "nl"

    def _relation(self, i: int) -> int | None:
        """Where the next relation sign stands, over marks, an aside in brackets and a line's end."""
        at = self.skip(i)
        if self.kind(at) == "open" and self.said(at) == "(":
            at = self.skip(self._aside(at))
        ends = 0
        blank = BLANK if self.inside else _ALIGNED
        while self.kind(at) in blank:
            ends += self.kind(at) in ("nl", "row")
            at += 1
        if (
            self.kind(at) != "rel"
            or self.said(at) in "<>≠≤≥∝"
            or (ends and (self.said(at) in ":→" or ends > 6))
        ):
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

    def _says(self, i: int) -> bool:
        """Whether brackets hold words, an aside that multiplies nothing."""
        return any(self.kind(at) in ("cjk", "word", "text", "label") for at in range(i + 1, i + 4))

    def breaks_off(self, i: int) -> bool:
        """Whether a sign that nobody can read stands right behind a number, and an operator behind that."""
        unread = self.kind(i) in ("stop", "text") and self.said(i) not in (".", ",", ";") and i > 0
        glued = unread and self.tokens[i].start == self.tokens[i - 1].end and self.kind(i - 1) == "num"
        return glued and self.kind(i + 1) == "op" and self.said(i + 1) in "*/+"

    def cut_short(self, i: int) -> bool:
        """Whether a formula that ends before token i goes on with something that was not read."""
        j = self.skip(i)
        if self.breaks_off(i) or (self.kind(j) == "op" and self.said(j) in "*/^+⊙"):
            return True
        if self.kind(j) == "op" and self.said(j) == "-":
            return self.kind(j + 1) in ("num", "open", "command")
        if self.kind(j) in ("word", "text") and SYMBOL.fullmatch(self.said(j)) and self.said(j)[0].isupper():
            set_off = self.apart(j) or self._parted(i, j) or self._opens_equation(j)
            return not set_off and self.said(j) != "A"
        if self.kind(j) == "stop" and self.tokens[j].tight and self.said(j) not in PUNCTUATION:
            return self.kind(self.skip(j + 1)) in _GOING_ON
        return self.kind(i) in ("env", "command", "percent") or (
            self.kind(i) == "open" and self.said(i) != "{" and self.tokens[i].tight and not self._says(i)
        )


def _leads_on(value: Node, following: Node) -> bool:
    """Whether an arrow leads to what comes next: from `0.3` to `sum 2.1`, from `3.03` to `[0.67, 0.33]`."""
    return is_literal(value) and (isinstance(following, Name) or is_literal(following))


def _is_list(node: Node) -> bool:
    """Whether a value is several numbers, which no single number equals."""
    return isinstance(node, Grid) or (isinstance(node, Row) and len(node.items) > 1)
