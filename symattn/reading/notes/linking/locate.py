"""Where a literal belongs: the row of a vector, the upper left entry of a table, the size of a quantity."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from symattn.reading.notes.formulas.formula import Node, Num, Row, grid_of, numerals
from symattn.reading.notes.formulas.names import ROWS, WEIGHTS, Bases, Ref
from symattn.reading.notes.formulas.works import Table, is_literal
from symattn.reading.notes.layout.context import Context
from symattn.reading.notes.linking.altered import Altered
from symattn.reading.notes.linking.closeness import agree
from symattn.reading.notes.linking.denote import ROOT
from symattn.reading.notes.linking.ledger import Ledger, values
from symattn.reading.notes.linking.made import PROJECTED
from symattn.reading.notes.linking.predict import SOURCES
from symattn.reading.notes.linking.start import QUERY_SIDE

STATISTICS = (".mean", ".variance", ".deviation")


class Locator:
    """Finds the place of literals in the account of one example.

    `turned` are the quantities that the document prints with tokens as columns.
    """

    def __init__(self, context: Context, bases: Bases, turned: frozenset[str] = frozenset()) -> None:
        self.context, self.bases, self.turned = context, bases, turned
        self.ledger = Ledger()
        self.sizes: dict[str, int] = {}
        self.others: list[int] = []
        """Where queries were told of which nobody says whose they are."""
        bare = context.declares_scale() == "1"
        self.predictor = Altered(self.ledger, self.sizes, bare, context.causal)

    def query(self, offset: int) -> int | None:
        """The query that the words before an offset speak of: the only one, whichever token it is of."""
        said = self.context.row(offset)
        return 0 if said is not None and self.bases.single else said

    def row(self, target: Ref, node: Node) -> int | None:
        """The row that a vector belongs to: said by its name, the only one, or the one being worked.

        Words can be about another row than the one below them, so a list is held against the other rows, and
        another sum than the one of its row is of the row whose exponentials add up to it.
        """
        row = self._said_row(target, node)
        first = self.ledger.first.get("sum", {}).get((row, 0)) if row is not None else None
        if target.name == "sum" and isinstance(node, Num) and first and not agree(first.num, node):
            return self.predictor.sum_of(node, row)
        return row

    def _said_row(self, target: Ref, node: Node) -> int | None:
        """The row that a vector belongs to by its name, by the words around it and by its numbers."""
        if target.row is not None:
            return target.row
        nums = tuple(numerals(node))
        of = self.query if target.name in QUERY_SIDE else self.context.row
        if target.name == "Q" and self.bases.single and self._is_of_another_row(nums):
            self.bases = replace(self.bases, single=False)
        here = of(nums[0].start) if nums else None
        if here is not None and self.bases.single and target.name in QUERY_SIDE:
            return here
        if here is None and target.name in QUERY_SIDE:
            fresh = target.name == "Q" and not self.ledger.shape("Q")[0] and not self.ledger.shape("X")[0]
            if fresh or self._is_another(target, nums):
                self.others += [] if fresh else [nums[0].start]
                return 0 if fresh else None
            only = self._only_row(target.name, nums) if nums else self.ledger.only_row("Q")
            below = bool(nums and self.others) and self.others[0] < nums[0].start
            if (
                below
                and only is not None
                and 2 * self.predictor.explained(target.name, only, nums) < len(nums)
            ):
                return None  # what stands below another query is of that one
            return only
        if here is None or not is_literal(node):
            return here
        sure = self.context.is_sure_of_row(nums[0].start)
        return self.predictor.row_of(target.name, nums, here, sure=sure)

    def _is_of_another_row(self, nums: Sequence[Num]) -> bool:
        """Whether the only query that has no number is that of a later token, by its words and numbers."""
        said = self.context.row(nums[0].start) if nums else None
        if not said or self.ledger.shape("X")[0] <= said:
            return False
        fits = [self.predictor.explained("Q", row, nums) for row in (0, said)]
        return fits[0] < fits[1] == len(nums)

    def _only_row(self, name: str, nums: Sequence[Num]) -> int | None:
        """The row printed last entry by entry, of the only query, or the only one of what it is made of."""
        last = self.ledger.last_before(name, nums[0].start)
        if last is not None and self._spells(name, last[1], nums):
            return last[1]
        sources = ("Q", *(source for source in SOURCES.get(name, ()) if source not in ("K", "V")))
        rows = (self.ledger.only_row(source) for source in sources)
        only = next((row for row in rows if row is not None), None)
        followed = self.predictor.step_of(nums, only, (name,)) if only is not None else None
        return followed[1] if followed is not None else only

    def _spells(self, name: str, row: int, nums: Sequence[Num]) -> bool:
        """Whether the entries that were printed of a row, one by one, are a list of several numbers."""
        printed = [self.ledger.entry(name, row, col) for col in range(len(nums))]
        return len(nums) > 1 and tuple(printed) == values(nums)

    def _is_another(self, target: Ref, nums: Sequence[Num]) -> bool:
        """Whether `Q = [3, 4]` below `Q = [1, 2]` is of another token, and nobody says which."""
        printed = [self.ledger.entry("Q", 0, col) for col in range(len(nums))]
        return target == Ref("Q") and None not in printed and printed != list(values(nums))

    def origin(
        self, target: Ref, table: Table | Sequence[Sequence[Node]], node: Node
    ) -> tuple[int, int, bool] | None:
        """Where the upper left entry of a table belongs, and whether the table is transposed."""
        rows, cols = len(table), len(table[0])
        if target.name == ROOT:
            return (0, 0, False) if rows == cols == 1 else None
        if target.row is not None and target.col is not None and target.name != "sum":
            return (target.row, target.col, False) if rows == cols == 1 else None
        if target.name in ("past_K", "past_V") and rows == 1:
            return 0, 0, False
        cached = self.ledger.shape(f"past_{target.name}")[0]
        if cached and rows == 1 and (target.row is None or self._is_new(target.name, target.row, table[0])):
            return cached, 0, False  # the key or the value of the new token stands behind those of the cache
        if target.name == "sum" or target.name.endswith(STATISTICS):
            if rows == cols == 1:
                row = self.row(target, node)
                return None if row is None else (row, 0, False)
            return 0, 0, rows == 1
        if target.name in ROWS:
            return (0, 0, cols == 1) if 1 in (rows, cols) else None
        if target.name in WEIGHTS and rows == 1 < cols and target.row is None:
            return 0, 0, False
        if rows == 1 and (grid_of(node) is None or self._is_one_of_many(target)):
            row = self._row_of_matrix(target, node) if grid_of(node) is not None else self.row(target, node)
            return None if row is None or (cols == 1 and not isinstance(node, Row)) else (row, 0, False)
        if target.row is not None:
            return (target.row, 0, cols == 1 and rows > 1) if 1 in (rows, cols) else None
        height, width = self.size_of(target.name)
        if cols == 1 < rows == width and (height or 1) == 1 and target.name in QUERY_SIDE:
            row = self._row_of_matrix(target, node)
            return None if row is None else (row, 0, True)  # a row that is printed as a column
        return 0, 0, target.transposed != (target.name in self.turned)

    def _is_new(self, name: str, row: int, nodes: Sequence[Node]) -> bool:
        """Whether a vector is not the one of its row in the cache: its index may count otherwise.

        One that half agrees with it is new where it is what the weights make of an input.
        """
        past = self.ledger.given[f"past_{name}"]
        nums = [num for num in nodes if isinstance(num, Num)]
        known = [(past[row, col], num) for col, num in enumerate(nums) if (row, col) in past]
        alike = sum(agree(*pair) for pair in known)
        if 2 * alike == len(known):
            inputs = {at for at, _ in self.ledger.given.get("X", {})}
            return any(self.predictor.explained(name, at, nums) == len(nums) for at in inputs)
        return 2 * alike < len(known)

    def _is_one_of_many(self, target: Ref) -> bool:
        """Whether a single printed row is one of several, and its name does not say which."""
        return target.row is None and target.name in QUERY_SIDE and self.ledger.shape("Q")[0] > 1

    def _row_of_matrix(self, target: Ref, node: Node) -> int | None:
        """The row that a matrix of one row is: the one that its numbers follow, else that of the words."""
        nums = tuple(numerals(node))
        at = self.predictor.step_of(nums, self.context.row(nums[0].start), (target.name,))
        return at[1] if at is not None else self.row(target, node)

    def size_of(self, name: str) -> tuple[int | None, int | None]:
        """How many rows and columns a quantity has, as far as what was given says it."""
        tokens = self.ledger.shape("X")[0] or self.ledger.shape("Q")[0] or len(self.bases.tokens)
        keys = self.ledger.shape("K")[0] or tokens
        if name in ("scores", "scaled", "masked", "exp", "A"):
            return tokens or None, keys or None
        width = self.ledger.shape({"Z": "V"}.get(name, name))[1]
        if not width and name in PROJECTED:
            inner = self.size_of("V")[1] if name == "output" else self.ledger.shape("X")[1]
            sides = self.ledger.shape(PROJECTED[name])
            width = sides[1] if sides[0] == inner else sides[0] if sides[1] == inner else 0
        return (keys if name in ("K", "V") else tokens) or None, width or None
