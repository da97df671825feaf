"""Formulas of Typst in the notation of LaTeX: `mat(1, 2; 3, 4)`, `vec(1, 2)`, `frac(1, 2)`, `x dot y`."""

from __future__ import annotations

import re
from typing import Final

from symattn.notes.source.places import Source, Writer

_CALL = re.compile(
    r"\b(?P<name>mat|vec|frac|bold|upright|italic|op|text)\(|\b(?P<sign>dot\.op|dot\.c|dot|times|approx)\b"
)
_OPTION = re.compile(r"\s*(?:delim|gap|align|augment|row-gap|column-gap):\s*(?:\"[^\"\n]*\"|#?\w+)\s*,?")
_SIGNS: Final = {"times": "×", "approx": "≈"}
_OPENS: Final = {"mat": "[", "vec": "[", "frac": "\\frac{"}
_CLOSES: Final = {"mat": "]", "vec": "]", "frac": "}"}
DEEPEST: Final = 40


def as_latex(source: Source) -> Source:
    """The source with such calls and signs, where they are in formulas, as LaTeX would have them."""
    text, writer, done = source.text, Writer(), 0
    open_calls: list[tuple[str, int]] = []
    depth, place, formula = 0, 0, False

    def put(chars: str, end: int) -> int:
        writer.copy(source, done, place)
        if chars:
            writer.at(chars, source.lines[place], source.columns[place])
        return end

    while place < len(text):
        char = text[place]
        found = _CALL.match(text, place) if formula and char.isalpha() and not _in_word(text, place) else None
        if found is not None and found["sign"]:
            done = place = put(_SIGNS.get(found["sign"], "·"), found.end())
            continue
        if found is not None and len(open_calls) < DEEPEST:
            depth += 1
            open_calls.append((found["name"], depth))
            option = _OPTION.match(text, found.end())
            done = place = put(_OPENS.get(found["name"], ""), option.end() if option else found.end())
            continue
        if char == "$":
            formula, depth = not formula, 0
            open_calls.clear()
        elif char == "(":
            depth += 1
        elif char in "),;" and open_calls and open_calls[-1][1] == depth:
            name = open_calls[-1][0]
            if char == ")":
                open_calls.pop()
                done = put(_CLOSES.get(name, ""), place + 1)
            elif char == "," and name == "frac":
                done = put("}{", place + 1)
        if char == ")":
            depth -= 1
        place += 1
    writer.copy(source, done, len(text))
    return writer.source()


def _in_word(text: str, place: int) -> bool:
    return place > 0 and (text[place - 1].isalnum() or text[place - 1] == ".")
