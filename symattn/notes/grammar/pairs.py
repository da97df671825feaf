"""Which bracket closes which."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from symattn.notes.grammar.tokens import Token

DEEPEST: Final = 16
"""How many brackets may be open; deeper ones are not matched, so what is in them is unknown."""
FAR: Final = 3
"""How many brackets of another kind may be left open inside of one that is closed."""
CLOSES: Final = {"OPEN": "CLOSE", "BEGIN": "END"}

_OPENER: Final = {"CLOSE": "OPEN", "END": "BEGIN"}


def opens(token: Token) -> bool:
    """Whether a token is an opening bracket or brace, or begins a matrix."""
    return token.kind in CLOSES or (token.text == "{" and token.kind == "OP")


def matches(tokens: Sequence[Token]) -> dict[int, int]:
    """{index of an opening bracket, brace or environment: index of its end}.

    A heading or a fence ends all that is open, and so does an empty line outside of lists and environments.
    """
    pairs: dict[int, int] = {}
    stack: list[int] = []
    too_deep = 0
    blank = False
    for i, token in enumerate(tokens):
        kind = token.kind
        if opens(token):
            if len(stack) < DEEPEST:
                stack.append(i)
            else:
                too_deep += 1
        elif kind in _OPENER or (token.text == "}" and kind == "OP"):
            if too_deep:
                too_deep -= 1
            else:
                _close(i, tokens, stack, pairs)
        elif stack and (_parts(token) or (kind == "NL" and blank and not _goes_on(stack, tokens))):
            stack.clear()
            too_deep = 0
        blank = kind == "NL"
    return pairs


def _close(i: int, tokens: Sequence[Token], stack: list[int], pairs: dict[int, int]) -> None:
    wanted = _OPENER.get(tokens[i].kind, "OP")
    for depth in range(len(stack) - 1, max(-1, len(stack) - 1 - FAR), -1):
        if tokens[stack[depth]].kind == wanted:
            pairs[stack[depth]] = i
            del stack[depth:]
            return


def _parts(token: Token) -> bool:
    """Whether a token begins another part of the document."""
    return token.kind in ("HEAD", "SEP") and token.text in ("fence", "#", "##", "###", "####")


def _goes_on(stack: Sequence[int], tokens: Sequence[Token]) -> bool:
    """Whether an empty line may be inside of what is open."""
    return any(tokens[s].kind == "BEGIN" or tokens[s].text == "[" for s in stack)


def split(tokens: list[Token], *texts: str) -> list[list[Token]]:
    """Runs of tokens between signs that are outside of brackets."""
    pairs = matches(tokens)
    runs: list[list[Token]] = []
    run: list[Token] = []
    i = 0
    while i < len(tokens):
        if i in pairs:
            run += tokens[i : pairs[i] + 1]
            i = pairs[i]
        elif tokens[i].text in texts and tokens[i].kind in ("OP", "ROW", "NL"):
            runs.append(run)
            run = []
        else:
            run.append(tokens[i])
        i += 1
    return [*runs, run]
