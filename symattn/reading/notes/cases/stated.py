"""Prints as the claims of a case: what stands together is one claim, a working belongs to one number."""

from __future__ import annotations

from collections.abc import Sequence

from symattn.case import Claim, Place
from symattn.errors import SymattnError
from symattn.exact.literal import names_in, parse
from symattn.reading.notes.formulas.formula import numerals
from symattn.reading.notes.formulas.works import spell
from symattn.reading.notes.layout.context import Context
from symattn.reading.notes.linking.ledger import Print


def claims(prints: Sequence[Print], context: Context) -> tuple[Claim, ...]:
    """Prints that stand together become one claim; a working belongs to a single number."""
    starts: dict[tuple[str, int], int] = {}
    for made in prints:
        starts.setdefault((made.name, made.group), made.num.start)
    groups: list[list[Print]] = []
    for made in sorted(prints, key=lambda made: (starts[made.name, made.group], made.row, made.col)):
        last = groups[-1][-1] if groups else None
        if (
            last is not None
            and made.work is None
            and last.work is None
            and (
                (last.group, last.name, last.key, last.example)
                == (made.group, made.name, made.key, made.example)
                and (
                    (made.row, made.col) == (last.row, last.col + 1)
                    or (made.row == last.row + 1 and made.col == groups[-1][0].col)
                )
            )
        ):
            groups[-1].append(made)
        else:
            groups.append([made])
    return tuple(claim for group in groups for claim in _rectangles(group, context))


def _rectangles(group: Sequence[Print], context: Context) -> list[Claim]:
    """A group as one claim where it is a rectangle, row by row otherwise."""
    rows: dict[int, list[Print]] = {}
    for made in group:
        rows.setdefault(made.row, []).append(made)
    tables = [list(rows.values())]
    if any(len(row) != len(tables[0][0]) for row in tables[0]):
        tables = [[row] for row in rows.values()]
    return [_claim(table, context) for table in tables]


def _claim(table: Sequence[Sequence[Print]], context: Context) -> Claim:
    first = table[0][0]
    work = spell(first.work) if first.work is not None else None
    work = work if work is not None and _readable(work) else None
    places = tuple(tuple(Place(*context.place(made.num.start)) for made in row) for row in table)
    return Claim(
        name=first.name,
        values=tuple(tuple(made.num.text for made in row) for row in table),
        row=first.row,
        col=first.col,
        work=work,
        work_places=tuple(Place(*context.place(num.start)) for num in numerals(first.work))
        if first.work is not None and work is not None
        else (),
        key=first.key,
        example=first.example,
        loose=first.loose,
        place=places[0][0],
        places=places,
    )


def _readable(work: str) -> bool:
    """Whether the expression language of a case can say the working."""
    try:
        names = names_in(parse(work))
    except SymattnError:
        return False
    return not list(names)
