"""Typed decimal characters as exact rationals, and the characters that are read as others.

`1.10` is 11/10, `50%` is 1/2: no binary float is ever born.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

from symattn.text.bilingual import Bilingual
from symattn.text.errors import OutOfBounds, UnreadableExpression

LONGEST = 500
MOST_DIGITS = 60
LARGEST_EXPONENT = 64

ONE_FOR_ONE = str.maketrans(
    {chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
    | dict.fromkeys("−﹣‐‑‒–—", "-")
    | dict.fromkeys("×·⋅∗∙✕", "*")
    | dict.fromkeys("÷∕⁄", "/")
    | {"。": ".", "\u3000": " ", "\u00a0": " ", "\t": " "}
)

NUMERAL = r"(?:[0-9](?:_?[0-9])*(?:\.(?:[0-9](?:_?[0-9])*)?)?|\.[0-9](?:_?[0-9])*)(?:[eE][+-]?[0-9]+)?%?"
_SIGNED = re.compile(rf"[+-]?{NUMERAL}")
_PLAIN = re.compile(r"[+-]?[0-9]{1,40}(?:\.([0-9]{1,20}))?")


def numeral(text: str) -> Fraction:
    """The exact rational of typed decimal characters: `1.10`, `1.5e-3`, `50%`, `1_000.50`, `−0.5`.

    Raises UnreadableExpression for anything but one numeral, OutOfBounds for an absurd one.
    """
    value = numeral_or_none(text)
    if value is None:
        raise UnreadableExpression(
            Bilingual(f"{quote(text)}: not a decimal number", f"{quote(text)} 不是小数"),
            Bilingual(
                "write a number such as 1.10, -0.5, 1.5e-3 or 50%",
                "请写成 1.10、-0.5、1.5e-3 或 50% 这样的数",
            ),
        )
    return value


@lru_cache(maxsize=1 << 14)
def numeral_or_none(text: str) -> Fraction | None:
    """As `numeral`, but None for anything that is not one numeral. Raises OutOfBounds."""
    plain = _PLAIN.fullmatch(text)
    if plain:
        decimals = plain.group(1)
        if decimals is None:
            return Fraction(int(text))
        return Fraction(int(text.replace(".", "")), 10 ** len(decimals))
    if len(text) > LONGEST:
        raise OutOfBounds(
            Bilingual(f"{quote(text)}: {len(text)} characters", f"{quote(text)} 有 {len(text)} 个字符"),
            Bilingual(f"at most {LONGEST} characters are read", f"最多读 {LONGEST} 个字符"),
        )
    ascii_text = text.translate(ONE_FOR_ONE).strip()
    if not _SIGNED.fullmatch(ascii_text):
        return None
    magnitude = rational(ascii_text.lstrip("+-").replace("_", ""), text, 1)
    return -magnitude if ascii_text.startswith("-") else magnitude


def quote(text: str) -> str:
    """The text in quotation marks for a message: at most 60 characters, nothing unprintable."""
    shown = "".join(c if c.isprintable() else "�" for c in text[:61])
    return f'"{shown}"' if len(text) <= 60 else f'"{shown[:57]}..."'


def rational(digits: str, typed: str, column: int) -> Fraction:
    """The value of an unsigned ASCII numeral without underscores; `typed` and `column` are for messages."""
    mantissa, _, exponent = digits.rstrip("%").replace("E", "e").partition("e")
    whole, _, decimals = mantissa.partition(".")
    if len(whole) + len(decimals) > MOST_DIGITS:
        count = len(whole) + len(decimals)
        raise OutOfBounds(
            Bilingual(
                f"{quote(typed)}: a numeral of {count} digits at column {column}",
                f"{quote(typed)} 第 {column} 列的数有 {count} 位",
            ),
            Bilingual(f"at most {MOST_DIGITS} digits are read", f"最多读 {MOST_DIGITS} 位"),
        )
    if exponent and (len(exponent.lstrip("+-0")) > 3 or abs(int(exponent)) > LARGEST_EXPONENT):
        raise OutOfBounds(
            Bilingual(
                f"{quote(typed)}: the decimal exponent {exponent[:12]} at column {column}",
                f"{quote(typed)} 第 {column} 列，科学计数法的指数是 {exponent[:12]}",
            ),
            Bilingual(
                f"decimal exponents go from -{LARGEST_EXPONENT} to {LARGEST_EXPONENT}",
                f"科学计数法的指数范围是 -{LARGEST_EXPONENT} 到 {LARGEST_EXPONENT}",
            ),
        )
    shift = int(exponent or 0) - len(decimals) - (2 if digits.endswith("%") else 0)
    scaled = int(whole + decimals)
    return Fraction(scaled * 10**shift) if shift >= 0 else Fraction(scaled, 10**-shift)
