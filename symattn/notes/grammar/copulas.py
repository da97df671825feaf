"""Words that are signs: `is` before a number or a bracket is a colon, an x between numbers a product."""

from __future__ import annotations

from symattn.notes.grammar.tokens import Token
from symattn.notes.names.words import is_copula, stem


def with_signs(tokens: list[Token]) -> list[Token]:
    """The tokens with such words as signs."""
    out: list[Token] = []
    for token, after in zip(tokens, [*tokens, None][1:], strict=True):
        if token.kind != "NAME" or after is None:
            out.append(token)
            continue
        before = out[-1] if out else None
        if _multiplies(before, token, after):
            token.kind, token.text = "MUL", "×"
        elif after.kind in ("NUM", "OPEN", "BEGIN") or after.text == "-":
            if before is not None and _named(before) and is_copula(token.text):
                token.kind, token.text = "OP", ":"
            elif not token.text[0].isascii() and (word := stem(token.text)) != token.text:
                token.text = word
                out.append(token)
                token = Token("OP", ":", token.line, token.column)
        out.append(token)
    return out


def _named(before: Token) -> bool:
    return before.kind in ("NAME", "SUB", "NUM", "CLOSE", "TRANS")


def _multiplies(before: Token | None, token: Token, after: Token) -> bool:
    """Whether an x is a sign: `2 x 3`."""
    return (
        token.text == "x"
        and before is not None
        and before.kind in ("NUM", "CLOSE")
        and after.kind in ("NUM", "OPEN")
        and token.space > 0
        and after.space > 0
    )
