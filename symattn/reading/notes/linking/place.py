"""Placing a literal: which entries of which quantity the numbers of a list or a matrix are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from symattn.reading.notes.formulas.dots import spread
from symattn.reading.notes.formulas.formula import (
    Binary,
    Grid,
    Node,
    Num,
    Row,
    grid_of,
    numerals,
)
from symattn.reading.notes.formulas.names import INPUTS, Bases, Ref
from symattn.reading.notes.formulas.works import entries, is_worked
from symattn.reading.notes.layout.context import Context
from symattn.reading.notes.linking.apart import is_wave
from symattn.reading.notes.linking.attending import Share
from symattn.reading.notes.linking.called import Called, Cells
from symattn.reading.notes.linking.learned import MASK
from symattn.reading.notes.linking.ledger import value

RESIDUALS = {"residual_1": "norm_1", "residual_2": "norm_2"}
"""The norm that follows each residual: a mean below the residual is one of its rows."""
ROWED = frozenset({"X", "Q", "K", "V", "Z", "output"})
"""What has a row of numbers for each token."""
KEPT_LINES = 10
"""How many lines below a working its result may stand."""


class Placer(Called):
    """Enters literals into the account of one example. `roles` holds numerals that claim nothing.

    `heads` says that the account is that of several heads together, whose Z stand side by side before W_O.
    """

    def __init__(
        self,
        context: Context,
        bases: Bases,
        turned: frozenset[str] = frozenset(),
        *,
        heads: bool = False,
    ) -> None:
        super().__init__(context, bases, turned)
        self.heads = heads
        self.renamed: dict[str, str] = {}
        self.roles: dict[int, str] = {}
        self.equal: dict[tuple[str, str], None] = {}
        self.shares: dict[int, Mapping[int, Share]] = {}
        self.projects = False
        """Whether weights of a projection are spoken of."""
        self.pending: dict[tuple[str, int, int], tuple[Node, int, int]] = {}
        """The workings whose results are still to come, with the line and the chain in which they stand."""
        self.chains = 0
        self.ended: set[int] = set()
        """The chains that end with a result of their own."""
        self.frequencies: dict[int, float] = {}
        self.leads: dict[str, str] = {}
        """What stands behind an arrow, by what stands before it, once the numbers have told."""

    def role(self, node: Node, role: str) -> None:
        for num in numerals(node):
            self.roles.setdefault(num.start, role)

    def place(self, target: Ref, node: Node) -> bool:
        """Enter a literal as the quantity, or a part of it."""
        if target.name in ROWED and target.row is not None and target.col is None:
            node = self._bracketed(node)
        found = self._entries(target, node)
        if found is None:
            return False
        name, (row0, col0, cells) = target.name, found
        if self.is_refused(name, row0, cells):
            return False
        role = self.role_of(name, row0, cells)
        if role is not None:
            self.role(node, role)
            return True
        if name == "W_O":
            self.renamed["projected"] = "output"
        if name == "concat":
            self.renamed["concat"] = "concat"
        if name in INPUTS or name == MASK:
            return self._give(name, row0, cells)
        other = self.other_name(name, row0, col0, cells)
        if other is not None:
            return self.place(replace(target, name=other), node)
        if self.disagrees(name, row0, col0, cells):
            if (row0, col0) != (0, 0) or not self.predictor.supplants(name, cells):
                return False
            self.ledger.withdraw(name)
        loose = target.row is None and len(cells) == 1 and self.context.own_row(cells[0][0].start) is None
        self._claim(name, row0, col0, cells, loose=loose)
        return True

    def _entries(self, target: Ref, node: Node) -> tuple[int, int, Cells] | None:
        """Where the numbers of a literal stand in a quantity, and these as its rows."""
        table = table_of(node)
        origin = self.origin(target, table, node) if table else None
        if table is None or origin is None:
            return None
        row0, col0, turned = origin
        cells = tuple(zip(*table, strict=True)) if turned else table
        height = self.size_of(target.name)[0] or 0
        if target.row is None and not turned and target.name not in INPUTS and 1 < len(cells) < height:
            begun = self.predictor.first_of(target.name, cells, height)
            if begun is None:
                return None
            row0 = begun
        if not (turned or col0) and self.is_wider(target, cells):
            return None
        return row0, col0, cells

    def _claim(self, name: str, row0: int, col0: int, cells: Cells, *, loose: bool) -> None:
        """Enter rows of numbers, each with its working."""
        self.ledger.next_group()
        source = self._kept(row0, col0, cells) if name == "masked" else None
        for i, line in enumerate(cells):
            for j, num in enumerate(line):
                if self.goes_on(name, row0 + i, col0 + j, num):
                    continue
                again = source and self.ledger.entry(source, row0 + i, col0 + j) == value(num)
                self.ledger.claim(
                    source if source and again else name,
                    row0 + i,
                    col0 + j,
                    num,
                    work=self._work(name, row0 + i, col0 + j, num),
                    example=self._is_example(name, cells, num),
                    loose=loose,
                )
            if len(cells) * len(line) > 1 or name == "sum":
                self.ledger.index_row(name, row0 + i, line)

    def _bracketed(self, node: Node) -> Node:
        """The `(2)` of `q_1 = (2)` as a row with one number."""
        if isinstance(node, Num) and self.context.text[node.start - 1 : node.start] == "(":
            return Row((node,), node.start, node.end)
        return node

    def scatter(self, target: Ref, node: Node, rows: Sequence[Sequence[Node]]) -> bool:
        """Enter what is printed of a quantity around dots; False where nobody can tell which entries."""
        height, width = self.size_of(target.name)
        vector = len(rows) == 1 and not isinstance(node, Grid)
        first = self.row(target, node) if vector else 0
        placed = spread(rows, height, width)
        if first is None or placed is None or (target.row is not None and not vector):
            return False
        self.ledger.next_group()
        for row, col, num in placed:
            self.ledger.claim(target.name, first + row, col, num)
        return True

    def goes_on(self, name: str, row: int, col: int, num: Num) -> bool:
        """Whether an entry of PE is made of the other angle from which an entry of its column went on."""
        frequency = self.frequencies.get(col) if name == "PE" else None
        return frequency is not None and is_wave(num, frequency * (row + (self.bases.position or 0)))

    def _kept(self, row0: int, col0: int, cells: Cells) -> str | None:
        """Which scores a mask leaves as they were printed, which are then these again.

        Where others of them were divided as well, those that were not are masked scores of their own.
        """
        source = next((source for source in ("scaled", "scores") if source in self.ledger.first), None)
        divided = source == "scores" and any(
            self.ledger.entry("scores", *at) != value(num) and self.predictor.is_entry("scaled", at, num)
            for i, line in enumerate(cells)
            for j, num in enumerate(line)
            if value(num) and (at := (row0 + i, col0 + j))
        )
        return None if divided else source

    def _is_example(self, name: str, cells: Cells, num: Num) -> bool:
        return len(cells) > 1 and name not in ("A", "Z") and self.context.example(num.start)

    def _give(self, name: str, row0: int, cells: Cells) -> bool:
        """An input that was given as a whole matrix takes no more rows; such a one is better than a row."""
        if len(cells) > 1 and name not in self.ledger.whole and not self._has_rows_of(name, row0, cells):
            self.ledger.given.pop(name, None)
        for i, line in enumerate(cells):
            if name not in self.ledger.whole:
                self.ledger.give(name, row0 + i, line)
            for num in line:
                self.roles.setdefault(num.start, "input")
        if len(cells) > 1:
            self.ledger.whole.add(name)
        return True

    def _has_rows_of(self, name: str, row0: int, cells: Cells) -> bool:
        """Whether what was given before of an input is what a matrix has there."""
        given = self.ledger.given.get(name, {})
        return all(
            value(given[at]) == value(num)
            for i, line in enumerate(cells, row0)
            for j, num in enumerate(line)
            if (at := (i, j)) in given
        )

    def remember(self, target: Ref, node: Node) -> bool:
        """Keep the working of each entry for the number that follows it.

        A quotient whose divisor stands above is put together from the head of a column, and nobody's working.
        """
        table = entries(node) if is_worked(node) else None
        if table is None or _is_of_head(node):
            return False
        origin = self.origin(target, table, node if len(table) > 1 or len(table[0]) == 1 else Row((), 0, 0))
        if origin is None and len(table) == 1:
            row = self.row(target, node)
            origin = None if row is None or len(table[0]) == 1 or target.col is not None else (row, 0, False)
        if origin is None:
            return False
        row0, col0, turned = origin
        first = next(numerals(node), None)
        line = self.context.line(first.start) if first is not None else 0
        for i, cells in enumerate(zip(*table, strict=True) if turned else table):
            for j, cell in enumerate(cells):
                if not isinstance(cell, Num):
                    self.pending[target.name, row0 + i, col0 + j] = cell, line, self.chains
        return True

    def _work(self, name: str, row: int, col: int, num: Num) -> Node | None:
        work, line, made = self.pending.pop((name, row, col), (None, 0, 0))
        below = self.context.line(num.start) - line
        return work if made not in self.ended and 0 <= below <= KEPT_LINES else None


def table_of(node: Node) -> tuple[tuple[Num, ...], ...] | None:
    """A literal as rows of numerals."""
    grid = grid_of(node)
    rows = grid.rows if grid is not None else ((node.items,) if isinstance(node, Row) else ((node,),))
    if any(not isinstance(cell, Num) for row in rows for cell in row):
        return None
    table = tuple(tuple(cell for cell in row if isinstance(cell, Num)) for row in rows)
    return table if table and table[0] and all(len(row) == len(table[0]) for row in table) else None


def _is_of_head(node: Node) -> bool:
    """Whether a list is divided by a number that stands before it."""
    match node:
        case Binary(op="/", left=Row() as over, right=Num() as under):
            return under.start < over.start
    return False
