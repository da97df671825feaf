"""Tables: a matrix with labels around it, a column or a row for each quantity, or vectors in cells."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from symattn.reading.notes.formulas.brackets import BLANK
from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.characters import normalise, unquoted
from symattn.reading.notes.formulas.formula import (
    Binary,
    Call,
    Chain,
    Grid,
    Name,
    Node,
    Num,
    Row,
    numerals,
    walk,
)
from symattn.reading.notes.formulas.names import INPUTS, Bases, Ref, resolve
from symattn.reading.notes.formulas.parse import Parser
from symattn.reading.notes.formulas.tokens import Token
from symattn.reading.notes.layout.captions import OF_TOKENS, caption, has_vector
from symattn.reading.notes.layout.cells import (
    HEADINGS,
    SQUARE,
    SUMMED,
    Cell,
    by_row,
    by_step,
    components,
    heading,
    is_row,
    pairs_of,
    total_of,
)
from symattn.reading.notes.layout.context import Context
from symattn.reading.notes.layout.sheets import Cells, Sheet, sheets

_SIDE = re.compile(r"(?:[QKX]|query|key|查询|键)[:：] ?(?=\S)", re.IGNORECASE)
"""What a label says before its token: `Q: cat` of a row of scores."""
_AXES = re.compile(r"[\\/|→*]")
"""Between what the rows and what the columns of a table are: `Q\\K`."""
_POSITIONS = re.compile(r"位置|pos|positions?", re.IGNORECASE)
_ENCODED = re.compile(r"位置编码|positional encoding|sinusoidal|正弦", re.IGNORECASE)
_MARKS = re.compile(r"[*`$_ ]+")
_WORKING = re.compile(
    r"calculation|computation|formula|working|expression|operation|quantity|what|matrix|symbol|tensor|variable"
    r"|计算|算式|公式|过程|rechnung|cálculo|calcul\b",
    re.I,
)
_RESULT = re.compile(
    r"results?|values?|answer|=|结果|值|数值|得数|ergebnis|resultado|résultat", re.IGNORECASE
)
"""Heads of a table whose rows are equations."""
_STEP = re.compile(r"step|stage|operation|input|步骤|阶段|操作|输入", re.IGNORECASE)
_OF_STEP = re.compile(r"outputs?|输出", re.IGNORECASE)
"""Heads of a table with a step in each row, where the output is what that step gives."""


def with_tables(
    text: str, stream: Sequence[Token], found: list[Item], context: Context, bases: Bases
) -> list[Item]:
    """The items, with those of tables tied to their captions and headings."""
    begin = next((item.start for item in found if has_vector(item)), len(text))
    reader = _Tables(normalise(text), stream, context, bases, begin)
    made = list(reader.items(sheets(unquoted(text))))
    if not made:
        return found
    spans = reader.spans
    starts = [start for start, _ in spans]
    kept = []
    for item in found:
        at = bisect_left(starts, item.start + 1) - 1
        if at < 0 or item.start >= spans[at][1]:
            kept.append(item)
    return sorted([*kept, *made], key=lambda item: item.start)


def _stem(head: str) -> str:
    """A head without its number: `d1` and `d2` are alike, and so are empty ones."""
    return head.rstrip("0123456789")


def _numbered(said: Sequence[str]) -> bool:
    """Whether cells count the rows below one another, from 0 or from 1."""
    return len(said) > 1 and any(list(said) == [str(k + first) for k in range(len(said))] for first in (0, 1))


class _Tables:
    """Reads the tables of a text whose first vector outside of them begins at offset `begin`."""

    def __init__(
        self, text: str, stream: Sequence[Token], context: Context, bases: Bases, begin: int
    ) -> None:
        self.text, self.context, self.bases, self.begin = text, context, bases, begin
        self.parser = Parser(stream)
        self.starts = [token.start for token in stream]
        self.spans: list[tuple[int, int]] = []

    def items(self, found: Iterable[Sheet]) -> Iterator[Item]:
        offsets = self.context.starts
        for sheet in found:
            header = self._cells(sheet.header)
            body = [self._cells(row) for row in sheet.body]
            made = list(self._table(header, body, sheet))
            if made:
                self.spans.append(
                    (offsets[sheet.first], offsets[sheet.last] + len(self.context.said(sheet.last)))
                )
                yield from made

    def _cells(self, row: Cells) -> list[Cell]:
        return [self._cell(self.text[start:end], start, end) for start, end in row]

    def _cell(self, said: str, start: int, end: int) -> Cell:
        token = self.parser.skip(bisect_left(self.starts, start))
        node = None
        if token < len(self.starts) and self.starts[token] < end:
            ways = (self.parser.formula(token), self.parser.prefix(token))  # `0.9</td><td>-0.3` is no 0.6
            node = next((read[0] for read in ways if read is not None and self._ends(read[1], end)), None)
            node = node or self._vector(token, end)
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

    def _table(self, header: Sequence[Cell], body: Sequence[Sequence[Cell]], sheet: Sheet) -> Iterator[Item]:
        width = len(header)
        if width < 2 or any(len(row) != width for row in body):
            return
        if is_row(header):
            header, body = [replace(cell, said="", node=None) for cell in header], [header, *body]
        if _RESULT.fullmatch(header[-1].said) and any(
            _WORKING.search(cell.said) for cell in (header[1:-1] if width > 2 else header[:1])
        ):
            counted = len(header) > 2 and all(row[0].said.rstrip(".)").isdecimal() for row in body)
            yield from self._steps([row[1:] for row in body] if counted else body)
            return
        quantities = [heading(row[0], self.bases) for row in body]
        if _all_different(quantities) and all(isinstance(cell.node, Row) for row in body for cell in row[1:]):
            yield from by_row([str(name) for name in quantities], body)
            return
        query = 0 if self.bases.single else self.context.row(body[0][0].start)
        stepped = list(by_step(quantities, header, body, query)) if query is not None else []
        if stepped:
            yield from stepped
            return
        headed = any(cell.said for cell in header)
        labelled = (
            (headed and not header[0].said)
            or (_stem(header[0].said) != _stem(header[1].said) and _numbered([row[0].said for row in body]))
            or not all(isinstance(row[0].node, Num | Row) for row in body)
        )
        positions = _POSITIONS.fullmatch(header[0].said) is not None
        named_too = positions and not any(isinstance(row[1].node, Num | Row) for row in body)
        first = int(labelled) + int(named_too)
        columns = [None] * first + [heading(cell, self.bases) for cell in header[first:]]
        if any(_STEP.fullmatch(cell.said) for cell in header):
            named = zip(columns, header, strict=True)
            columns = [None if _OF_STEP.fullmatch(cell.said) else name for name, cell in named]
        totals: list[Cell] = []
        if SUMMED.fullmatch(header[-1].said) and width > first + 2 and not any(columns[first:-1]):
            totals = [row[-1] for row in body]
            columns, body = columns[:-1], [row[:-1] for row in body]
        if width == 2 and all(isinstance(row[1].node, Row) for row in body):
            of = [self._row_of(row[0].node) for row in body]
            if all(ref is not None and ref.row is not None for ref in of):
                for ref, (_, cell) in zip(of, body, strict=True):
                    assert cell.node is not None
                    yield Item(cell.node, cell.start, cell.end, target=ref)
                return
        parts = list(components(header, body, self.bases)) if labelled else []
        yield from parts
        if any(columns[first:]):
            yield from self._by_column(columns, body, first)
        if any(columns[first:]) or parts:
            return
        cells = [[cell.node for cell in row[first:]] for row in body]
        if not all(isinstance(node, Num) for row in cells for node in row):
            return
        rows = tuple(tuple(node for node in row if node is not None) for row in cells)
        labels = tuple(_SIDE.sub("", row[first - 1].said) for row in body) if labelled else ()
        grid = Grid(rows, body[0][0].start, body[-1][-1].end, labels)
        formula = self._formula_above(sheet.first)
        if formula is not None and not isinstance(formula, Name):
            yield _told(formula, grid)
            return
        divided = HEADINGS["scaled"].fullmatch(header[0].said)
        axes = _AXES.search(header[0].said) and not divided
        corner = None if axes else heading(header[0], self.bases)
        heads = tuple(cell.said for cell in header[first : first + len(rows[0])])
        square = labels == heads and not all(label.isdigit() for label in labels)
        if square:
            corner = corner if corner in SQUARE else None  # `query` above the queries names no matrix
        encoded = positions and _ENCODED.search(self.context.text) is not None
        name = corner or self._caption(sheet) or ("PE" if encoded else None)
        if name in (None, "Z") and labels and _in_percent(rows):
            name = "A"  # `Attention in per cent`
        if name is None and OF_TOKENS.search(header[0].said) and labels and self._is_first(grid):
            name = "X"
        if square and name not in SQUARE:
            yield Item(grid, grid.start, grid.end, shown=True)  # of two tokens each: no vectors
        elif name is not None and (name in INPUTS or name in (*SQUARE, "Q", "K", "V", "Z", "PE")):
            yield Item(grid, grid.start, grid.end, target=Ref(name))
            for i, (row, total) in enumerate(zip(rows, totals, strict=False)):
                yield from total_of(name, i, row, total)
        elif formula is not None:
            yield _told(formula, grid)

    def _steps(self, body: Sequence[Sequence[Cell]]) -> Iterator[Item]:
        """Each row is an equation, `s_1 | 3·1 + 2·1 | 5`: what is worked out, how, and what comes out."""
        for row in body:
            members = [member for cell in row for member in self._members(cell)]
            if self._members(row[-1]) and len(members) > 1:
                chain = Chain(tuple(members), ("=",) * (len(members) - 1))
                yield Item(chain, row[0].start, row[-1].end, label=row[0].said)

    def _members(self, cell: Cell) -> tuple[Node, ...]:
        """The members of the formula that fills a cell, none where words are in it."""
        token = self.parser.skip(bisect_left(self.starts, cell.start))
        read = self.parser.chain(token) if token < len(self.starts) and cell.said else None
        if read is None or not isinstance(read[0], Chain | Name | Num | Row | Grid | Binary | Call):
            return ()
        if not self._ends(read[1], cell.end):
            return ()
        return read[0].members if isinstance(read[0], Chain) else (read[0],)

    def _caption(self, sheet: Sheet) -> str | None:
        """What the words above its heads say that a table is, within its frame or above that."""
        above = (caption(self.context, self.bases, line) for line in (sheet.head, sheet.first))
        return next((name for name in above if name is not None), None)

    def _is_first(self, grid: Grid) -> bool:
        """Whether no vector, and no table that was read, stands before a table."""
        return grid.start < self.begin and not self.spans

    def _formula_above(self, line: int) -> Node | None:
        """The formula or the letter that is all of a caption, `**H = X + Z**:`."""
        above = line - 1
        while above >= 0 and not self.context.said(above).strip():
            above -= 1
        start = self.context.starts[above] if above >= 0 else 0
        end = start + len(self.context.said(max(above, 0)))
        token = self.parser.skip(bisect_left(self.starts, start), BLANK)
        if above < 0 or token >= len(self.starts) or self.starts[token] >= end:
            return None
        read = self.parser.chain(token)
        if read is None or not isinstance(read[0], Chain | Binary | Call | Name) or any(numerals(read[0])):
            return None
        after = read[1]
        while self.parser.kind(after) in ("mark", "nl") or self.parser.said(after) == ":":
            after += 1
        made = any(isinstance(node, Binary) and _makes(node) for node in walk(read[0]))
        told = made or isinstance(read[0], Chain | Call | Name)
        return read[0] if told and (after >= len(self.starts) or self.starts[after] >= end) else None

    def _by_column(
        self, columns: Sequence[str | None], body: Sequence[Sequence[Cell]], first: int
    ) -> Iterator[Item]:
        """Each column is a quantity: vectors are its rows, numbers the entries of the row being worked.

        Where two columns of labels stand first, a row is about a query and a key.
        """
        pairs = pairs_of(body) or self._products(body)
        above: dict[str, list[Node]] = {name: [] for name in columns if name is not None}
        for i, row in enumerate(body):
            for name, cell in zip(columns[first:], row[first:], strict=True):
                if (
                    name is None
                    or cell.node is None
                    or (isinstance(cell.node, Row) and columns.count(name) > 1)
                ):
                    continue  # the vectors of two columns with one name are those of two heads
                if isinstance(cell.node, Row):
                    yield Item(cell.node, cell.start, cell.end, target=Ref(name, i))
                    continue
                if any(SUMMED.fullmatch(label.said) for label in row):
                    query = self._query(body[0][0].start)
                    if query is not None:
                        yield from total_of(name, query, above[name], cell)
                    continue
                above[name].append(cell.node)
                if isinstance(cell.node, Num) and name.startswith("norm."):
                    yield Item(cell.node, cell.start, cell.end, target=Ref(name, i))
                if isinstance(cell.node, Num) and name in SQUARE:
                    query = pairs[i][0] if pairs else self._query(body[0][0].start)
                    if query is not None:
                        key = pairs[i][1] if pairs else i
                        yield Item(cell.node, cell.start, cell.end, target=Ref(name, query, key))

    def _query(self, offset: int) -> int | None:
        """The query that a table works: that of the words before it, or the only one there is."""
        said = self.context.row(offset)
        return 0 if said is None and self.bases.single else said

    def _row_of(self, node: Node | None) -> Ref | None:
        return resolve(node, self.bases) if isinstance(node, Name) else None

    def _products(self, body: Sequence[Sequence[Cell]]) -> list[tuple[int, int]]:
        """The query and the key of each row, where the rows begin with `q_1 · k_2`."""
        found: list[tuple[int, int]] = []
        for row in body:
            match row[0].node:
                case Binary(op="*", left=Name() as q, right=Name() as k):
                    a, b = self._row_of(q), self._row_of(k)
                    if a is not None and b is not None and (a.name, b.name) == ("Q", "K"):
                        found += [(a.row, b.row)] if a.row is not None and b.row is not None else []
        return found if len(found) == len(body) else []


def _all_different(names: Sequence[str | None]) -> bool:
    return len(names) > 1 and None not in names and len(set(names)) == len(names)


def _in_percent(rows: Sequence[Sequence[Node]]) -> bool:
    """Whether all numbers are percentages, as no vectors are."""
    return all(isinstance(cell, Num) and cell.text.endswith("%") for row in rows for cell in row)


def _makes(node: Binary) -> bool:
    """A sum, or something divided by a letter: what a caption of words is not."""
    return node.op == "+" or (node.op == "/" and isinstance(node.right, Name))


def _told(formula: Node, grid: Grid) -> Item:
    """A table as the last link of the formula above it."""
    members = formula.members if isinstance(formula, Chain) else (formula,)
    return Item(Chain((*members, grid), ("=",) * len(members)), grid.start, grid.end)
