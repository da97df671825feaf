"""What is in brackets: groups, vectors, nested rows, and rows of a LaTeX matrix."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

from symattn.notes.grammar.pairs import split
from symattn.notes.grammar.syntax import Node, number, stacked
from symattn.notes.grammar.tokens import Token
from symattn.notes.names.words import function

APART: Final = 2
"""So many blanks are between two columns of a row."""


class Reads(Protocol):
    """A parser of a run of tokens, which is at token `i`."""

    i: int
    tokens: list[Token]

    def at(self) -> Token | None: ...
    def sees(self, kind: str, *texts: str) -> bool: ...
    def chain(self) -> Node | None: ...
    def expression(self) -> Node | None: ...
    def primary(self) -> Node | None: ...


Parse = Callable[[list[Token]], Reads]
"""Makes a parser of a run of tokens."""


def is_size(inner: list[Token], after: Token | None) -> bool:
    """Whether a bracket holds the size of a matrix, `(3×2)`, or the number of an equation."""
    ends = after is None or after.kind in ("NL", "ROW")
    if ends and len(inner) == 1 and inner[0].kind == "NUM" and not inner[0].unit:
        return True
    return (
        any(t.text in "×*xX" for t in inner)
        and all(t.kind in ("NUM", "NAME", "MUL", "SUB") or t.text == "_" for t in inner)
        and not any(t.unit for t in inner)
    )


def wordy(inner: list[Token]) -> bool:
    """Whether there are words in a bracket."""
    return any(t.kind == "NAME" and len(t.text) > 1 and not function(t.text) for t in inner)


def numeric(inner: list[Token]) -> bool:
    """Whether there are numbers in a bracket."""
    return any(t.kind in ("NUM", "OBJ") for t in inner)


def whole(inner: list[Token], parse: Parse) -> Node | None:
    """The expression that a run of tokens is, if it is one."""
    inner = _bare(inner)
    parser = parse(inner)
    node = parser.expression()
    return node if node is not None and parser.i == len(inner) else None


def bracket(inner: list[Token], opening: str, parse: Parse) -> Node | None:
    """Parentheses around an expression, a vector, nested rows, rows separated by semicolons or line ends."""
    rows = split(inner, ";")
    if len(rows) > 1:
        return _rows([row for row in rows if row], parse)
    runs = split(inner, ",")
    if len(runs) == 1 and (cells := _cells(inner, parse)):
        return stacked(cells)
    if len(runs) == 1 and (made := _lines(inner, parse)) is not None:
        return made
    if opening in "({" and len(runs) == 1:
        inside = whole(inner, parse)
        if inside is not None and not _spaced([t for t in inner if t.kind != "NL"]):
            return inside
    items: list[Node] = []
    for run in runs:
        made_here = _item(_without_remark(run) if opening == "[" else run, parse)
        if made_here is None:
            return None
        items += made_here
    return stacked(items) if items else None


def matrix(inner: list[Token], parse: Parse) -> Node | None:
    """Rows of a LaTeX matrix; words before the first number of every row are its labels."""
    rows: list[list[Node]] = []
    labels: list[str] = []
    for run in split(inner, "\\\\"):
        cells = [_bare(cell) for cell in split(run, "&")]
        if not any(cells):
            continue
        if len(cells) > 1 and cells[0] and all(t.kind == "NAME" for t in cells[0]):
            labels.append(" ".join(t.text.lower() for t in cells.pop(0)))
        rows.append([_cell(cell, parse) for cell in cells])
    if not rows or any(len(row) != len(rows[0]) for row in rows):
        return None
    if len(rows[0]) == 1 and len(rows) == 1:
        return rows[0][0]
    made = stacked([stacked(row) for row in rows])
    made.labels = tuple(labels)
    return made


def _cell(tokens: list[Token], parse: Parse) -> Node:
    parser = parse(tokens)
    node = parser.chain()
    if node is None or parser.i < len(tokens):
        return Node("hole")
    return node.args[0] if len(node.args) == 1 else node


def _bare(tokens: list[Token]) -> list[Token]:
    """Tokens without line ends and what says nothing."""
    return [t for t in tokens if t.kind not in ("NL", "SEP")]


def _rows(rows: list[list[Token]], parse: Parse) -> Node | None:
    """Rows between semicolons: `[1, 2; 3, 4]`, `[1 2; 3 4]`."""
    made: list[list[Node]] = []
    for row in rows:
        if len(split(row, ",")) > 1:
            node = bracket(row, "[", parse)
            found = [node] if node is not None else None
        else:
            found = _item(row, parse)
        if not found:
            return None
        made.append(found)
    if all(len(row) == 1 for row in made):
        return stacked([row[0] for row in made])
    return stacked([stacked(row) for row in made])


def _lines(inner: list[Token], parse: Parse) -> Node | None:
    """Rows of numbers on lines under one another."""
    if not all(t.kind in ("NUM", "NL") or t.text in "+-" for t in inner):
        return None
    lines = [line for line in split(inner, "\n") if any(t.kind == "NUM" for t in line)]
    if len(lines) < 2:
        return None
    made = [_item(line, parse) or [] for line in lines]
    if len(made[0]) < 2 or any(len(row) != len(made[0]) for row in made):
        return None
    return stacked([stacked(row) for row in made])


def _cells(inner: list[Token], parse: Parse) -> list[Node]:
    """The expressions in columns of a row: `[√6/4  -1/2 + √3/2  0]`; none where it has no columns."""
    if len({t.line for t in inner}) != 1 or all(t.kind == "NUM" or t.text in "+-" for t in inner):
        return []
    runs: list[list[Token]] = [[]]
    for token, after in zip(inner, [*inner[1:], None], strict=True):
        joins = token.text in ("+", "-") and (after is None or after.space)
        if token.space >= APART and runs[-1] and not joins:
            runs.append([])
        runs[-1].append(token)
    cells = [whole(run, parse) for run in runs] if len(runs) > 1 else []
    return [cell for cell in cells if cell is not None] if None not in cells else []


def _item(tokens: list[Token], parse: Parse) -> list[Node] | None:
    """The expressions in one place of a list: one chain, or several numbers and rows with blanks between."""
    tokens = _bare(tokens)
    if not tokens:
        return []
    if not _spaced(tokens):
        parser = parse(tokens)
        node = parser.chain()
        if node is not None and parser.i == len(tokens):
            return [node.args[0] if len(node.args) == 1 else node]
    parser, items = parse(tokens), []
    while (token := parser.at()) is not None:
        negative = parser.sees("OP", "-")
        if parser.sees("OP", "-", "+"):
            parser.i += 1
            token = parser.at()
        inner = parser.primary() if token is not None and token.kind in ("NUM", "OPEN", "OBJ") else None
        if inner is None or (negative and inner.shape != ()):
            return None
        if negative and inner.kind != "lit":
            return None
        items.append(number(inner.tokens[0], -inner.signs[0]) if negative else inner)
    return items


def _spaced(tokens: list[Token]) -> bool:
    """Numbers or rows side by side without a sign between them, as a program prints them."""
    kinds = {t.kind for t in tokens if t.text not in "+-"}
    if not kinds <= {"NUM", "OPEN", "CLOSE", "OBJ"}:
        return False
    numbers = kinds <= {"NUM"}
    for before, after, last in zip(tokens, tokens[1:], [*tokens[2:], None], strict=False):
        if before.kind not in ("NUM", "CLOSE") or not after.space:
            continue
        if after.kind in ("NUM", "OPEN"):
            return True
        if numbers and after.text == "-" and last is not None and last.kind == "NUM" and not last.space:
            return True
    return False


def _without_remark(run: list[Token]) -> list[Token]:
    """A row of a nested list without the words behind the row before it."""
    bare = _bare(run)
    words = next((i for i, t in enumerate(bare) if t.kind != "NAME"), 0)
    if words and bare[words].kind == "OPEN" and bare[words].line > bare[words - 1].line:
        return bare[words:]
    return run
