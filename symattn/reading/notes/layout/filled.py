"""What fills the cells of a table: the formula of each, read from the tokens of the text."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from symattn.reading.notes.formulas.brackets import BLANK
from symattn.reading.notes.formulas.formula import Binary, Call, Chain, Grid, Name, Node, Num, Row
from symattn.reading.notes.formulas.parse import Parser
from symattn.reading.notes.formulas.stream import Token
from symattn.reading.notes.layout.cells import Cell
from symattn.reading.notes.layout.tabular import Cells

_MARKS = re.compile(r"[*`$_ ]+")
_TEX = re.compile(r"\\(cdot|exp|top|times|alpha)\b|\\sqrt\{?(\w+)\}?")
_DRESSED = re.compile(r"\\(?:text(?:bf|it|sc|sf|rm)?|emph|math(?:bf|rm|sf|it)|bm|boldsymbol) ?\{([^{}]*)\}")
_SIGNS = {"cdot": "·", "exp": "exp", "top": "T", "times": "·", "alpha": "α"}
"""Commands of TeX in the head of a column."""


class CellReader:
    """Reads cells of a text, given its tokens."""

    def __init__(self, text: str, stream: Sequence[Token]) -> None:
        self.text = text
        self.parser = Parser(stream)
        self.starts = [token.start for token in stream]

    def row(self, row: Cells) -> list[Cell]:
        return [self._cell(self.text[start:end], start, end) for start, end in row]

    def _cell(self, said: str, start: int, end: int) -> Cell:
        token = self.parser.skip(bisect_left(self.starts, start))
        node = None
        if token < len(self.starts) and self.starts[token] < end:
            ways = (self.parser.formula(token), self.parser.prefix(token))  # `0.9</td><td>-0.3` is no 0.6
            node = next((read[0] for read in ways if read is not None and self._ends(read[1], end)), None)
            node = _flat(node) or self._vector(token, end)
        said = _DRESSED.sub(r"\1", said)
        said = _TEX.sub(lambda sign: _SIGNS.get(sign[1], f"√{sign[2]}" if sign[2] else ""), said)
        return Cell(_MARKS.sub(" ", said).strip(), start, end, node)

    def _vector(self, token: int, end: int) -> Row | None:
        """The vector of a cell that is full of numbers with commas and blanks between them, `0.5, -1`."""
        found: list[Num] = []
        while True:
            read = self.parser.prefix(token)
            if read is None or not isinstance(read[0], Num):
                return None
            found.append(read[0])
            if self._ends(read[1], end):
                return Row(tuple(found), found[0].start, found[-1].end) if len(found) > 1 else None
            comma = self.parser.skip(read[1])
            token = self.parser.skip(comma + 1)
            if self.parser.kind(comma) != "comma" or self.starts[token] - self.starts[comma] < 2:
                return None

    def _ends(self, token: int, end: int) -> bool:
        """Whether a formula before a token ends with its cell."""
        after = self.parser.skip(token)
        return self.starts[token - 1] < end and (after >= len(self.starts) or self.starts[after] >= end)

    def members(self, cell: Cell) -> tuple[Node, ...]:
        """The members of the formula that fills a cell, none where words are in it."""
        token = self.parser.skip(bisect_left(self.starts, cell.start))
        read = self.parser.chain(token) if token < len(self.starts) and cell.said else None
        if read is None or not isinstance(read[0], Chain | Name | Num | Row | Grid | Binary | Call):
            return ()
        if not self._ends(read[1], cell.end):
            return ()
        return read[0].members if isinstance(read[0], Chain) else (read[0],)

    def alone(self, start: int, end: int) -> Chain | Binary | Call | Name | None:
        """The formula that is all that stands on a line, but for a colon and what dresses it."""
        token = self.parser.skip(bisect_left(self.starts, start), BLANK)
        if token >= len(self.starts) or self.starts[token] >= end:
            return None
        read = self.parser.chain(token)
        if read is None or not isinstance(read[0], Chain | Binary | Call | Name):
            return None
        after = read[1]
        while self.parser.kind(after) in ("mark", "nl") or self.parser.said(after) == ":":
            after += 1
        return read[0] if after >= len(self.starts) or self.starts[after] >= end else None


def _flat(node: Node | None) -> Node | None:
    """A matrix of one row or of one column is a vector, in a cell."""
    match node:
        case Grid(rows=rows, labels=()) if len(rows) == 1 or len(rows[0]) == 1 == max(map(len, rows)):
            cells = tuple(cell for row in rows for cell in row)
            return Row(cells, node.start, node.end) if all(isinstance(cell, Num) for cell in cells) else node
    return node
