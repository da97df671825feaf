"""Pieces of TeX's mathematics: signs, and texts put together."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from symattn.text.notation import Formula, Number, Relation
from symattn.typeset.greek import GREEK, varied
from symattn.typeset.precedence import split_scientific

RELATIONS: dict[Relation, str] = {
    "=": "=",
    "≈": r"\approx",
    "<": "<",
    ">": ">",
    "≤": r"\leq",
    "≥": r"\geq",
    "≠": r"\neq",
    "→": r"\to",
    ":=": ":=",
    "∈": r"\in",
}
SIGNS = {"": "", "dot": r"\cdot", "times": r"\times", "circle": r"\odot"}
SERIES = {"sum": r"\sum", "max": r"\max", "prod": r"\prod"}
DOTS = {"across": r"\cdots", "down": r"\vdots", "diagonal": r"\ddots"}

_TALL = re.compile(r"\\(?:frac|tfrac|begin|sum|prod|left)\b")
_LONE = re.compile(rf"[A-Za-z0-9]|\\(?:{'|'.join(GREEK)}|infty)")


def join(parts: Sequence[str]) -> str:
    """Parts with a space between them; a part of several lines begins on a line of its own."""
    line = " ".join(parts if "" not in parts else filter(None, parts))
    if "\n" not in line:
        return line
    first, *later = filter(None, parts)
    return first + "".join(("\n" if "\n" in part else " ") + part for part in later)


def enclosed(body: str, left: str = "(", right: str = ")") -> str:
    """The body between delimiters that grow with it where it is tall."""
    if not _TALL.search(body):
        return left + body + right
    gap = "\n" if "\n" in body else " "
    inside = indented(body) if "\n" in body else body
    return rf"\left{left.strip()}{gap}{inside}{gap}\right{right.strip()}"


def indented(body: str, by: str = "  ") -> str:
    """Every line of the body, indented."""
    return "\n".join(by + line for line in body.splitlines())


def script(body: str) -> str:
    """The body as an index or exponent: braces only where TeX needs them (W_Q, e^{-1}, x^\\theta)."""
    lone = (len(body) == 1 or body.startswith("\\")) and _LONE.fullmatch(body)
    return body if lone else f"{{{body}}}"


def under_scripts(letter: str, sup: Formula | None) -> str:
    """The letter, in braces where a prime and a superscript would meet: {S'}^{(1)}."""
    return f"{{{letter}}}" if sup is not None and letter.endswith("'") else letter


@lru_cache(maxsize=1 << 10)
def name_of(name: str, words: Callable[[str], str]) -> str:
    """A symbol's name: one letter italic, a Greek name its letter, words and the d of dZ upright."""
    stem = name.rstrip("'′")
    primes = "'" * (len(name) - len(stem))
    if not stem or (stem.isascii() and len(stem) == 1 and stem.isalnum()):
        return stem + primes
    if stem in GREEK and stem != "omicron":
        return f"\\{stem}{primes}"
    if rest := varied(stem):
        return rf"\mathrm{{d}}{name_of(rest, words)}{primes}"
    if "+" in stem.strip("+"):
        return " + ".join(name_of(part, words) for part in stem.split("+")) + primes
    if stem.isascii() and stem.isalnum():
        return rf"\mathrm{{{stem}}}{primes}"
    return words(stem) + primes


def number_of(number: Number, words: Callable[[str], str]) -> str:
    """A numeral, with a power of ten where it is scientific; what is none is set as words."""
    digits = number.digits
    if digits.isdigit() and digits.isascii():
        return digits
    mantissa, exponent = split_scientific(number)
    plain = mantissa.replace("−", "-")
    if not re.fullmatch(r"[-+]?[0-9.,]+%?", plain):
        return words(digits)
    plain = plain.replace(",", "{,}").replace("%", r"\%")
    return plain if exponent is None else rf"{plain} \times 10^{script(exponent)}"
