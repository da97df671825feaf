"""Which way the runs of a page are laid out, `X=(111001)`: workings, rows and printed products may tell.

The tables are those that the runs make where they are laid out one way.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import chain, pairwise
from operator import eq, mul

from symattn.errors import OutOfBounds
from symattn.exact.numeral import numeral_or_none
from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.formula import Binary, Chain, Grid, Name, Node, Row, numerals
from symattn.reading.notes.formulas.names import FACTORS, resolve


def spelled_out(made: Sequence[Item], tables: Mapping[str, Grid], worked: Iterable[tuple[str, Grid]]) -> int:
    """How many workings spell out the products of the matrices before them, or of those that are named."""
    chains = [item.node.members for item in made if isinstance(item.node, Chain)]
    beside = sum(_spells(*pair) for members in chains for pair in pairwise(members))
    return beside or sum(
        _spells(Binary("*", *(tables[factor] for factor in FACTORS[name])), workings)
        for name, workings in worked
        if tables.keys() >= {*FACTORS[name]}
    )


def printed_again(tables: Mapping[str, Grid], lists: Collection[tuple[str, ...]]) -> int:
    """How many rows of the matrices stand for themselves as well, as lists that nobody copied together."""
    return sum(
        tuple(num.text for cell in row for num in numerals(cell)) in lists
        for table in tables.values()
        if len(table.rows) > 1
        for row in table.rows
    )


def products(found: Iterable[Item]) -> Mapping[str, Sequence[Fraction]]:
    """What chains that begin with the name of a product end with: its entries, row by row."""
    ends: dict[str, Sequence[Fraction]] = {}
    for item in found:
        if isinstance(item.node, Chain) and isinstance(item.node.members[0], Name):
            ref = resolve(item.node.members[0])
            if ref is not None and ref.row is None and ref.name in FACTORS:
                ends.setdefault(ref.name, _values(item.node.members[-1]))
    return ends


def _values(node: Node) -> list[Fraction]:
    """The entries of a matrix, row by row; none where one is no plain number."""
    read = [_value(num.text) for num in numerals(node)]
    return [value for value in read if value is not None] if None not in read else []


def _value(text: str) -> Fraction | None:
    try:
        return numeral_or_none(text)
    except OutOfBounds:
        return None


def multiplied_out(tables: Mapping[str, Grid], ends: Mapping[str, Sequence[Fraction]]) -> int:
    """How many entries of the products that are printed as well are those of the runs, laid out this way."""
    plain = {name: [_values(Row(row, 0, 0)) for row in table.rows] for name, table in tables.items()}
    known = {name: rows for name, rows in plain.items() if {*map(len, rows)} == {len(tables[name].rows[0])}}
    count = 0
    for name, (left, right) in FACTORS.items():
        if left not in known or right not in known:
            continue
        columns = known[right] if name == "scores" else list(zip(*known[right], strict=True))
        made = [sum(map(mul, row, column)) for row in known[left] for column in columns]
        printed = (list(chain(*known.get(name, ()))), ends.get(name, ()))
        count += max(sum(map(eq, made, value)) if len(made) == len(value) else 0 for value in printed)
    return count


def _spells(factors: Node, workings: Node) -> int:
    """How many workings multiply a row of the one matrix with a column of the other, in their order."""
    match factors, workings:
        case Binary(left=Grid(rows=left), right=Grid(rows=right)), Grid(rows=lines):
            made = [
                _texts(*zip(row, column, strict=False)) for row in left for column in zip(*right, strict=True)
            ]
            return sum(
                map(eq, made, ([num.text for num in numerals(cell)] for line in lines for cell in line))
            )
    return 0


def _texts(*pairs: Sequence[Node]) -> list[str]:
    return [num.text for pair in pairs for cell in pair for num in numerals(cell)]
