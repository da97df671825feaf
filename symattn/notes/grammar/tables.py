"""Tables of cells between bars: their numbers as one matrix, and columns of rows, each under its head."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from symattn.notes.grammar.rows import numbers
from symattn.notes.grammar.syntax import Node, drawn, matrix_of
from symattn.notes.grammar.tokens import Token

Span = tuple[int, int]
Table = list[list[Span]]
"""The cells of each line, as ranges of tokens."""
Said = tuple[int, list[Token], list[Span]]
"""Where a statement is put, its tokens, and the cells that it replaces."""


def cells(tokens: Sequence[Token], start: int, end: int, bar: str = "|") -> list[Span]:
    """The cells of a line; what is outside of the outer bars is none."""
    end -= tokens[end - 1].kind == "ROW"
    found: list[Span] = []
    cell = start
    for i in range(start, end + 1):
        if i == end or (tokens[i].text == bar and tokens[i].kind == "OP"):
            found.append((cell, i))
            cell = i + 1
    if len(found) < 2 or tokens[start].text != "|":
        return found
    first, last = found[-1]
    return found[1:-1] if first == last else found[1:]


def statements(tokens: list[Token], table: Table) -> Iterator[Said]:
    """What a table states: columns of rows, each under its head, and its numbers as one matrix."""
    if len(table) < 3 or not all(table):
        return
    head, *body = table
    labels = tuple(_words(_cell(tokens, row[0])) for row in body)
    if not all(labels):
        labels = ()
    columns = [
        (c, column)
        for c in range(min(map(len, body)))
        if (column := [_value(tokens, row[c]) for row in body]) and all(column)
    ]
    for c, column in columns:
        nodes = [each[0] for each in column if each is not None]
        if all(each is not None and each[1] for each in column) and len({node.shape for node in nodes}) == 1:
            title = _cell(tokens, head[c]) if c < len(head) else []
            yield _said(matrix_of(nodes, labels), title, [row[c] for row in body])
    yield from _block(tokens, head, columns, body, labels)


def _block(
    tokens: list[Token],
    head: Sequence[Span],
    columns: Sequence[tuple[int, list[tuple[Node, bool] | None]]],
    body: Table,
    labels: tuple[str, ...],
) -> Iterator[Said]:
    """The columns of single numbers side by side as a matrix, the first one only if all are numbers."""
    width = min(map(len, body))
    single = [(c, column) for c, column in columns if not any(each is None or each[1] for each in column)]
    block = single if len(single) == width else [each for each in single if each[0] >= 1]
    if len(block) < 2 or block[-1][0] - block[0][0] != len(block) - 1:
        return
    rows = list(zip(*(column for _, column in block), strict=True))
    entries = [each[0] for row in rows for each in row if each is not None]
    node = replace(matrix_of(entries, labels), shape=(len(rows), len(block)), mark="table")
    if block[0][0] <= 1 and len(block) + block[0][0] == width:
        first, last = behind_lead(tokens, head[0][0]), body[-1][-1][1]
        yield first, [drawn(node, tokens[first])], [(first, last)]
    else:
        yield _said(node, [], [row[c] for row in body for c, _ in block])


def behind_lead(tokens: Sequence[Token], start: int) -> int:
    """Where a line ends that announces what begins at a place, or that place."""
    first = start
    while first and (tokens[first - 1].kind in ("NL", "SEP") or tokens[first - 1].text in ("|", "&")):
        first -= 1
    leads = first and (tokens[first - 1].text == ":" or tokens[first - 1].kind == "REL")
    return first if leads else start


def _said(node: Node, title: list[Token], spans: list[Span]) -> Said:
    first = node.tokens[0]
    made = [Token("NL", "\n", first.line, first.column), *title]
    if title:
        made.append(Token("REL", "=", first.line, first.column))
    made += [drawn(node, first), Token("NL", "\n", first.line, first.column)]
    return spans[0][0], made, spans


def _cell(tokens: list[Token], span: Span) -> list[Token]:
    return tokens[span[0] : span[1]]


def _words(tokens: list[Token]) -> str:
    return " ".join(t.text.lower() for t in tokens if t.kind == "NAME")


def _value(tokens: list[Token], span: Span) -> tuple[Node, bool] | None:
    """The number or bracketed row in a cell, and whether it is bracketed."""
    inner = _cell(tokens, span)
    boxed = len(inner) > 2 and inner[0].kind == "OPEN" and inner[-1].kind == "CLOSE"
    pictured = len(inner) > 1 and inner[0].kind == "MUL"  # a point before a small weight is a picture of it
    node = numbers(inner[1:-1] if boxed else inner[pictured:])
    return (node, boxed) if node is not None and (boxed or node.shape == (1,)) else None
