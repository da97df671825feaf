"""Matrices that the layout draws, each as one token: rows of brackets, columns of numbers, tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from symattn.notes.grammar.pairs import matches
from symattn.notes.grammar.rows import Row, bracketed, heads, lines, listed, plain
from symattn.notes.grammar.syntax import Drawn, drawn, matrix_of, part
from symattn.notes.grammar.tables import Table, behind_lead, cells, statements
from symattn.notes.grammar.tokens import Token

_RULES: Final = frozenset("-+─┼═├┤└┘┌┐│┬┴") | {""}
_HEAD_RULES: Final = frozenset("|-:+") | {""}
_TABULAR: Final = ("\\begin{tabular", "\\end{tabular")
SHIFT_ALONE, SHIFT_ABREAST = 4, 2
"""By fewer columns than these a row may be shifted against the one above, alone or among others."""


def draw(tokens: list[Token]) -> list[Token]:
    """The tokens with every drawn matrix replaced by one token."""
    drawing = _Drawing(tokens)
    for start, end in lines(tokens, drawing.pairs):
        drawing.line(start, end)
    return drawing.finished()


class _Drawing:
    """What was found so far: tokens to leave out, tokens to put before a place, and what is not complete."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens, self.pairs = tokens, matches(tokens)
        self.dropped: set[int] = set()
        self.put: dict[int, list[Token]] = {}
        self.stacks: list[list[Row]] = []
        """Rows of brackets under one another."""
        self.columns: list[Row] = []
        """Lines of numbers under one another."""
        self.table: Table = []
        self.last = 0, 0
        """The last line that is not empty."""
        self.bar = "|"
        """What is between two cells of a table."""

    def line(self, start: int, end: int) -> None:
        """Takes in one line."""
        line = self.tokens[start:end]
        if line and line[0].text.startswith(_TABULAR):
            self.bar = "&" if line[0].text.startswith(_TABULAR[0]) else "|"
        piped = any(t.text == self.bar and t.kind == "OP" for t in line)
        if piped:
            if not all(t.text in _HEAD_RULES for t in line):
                self.table.append(cells(self.tokens, start, end, self.bar))
        elif not (line or self.bar == "&") or not all(t.text in _RULES or t.kind == "SEP" for t in line):
            self._end_table()
        rows = [] if piped else bracketed(self.tokens, self.pairs, start, end)
        self._grow(rows)
        if not line:
            if len(self.columns) == 1:
                self._end_columns()
        elif rows or piped:
            self._end_columns()
        else:
            self._numbers(start, end)
        if line:
            self.last = start, end

    def _numbers(self, start: int, end: int) -> None:
        """A line without brackets and bars: a list behind a sign, a line or the end of columns."""
        if (found := listed(self.tokens, start, end)) is not None:
            place, node = found
            self.put[place] = [drawn(node, self.tokens[place])]
            self.dropped.update(range(place, end))
            self._end_columns()
            return
        row = plain(self.tokens, start, end)
        if row is None:
            self._end_columns()
            return
        if row.end < end and self.tokens[row.end].kind == "REL":
            self.dropped.update(range(row.end, end))
        if self.columns:
            above = self.columns[-1]
            if above.width != row.width or bool(above.words) != bool(row.words):
                self._end_columns()
        if not self.columns and row.words and heads(self.tokens, *self.last, row.width):
            row.heads = self.last[0]
        self.columns.append(row)

    def _grow(self, rows: Sequence[Row]) -> None:
        """Puts each row under the stack that it continues; stacks that do not go on are complete."""
        grown: list[list[Row]] = []
        shift = SHIFT_ABREAST if len(rows) > 1 else SHIFT_ALONE
        for row in rows:
            above = next((stack for stack in self.stacks if _continues(stack, row, shift)), None)
            if above is not None and not any(above is stack for stack in grown):
                above.append(row)
                grown.append(above)
            else:
                grown.append([row])
        for stack in self.stacks:
            if not any(stack is other for other in grown):
                self._end_stack(stack)
        self.stacks = grown

    def _end_stack(self, rows: Sequence[Row]) -> None:
        if len(rows) < 2 or sum(row.led for row in rows) > 1 or any(r.start in self.dropped for r in rows):
            return
        carrier, token = _stacked(self.tokens, rows)
        labelled = bool(token.node.labels)
        for row in rows:
            label = row.label if row.label >= 0 else row.start - len(row.words) * labelled
            self.dropped.update(range(label, row.end))
        place = carrier.start
        if rows[0].heads >= 0:
            place = behind_lead(self.tokens, rows[0].heads)
            self.dropped.update(range(place, rows[0].end))
        self.put[place] = [token]

    def _end_columns(self) -> None:
        self._end_stack(self.columns)
        self.columns = []

    def _end_table(self) -> None:
        for place, made, spans in statements(self.tokens, self.table):
            self.put.setdefault(place, []).extend(made)
            for start, end in spans:
                self.dropped.update(range(start, end))
        self.table = []

    def finished(self) -> list[Token]:
        """The tokens, with what was found in its place."""
        for stack in self.stacks:
            self._end_stack(stack)
        self._end_columns()
        self._end_table()
        out: list[Token] = []
        for i, token in enumerate(self.tokens):
            out += self.put.get(i, ())
            if i not in self.dropped:
                out.append(token)
        return out


def _continues(stack: Sequence[Row], row: Row, shift: int) -> bool:
    """Whether a row is the next one of the matrix above it."""
    above = stack[-1]
    return (
        above.width == row.width
        and abs(above.column - row.column) < shift
        and not (row.led and any(each.led for each in stack))
        and (bool(above.words) or row.led or not row.words)
    )


def _stacked(tokens: Sequence[Token], rows: Sequence[Row]) -> tuple[Row, Drawn]:
    """Rows under one another as one token, and the row where it is put: the one with the label."""
    carrier = next((row for row in rows if row.led), rows[0])
    skipped = 1 if _counted(rows) else 0
    labels = tuple(" ".join(row.words).lower() for row in rows) if all(row.words for row in rows) else ()
    width = rows[0].width - skipped
    node = matrix_of([part(row.node, slice(skipped, None), (width,)) for row in rows], labels)
    first = tokens[carrier.start]
    return carrier, drawn(node, first, first.space or 1)


def _counted(rows: Sequence[Row]) -> bool:
    """Whether the rows are counted from 0, as data frames print them."""
    return (
        rows[0].width > 2
        and not rows[0].words
        and all(row.node.tokens[0].text == str(n) for n, row in enumerate(rows))
        and all(t.unit for row in rows for t in row.node.tokens[1:])
    )
