"""Tokens as columns: whether a document writes Q = W_Q X, and a case of rows turned into one of columns.

Linking goes by tokens, so that matrices of such a document are entered turned; the case that comes out
has them as they were printed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from symattn.case import Case, Claim
from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.formula import (
    Binary,
    Chain,
    Grid,
    Name,
    Node,
    Num,
    Row,
    Transpose,
    grid_of,
    walk,
)
from symattn.reading.notes.formulas.names import USUAL, WEIGHTS, resolve
from symattn.reading.notes.formulas.works import is_table
from symattn.reading.notes.linking.denote import denote
from symattn.reading.notes.linking.ledger import value

VECTORS = frozenset({"X", "Q", "K", "V", "Z", "concat", "output"})
SQUARE = frozenset({"scores", "scaled", "masked", "exp", "A"})
PROJECTING = frozenset({"W_Q", "W_K", "W_V"})
_SAID = re.compile(
    r"(?:as|are|a|each) columns?\b|column (?:vectors?|for each)"
    r"|每个?词(?:元)?(?:是|占|对应)?一列|列向量|写成列",
    re.IGNORECASE,
)

Table = tuple[tuple[Fraction, ...], ...]


def turned_names(items: Sequence[Item], text: str, called: Mapping[str, str]) -> frozenset[str]:
    """The quantities that a document prints with a column for each token; none where tokens are rows.

    W X is what makes columns: where the shapes allow X W^T as well, the printed product decides, and where
    there is none, the words. `called` says what letters of the document's own stand for.
    """
    given = dict(_given(items, called))
    x = given.get("X")
    products = [each for item in items for each in _products(item.node, called)]
    votes = [
        vote
        for weights, result in products
        if weights in given and (vote := _vote(given[weights], x, result)) is not None
    ]
    said = _SAID.search(text) is not None
    wide = [len(w[0]) for name, w in given.items() if name in PROJECTING]
    fits = x is not None and bool(wide) and all(width == len(x) for width in wide)
    told = sum(votes) + (said and fits)
    if told + (x is None and bool(products)) <= 0:
        return frozenset()
    turns = any(_turns(node) for item in items for node in walk(item.node))
    if told + (x is None and turns and bool(products)) <= 0:
        return frozenset()
    return VECTORS | SQUARE if turns else VECTORS


def _given(items: Sequence[Item], called: Mapping[str, str]) -> Iterator[tuple[str, Table]]:
    """The matrices of inputs, the last of each name first, so that the first one wins."""
    for item in reversed(items):
        node = item.node
        first = node.members[0] if isinstance(node, Chain) else None
        if isinstance(node, Chain) and isinstance(first, Name) and _names_vectors(node.members[1:-1]):
            ref = denote(first, USUAL, called)
            table = _table(node.members[-1])
            if ref is not None and ref.row is None and table and (ref.name == "X" or ref.name in WEIGHTS):
                yield ref.name, table


def _names_vectors(members: Sequence[Node]) -> bool:
    """Whether no more than the names of the columns stands between a matrix and its numbers, if anything."""
    match members:
        case [Row(items=items)]:
            return not any(isinstance(item, Num | Row) for item in items)
    return not members


def _products(node: Node, called: Mapping[str, str]) -> Iterator[tuple[str, Table | None]]:
    """The weights of every `W X` between names, with what it is said to be."""
    if not isinstance(node, Chain):
        return
    result = _table(node.members[-1])
    for member in node.members:
        match member:
            case Binary(op="*", left=Name() as w, right=Name() as x):
                weights, inputs = denote(w, USUAL, called), denote(x, USUAL, called)
                if (
                    weights
                    and inputs
                    and weights.name in WEIGHTS
                    and (inputs.name, inputs.row) == ("X", None)
                ):
                    yield weights.name, result


def _vote(w: Table, x: Table | None, result: Table | None) -> int | None:
    """1 where W X fits what is printed better than X W^T, -1 where worse, None where nothing tells.

    A result of which neither explains half tells nothing. Where X is not known, its shape has to tell.
    """
    if x is None:
        sides = (len(result) == len(w)) - (len(result[0]) == len(w)) if result is not None else 0
        return sides or None
    columns, rows = len(w[0]) == len(x), len(w[0]) == len(x[0])
    if columns != rows:
        return 1 if columns else -1
    if not columns or result is None:
        return None
    turned = tuple(zip(*x, strict=True))
    as_columns = _near(_times(w, turned), result)
    as_rows = _near(tuple(zip(*_times(w, x), strict=True)), result)
    if 2 * max(as_columns, as_rows) < len(result) * len(result[0]):
        return None
    return (as_columns > as_rows) - (as_columns < as_rows)


def _times(w: Table, vectors: Table) -> Table:
    """W times each of the vectors, as columns."""
    return tuple(
        tuple(sum((a * b for a, b in zip(row, vector, strict=True)), Fraction(0)) for vector in vectors)
        for row in w
    )


def _near(product: Table, printed: Table) -> int:
    """How many printed entries a product comes near."""
    if (len(product), len(product[0])) != (len(printed), len(printed[0])):
        return 0
    pairs = (
        pair for row, other in zip(product, printed, strict=True) for pair in zip(row, other, strict=True)
    )
    return sum(abs(a - b) <= Fraction(1, 20) for a, b in pairs)


def _turns(node: Node) -> bool:
    """Whether a formula has queries as columns: K^T Q, or V A."""
    match node:
        case Binary(op="*", left=Transpose(of=Name() as left), right=Name() as right):
            return _named(left) == "K" and _named(right) == "Q"
        case Binary(op="*", left=Name() as left, right=Name() as right):
            return _named(left) == "V" and _named(right) == "A"
    return False


def _named(name: Name) -> str | None:
    ref = resolve(name)
    return ref.name if ref is not None else None


def _table(node: Node) -> Table | None:
    if (not isinstance(node, Grid) and grid_of(node) is None) or not is_table(node):
        return None
    grid = grid_of(node)
    rows = [[value(cell) for cell in row if isinstance(cell, Num)] for row in grid.rows] if grid else []
    table = tuple(tuple(a for a in row if a is not None) for row in rows)
    return table if table and all(len(row) == len(rows[0]) for row in table) else None


def in_columns(case: Case) -> Case:
    """The case with a column for each token: every matrix but the weights turned, W X for X W^T."""
    weights = {"transposed": "left", "right": "transposed"}[case.settings.weights]
    return replace(
        case,
        given={name: given if name in WEIGHTS else given.T for name, given in case.given.items()},
        settings=replace(case.settings, tokens_as="columns", weights=weights),
        stated=tuple(_turned(claim) for claim in case.stated),
    )


def _turned(claim: Claim) -> Claim:
    return replace(
        claim,
        values=tuple(zip(*claim.values, strict=True)),
        row=claim.col,
        col=claim.row,
        places=tuple(zip(*claim.places, strict=True)),
    )
