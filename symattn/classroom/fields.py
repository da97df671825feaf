"""The sheet of an exercise for course systems: HTML in which every blank is a field of the system's kind."""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct

from symattn.attention.case import Claim
from symattn.classroom.exercise import Exercise
from symattn.classroom.sheet import sheet
from symattn.exact.decimal import printed
from symattn.narrate.names import symbol
from symattn.narrate.numbers import trimmed
from symattn.narrate.page import Page
from symattn.text.document import Block, Maths, Prose, Table
from symattn.typeset.html import blocks_html

PLACES = 6
"""Decimals of the answers of a key."""
TOLERANCE = "0.001"
"""How far an answer that is asked for with three decimals may be off."""
_MARK = re.compile(r"⟦(\d+)⟧")


class Field(Struct, frozen=True):
    """A blank: its number on the sheet, from 1, the right decimal, and the room that it takes."""

    number: int
    answer: str
    digits: int


def fields(exercise: Exercise) -> tuple[Field, ...]:
    """The blanks in the order of the sheet; each is worth a point."""
    return tuple(
        Field(number, trimmed(printed(x, PLACES)), PLACES + 3)
        for number, x in enumerate(
            (
                exercise.derivation[claim.name][i, j]
                for claim in exercise.case.stated
                for i, row in enumerate(claim.values)
                for j in range(len(row))
            ),
            1,
        )
    )


def page_with(exercise: Exercise, field: Callable[[Field], str]) -> str:
    """The sheet as HTML, with what `field` writes for each blank."""
    known = fields(exercise)
    document = sheet(exercise, _asking())
    html = blocks_html(document.blocks, document.lang)
    return _MARK.sub(lambda mark: field(known[int(mark[1]) - 1]), html)


def _asking() -> Callable[[Page, Claim], Block]:
    """Asks for a matrix by a table, in which ⟦1⟧ is the place of the first blank."""
    numbers = iter(range(1, 10_000))

    def table(page: Page, claim: Claim) -> Block:
        columns = range(1, len(claim.values[0]) + 1)
        header: tuple[Prose, ...] = ((Maths(symbol(claim.name)),), *((str(j),) for j in columns))
        rows = tuple(
            ((str(i),), *((f"⟦{next(numbers)}⟧",) for _ in row)) for i, row in enumerate(claim.values, 1)
        )
        return Table(header, rows)

    return table
