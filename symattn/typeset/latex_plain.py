r"""The commonest formulas in one go, as every output has them by the thousand: \frac{3 e^{1/2}}{7} - ...

What is written here is what the rules of `latex_maths` write, which take over wherever None is returned.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field

from symattn.text.notation import Formula, Negative, Sum


class Shared(Struct):
    """Texts of parts by their identities, with the parts, and those of powers of a letter by themselves."""

    texts: dict[int, tuple[str, Formula]] = field(default_factory=dict)
    letters: dict[int, str] = field(default_factory=dict)

    def clear(self) -> None:
        """Forget all parts."""
        self.texts.clear()
        self.letters.clear()


def sum_of_fractions(formula: Sum, letters: Mapping[int, str]) -> str | None:
    """The text of a sum of terms ±n p/d: numerals, and powers of `letters` with their texts by identity."""
    texts: list[str] = []
    term: Any
    try:
        for term in formula.terms:
            sign = " + \\frac{"
            if type(term) is Negative:
                sign, term = " - \\frac{", term.term
            over, under = term.over, term.under.digits
            number, power = over.factors
            front = number.digits
            if not (front.isdigit() and under.isdigit()) or term.flat or over.sign:
                return None
            texts.append(f"{sign}{front} {letters[id(power)]}}}{{{under}}}")
    except (AttributeError, KeyError, ValueError):
        return None  # other types have other fields
    line = "".join(texts)
    if formula.spelled or not texts or "\n" in line or not line.isascii():
        return None
    return line.removeprefix(" + ") if line.startswith(" + ") else "-" + line.removeprefix(" - ")


def slash_of_numerals(formula: Any) -> str | None:
    """The text of ±n/d on one line."""
    sign = ""
    if type(formula) is Negative:
        sign, formula = "-", formula.term
    try:
        over, under = formula.over.digits, formula.under.digits
        plain = formula.flat and over.isdigit() and under.isdigit() and over.isascii() and under.isascii()
    except AttributeError:
        return None
    return f"{sign}{over}/{under}" if plain else None
