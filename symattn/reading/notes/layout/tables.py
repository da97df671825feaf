"""Tables: a matrix with labels around it, a column or a row for each quantity, or vectors in cells."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from symattn.immutable import immutable
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
from symattn.reading.notes.formulas.stream import Token
from symattn.reading.notes.layout.captions import OF_TOKENS, caption, has_vector
from symattn.reading.notes.layout.cells import (
    HEADINGS,
    SQUARE,
    SUMMED,
    Cell,
    are_remarks,
    by_row,
    by_step,
    components,
    headings,
    in_percent,
    is_of_temperatures,
    is_row,
    pairs_of,
    total_of,
    totals,
)
from symattn.reading.notes.layout.context import Context
from symattn.reading.notes.layout.filled import CellReader
from symattn.reading.notes.layout.functions import WORKING, by_formula, told_apart
from symattn.reading.notes.layout.sheets import Sheet, sheets
from symattn.reading.notes.layout.twofold import twofold

_SIDE = re.compile(r"(?:[QKX]|query|key|查询|键)[:：] ?(?=\S)", re.IGNORECASE)
"""What a label says before its token: `Q: cat` of a row of scores."""
_AXES = re.compile(r"[\\/|→*]")
"""Between what the rows and what the columns of a table are: `Q\\K`."""
_POSITIONS = re.compile(r"位置|pos|positions?", re.IGNORECASE)
_ENCODED = re.compile(r"位置编码|positional encoding|sinusoidal|正弦", re.IGNORECASE)
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


@immutable(frozen=True, slots=True)
class _Table:
    """A table behind its first columns of labels: the quantity of each column, and what rows add up to."""

    sheet: Sheet
    header: Sequence[Cell]
    body: Sequence[Sequence[Cell]]
    labelled: bool
    first: int
    columns: Sequence[str | None]
    totals: Sequence[Cell]


class _Tables:
    """Reads the tables of a text whose first vector outside of them begins at offset `begin`."""

    def __init__(
        self, text: str, stream: Sequence[Token], context: Context, bases: Bases, begin: int
    ) -> None:
        self.context, self.bases, self.begin = context, bases, begin
        self.cells = CellReader(text, stream)
        self.spans: list[tuple[int, int]] = []

    def items(self, found: Iterable[Sheet]) -> Iterator[Item]:
        offsets = self.context.starts
        for sheet in found:
            header = self.cells.row(sheet.header)
            body = [self.cells.row(row) for row in sheet.body]
            made = list(self._items(header, body, sheet))
            if made:
                self.spans.append(
                    (offsets[sheet.first], offsets[sheet.last] + len(self.context.said(sheet.last)))
                )
                yield from made

    def _items(self, header: Sequence[Cell], body: Sequence[Sequence[Cell]], sheet: Sheet) -> Iterable[Item]:
        """What a table holds: equations, a quantity in each row, a quantity in each column, or a matrix."""
        width = len(header)
        if width < 2 or any(len(row) != width for row in body) or is_of_temperatures(header, body):
            return ()
        if width > 2 and (
            both := list(twofold(self.cells.text, body, self._around(header, sheet), self.bases))
        ):
            return both
        if is_row(header):
            header, body = [replace(cell, said="", node=None) for cell in header], [header, *body]
        if _RESULT.fullmatch(header[-1].said) and any(
            WORKING.search(cell.said) for cell in (header[1:-1] if width > 2 else header[:1])
        ):
            counted = width > 2 and all(row[0].said.rstrip(".)").isdecimal() for row in body)
            return self._steps([row[1:] for row in body] if counted else body)
        quantities = headings([row[0] for row in body], self.bases)
        if _all_different(quantities) and all(isinstance(cell.node, Row) for row in body for cell in row[1:]):
            return by_row([str(name) for name in quantities], body)
        query = self._query(body[0][0].start)
        if query is None and body[0][0].start < self.begin and not self.spans:
            query = 0  # nothing was told of any other
        stepped = list(by_step(quantities, header, body, query)) if query is not None else []
        if stepped:
            return stepped
        table = self._table(header, body, sheet)
        return self._of_names(table) or self._by_columns(table) or self._matrix(table)

    def _around(self, header: Sequence[Cell], sheet: Sheet) -> list[str]:
        """The words of a corner, and those on the lines just above and below a table."""
        lines = (sheet.first - 2, sheet.first - 1, sheet.last + 1, sheet.last + 2)
        count = len(self.context.starts)
        return [header[0].said, *(self.context.said(line) for line in lines if 0 <= line < count)]

    def _table(self, header: Sequence[Cell], body: Sequence[Sequence[Cell]], sheet: Sheet) -> _Table:
        headed = any(cell.said for cell in header)
        labelled = (
            (headed and not header[0].said)
            or (_stem(header[0].said) != _stem(header[1].said) and _numbered([row[0].said for row in body]))
            or not all(isinstance(row[0].node, Num | Row) for row in body)
        )
        positions = _POSITIONS.fullmatch(header[0].said) is not None
        named_too = positions and not any(isinstance(row[1].node, Num | Row) for row in body)
        first = int(labelled) + int(named_too)
        columns = [*([None] * first), *headings(header[first:], self.bases)]
        if any(_STEP.fullmatch(cell.said) for cell in header):
            named = zip(columns, header, strict=True)
            columns = [None if _OF_STEP.fullmatch(cell.said) else name for name, cell in named]
        totals: list[Cell] = []
        if SUMMED.fullmatch(header[-1].said) and len(header) > first + 2 and not any(columns[first:-1]):
            totals = [row[-1] for row in body]
            columns, body = columns[:-1], [row[:-1] for row in body]
        elif len(header) > first + 2 and not any(columns[first:]) and are_remarks(body):
            header, columns, body = header[:-1], columns[:-1], [row[:-1] for row in body]
        columns = told_apart(columns, header, body, self.bases)
        return _Table(sheet, header, body, labelled, first, columns, totals)

    def _of_names(self, table: _Table) -> list[Item]:
        """The vectors of rows that begin with the names of such, `q_1 | [1, 2]`."""
        if len(table.header) > 2 or not all(isinstance(row[1].node, Row) for row in table.body):
            return []
        of = [self._row_of(row[0].node) for row in table.body]
        if not all(ref is not None and ref.row is not None for ref in of):
            return []
        named = zip(of, (row[1] for row in table.body), strict=True)
        return [Item(cell.node, cell.start, cell.end, target=ref) for ref, cell in named if cell.node]

    def _by_columns(self, table: _Table) -> list[Item]:
        """What stands in columns that are quantities, or components of vectors."""
        parts = list(components(table.header, table.body, self.bases)) if table.labelled else []
        if any(table.columns[table.first :]):
            parts += self._by_column(table.columns, table.body, table.first)
            parts += totals(table.header, table.body, table.columns)
        told = {item.start for item in parts}
        return [*parts, *by_formula(table.header, table.body, table.columns, told)]

    def _matrix(self, table: _Table) -> Iterator[Item]:
        header, body, first = table.header, table.body, table.first
        cells = [[cell.node for cell in row[first:]] for row in body]
        if any(table.columns[first:]) or not all(isinstance(node, Num) for row in cells for node in row):
            return
        rows = tuple(tuple(node for node in row if node is not None) for row in cells)
        labels = tuple(_SIDE.sub("", row[first - 1].said) for row in body) if table.labelled else ()
        grid = Grid(rows, body[0][0].start, body[-1][-1].end, labels)
        formula = self._formula_above(table.sheet.first)
        if formula is not None and not isinstance(formula, Name):
            yield _told(formula, grid)
            return
        heads = tuple(cell.said for cell in header[first : first + len(rows[0])])
        square = labels == heads and not all(label.isdigit() for label in labels)
        name = self._name(table, grid, square)
        if square and name not in SQUARE:
            yield Item(grid, grid.start, grid.end, shown=True)  # of two tokens each: no vectors
        elif name is not None and (name in INPUTS or name in (*SQUARE, "Q", "K", "V", "Z", "PE")):
            yield Item(grid, grid.start, grid.end, target=Ref(name))
            for i, (row, total) in enumerate(zip(rows, table.totals, strict=False)):
                yield from total_of(name, i, row, total)
        elif formula is not None:
            yield _told(formula, grid)
        elif name is None and grid.labels and len(heads) > 1 == len({_stem(head) for head in heads}):
            yield Item(grid, grid.start, grid.end)  # a vector for each label, of whatever

    def _name(self, table: _Table, grid: Grid, square: bool) -> str | None:
        """The quantity that a matrix is, by its corner, by the words above it, or by what it holds."""
        corner = table.header[0]
        axes = _AXES.search(corner.said) and not HEADINGS["scaled"].fullmatch(corner.said)
        (said,) = [None] if axes else headings([corner], self.bases)
        if square and said not in SQUARE:
            said = None  # `query` above the queries names no matrix
        name = said or self._caption(table.sheet)
        if name is None and _POSITIONS.fullmatch(corner.said) and _ENCODED.search(self.context.text):
            name = "PE"
        if name in (None, "Z") and grid.labels and in_percent(grid.rows):
            return "A"  # `Attention in per cent`
        if name is None and OF_TOKENS.search(corner.said) and grid.labels and self._is_first(grid):
            return "X"
        return name

    def _steps(self, body: Sequence[Sequence[Cell]]) -> Iterator[Item]:
        """Each row is an equation, `s_1 | 3·1 + 2·1 | 5`: what is worked out, how, and what comes out."""
        for row in body:
            members = [member for cell in row for member in self.cells.members(cell)]
            if self.cells.members(row[-1]) and len(members) > 1:
                chain = Chain(tuple(members), ("=",) * (len(members) - 1))
                yield Item(chain, row[0].start, row[-1].end, label=row[0].said)

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
        if above < 0:
            return None
        start = self.context.starts[above]
        formula = self.cells.alone(start, start + len(self.context.said(above)))
        if formula is None or any(numerals(formula)):
            return None
        made = any(isinstance(node, Binary) and _makes(node) for node in walk(formula))
        return formula if made or isinstance(formula, Chain | Call | Name) else None

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


def _makes(node: Binary) -> bool:
    """A sum, or something divided by a letter: what a caption of words is not."""
    return node.op == "+" or (node.op == "/" and isinstance(node.right, Name))


def _told(formula: Node, grid: Grid) -> Item:
    """A table as the last link of the formula above it."""
    members = formula.members if isinstance(formula, Chain) else (formula,)
    return Item(Chain((*members, grid), ("=",) * len(members)), grid.start, grid.end)
