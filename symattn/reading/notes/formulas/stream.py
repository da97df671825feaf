"""Tokens, and what the ends of lines mean in a stream of them: a sum and a formula go on over them."""

from __future__ import annotations

from dataclasses import replace

from symattn.immutable import immutable

MOST_WRAPPED = 6
"""At how many ends of lines a formula in a paragraph may be wrapped."""


@immutable(frozen=True, slots=True)
class Token:
    """A piece of the text. `kind` is one of

    num word label text op rel open close comma stop nl mark amp row env endenv command dots sup list
    """

    kind: str
    text: str
    start: int
    end: int
    tight: bool = False
    """Whether no space stands before it."""


def summed(found: list[Token]) -> list[Token]:
    """The tokens with the signs that look like bullets below `= 0.1 * 0.2`: `+ 0.3 * 0.4` goes on from it."""
    summed = False
    for i, token in enumerate(found):
        if not i or found[i - 1].kind == "nl":
            bullet = token.kind == "list" and token.text.strip() == "+"
            summed = token.kind == "rel" or (summed and bullet)
            if summed and bullet:
                found[i] = replace(token, kind="op", text="+")
    return found


def unwrapped(found: list[Token]) -> list[Token]:
    """The tokens without the ends of lines at which a formula between two dollars is only wrapped."""
    begun, ends, wrapped = False, list[int](), set[int]()
    for i, token in enumerate(found):
        if token.text == "$" and token.kind == "mark":
            if begun:
                wrapped.update(ends)
            begun, ends = not begun, []
        elif token.kind == "nl":
            blank = bool(i) and found[i - 1].kind == "nl"
            ends.append(i)
            if blank or token.text == "block" or len(ends) > MOST_WRAPPED:
                begun, ends = False, []
    if not wrapped:
        return found
    return [_sign(token) if i - 1 in wrapped else token for i, token in enumerate(found) if i not in wrapped]


def _sign(token: Token) -> Token:
    """What looked like a bullet, or an indent, at the beginning of a line on which a formula goes on."""
    said = token.text.strip()
    if token.kind != "list":
        return token
    return (
        replace(token, kind="op", text=said)
        if said in ("+", "-", "*")
        else replace(token, kind="mark", text="thin")
    )
