"""Numerals with a power of ten, `2.5 × 10^{-3}` and `2.5×10⁻³`: one number, as 2.5e-3 is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from symattn.reading.notes.formulas.stream import Token

_MANTISSA = re.compile(r"\d+(?:\.\d+)?")
_EXPONENT = re.compile(r"[-+]?\d{1,3}")
_BRACKETS = {"{": "}", "(": ")"}


def with_powers(stream: Sequence[Token]) -> list[Token]:
    """The tokens, with those of a numeral and its power of ten as one."""
    found: list[Token] = []
    at = 0
    for i, token in enumerate(stream):
        if token.text == "10" and token.kind == "num" and at <= i - 2:
            behind = _power(stream, i)
            mantissa, sign = stream[i - 2], stream[i - 1]
            if behind is not None and sign.kind == "op" and sign.text == "*" and _is_mantissa(stream, i - 2):
                exponent, end = behind
                found += stream[at : i - 2]
                found.append(replace(mantissa, text=f"{mantissa.text}e{exponent}", end=stream[end - 1].end))
                at = end
    return [*found, *stream[at:]] if found else list(stream)


def _is_mantissa(stream: Sequence[Token], i: int) -> bool:
    raised = i > 0 and stream[i - 1].kind == "op" and stream[i - 1].text in ("^", "_")
    return stream[i].kind == "num" and not raised and _MANTISSA.fullmatch(stream[i].text) is not None


def _power(stream: Sequence[Token], i: int) -> tuple[int, int] | None:
    """The exponent of the ten at token i, and the token behind it."""
    said = [token.text for token in stream[i + 1 : i + 6]]
    if not said or said[0] != "^" or stream[i + 1].kind != "op":
        return None
    closing = _BRACKETS.get(said[1]) if len(said) > 1 else None
    rest = said[1 if closing is None else 2 :]
    signed = bool(rest) and rest[0] in ("-", "+")
    exponent = "".join(rest[: 1 + signed])
    end = i + 2 + (closing is not None) + 1 + signed
    if _EXPONENT.fullmatch(exponent) is None:
        return None
    if closing is not None:
        return (int(exponent), end + 1) if rest[1 + signed : 2 + signed] == [closing] else None
    return int(exponent), end
