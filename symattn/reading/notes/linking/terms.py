"""The summands of a sum, and what weighs each of them."""

from __future__ import annotations

from symattn.reading.notes.formulas.formula import (
    Binary,
    Grid,
    Name,
    Node,
    Num,
    Row,
    grid_of,
    names,
    numerals,
)
from symattn.reading.notes.formulas.works import is_literal


def numbers(node: Node) -> list[Num]:
    return list(numerals(node))


def only_row(node: Node) -> Row | None:
    """A list of numbers, or the row of a matrix that has no other."""
    if not is_literal(node):
        return None
    grid = grid_of(node)
    if grid is not None:
        return Row(grid.rows[0], grid.start, grid.end) if len(grid.rows) == 1 else None
    return node if isinstance(node, Row) else None


def flatten(node: Node) -> list[Node]:
    terms: list[Node] = []
    while isinstance(node, Binary) and node.op == "+":
        terms.append(node.right)
        node = node.left
    return [node, *reversed(terms)]


def weighted(term: Node) -> tuple[Num, Node] | None:
    """The weight and the vector of one summand."""
    match term:
        case Binary(op="*", left=Num() as weight, right=Grid(rows=(cells,)) as line) if is_literal(line):
            return weight, Row(cells, line.start, line.end)
        case Binary(op="*", left=Num() as weight, right=Row() | Name() as vector):
            return (weight, vector) if not isinstance(vector, Row) or is_literal(vector) else None
        case Binary(op="*", left=Num() as weight, right=vector) if next(names(vector), None) is not None:
            return weight, vector
        case Binary(op="*", left=vector, right=Num() as weight) if isinstance(vector, Row):
            return (weight, vector) if is_literal(vector) else None
    return None


def summand(term: Node) -> tuple[Num, Node] | None:
    """The weight of a summand, and the number or the vector that it weighs."""
    match term:
        case Binary(op="*", left=Num() as weight, right=Num() as weighed):
            return weight, weighed
    return weighted(term)
