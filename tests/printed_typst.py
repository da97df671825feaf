r"""A reader of the mathematics in a typst source: its chains as text, its matrices entry by entry.

Labels, unseen digits and marks are taken off; then a chain of scalars is what `printed_chains` reads, and a
matrix in a chain is one more name in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from printed_chains import greek
from printed_matrices import Cells, Equation, named

_MATHS = re.compile(r"(?<!\\)\$(.*?)(?<!\\)\$", re.DOTALL)
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
_CALL = re.compile(r"(?<![A-Za-z#])(matrix|frac|sqrt|used|unseen|op|upright)\(|#\(")
_SETTING = re.compile(r"(?:al|rows|columns): #\(.*?\),\n")
_CONTINUED = re.compile(r"\s*(?=&|quad)&?\s*(?:quad\s*)?(?:=|≈|[-+]|·)")
_WORDS = {"dot": "·", "approx": " ≈ ", "infinity": "∞", "quad": "quad"}
_WORD = re.compile(r"(?<![A-Za-z])[A-Za-z][a-z]+(?![A-Za-z])")
_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉", ",()")
_SUPERSCRIPTS = str.maketrans("0123456789()", "⁰¹²³⁴⁵⁶⁷⁸⁹⁽⁾")


def equations_of(source: str) -> Iterator[Equation]:
    """Each chain of a page with names for its matrices, and the cells of these."""
    for found in _MATHS.finditer(source):
        matrices: dict[str, Cells] = {}
        maths = _STRING.sub(lambda words: re.sub(r"[^\w.]", "", words[1]), found[1]).replace(r"\/", "/")
        joined: list[str] = []
        for line in re.split(r"\\(?=\s)", _plain(maths, matrices)):
            if joined and _CONTINUED.match(line):
                joined[-1] += re.sub("&|quad", " ", line)
            else:
                joined.append(line)
        for chain in (part for line in joined for part in line.split("quad")):
            yield matrices, " ".join(chain.replace("&", " ").split())


def _plain(maths: str, matrices: dict[str, Cells]) -> str:
    """Mathematics as text, each matrix by its name: `frac(3 sqrt(2), 2)` as `((3 √(2))/(2))`."""
    read, at = "", 0
    while call := _CALL.search(maths, at):
        end = _closed(maths, call.end() - 1)
        read += maths[at : call.start()] + _called(call[1], maths[call.end() : end], matrices)
        at = end + 1
    return _words(read + maths[at:])


def _called(function: str | None, inside: str, matrices: dict[str, Cells]) -> str:
    if function == "matrix":
        rows = [_apart(row) for row in _SETTING.sub("", inside).split(";") if row.strip()]
        return f" {named(matrices, [[_plain(cell, {}).strip() for cell in row] for row in rows])} "
    arguments = [_plain(each, matrices).strip() for each in _apart(inside)]
    match function:
        case "frac":
            return f"(({arguments[0]})/({arguments[1]}))"
        case "sqrt":
            return f" √({arguments[0]})"
        case "used" | "op" | "upright":
            return ",".join(arguments)
        case _:
            return ""


def _closed(text: str, start: int) -> int:
    """Where the parenthesis that opens at `start` is closed."""
    depth = 0
    for at in range(start, len(text)):
        depth += (text[at] == "(") - (text[at] == ")")
        if not depth:
            return at
    raise ValueError(text)


def _apart(arguments: str) -> list[str]:
    """Arguments at their commas, but for those inside of parentheses."""
    parts, depth = [""], 0
    for sign in arguments:
        depth += (sign == "(") - (sign == ")")
        if sign == "," and not depth:
            parts.append("")
        else:
            parts[-1] += sign
    return parts


def _words(line: str) -> str:
    line = re.sub(r"\s*\btimes 10\^\(?(-?\d+)\)?", r"e\1", line)
    line = re.sub(r"_(\d+|\(\d+,\d+\))", lambda m: m[1].translate(_SUBSCRIPTS), line)
    line = re.sub(r"\^\((\(\d+\))\)", lambda m: m[1].translate(_SUPERSCRIPTS), line)
    line = re.sub(r"([₀-₉]+)([⁽⁾⁰¹²³⁴⁵⁶⁷⁸⁹]+)", r"\2\1", line)
    return _WORD.sub(lambda word: _WORDS.get(word[0]) or greek(word[0]) or word[0], line)
