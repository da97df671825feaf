"""Sessions: what is printed under `>>> X`, `>>> print(X)` or `In [3]: X` is X."""

from __future__ import annotations

from collections.abc import Sequence

from symattn.notes.grammar.names import WRAPPERS
from symattn.notes.grammar.tokens import Token

_ASK = (">", ">", ">"), ("In", "[", "", "]", ":")
_SHOW = ("Out", "[", "", "]", ":"), ("Parameter", "containing", ":")
"""The tokens of prompts, and of what stands before a print; "" is a number."""
_OF_NAMES = ("NAME", "SUB", "NUM")


def echoed(tokens: list[Token]) -> list[Token]:
    """The tokens with a colon behind a name that a session prints, and without a prompt behind it."""
    out: list[Token] = []
    start = 0
    while start < len(tokens):
        end = _end(tokens, start)
        line = tokens[start:end]
        out += line
        name = _asked(line)
        after = end + 1
        if name and after < len(tokens):
            shown = after
            for each in _SHOW:
                if _begins(tokens[shown : shown + len(each)], each):
                    shown += len(each)
                    shown += shown < len(tokens) and tokens[shown].kind == "NL"
            if prints(tokens, shown):
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


def _asked(line: Sequence[Token]) -> Sequence[Token]:
    """The name alone behind the prompt of a line, in `print(...)` perhaps; nothing for another line."""
    prompt = next((each for each in _ASK if _begins(line, each)), ())
    name = line[len(prompt) :] if prompt else ()
    if len(name) > 3 and name[0].text == "print" and (name[1].kind, name[-1].kind) == ("OPEN", "CLOSE"):
        name = name[2:-1]
    whole = bool(name) and name[0].kind == "NAME"
    return name if whole and all(t.kind in _OF_NAMES or t.text == "_" for t in name) else ()


def _begins(line: Sequence[Token], prompt: Sequence[str]) -> bool:
    return len(line) >= len(prompt) and all(
        token.text == text if text else token.kind == "NUM" for token, text in zip(line, prompt, strict=False)
    )
