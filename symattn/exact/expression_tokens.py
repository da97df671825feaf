"""The characters of an expression as tokens: numbers, names, signs, as Unicode and LaTeX write them too."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from types import MappingProxyType
from typing import Never

from msgspec import Struct

from symattn.exact.numeral import NUMERAL, ONE_FOR_ONE, quote, rational
from symattn.text.bilingual import Bilingual
from symattn.text.errors import OutOfBounds, UnreadableExpression

MOST_TOKENS = 200
FUNCTIONS = ("sqrt", "exp", "log", "ln", "sin", "cos", "tan")
CONSTANTS = ("pi", "e", "E")
INFINITIES = ("inf", "oo")

_SPELLED = {"π": "pi", "∞": "oo"}

_COMMANDS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        **dict.fromkeys(("\\frac", "\\tfrac", "\\dfrac", "\frac"), ("command", "\\frac")),
        **{f"\\{name}": ("name", name) for name in (*FUNCTIONS, "pi")},
        **dict.fromkeys(("\\cdot", "\\times"), ("sign", "*")),
        **dict.fromkeys(("\\left", "\\right", "\\,"), ("space", "")),
    }
)
"""What commands of LaTeX are; TOML reads the \\f of "\\frac" as a form feed."""
FRACTIONS = {
    chr(code): unicodedata.normalize("NFKC", chr(code))
    for code in (*range(0xBC, 0xBF), *range(0x2150, 0x215F))
}
"""`½` and its like, as numerator, fraction slash and denominator."""

_TOKEN = re.compile(
    rf"(?P<numeral>{NUMERAL})|(?P<fraction>[{''.join(FRACTIONS)}])|(?P<name>[^\W\d]\w*|∞)"
    r"|(?P<command>[\\\f][A-Za-z]+|\\,)|(?P<sign>\*\*|[-+*/^(){}√])|(?P<space> +)"
)


class Token(Struct, frozen=True):
    """A piece of an expression with its column, from 1."""

    kind: str  # numeral, fraction, name, command (\frac alone), sign or end
    text: str
    column: int


def tokenize(text: str) -> list[Token]:
    """The tokens of an expression and an end. Raises UnreadableExpression or OutOfBounds."""
    tokens: list[Token] = []
    ascii_text, position = text.translate(ONE_FOR_ONE), 0
    while position < len(ascii_text):
        found = _TOKEN.match(ascii_text, position)
        if found is None or (found.lastgroup == "name" and not _is_name(found.group())):
            _stray(text, position + _good(found))
        kind, typed = str(found.lastgroup), found.group()
        if kind == "command":
            kind, typed = _COMMANDS.get(typed) or _stray(text, position)
        if kind != "space":
            tokens.append(_token(text, kind, typed, position + 1))
        if len(tokens) > MOST_TOKENS:
            raise OutOfBounds(
                Bilingual(
                    f"{quote(text)}: more than {MOST_TOKENS} numbers, names and signs",
                    f"{quote(text)} 中的数、名称和符号超过 {MOST_TOKENS} 个",
                ),
                Bilingual(
                    f"at most {MOST_TOKENS} are read; give the result instead",
                    f"最多读 {MOST_TOKENS} 个；请直接给出结果",
                ),
            )
        position = found.end()
    return [*tokens, Token("end", "", len(text) + 1)]


def _token(whole: str, kind: str, text: str, column: int) -> Token:
    if kind == "numeral":
        text = text.replace("_", "")
        rational(text, whole, column)
    elif kind == "name":
        text = _SPELLED.get(text, text)
    return Token(kind, "^" if text == "**" else text, column)


def _good(found: re.Match[str] | None) -> int:
    """How many characters of a failed name are all right."""
    name = found.group() if found else ""
    return next((at for at in range(len(name)) if not name[: at + 1].isidentifier()), 0)


def _is_name(text: str) -> bool:
    return text.isidentifier() or text in _SPELLED


def _stray(text: str, position: int) -> Never:
    character = text[position]
    remedy = Bilingual(
        "an expression has numbers, names, + - * / ^ and parentheses",
        "式子由数、名称、+ - * / ^ 和括号组成",
    )
    if character == ",":
        remedy = Bilingual(
            "a decimal point is written as . and a function has one argument",
            "小数点写作 .，函数只有一个自变量",
        )
    raise UnreadableExpression(
        Bilingual(
            f"{quote(text)}: {quote(character)} at column {position + 1} is no part of an expression",
            f"{quote(text)} 第 {position + 1} 列的 {quote(character)} 不能用在式子里",
        ),
        remedy,
    )
