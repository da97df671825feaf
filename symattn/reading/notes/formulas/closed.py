"""Entries in closed form: `[1/√2, 3/4]` as the end of a chain is printed exactly, and works nothing out.

Each entry becomes one numeral, spelled in the expression language of a case, that stands where its first
digit does. Decimals in it, or a result behind it, make it a working. So does an exponent: `e^{2/√3}` and
`exp(2/√3)` are of an entry that was printed so.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.formula import (
    Binary,
    Call,
    Chain,
    Grid,
    Negate,
    Node,
    Num,
    Row,
    last_of,
    numerals,
)
from symattn.reading.notes.formulas.works import spell


def with_closed(found: Sequence[Item]) -> list[Item]:
    """The items, with the entries in closed form that end them as numerals, and the powers of such."""
    made = [_closed(item) for item in found]
    ends = (last_of(new.node) for old, new in zip(found, made, strict=True) if new is not old)
    printed = frozenset(num.text for end in ends for num in numerals(end))
    return [_of_powers(item, printed) for item in made] if printed else made


def _closed(item: Item) -> Item:
    node = item.node
    last = _list(last_of(node))
    if last is None:
        return item
    return replace(
        item, node=replace(node, members=(*node.members[:-1], last)) if isinstance(node, Chain) else last
    )


def _of_powers(item: Item, printed: Collection[str]) -> Item:
    node = item.node
    if not isinstance(node, Chain):
        return item
    members = tuple(_powers(member, printed) for member in node.members)
    return item if members == node.members else replace(item, node=replace(node, members=members))


def _powers(node: Node, printed: Collection[str]) -> Node:
    """A member of a chain with the exponents that were printed as entries as numerals: alone or added up."""
    match node:
        case Call(function="exp", argument=Num()):
            return node
        case Call(function="exp", argument=argument) if _is_exact(argument) and spell(argument) in printed:
            return replace(node, argument=_numeral(argument))
        case Binary(op="+", left=left, right=right):
            made = _powers(left, printed), _powers(right, printed)
            return node if made == (left, right) else replace(node, left=made[0], right=made[1])
        case Row(items=items):
            cells = tuple(_powers(cell, printed) for cell in items)
            return node if cells == items else replace(node, items=cells)
    return node


def _list(node: Node) -> Node | None:
    """A list or a matrix whose entries are numerals and closed forms, at least one of them; else None."""
    match node:
        case Row(items=items) if items and all(isinstance(item, Row) for item in items):
            rows = [_list(item) or item for item in items]
            return replace(node, items=tuple(rows)) if rows != list(items) else None
        case Row(items=items):
            cells = _cells(items)
            return None if cells is None else replace(node, items=cells)
        case Grid(rows=rows):
            made = [_cells(row) or row for row in rows]
            return replace(node, rows=tuple(made)) if made != list(rows) else None
    return None


def _cells(cells: Sequence[Node]) -> tuple[Node, ...] | None:
    if all(isinstance(cell, Num) for cell in cells) or not all(_is_exact(cell) for cell in cells):
        return None
    return tuple(cell if isinstance(cell, Num) else _numeral(cell) for cell in cells)


def _numeral(cell: Node) -> Num:
    inside = list(numerals(cell))
    text = spell(cell)
    return Num(text, inside[0].start, inside[-1].end)


def _is_exact(node: Node) -> bool:
    """A numeral, or whole numbers and their roots divided, multiplied or negated."""
    match node:
        case Num():
            return True
        case Negate(of=inner):
            return _is_form(inner)
    return _is_form(node)


def _is_form(node: Node) -> bool:
    match node:
        case Call(function="sqrt", argument=Num(text=text)):
            return text.isdigit()
        case Binary(op="/" | "*" as op, left=left, right=right):
            forms = [_is_form(part) for part in (left, right)]
            plain = [isinstance(part, Num) and _whole(part) for part in (left, right)]
            return all(a or b for a, b in zip(forms, plain, strict=True)) and (op == "/" or any(forms))
    return False


def _whole(num: Num) -> bool:
    return num.text.removeprefix("-").isdigit()
