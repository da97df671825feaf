"""Placing a literal: which entries of which quantity the numbers of a list or a matrix are."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from symattn.reading.notes.formulas.dots import spread
from symattn.reading.notes.formulas.formula import (
    Grid,
    Node,
    Num,
    Row,
    grid_of,
    numerals,
)
from symattn.reading.notes.formulas.names import INPUTS, Bases, Ref
from symattn.reading.notes.formulas.works import entries, is_worked
from symattn.reading.notes.layout.captions import caption, named
from symattn.reading.notes.layout.context import Context
from symattn.reading.notes.linking.apart import is_wave
from symattn.reading.notes.linking.attending import Share
from symattn.reading.notes.linking.closeness import agree
from symattn.reading.notes.linking.denote import ROOT
from symattn.reading.notes.linking.learned import MASK
from symattn.reading.notes.linking.ledger import value, values
from symattn.reading.notes.linking.locate import Locator
from symattn.reading.notes.linking.made import PROJECTED

RESIDUALS = {"residual_1": "norm_1", "residual_2": "norm_2"}
"""The norm that follows each residual: a mean below the residual is one of its rows."""
BIASED = frozenset({"masked", "exp", "sum", "A", "Z", "concat", "output"})
"""What a bias of positions changes."""
ROWED = frozenset({"X", "Q", "K", "V", "Z", "output"})
"""What has a row of numbers for each token."""
_WEIGHING = re.compile(
    r"\bsoftmax\b|\bweights?\b|\b(?:each|every) row|\b(?:check|verif)\w*|权重|每一?行|验证|检[查验]|核对",
    re.IGNORECASE,
)
_FORMULA = re.compile(r"=|\$\$|\\begin|\\\[|\d")
NEAR_ONE = Fraction(1, 50)
KEPT_LINES = 10
"""How many lines below a working its result may stand."""


class Placer(Locator):
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
        self.shifted: set[int] = set()
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
        table = table_of(node)
        origin = self.origin(target, table, node) if table else None
        if table is None or origin is None:
            return False
        row0, col0, turned = origin
        cells = tuple(zip(*table, strict=True)) if turned else table
        name = target.name
        height = self.size_of(name)[0] or 0
        if target.row is None and not turned and name not in INPUTS and 1 < len(cells) < height:
            begun = self.predictor.first_of(name, cells, height)
            if begun is None:
                return False
            row0 = begun
        if not (turned or col0) and self._is_wider(target, cells):
            return False
        if name in BIASED and self.context.is_biased(table[0][0].start):
            return False
        if name == "Z" and self._are_weights(cells) and not self._differs("A", row0, col0, cells):
            return self.place(replace(target, name="A"), node)
        if len(cells[0]) > 1 and self.predictor.is_less_greatest(name, row0, cells[0]):
            return False
        if name == "exp" and self.predictor.is_shifted(row0, cells[0]):
            self.shifted.add(row0)
        if name in ("exp", "sum") and row0 in self.shifted:
            return False
        begin = self.context.span(self.context.line(table[0][0].start))[0]
        if name == "sum" and isinstance(node, Num) and self.predictor.adds_others(row0, node, begin):
            return False
        if name == "sum" and isinstance(node, Num) and value(node) == 1 and self._of_weights(node, row0):
            self.role(node, "words")
            return True
        if name == ROOT and self.predictor.bare and value(cells[0][0]) == 1:
            self.role(node, "size")  # chosen, and not found
            return True
        if name == "W_O":
            self.renamed["projected"] = "output"
        if name == "concat":
            self.renamed["concat"] = "concat"
        if name in INPUTS or name == MASK:
            return self._give(name, row0, cells)
        if name == "scores" and self._rescaled(row0, col0, cells):
            return self.place(replace(target, name="scaled"), node)
        if self._disagrees(name, row0, col0, cells):
            smaller = name == "scores" and _in_proportion(self._pairs(name, row0, col0, cells))
            if smaller:
                return self.place(replace(target, name="scaled"), node)
            if (row0, col0) != (0, 0) or not self.predictor.supplants(name, cells):
                return False
            self.ledger.withdraw(name)
        self.ledger.next_group()
        first = cells[0][0].start
        loose = target.row is None and len(cells) == 1 and self.context.own_row(first) is None
        for i, line in enumerate(cells):
            for j, num in enumerate(line):
                if self.goes_on(name, row0 + i, col0 + j, num):
                    continue
                self.ledger.claim(
                    self._again(name, row0 + i, col0 + j, num),
                    row0 + i,
                    col0 + j,
                    num,
                    work=self._work(name, row0 + i, col0 + j, num),
                    example=self._is_example(name, cells, num),
                    loose=loose,
                )
            if len(cells) * len(line) > 1 or name == "sum":
                self.ledger.index_row(name, row0 + i, line)
        return True

    def _are_weights(self, cells: Sequence[Sequence[Num]]) -> bool:
        """Whether what is called the attention are its weights: shares of a whole, and no rows like V has."""
        if len(cells) < 2 or self.ledger.shape("V")[1] in (0, len(cells[0])):
            return False
        rows = [[value(num) or Fraction(0) for num in row] for row in cells]
        return all(min(row) >= 0 and abs(sum(row, Fraction(0)) - 1) < NEAR_ONE for row in rows)

    def _is_wider(self, target: Ref, cells: Sequence[Sequence[Num]]) -> bool:
        """Whether rows have more numbers than those that were printed: `k3: [1, 1, 2]` are scores of it.

        A row by its name is no longer than its projection: `q_1 = [1, 0, 0]` beside 3x2 W_Q is the row of X.
        """
        known = self.ledger.widths.get(target.name, 0) if target.name in ("Q", "K") else 0
        if target.name in PROJECTED and target.row is not None:
            known = known or self.size_of(target.name)[1] or 0
        return bool(known) and any(len(row) > known for row in cells)

    def _rescaled(self, row0: int, col0: int, cells: Sequence[Sequence[Num]]) -> bool:
        """Whether what is called scores is scaled: by its numbers, or anew below words that say so."""
        if not col0 and self.predictor.follow("scaled", row0, cells):
            rows, kinds = tuple(enumerate(cells, row0)), ("scaled", "scores")
            far = [sum(self.predictor.distance(name, *row) for row in rows) for name in kinds]
            known = [sum(self.predictor.explained(name, *row) for row in rows) for name in kinds]
            return far[0] < far[1] and known[0] > known[1]
        if all(agree(a, b) for a, b in self._pairs("scores", row0, col0, cells)):
            return False
        line = self.context.line(cells[0][0].start)
        while line > 0 and _FORMULA.search(self.context.said(line)):
            line -= 1
            if named(self.context.said(line), self.bases) == "scaled":
                break
        return caption(self.context, self.bases, line + 1) == "scaled"

    def _of_weights(self, num: Num, row: int) -> bool:
        """Whether a sum of 1 is that of weights: words on its line, they or another sum stand before."""
        said, _ = self.context.around(num.start, num.end)
        before = any(self.predictor.printed(name, row) for name in ("A", "sum")) or _WEIGHING.search(said)
        return bool(before) and self.predictor.sum_of(num, row) != row

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

    def _again(self, name: str, row: int, col: int, num: Num) -> str:
        """What an entry is of: a score that the mask leaves as it was printed is that score again."""
        sources = ("scaled", "scores") if name == "masked" else ()
        kept = (source for source in sources if source in self.ledger.first)
        source = next(kept, name)
        return source if self.ledger.entry(source, row, col) == value(num) else name

    def _is_example(self, name: str, cells: Sequence[Sequence[Num]], num: Num) -> bool:
        return len(cells) > 1 and name not in ("A", "Z") and self.context.example(num.start)

    def _disagrees(self, name: str, row0: int, col0: int, cells: Sequence[Sequence[Num]]) -> bool:
        """Whether a table differs from an earlier one of its name in most entries: another example.

        It is the same example where it has all the rows, and one of them was only put into another place.
        """
        whole = len(cells) == self.ledger.shape(name)[0]
        if whole and any(
            other == name and row != at
            for at, line in enumerate(cells)
            for other, row in self.ledger.rows_like(line)
        ):
            return False
        return self._differs(name, row0, col0, cells)

    def _differs(self, name: str, row0: int, col0: int, cells: Sequence[Sequence[Num]]) -> bool:
        """Whether other numbers than those of a table were printed in most of its places."""
        known = [(a, b) for a, b in self._pairs(name, row0, col0, cells) if value(a) or value(b)]
        return len(known) > 1 and 2 * sum(not agree(a, b) for a, b in known) > len(known)

    def _pairs(
        self, name: str, row0: int, col0: int, cells: Sequence[Sequence[Num]]
    ) -> list[tuple[Num, Num]]:
        """What was printed first for the entries of a table, beside what the table has there."""
        first = self.ledger.first.get(name, {})
        return [
            (made.num, num)
            for i, line in enumerate(cells)
            for j, num in enumerate(line)
            if (made := first.get((row0 + i, col0 + j))) is not None and value(num) is not None
        ]

    def _give(self, name: str, row0: int, cells: Sequence[Sequence[Num]]) -> bool:
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

    def _has_rows_of(self, name: str, row0: int, cells: Sequence[Sequence[Num]]) -> bool:
        """Whether what was given before of an input is what a matrix has there."""
        given = self.ledger.given.get(name, {})
        return all(
            value(given[at]) == value(num)
            for i, line in enumerate(cells, row0)
            for j, num in enumerate(line)
            if (at := (i, j)) in given
        )

    def remember(self, target: Ref, node: Node) -> bool:
        """Keep the working of each entry for the number that follows it."""
        table = entries(node) if is_worked(node) else None
        if table is None:
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


def _in_proportion(nums: Sequence[tuple[Num, Num]]) -> bool:
    """Whether numbers are others divided by one divisor above 1, as far as their digits tell."""
    pairs = [values(pair) for pair in nums]
    ratios = sorted(a / b for a, b in pairs if a and b)
    return (
        len(ratios) > 1
        and ratios[0] > 1
        and ratios[-1] < ratios[0] * Fraction(21, 20)
        and all(bool(a) == bool(b) for a, b in pairs)
    )


def table_of(node: Node) -> tuple[tuple[Num, ...], ...] | None:
    """A literal as rows of numerals."""
    grid = grid_of(node)
    rows = grid.rows if grid is not None else ((node.items,) if isinstance(node, Row) else ((node,),))
    if any(not isinstance(cell, Num) for row in rows for cell in row):
        return None
    table = tuple(tuple(cell for cell in row if isinstance(cell, Num)) for row in rows)
    return table if table and table[0] and all(len(row) == len(table[0]) for row in table) else None
