"""The numbers that notes print for the quantities of a computation: `A = (1/3 2/3)`, `S_{12} = 3`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symattn.attention.symbols import meant
from symattn.casefile.file_kinds import Kind
from symattn.notes.claims.numerals import texts
from symattn.notes.grammar.chains import Statement
from symattn.notes.grammar.syntax import Node
from symattn.notes.reader import parsed
from symattn.plans.derive import Derivation
from symattn.plans.plan import base_name, head_of

Entry = tuple[str, int, int]
"""The name of a quantity, and row and column, from 0."""
_SIGNS = {"add": "+", "sub": "-", "mul": "*", "div": "/", "pow": "^"}


def numbers_in(text: str, kind: Kind, derivation: Derivation) -> dict[Entry, str]:
    """The numbers by entry; of what is printed twice the last one counts."""
    found: dict[Entry, str] = {}
    for statement in parsed(text, kind).statements:
        name, *members = statement.chain.args
        cells = next(filter(None, map(_cells, reversed(members))), None)
        if name.kind == "name" and cells:
            for at, cell in _placed(statement, name, cells, derivation):
                found[at] = cell
    return found


def _placed(
    statement: Statement, name: Node, cells: Sequence[Sequence[str]], derivation: Derivation
) -> Iterator[tuple[Entry, str]]:
    """The entries of the quantity that a statement is about, as far as it has these."""
    head, index = _indices(name.index)
    quantity, index = _quantity(statement, name, statement.head or head, index, derivation)
    if quantity is None:
        return
    n, m = derivation[quantity].shape
    height, width = len(cells), len(cells[0])
    if len(index) == 1 and n == 1 and width == 1:
        index = [1, *index]
    row, col = (*(at - 1 for at in index), 0, 0)[:2]
    if (height, width) == (m, 1) and index and m > 1:  # a row that is written as a column
        cells, height, width = [[line[0] for line in cells]], 1, m
    if 0 <= row <= n - height and 0 <= col <= m - width:
        for i, line in enumerate(cells):
            for j, cell in enumerate(line):
                yield (quantity, row + i, col + j), cell


def _indices(index: Sequence[str]) -> tuple[str, list[int]]:
    """The head and the indices: `S_{12}` and `S_{1,2}` have 1 and 2, `S_{12}^{(2)}` has the head 2 too."""
    known = [part for part in index if part.isascii() and part.isdigit()]
    if len(known) == 1:
        return "", [*map(int, known[0])]
    if len(known) == 2 and len(known[0]) == 2:
        return known[1], [*map(int, known[0])]
    return "", [*map(int, known)]


def _quantity(
    statement: Statement, name: Node, head: str, index: list[int], derivation: Derivation
) -> tuple[str | None, list[int]]:
    """The name in the computation, and what is left of the indices: A^{(1)} is that of the first head."""
    names = [each for each, _ in derivation.items()]
    said = name.name
    if len(said) < len(statement.first.text) and statement.first.text in names:  # a word, such as output
        return statement.first.text, index
    spellings = (said.upper(), f"d{said[1:].upper()}" if said.startswith("d") else said)
    tags = [f"head{head}"] if head else ["", *(f"head{at}" for at in index[:1])]
    for tag in (*tags, ""):
        ours = {base_name(each): each for each in names if head_of(each) == tag}
        found = next(filter(None, (meant(each, ours) for each in spellings)), ())
        if len(found) == 1:
            return ours[found[0]], index[1:] if tag and not head else index
    return None, index


def _cells(node: Node) -> list[list[str]] | None:
    """The rows of a matrix, a vector or a number; None for what is none of these."""
    if node.kind == "lit":
        return [list(line) for line in texts(node)]
    if node.kind != "list":
        single = _spelled(node)
        return None if single is None else [[single]]
    lines = [_line(each) for each in node.args]
    if all(len(line) == 1 for line in lines) and not any(each.kind == "list" for each in node.args):
        lines = [[cell for line in lines for cell in line]]
    if not lines or any(None in line or len(line) != len(lines[0]) for line in lines):
        return None
    return [[cell for cell in line if cell is not None] for line in lines]


def _line(node: Node) -> list[str | None]:
    if node.kind == "list":
        return [_spelled(each) for each in node.args]
    if node.kind == "lit":
        return [cell for line in texts(node) for cell in line]
    return [_spelled(node)]


def _spelled(node: Node) -> str | None:
    """An expression as a case would have it; None with a name or anything unknown in it."""
    if node.kind == "lit" and not node.shape:
        return texts(node)[0][0]
    if node.kind == "neg":
        inner = _spelled(node.args[0])
        return None if inner is None else f"-({inner})"
    parts = [_spelled(each) for each in node.args]
    if node.kind not in _SIGNS or len(parts) != 2 or None in parts:
        return None
    return _SIGNS[node.kind].join(part if _is_plain(part) else f"({part})" for part in parts if part)


def _is_plain(part: str) -> bool:
    return part.replace(".", "", 1).isdigit()
