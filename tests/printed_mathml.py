"""A reader of the formulas on an HTML page: each `<math>` as text, its tables of entries as matrices.

Labels, brackets, phantoms and marks are left out; then a chain of scalars is what `printed_chains` reads,
and a matrix in a chain is one more name in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from printed_matrices import Cells, Equation, named

_MATH = re.compile(r"<math\b.*?</math>", re.DOTALL)
_NAMESPACE = re.compile(r' xmlns="[^"]*"')
_POWER_OF_TEN = re.compile(r"\s*×\s*10\^\((-?\d+)\)")
_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉", ", ")
_SUPERSCRIPTS = str.maketrans("0123456789()", "⁰¹²³⁴⁵⁶⁷⁸⁹⁽⁾")
_SIGNS = str.maketrans("−⋅′\u2062", "-·' ", "\u2061")
_CLOSE = ("", "(", ")", "/", "·")
_NOT_ENTRIES = {"label", "bracket", "tail"}


def equations_of(page: str) -> Iterator[Equation]:
    """Each chain of a page with names for its matrices, and the cells of these."""
    for found in _MATH.findall(page):
        matrices: dict[str, Cells] = {}
        for line in _lines(ElementTree.fromstring(_NAMESPACE.sub("", found, count=1)), matrices):
            yield matrices, " ".join(_POWER_OF_TEN.sub(r"e\1", line).split())


def _lines(math: Element, matrices: dict[str, Cells]) -> Iterator[str]:
    """The chains of a formula; a row with nothing on its left goes on with the row above."""
    if math[0].get("class") != "aligned":
        yield _inside(math, matrices)
        return
    joined: list[str] = []
    for row in math[0]:
        left, *right = (_inside(cell, matrices) for cell in row)
        if right and not left.strip():
            joined[-1] += " " + right[0]
        else:
            joined.append(" ".join([left, *right]))
    yield from joined


def _inside(element: Element, matrices: dict[str, Cells]) -> str:
    """The children of an element in a row; of a marked one only what is marked."""
    bodies = [child for child in element if "body" in child.get("class", "").split()]
    return "".join(_plain(child, matrices) for child in bodies or element)


def _plain(element: Element, matrices: dict[str, Cells]) -> str:
    """An element as text: `<mfrac><mn>3</mn><mn>2</mn></mfrac>` as `((3)/(2))`."""
    tag, words = element.tag, (element.text or "").strip("\u2009 ")
    if tag == "mtable":
        return f" {named(matrices, _cells(element))} "
    if tag == "mo":
        sign = words.translate(_SIGNS)
        return sign if element.get("form") == "prefix" or sign in _CLOSE or "'" in sign else f" {sign} "
    if tag == "mspace":
        return " "
    if tag in ("mphantom", "mpadded"):
        return ""
    if tag in ("mrow", "mstyle"):
        return _inside(element, matrices)
    if tag == "msqrt":
        return f" √({_inside(element, matrices)})"
    parts = [_plain(child, matrices).strip() for child in element]
    if tag == "mfrac":
        return f"(({parts[0]})/({parts[1]}))"
    if tag == "msub":
        return _below(parts[0], parts[1])
    if tag == "msup":
        return _above(parts[0], parts[1])
    if tag == "msubsup" and parts[1][:1].isdigit():
        return _below(_above(parts[0], parts[2]), parts[1])
    if tag == "msubsup":
        return _above(_below(parts[0], parts[1]), parts[2])
    if parts:
        return f" {tag} "  # a sum over indices or a root of a higher degree, which has no value
    return words


def _below(base: str, index: str) -> str:
    return base + (index.translate(_SUBSCRIPTS) if index[:1].isdigit() else f"_{index}")


def _above(base: str, index: str) -> str:
    return base + (index.translate(_SUPERSCRIPTS) if re.fullmatch(r"\(\d+\)", index) else f"^({index})")


def _cells(table: Element) -> Cells:
    """The entries of a matrix, without the names and labels around it."""
    return [
        [
            _POWER_OF_TEN.sub(r"e\1", _inside(cell, {})).strip()
            for cell in row
            if len(cell) and cell.get("class") not in _NOT_ENTRIES
        ]
        for row in table
        if row.get("class") != "names"
    ]
