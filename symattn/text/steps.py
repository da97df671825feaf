"""Steps of a computation entry by entry: what a page holds where every number answers what it was made of.

No number is computed here: an entry has its closed form and its certified digits, and a working is a formula
with slots, into which a typesetter puts the names, the closed forms or the digits of its operands.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from symattn.text.document import Document, Prose
from symattn.text.notation import Chain, Formula, Symbol

Place = tuple[int, int]


def slot(argument: int) -> Symbol:
    """Stands in a working for the next operand that comes from this argument of the step."""
    return Symbol(f"@{argument}")


class Working(Struct, frozen=True):
    """How an entry is made: a formula with a `slot` for each operand, and the operands in that order.

    `operands` has for each argument the places, from 0, of the entries that its slots stand for.
    """

    formula: Formula
    operands: tuple[tuple[Place, ...], ...]


class Cell(Struct, frozen=True):
    """An entry: its closed form, and the digits of its decimal.

    `digits` are cut off, not rounded, and end in `…` where the decimal goes on, so that every rounding of
    them to fewer digits is right; "" where there is no decimal. `form` is None where it is too long to print.
    """

    form: Formula | None
    digits: str
    short: bool = True
    """Whether the form is short enough to stand in a working."""


class Table(Struct, frozen=True):
    """A matrix: a key, its symbol, its entries with the tokens beside and above them, how they are made.

    `first` is the name of its entry in the first row and column, `indices` which of row and column such a
    name has. `workings` is None for what is given.
    """

    key: str
    symbol: Formula
    first: Formula
    indices: Literal["ij", "i", "j", ""]
    cells: tuple[tuple[Cell, ...], ...]
    row_labels: tuple[str, ...] = ()
    col_labels: tuple[str, ...] = ()
    workings: tuple[tuple[Working, ...], ...] | None = None
    arguments: tuple[str, ...] = ()
    """The keys of the tables that `Working.operands` counts."""
    names: tuple[Formula, ...] = ()
    """The names of its entries, where they are definitions and have no indices."""

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.cells), len(self.cells[0])


class Factor(Struct, frozen=True):
    """A table in the head of a step, after `sign`; `turned` it stands as its transpose."""

    key: str
    sign: str = ""
    turned: bool = False


class Step(Struct, frozen=True):
    """A line of the plan: its title in both languages, its formula, its tables, its entries worked out.

    `worked` is what stands on the page for those who have no script; `chapter` the head that it belongs to.
    """

    number: str
    title: tuple[Prose, Prose]
    formula: Formula | None
    factors: tuple[Factor, ...]
    result: str
    worked: tuple[Chain, ...]
    complete: bool
    """Whether `worked` has every entry."""
    chapter: tuple[Prose, Prose] = ((), ())


class Explained(Struct, frozen=True):
    """A page on which every entry answers: a first page in English and in Chinese, then the steps."""

    first: tuple[Document, Document]
    lang: str
    digits: int
    significant: bool
    """Whether `digits` counts significant digits instead of decimal places."""
    most: int
    """The places, and the significant digits, up to which the digits of the tables are right."""
    tables: dict[str, Table]
    givens: tuple[str, ...]
    steps: tuple[Step, ...]
    misprints: Mapping[tuple[str, int, int], str]
    """What the source printed for an entry, where that is wrong."""
