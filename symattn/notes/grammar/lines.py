"""Line ends that go on with a statement are left out: inside of brackets, before and after signs."""

from __future__ import annotations

from typing import Final

from symattn.notes.grammar.pairs import CLOSES, matches
from symattn.notes.grammar.sessions import prints
from symattn.notes.grammar.tokens import Token

_ALIGNED: Final = ("fence", "\\begin{aligned}", "\\end{aligned}")
_ENDS: Final = ("CLOSE", "OBJ", "NUM", "END")
FAR, NEAR, NEXT = 7, 5, 3
"""How many line ends at least are too many before a sign, before a matrix, and before anything else."""
WIDE: Final = 3
"""So many blanks between a number and a word are a gap between columns."""


def joined(tokens: list[Token]) -> list[Token]:
    """The tokens of a document with each statement on one line."""
    inside, following = _inside(tokens), _following(tokens)
    out: list[Token] = []
    last: Token | None = None
    """The last token that is no line end, nor the bracket around a matrix."""
    for i, token in enumerate(tokens):
        if not inside[i]:
            if token.text == "&":
                if _ends_cell(out) and i + 1 < len(tokens) and tokens[i + 1].kind != "REL":
                    out.append(last := Token("SEP", "&", token.line, token.column))
                continue
            if token.kind == "NAME" and token.space >= WIDE and out and out[-1].kind in _ENDS:
                out.append(last := Token("SEP", "", token.line, token.column))
        breaks = token.kind in ("NL", "ROW") and not inside[i]
        if breaks or (token.kind == "SEP" and token.text in _ALIGNED):
            place, gap = following[i + 1]
            after = tokens[place] if place < len(tokens) else token
            if after.kind == "OPEN" and tokens[place + 1 :] and tokens[place + 1].kind == "BEGIN":
                after = tokens[place + 1]
            if after.kind == "NAME" and prints(tokens, place):
                after = tokens[place + 1]
            if _joins(token, last, after, gap + 1):
                continue
        out.append(token)
        if token.kind not in ("NL", "ROW") and not (_is_end(last) and token.kind == "CLOSE"):
            last = token
    return out


def _inside(tokens: list[Token]) -> list[bool]:
    """For each token whether it is in brackets."""
    pairs, found, end = matches(tokens), [], -1
    for i, token in enumerate(tokens):
        if token.kind in CLOSES and i in pairs:
            end = max(end, pairs[i])
        found.append(i <= end)
    return found


def _following(tokens: list[Token]) -> list[tuple[int, int]]:
    """For each place the next one that is more than a line end, and how many line ends are before it."""
    found = [(len(tokens), 0)] * (len(tokens) + 1)
    for place in range(len(tokens) - 1, -1, -1):
        token = tokens[place]
        if token.kind in ("NL", "ROW") or token.text in ("fence", "&"):
            after, gap = found[place + 1]
            found[place] = (after, gap + (token.kind == "NL"))
        else:
            found[place] = (place, 0)
    return found


def _ends_cell(out: list[Token]) -> bool:
    return bool(out) and (out[-1].kind in _ENDS or out[-1].text == "}")


def _joins(token: Token, before: Token | None, after: Token, gap: int) -> bool:
    """Whether a statement goes on behind a line end, `gap` of which are between two tokens."""
    if gap >= FAR:
        return False
    if _relates(after):
        return True
    if gap < NEXT and (
        after.text == "+" or (before is not None and (_relates(before) or before.text == "+"))
    ):
        return True
    if before is None:
        return False
    if before.kind == "END" and after.kind in ("BEGIN", "OBJ"):
        return gap < NEXT and token.kind == "NL"
    if before.text == "}" and after.kind == "BEGIN" and gap < 2:
        return True  # \\frac{1}{2} and on the next line a matrix
    named = (before.kind == "REL" and before.text == "=") or before.text == ":"
    return named and after.kind in ("BEGIN", "OBJ", "OPEN") and gap < NEAR


def _is_end(token: Token | None) -> bool:
    return token is not None and token.kind == "END"


def _relates(token: Token) -> bool:
    """Whether a token is a sign of relation, an arrow not among them."""
    return token.kind == "REL" and token.text != "→"
