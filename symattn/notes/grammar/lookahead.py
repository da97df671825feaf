"""What a parser asks of the tokens ahead: whether an expression ends here, or a factor follows."""

from __future__ import annotations

from typing import Final
from unicodedata import category

from symattn.notes.grammar.brackets import is_size, numeric, wordy
from symattn.notes.grammar.cursor import Cursor
from symattn.notes.grammar.syntax import Node
from symattn.notes.grammar.tokens import Token
from symattn.notes.names.words import function, letters
from symattn.notes.names.words import is_size as announces_shape

_LETTERS: Final = frozenset("abcdefghijklmnopqrstuvwxyzαβγδεθλμσφω")
_MATHEMATICS: Final = frozenset(("ODD", "MUL", "FRAC", "SQRT", "OPEN", "BEGIN"))
MOST_OF_INDEX: Final = 6
"""How many tokens an index in brackets has."""
_ELEMENTARY: Final = frozenset(("log", "sin", "cos", "sqrt"))
_APART: Final = 2
"""With so many blanks before it a function, and a name behind a number, stand in another column."""
_COLUMNS_APART: Final = 3
"""With so many blanks between them two drawn matrices are no product."""


def is_number(node: Node) -> bool:
    """Whether a node is a single numeral."""
    return node.kind == "lit" and not node.shape


def is_word(node: Node) -> bool:
    """Whether a node is a name of several letters."""
    return node.kind == "name" and len(node.name) > 1


def is_mathematics(token: Token | None) -> bool:
    """Whether mathematics that cannot be read may begin at a token."""
    return token is not None and (token.kind in _MATHEMATICS or token.text in ("√", "{", "+", "‖", "|"))


def goes_on(cursor: Cursor, member: Node) -> bool:
    """Whether a member goes on behind what could be read of it, or is a number with a unit."""
    token = cursor.at()
    if token is None:
        return False
    if token.text == "-" and token.kind == "OP":
        after = cursor.at(1)
        return not token.space or after is None or after.kind in ("NL", "ROW") or is_mathematics(after)
    if is_word(member) and token.space and (token.kind in ("FRAC", "SQRT") or token.text == "√"):
        return False
    if token.text == "," and not token.space and is_number(member):
        after = cursor.at(1)
        return after is not None and after.kind == "NUM" and not after.space
    if token.kind in ("NAME", "OPEN", "BEGIN") or token.text == "{":
        return not token.space and is_number(member) and token.text.isascii()
    if token.kind == "OP":
        return token.text in "+^_√"
    return token.kind in ("MUL", "SUP", "TRANS", "SQRT", "FRAC", "ODD")


def is_remark(cursor: Cursor) -> bool:
    """Whether a bracket is a remark on the member before it: its size, a word, the number of an equation."""
    token = cursor.at()
    if token is None or token.kind != "OPEN" or cursor.i not in cursor.pairs or not token.space:
        return False
    after = cursor.behind()
    if after is not None and (after.kind in ("MUL", "TRANS", "SUP") or after.text in ("^", "_")):
        return False
    return not any(t.unit or t.kind in ("OBJ", "BEGIN", "FRAC") for t in cursor.inner())


def names_what_follows(cursor: Cursor, left: Node) -> bool:
    """Whether a name, as in the print-out `scores [0.7 1.74]`, is no factor of the bracket that follows."""
    token = cursor.at()
    if left.kind != "name" or token is None:
        return False
    if token.kind == "OPEN":
        return token.space > 0
    return token.kind == "OBJ" and len(left.name) > 1


def indexes(cursor: Cursor, base: Node) -> bool:
    """Whether the bracket here is the index of a name: `V("I")`, `score(1,2)`."""
    token, end = cursor.at(), cursor.pairs.get(cursor.i)
    if token is None or end is None or token.kind != "OPEN" or base.kind != "name":
        return False
    if (token.space and token.text != "(") or not 0 < end - cursor.i - 1 <= MOST_OF_INDEX:
        return False
    return not any(t.kind in ("OPEN", "REL", "MUL") or t.unit for t in cursor.inner())


def counted(cursor: Cursor) -> bool:
    """Whether a whole number in square brackets is the index of the word before it: `Sum[1]`."""
    token, inner = cursor.at(), cursor.inner()
    return token is not None and token.text == "[" and len(inner) == 1 and inner[0].text.isdigit()


def announced(cursor: Cursor) -> bool:
    """Whether the word before announces a shape: `Shape: [3, 64]`."""
    before = cursor.tokens[max(0, cursor.i - 2) : cursor.i]
    said = [t for t in before if t.kind != "REL" and t.text != ":"]
    return bool(said) and said[-1].kind == "NAME" and announces_shape(said[-1].text)


def multiplies(cursor: Cursor, left: Node) -> bool:
    """Whether what follows is a factor, though no sign says so."""
    token = cursor.at()
    if token is None:
        return False
    if token.kind in ("FRAC", "SQRT"):
        return not (is_word(left) and token.space)
    if token.kind in ("BEGIN", "OBJ"):
        close = token.kind == "BEGIN" or token.space < _COLUMNS_APART or _begins_line(cursor)
        return close and not names_what_follows(cursor, left)
    if token.kind == "OPEN":
        after = cursor.behind()
        if after is not None and (after.kind == "TRANS" or after.text == "^") and not numeric(cursor.inner()):
            return True
        return not names_what_follows(cursor, left) and not (token.space and _is_aside(cursor, left))
    if token.kind == "OP":
        return token.text in ("√", "{") and not is_word(left)
    return token.kind == "NAME" and _is_factor(cursor, left, token)


def _begins_line(cursor: Cursor) -> bool:
    """Whether the blanks before the token here are those of a line that goes on with a formula."""
    before, token = cursor.tokens[cursor.i - 1], cursor.tokens[cursor.i]
    return before.line < token.line


def _is_spelled_out(token: Token) -> bool:
    """Whether a name is a word and no letters: `Keys K`, `键 K`."""
    if token.kind != "NAME" or (len(token.text) == 1 and category(token.text) != "Lo"):
        return False
    named = letters(token.text)
    return len(named) == 1 and named[0][0] != "w"


def _is_aside(cursor: Cursor, left: Node) -> bool:
    inner = cursor.inner()
    if left.kind == "lit" and not numeric(inner) and (left.shape or wordy(inner)):
        return True
    return is_size(inner, cursor.behind())


def _is_factor(cursor: Cursor, left: Node, token: Token) -> bool:
    """Whether a name behind an expression multiplies it, and is not the beginning of a sentence."""
    if is_word(left) or _is_spelled_out(cursor.tokens[cursor.i - 1]):
        return False
    named = function(token.text) is not None
    letter = len(token.text) == 1 and token.text.lower() in _LETTERS
    if not (letter or named or letters(token.text)[0][0] == "w") or (named and token.space >= _APART):
        return False
    if left.kind == "lit" and token.space:
        after = cursor.at(1)
        if named:  # 2 ln(2), but not: step 2 softmax(x)
            return _is_coefficient(cursor) and function(token.text) in _ELEMENTARY
        return token.space < _APART and not (left.shape and after is not None and after.kind == "REL")
    return True


def _is_coefficient(cursor: Cursor) -> bool:
    """Whether the numeral that was read last is a whole number from 2 on behind a sign."""
    if cursor.i < 2:
        return False
    before, last = cursor.tokens[cursor.i - 2 : cursor.i]
    return before.kind in ("REL", "OP", "MUL", "OPEN") and last.unit == 0 and last.value >= 2
