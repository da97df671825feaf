"""Encodings of positions that are added to embeddings: where the walk begins, and at which position."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.formula import (
    Chain,
    Grid,
    Name,
    Node,
    Num,
    Row,
    grid_of,
    last_of,
    numerals,
)
from symattn.reading.notes.formulas.names import Bases, Ref, entry_of, resolve
from symattn.reading.notes.formulas.works import is_literal
from symattn.reading.notes.linking.denote import OWN, lettered, own_key
from symattn.reading.notes.linking.ledger import size, values

TOLD = "told "
"""What the keys of quantities begin with that a caption or a table names."""
Cells = dict[tuple[int, int], Num]


def summands(items: Sequence[Item], bases: Bases) -> dict[str, str]:
    """`X = E + PE`, or numbers that say so: the walk begins at E, and what is called X is X + PE."""
    tables: dict[str, Cells] = {}
    for item in sorted(items, key=_is_no_matrix):
        match item.node:
            case Chain(members=(Name() as name, *_, last)) if is_literal(last):
                key, row, col = _placed(name, bases)
                if isinstance(last, Row) and resolve(name, bases) == Ref("PE"):
                    row = 1 + max((i for i, _ in tables.get(key, ())), default=-1)  # for each position a list
                _tabulate(tables, key, row, col, last)
            case Row() | Grid() as last if item.target is not None and is_literal(last):
                key = TOLD + "X" if item.target.name == "X" else item.target.name
                _tabulate(tables, key, item.target.row or 0, 0, last)
    for total in ("X", TOLD + "X"):
        for key, cells in tables.items():
            base = key.startswith((OWN, TOLD)) and key != total
            if base and _is_sum(tables.get(total, {}), cells, tables.get("PE", {})):
                return {key: "X", total: "X+PE"}
    return {}


def _is_sum(totals: Cells, cells: Cells, others: Cells) -> bool:
    """Whether most numbers of a matrix are the sums of two others."""
    shared = cells.keys() & totals.keys() & others.keys()
    added = sum(_adds_up(cells[at], others[at], totals[at]) for at in shared)
    return bool(shared) and len(shared) == len(totals) and 3 * len(shared) <= 4 * added


def _is_no_matrix(item: Item) -> bool:
    """Whether a formula gives single entries or a row: a whole matrix tells better where these are."""
    return grid_of(last_of(item.node)) is None


def _tabulate(tables: dict[str, Cells], key: str, row: int, col: int, literal: Node) -> None:
    """Enter what is printed first under a key, from an entry on."""
    grid = grid_of(literal)
    lines = (
        grid.rows if grid is not None else ((literal.items,) if isinstance(literal, Row) else ((literal,),))
    )
    for i, line in enumerate(lines, start=row):
        for j, cell in enumerate(line, start=col):
            if isinstance(cell, Num):
                tables.setdefault(key, {}).setdefault((i, j), cell)


def _placed(name: Name, bases: Bases) -> tuple[str, int, int]:
    """Under which key a name is kept, and the entry at which what it means begins."""
    ref, key = resolve(name, bases), letter_key(name)
    if ref is None and key is not None:
        ref = entry_of(key, ["_".join((name.text, *name.subs)).rpartition("_")[2]], bases)
    return (ref.name, ref.row or 0, ref.col or 0) if ref is not None else (own_key(name), 0, 0)


def _adds_up(first: Num, second: Num, total: Num) -> bool:
    """Whether two numbers come to a third, but for what the rounding of all three takes."""
    a, b, c = values((first, second, total))
    places = max(len(num.text.partition(".")[2]) for num in (second, total))
    return a is not None and b is not None and c is not None and abs(a + b - c) <= Fraction(2, 10**places)


def letter_key(name: Name) -> str | None:
    """The key of the letter of which a name with an index is a row: that of `H` for `h_1`."""
    letter, tail = lettered(name)
    return own_key(Name(letter.upper())) if len(letter) == 1 and tail.isdecimal() else None


def begins_at_zero(node: Node) -> bool:
    """Whether a formula gives encodings as a matrix whose first row is that of position 0: 0, 1, 0, 1."""
    match node:
        case Chain(members=(Name() as name, *_, last)) if resolve(name) == Ref("PE"):
            grid = grid_of(last)
            first = [size(num) for cell in grid.rows[0] for num in numerals(cell)] if grid is not None else []
            return len(first) > 1 and all(x == k % 2 for k, x in enumerate(first))
    return False
