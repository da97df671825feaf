"""What a document is made of: words, numerals and signs, each with its place."""

from __future__ import annotations

from msgspec import Struct


class Token(Struct, eq=False, gc=False):
    """One word, numeral or sign.

    `kind` is one of: NUM NAME OP REL MUL OPEN CLOSE BEGIN END ROW NL SEP ACCENT PRIME FRAC SQRT TRANS SUB
    SUP HEAD OBJ (a matrix that the layout draws) ODD (mathematics that is not understood). `space` counts the
    blanks before it. Of a numeral `value` and `unit` are its value and the unit of its last place, 0 for
    integers; `given` says that it is no result, hence exact, `cut` that digits may be cut off, and `raw` is
    what is printed if its `text` is written otherwise: `text` has a decimal point and no groups of digits.
    """

    kind: str
    text: str
    line: int
    column: int
    space: int = 0
    value: float = 0.0
    unit: float = 0.0
    given: bool = False
    cut: bool = False
    percent: bool = False
    raw: str = ""


def number(text: str, percent: bool = False) -> tuple[float, float]:
    """Value and unit of the last place of a numeral; integers have no unit."""
    if text in ("inf", "∞"):
        return float("inf"), 0.0
    if text == "nan":
        return float("nan"), 0.0
    mantissa, _, exponent = text.lower().partition("e")
    scale = 10.0 ** int(exponent or 0) * (0.01 if percent else 1.0)
    decimals = len(mantissa.partition(".")[2])
    unit = 10.0**-decimals * scale if decimals or percent or exponent else 0.0
    return float(mantissa) * scale, unit
