"""The characters of a numeral as they are judged: with its sign, and its sign for per cent."""

from __future__ import annotations

from math import isinf
from typing import TYPE_CHECKING

import numpy as np

from symattn.attention.case import Given, Place
from symattn.auditor.numeral import read_numeral
from symattn.exact.matrix import Matrix
from symattn.exact.number import MINUS_INFINITY, Exact
from symattn.notes.grammar.syntax import Node

if TYPE_CHECKING:
    from symattn.notes.grammar.tokens import Token


def characters(token: Token, sign: float = 1.0) -> str:
    """`-12.5%`."""
    if isinf(token.value):
        return "-oo" if sign < 0 else "oo"
    return ("-" if sign < 0 else "") + token.text + ("%" if token.percent else "")


def place(token: Token) -> Place:
    return Place(token.line, token.column)


def texts(literal: Node) -> tuple[tuple[str, ...], ...]:
    """The characters of a literal as a matrix; a vector is one row."""
    found = [characters(t, s) for t, s in zip(literal.tokens, literal.signs, strict=True)]
    width = literal.shape[-1] if literal.shape else 1
    return tuple(tuple(found[i : i + width]) for i in range(0, len(found), width))


def matrix(literal: Node) -> Given:
    """What a literal prints, exactly."""
    rows = texts(literal)
    return Given(rows, Matrix.of([[_exact(text) for text in row] for row in rows]))


def _exact(text: str) -> Exact:
    return MINUS_INFINITY if text.endswith("oo") else Exact.of(read_numeral(text).value)


def shape_of(literal: Node) -> tuple[int, int]:
    """The shape of a literal as a matrix."""
    rows = int(np.prod(literal.shape[:-1])) if literal.shape else 1
    return rows, literal.shape[-1] if literal.shape else 1
