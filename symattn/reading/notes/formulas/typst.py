"""Formulas of Typst in the clothes of others: `$ Q &= mat(1, 0; 2, 1) $` becomes `$ Q = [1, 0; 2, 1] $`.

Each is exactly as long as before.
"""

from __future__ import annotations

import re

_MATRIX = re.compile(r"(?<![\w.])(?:mat|vec)\((?: *delim: *[^,;()\n]{1,9},)?(?P<cells>[^()$]*)\)")
_TEX = re.compile(r"\\[A-Za-z]")
_FORMULA = re.compile(r"\$[^$]+\$")
_WORD = re.compile(r'\b(?:upright|op|bold|italic|sans|text)\((?:"[^"\n]*"|[A-Za-z_ ]+)\)|"[A-Za-z ]+"')
_DRESS = re.compile(r'\b(?:upright|op|bold|italic|sans|text)\(|[")]')
_SIGN = re.compile(r"(?<![\w.])(?:approx|quad|wide|dot\.op|dot|times|top|thin)(?!\w)|\\(?=\s)|&")
_WORKED = re.compile(r"\d (?:dot|dot\.op|times) [\d(\[-]")
"""A product as no other markup writes it: `0.4 dot (2, 0)`."""
_SIGNS = {"approx": "≈", "quad": " ", "wide": " ", "thin": " ", "top": "T", "\\": ",", "&": " "}


def from_typst(text: str) -> str:
    """The text with its formulas as others write them, where a matrix of Typst stands in one."""
    return _FORMULA.sub(_rewritten, text)


def _rewritten(formula: re.Match[str]) -> str:
    said = formula[0]
    if _TEX.search(said) or not (_MATRIX.search(said) or "approx" in said or _WORKED.search(said)):
        return said
    said = _WORD.sub(lambda word: _DRESS.sub(_blank, word[0]), said)
    said = _MATRIX.sub(_listed, said)
    return _SIGN.sub(lambda sign: _SIGNS.get(sign[0], "*").ljust(len(sign[0])), said)


def _listed(matrix: re.Match[str]) -> str:
    cells = " ".join(matrix["cells"].split("\n"))
    return f"[{cells}]".rjust(len(matrix[0]))


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])
