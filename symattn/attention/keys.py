"""A key of a case file: what it holds and what that means."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Kind = Literal[
    "words",  # a string on one line
    "name",  # the same, not empty and without spaces around it
    "lines",  # a string, on several lines too
    "choice",  # one of `choices`
    "integer",  # a whole number from `least` to `most`
    "switch",  # true or false
    "expression",  # a number, or a string with an exact expression
    "per head",  # an expression, or one row of them, one for each head
    "matrix",  # a list of rows of expressions
    "vector",  # one flat row, or a matrix of one row (of one column with tokens as columns)
    "row",  # one flat row, or a matrix of one row
    "flags",  # a row in which true and false stand for 1 and 0
    "mask",  # one of `choices`, or a matrix of 0/1, true/false or additive entries
    "printed",  # an expression, a row of them or a matrix
    "labels",  # a list of strings
    "names",  # a list of names for free symbols
    "picks",  # a label, number or expression, or a list of them
    "table",
    "tables",
]


class Key(Struct, frozen=True):
    """One key of a table: what it holds and what that means."""

    name: str
    kind: Kind
    meaning: str
    choices: tuple[str, ...] = ()
    least: int = 0
    most: int = 2**31 - 1
    infinite: bool = False  # whether an entry may be minus infinity
    required: bool = False
    nonzero: bool = True  # whether an expression is refused that is 0
    default: str | int | None = None
    """Of a convention: the value that is in force where a case says nothing."""
