"""Sessions: what is printed under `>>> X`, `print(X)`, `In [3]: X`, or by a cell that ends in `X`, is X."""

from __future__ import annotations

from collections.abc import Sequence

from symattn.notes.grammar.names import WRAPPERS
from symattn.notes.grammar.tokens import Token

_ASK = (">", ">", ">"), ("In", "[", "", "]", ":")
_SHOW = ("Out", "[", "", "]", ":"), ("Parameter", "containing", ":")
"""The tokens of prompts, and of what stands before a print; "" is a number."""
_OF_NAMES = ("NAME", "SUB", "NUM")
MOST_BETWEEN = 8
"""So many line ends and fences are between a line and its print."""


def echoed(tokens: list[Token]) -> list[Token]:
    """The tokens with a colon behind a name that a session prints, and without a prompt behind it."""
    out: list[Token] = []
    start = 0
    while start < len(tokens):
        end = _end(tokens, start)
        line = tokens[start:end]
        out += line
        name, at_once = _asked(line)
        shown = _shown(tokens, end, at_once) if name else end
        if shown > end:
            del out[len(out) - len(line) :]
            out += [*name, Token("OP", ":", name[-1].line, name[-1].column), tokens[end]]
            start = shown
            continue
        out += tokens[end : end + 1]
        start = end + 1
    return out


def prints(tokens: Sequence[Token], place: int) -> bool:
    """Whether a matrix in brackets begins here: `[[1, 2]]`, `tensor([[1, 2]])`."""
    first, after = [*tokens[place : place + 2], None, None][:2]
    if first is None or first.kind == "OPEN":
        return first is not None
    return first.text.lower() in WRAPPERS and after is not None and after.kind == "OPEN"


def _end(tokens: Sequence[Token], start: int) -> int:
    return next((i for i in range(start, len(tokens)) if tokens[i].kind == "NL"), len(tokens))


def _shown(tokens: Sequence[Token], end: int, at_once: bool) -> int:
    """Where the print of a line begins, behind a fence if not `at_once`; without one the end of the line."""
    place = end
    while place < min(len(tokens), end + MOST_BETWEEN) and _is_empty(tokens[place]):
        at_once = at_once or tokens[place].text == "fence"
        place += 1
    for each in _SHOW:
        if _begins(tokens[place : place + len(each)], each):
            place += len(each)
            place += place < len(tokens) and tokens[place].kind == "NL"
    return place if at_once and prints(tokens, place) else end


def _is_empty(token: Token) -> bool:
    return token.kind == "NL" or token.text == "fence"


def _asked(line: Sequence[Token]) -> tuple[Sequence[Token], bool]:
    """The name alone on a line, nothing for another line; whether a prompt or `print(...)` asks for it."""
    prompt = next((each for each in _ASK if _begins(line, each)), ())
    name, asks = line[len(prompt) :], bool(prompt)
    if len(name) > 3 and name[0].text == "print" and (name[1].kind, name[-1].kind) == ("OPEN", "CLOSE"):
        name, asks = name[2:-1], True
    whole = bool(name) and name[0].kind == "NAME"
    return (name if whole and all(t.kind in _OF_NAMES or t.text == "_" for t in name) else ()), asks


def _begins(line: Sequence[Token], prompt: Sequence[str]) -> bool:
    return len(line) >= len(prompt) and all(
        token.text == text if text else token.kind == "NUM" for token, text in zip(line, prompt, strict=False)
    )
