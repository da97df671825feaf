"""The `[[stated]]` and `[[statement]]` tables of a case: what the source printed and said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from symattn.auditor.ranges.working import operands
from symattn.case import Claim, Place, Statement, Word
from symattn.errors import SymattnError
from symattn.exact.literal import CONSTANTS, INFINITIES, names_in, parse, quote, read, undeclared
from symattn.reading import keys
from symattn.reading.cells import Names, characters, printed
from symattn.reading.tables import Table, refuse
from symattn.suggest import instead


def claim(content: object, path: str, names: Names, places: Mapping[str, Place]) -> Claim:
    """One `[[stated]]` table. Every number is readable; a working belongs to a single value."""
    table = Table(content, path, keys.STATED)
    name = named(table)
    at = table.path_of("values")
    values, paths = printed(table["values"], at, names)
    work = table.words("work")
    if work is not None:
        _worked(work, table.path_of("work"), names)
        if (len(values), len(values[0])) != (1, 1):
            found = f"a working beside {sum(map(len, values))} values"
            refuse(
                table.path_of("work"),
                found,
                "a working belongs to a single value: give that one its own table",
            )
    return Claim(
        name=name,
        values=values,
        row=table.integer("row") or 0,
        col=table.integer("col") or 0,
        work=work,
        line=table.integer("line"),
        key=table.integer("key"),
        example=table.switch("example"),
        place=places[at],
        places=tuple(tuple(places[cell] for cell in row) for row in paths),
        work_places=_operand_places(work, places[table.path_of("work")]) if work is not None else (),
    )


def _operand_places(work: str, quote: Place) -> tuple[Place, ...]:
    """Where the operands of a working stand, behind the quotation mark of their string."""
    return tuple(Place(quote.line, quote.column + operand.column) for operand in operands(work))


def statement(
    content: object, path: str, names: Names, tokens: Sequence[str], places: Mapping[str, Place]
) -> Statement:
    """One `[[statement]]` table, its value held against what the kind of statement needs."""
    table = Table(content, path, keys.STATEMENT)
    kind, name, picks = table.choice("kind", ""), named(table), _picks(table)
    said = Statement(
        kind=kind,
        name=name,
        value=tuple(pick for _, pick in picks),
        row=table.integer("row"),
        col=table.integer("col"),
        line=table.integer("line"),
        place=places[path],
        words=tuple(Word(places[at], pick) for at, pick in picks if at in places),
    )
    _fits(said, table, names, tokens)
    return said


def named(table: Table) -> str:
    """The name of a quantity: not empty, without spaces around it."""
    name = table.words("name") or ""
    if not name or name != name.strip():
        refuse(
            table.path_of("name"), f"{quote(name)} as the name of a quantity", 'write for example name = "Q"'
        )
    return name


def _picks(table: Table) -> Sequence[tuple[str, str]]:
    """The parts of the value, each behind its path in the file."""
    if "value" not in table:
        return ()
    value, path = table["value"], table.path_of("value")
    if isinstance(value, list):
        paths = [f"{path}[{j}]" for j in range(len(value))]
        return [(at, characters(pick, at)) for at, pick in zip(paths, value, strict=True)]
    return [(path, characters(value, path))]


NEEDS: Mapping[str, tuple[int, int, str]] = {  # least and most entries of `value`, and what would work
    "order": (2, 10_000, 'the labels or columns, the largest first: value = ["b", "a"] or [1, 0]'),
    "argmax": (1, 1, 'the label or column of the largest entry: value = "b" or 1'),
    "equal-rows": (2, 10_000, "the rows that are equal, from 0: value = [0, 1]"),
    "equal-columns": (2, 10_000, "the columns that are equal, from 0: value = [0, 1]"),
    "sums-to-one": (0, 0, "this kind of statement has no value; row = 0 picks a row"),
    "shape": (2, 2, "the rows and the columns: value = [3, 4]"),
    "equal": (1, 1, 'an exact expression: value = "1/2"'),
}
NEEDS_ENTRY = ("equal",)
NEEDS_LINE = ("order", "argmax")


def _fits(said: Statement, table: Table, names: Names, tokens: Sequence[str]) -> None:
    least, most, remedy = NEEDS[said.kind]
    at = table.path_of("value")
    if not least <= len(said.value) <= most:
        count = f"{len(said.value)} {'entry' if len(said.value) == 1 else 'entries'}"
        refuse(at, f'{count} in the value of a statement of the kind "{said.kind}"', remedy)
    for key, given in (("row", said.row), ("col", said.col)):
        alone = said.kind in NEEDS_LINE and said.row is None and said.col is None
        if given is None and (said.kind in NEEDS_ENTRY or alone):
            refuse(
                table.path, f'a statement of the kind "{said.kind}" without {key}', f"add {key} = 0 (from 0)"
            )
    if said.kind in NEEDS_LINE and said.row is not None and said.col is not None:
        refuse(
            table.path,
            f'a statement of the kind "{said.kind}" with a row and a column',
            "row = 0 means along that row, col = 0 down that column",
        )
    several = isinstance(table["value"], list) if "value" in table else False
    for j, pick in enumerate(said.value):
        cell = f"{at}[{j}]" if several else at
        if said.kind == "equal":
            _evaluated(pick, cell, names)
        elif said.kind in ("order", "argmax"):
            _known(pick, cell, tokens, remedy)
        elif not _whole(pick):
            refuse(cell, f"{quote(pick)} where a whole number belongs", remedy)


def _known(pick: str, path: str, tokens: Sequence[str], remedy: str) -> None:
    if not _whole(pick) and pick not in tokens:
        labels = instead(pick, tokens, "tokens lists all labels") if tokens else "the case has no tokens"
        refuse(path, f"{quote(pick)}, which is neither a label nor a column number", f"{remedy}; {labels}")


def _whole(pick: str) -> bool:
    return pick.isascii() and pick.isdigit()


def _evaluated(text: str, path: str, names: Names) -> None:
    try:
        read(text, names)
    except SymattnError as problem:
        raise problem.at(key=path) from None


def _worked(work: str, path: str, names: Names) -> None:
    """The working is readable and uses declared names; whether it is right is the audit's question."""
    try:
        for name in names_in(parse(work)):
            if name.name not in (*names, *CONSTANTS, *INFINITIES):
                raise undeclared(name, names)
    except SymattnError as problem:
        raise problem.at(key=path) from None
