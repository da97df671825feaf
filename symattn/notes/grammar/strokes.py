"""Upright strokes around numbers are brackets: `A = | 0.5 0.2 |`."""

from __future__ import annotations

from symattn.notes.grammar.tokens import Token


def barred(tokens: list[Token]) -> list[Token]:
    """The tokens with such strokes as brackets; a line with a single number between strokes is of a table."""
    bars: list[Token] = []
    spread, inner = True, 0
    for token in [*tokens, Token("NL", "\n", 0, 0)]:
        if token.kind == "NL":
            if spread and len(bars) % 2 == 0:
                for opening, closing in zip(bars[::2], bars[1::2], strict=True):
                    opening.kind, opening.text, closing.kind, closing.text = "OPEN", "[", "CLOSE", "]"
            bars, spread, inner = [], True, 0
        elif token.text == "|" and token.kind == "OP":
            spread = spread and (len(bars) % 2 == 0 or inner > 1)
            bars.append(token)
            inner = 0
        elif len(bars) % 2:
            inner += token.kind == "NUM"
            spread = spread and (token.kind == "NUM" or token.text in ("+", "-", ""))
    return tokens
