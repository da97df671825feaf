"""What every part of a page looks at: the case, the derivation, the voice, the numbers, and what is shown."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct, field
from msgspec.structs import replace

from symattn.attention.case import Case
from symattn.attention.quantities import QUANTITIES
from symattn.attention.recipes.columns import as_columns
from symattn.exact.forms.tree import Style
from symattn.exact.forms.width import width
from symattn.exact.matrix import Matrix
from symattn.exact.names import Names, in_names
from symattn.exact.number import Exact, Infinite
from symattn.exact.whole import Whole
from symattn.narrate.example import example
from symattn.narrate.labels import labels
from symattn.narrate.names import entry, symbol
from symattn.narrate.numbers import ENDLESS, Link, Numbers, common_places, is_numeral, length, padded
from symattn.narrate.typed import typed
from symattn.narrate.voice import Voice
from symattn.plans.derive import Derivation
from symattn.plans.plan import Line
from symattn.plans.transposed import transposed_derivation
from symattn.plans.weights import Order, by_name, order_of
from symattn.text.notation import Dots, Entry, Formula, Grid, Marked, Relation, rewritten
from symattn.text.notation import Product as Times

if TYPE_CHECKING:
    from symattn.checks.facts import Fact

LARGEST = 12  # rows or columns that are shown whole
KEPT = 4  # of a larger matrix, before the dots and the last one
MOST_ENTRIES = 16
LONG_CELL = 13
LONG_OPERAND = 16

Cell = Callable[[int, int], Formula]

Detail = Literal["result", "steps", "some", "entries"]
"""How much a page works out: the result alone, one entry of each step, the first entries, or all of them."""


class Page(Struct, frozen=True, eq=False, dict=True):
    """One page being written."""

    case: Case
    derivation: Derivation
    voice: Voice
    numbers: Numbers
    styles: Mapping[str, Style] = field(default_factory=dict)
    facts: tuple[Fact, ...] = ()
    only: frozenset[str] = frozenset()
    detail: Detail = "some"
    headed: bool = True
    _even: dict[str, int] = field(default_factory=dict)
    _seen: dict[str, tuple[Matrix, ...]] = field(default_factory=dict)
    _closer: dict[int, Page] = field(default_factory=dict)

    @cached_property
    def by_rows(self) -> Derivation:
        """The computation with tokens as rows, wherever they are on the page."""
        return transposed_derivation(self.derivation) if self.columns else self.derivation

    def closer(self, more: int) -> Page:
        """The page with so many places more in its decimals."""
        if not more:
            return self
        if more not in self._closer:
            self._closer[more] = replace(self, numbers=self.numbers.closer(more), _even={}, _closer={})
        return self._closer[more]

    def of(self, name: str) -> Numbers:
        """How the numbers of a quantity print: in the style of the givens that it comes from."""
        return self.numbers.styled(self.styles.get(name, self.numbers.style))

    @property
    def every_entry(self) -> bool:
        """Whether all entries are worked out."""
        return self.detail == "entries"

    @property
    def short(self) -> bool:
        """Whether one entry of each step is worked out, and what it uses is marked."""
        return self.detail in ("result", "steps")

    @property
    def columns(self) -> bool:
        """Whether tokens are columns."""
        return as_columns(self.case)

    def order(self, name: str) -> Order | None:
        """The order of the weights of that name; None for what is no matrix of weights."""
        return order_of(self.by_rows.line(name), by_name(self.by_rows))

    def entry(self, name: str, i: int, j: int | None = None) -> Entry:
        """The name of an entry of `computation`, of token i, as the page has it."""
        if j is None or not self.columns:
            return entry(name, i, j)
        return entry(name, j, i)

    def named(self, name: str, i: int, j: int) -> Formula:
        """Entry (i, j) of a matrix by name; a single number has no indices."""
        quantity = QUANTITIES.of(name)
        return symbol(name) if quantity is not None and quantity.scalar else entry(name, i, j)

    def bare(self, name: str, grid: Grid) -> Formula:
        """A matrix of the page written out; a single number has no brackets."""
        quantity = QUANTITIES.of(name)
        return grid.rows[0][0] if quantity is not None and quantity.scalar else grid

    def by_token(self, name: str) -> Cell:
        """The entries of a matrix of `computation` as they stand in worked products."""
        cell = self.operand(name)
        return (lambda i, j: cell(j, i)) if self.columns else cell

    def product(self, left: Formula, right: Formula) -> Formula:
        """A term of a worked matrix product of `computation`, its factors in the order of the page."""
        return Times((right, left) if self.columns else (left, right), "dot")

    def shows(self, name: str) -> bool:
        """Whether the step of that name is on the page."""
        return not self.only or name in self.only

    def kept(self, n: int) -> tuple[int | None, ...]:
        """The rows (or columns) of n that are shown; None stands for dots."""
        if n <= LARGEST or self.every_entry:
            return tuple(range(n))
        return (*range(KEPT), None, n - 1)

    def whole(self, matrix: Matrix) -> bool:
        """Whether a matrix is shown without dots."""
        return self.every_entry or max(matrix.shape) <= LARGEST

    def grid(self, name: str, cell: Cell | None = None, *, even: bool = False) -> Grid:
        """The matrix `name` written out, its rows and columns labelled; `cell` gives an entry."""
        matrix = self.derivation[name]
        rows, cols = (self.kept(n) for n in matrix.shape)
        cell = cell or self.operand(name)
        cells = tuple(tuple(_dots(i, j) or cell(i or 0, j or 0) for j in cols) for i in rows)
        row_names, col_names = self.labels(name)
        return Grid(
            cells,
            tuple("" if i is None else row_names[i] for i in rows) if row_names else (),
            tuple("" if j is None else col_names[j] for j in cols) if col_names else (),
        )

    def marked(self, name: str, grid: Grid, places: Collection[tuple[int, int]]) -> Grid:
        """The matrix with its entries at these places, counted in the whole matrix, marked as used."""
        if not places:
            return grid
        rows, cols = (self.kept(n) for n in self.derivation[name].shape)
        cells = tuple(
            tuple(
                Marked(cell, "used") if (i, j) in places else cell for j, cell in zip(cols, row, strict=True)
            )
            for i, row in zip(rows, grid.rows, strict=True)
        )
        return replace(grid, rows=cells)

    def labels(self, name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The tokens that stand beside the rows and above the columns of a quantity, if they fit."""
        beside, above = self.labels_by_token(name)
        return (above, beside) if self.columns else (beside, above)

    @cached_property
    def queries(self) -> tuple[str, ...]:
        """The labels of the tokens that ask."""
        return labels(self.case.tokens)

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The labels of the tokens that are attended to."""
        return labels(self.case.memory_tokens) or self.queries

    def labels_by_token(self, name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The tokens of the rows and of the columns of a quantity of `computation`."""
        rows, cols = self.by_rows[name].shape
        queries, keys = self.queries, self.keys
        quantity = QUANTITIES.counted(name)
        if quantity is None:
            return (), ()
        beside = keys if quantity.per_key else queries if quantity.per_query else ()
        above = keys if quantity.square else ()
        return (beside if len(beside) == rows else ()), (above if len(above) == cols else ())

    def measured(self, name: str) -> Matrix:
        """A matrix as its decimals are found: a product that is carried by name, and not made."""
        matrix = self.derivation[name]
        return matrix.named(name) if isinstance(matrix, Whole) else matrix

    def shown(self, name: str) -> list[list[Exact]]:
        """The entries of a matrix that stand on the page, without the dots."""
        matrix = self.measured(name)
        rows, cols = ([k for k in self.kept(n) if k is not None] for n in matrix.shape)
        return [[matrix[i, j] for j in cols] for i in rows]

    def literal(self, name: str) -> Cell:
        """The entries of a matrix as typed, or in closed form."""
        if name in self.case.given and name not in self.derivation.values:
            given = self.case.given[name]
            return lambda i, j: typed(given, i, j, self.of(name).style)
        matrix = self.derivation[name]
        return lambda i, j: self.of(name).exact(matrix[i, j])

    def operand(self, name: str) -> Cell:
        """The entries as they stand in worked products: by name where the closed form is long."""
        if name in self.case.given and name not in self.derivation.values:
            return self.literal(name)
        matrix, even = self.derivation[name], self.even(name)

        def cell(i: int, j: int) -> Formula:
            x = matrix[i, j]
            if (x.algebraic is None and not isinstance(x, Infinite)) or in_names(x):
                return self.named(name, i, j)
            form = padded(self.of(name).exact(x), even)
            return form if form != ENDLESS and width(form) <= LONG_OPERAND else self.named(name, i, j)

        return cell

    def even(self, name: str) -> int:
        """The decimal places of every entry of a matrix of numerals, 0 of any other matrix."""
        if name not in self._even:
            shown = self.shown(name)
            plain = all(x.rational is not None or isinstance(x, Infinite) for row in shown for x in row)
            self._even[name] = common_places(self.of(name).exact_cells(shown)) if plain else 0
        return self._even[name]

    def arguments(self, line: Line) -> tuple[Matrix, ...]:
        """The arguments of a line as it saw them, made once for all its entries."""
        if line.name not in self._seen:
            self._seen[line.name] = line.arguments(dict(self.derivation.items()), Names())
        return self._seen[line.name]

    def closed(self, name: str, x: Exact, working: Formula) -> tuple[Link, ...]:
        """`= exact ≈ decimal` of an entry, with the decimal places that it has in its matrix."""
        even = self.even(name)
        return tuple((sign, padded(form, even)) for sign, form in self.of(name).links(x, working))

    def written(self, name: str) -> tuple[Relation, Grid] | None:
        """A matrix as a factor: exact (`=`) where that is short, in decimals (`≈`) otherwise, or None."""
        if name in self.case.given and name not in self.derivation.values:
            return "=", self.grid(name, self.literal(name))
        exact = self.exact_grid(name)
        if exact is not None and all(x.algebraic is not None for row in self.shown(name) for x in row):
            return "=", exact
        return self.decimal_grid(name)

    def exact_grid(self, name: str) -> Grid | None:
        """A matrix in closed form, or None where an entry is too long or in names."""
        shown = self.shown(name)
        if any(in_names(x) for row in shown for x in row):
            return None
        if any(length(self.of(name).exact(x)) > LONG_CELL for row in shown for x in row):
            return None  # and the rest is not even written
        cells = self.of(name).exact_cells(shown)
        if any(length(cell) > LONG_CELL for row in cells for cell in row):
            return None
        return self._placed(name, cells)

    def decimal_grid(self, name: str) -> tuple[Relation, Grid] | None:
        """A matrix in decimals with its relation sign, or None with free symbols."""
        found = self.numbers.decimal_cells(self.shown(name))
        return None if found is None else (found[0], self._placed(name, found[1]))

    def _placed(self, name: str, cells: tuple[tuple[Formula, ...], ...]) -> Grid:
        at_row, at_col = (
            {k: p for p, k in enumerate(k for k in self.kept(n) if k is not None)}
            for n in self.derivation[name].shape
        )
        return self.grid(name, lambda i, j: cells[at_row[i]][at_col[j]])

    def values(self, name: str) -> tuple[Link, ...]:
        """`= closed forms ≈ decimals` of a whole matrix, as far as they are readable."""
        exact = self.exact_grid(name)
        links: list[Link] = [("=", exact)] if exact is not None else []
        if exact is None or any(
            not is_numeral(cell) for row in exact.rows for cell in row if not isinstance(cell, Dots)
        ):
            decimals = self.decimal_grid(name)
            links += [decimals] if decimals is not None else []
        return tuple(links)

    def places(self, name: str) -> tuple[tuple[int, int], ...]:
        """The entries that are worked out, in index order."""
        matrix = self.derivation[name]
        if self.short:
            return (example(self.derivation, name),)
        n, m = matrix.shape
        if self.every_entry or (n * m <= MOST_ENTRIES and self.whole(matrix)):
            return tuple((i, j) for i in range(n) for j in range(m))
        rows, cols = (min(k, KEPT if k > LARGEST else LARGEST) for k in (n, m))
        return tuple((i, j) for i in range(rows) for j in range(cols))[:MOST_ENTRIES]

    def left_out(self, name: str) -> bool:
        """Whether a page says that entries of the matrix are not worked out; a short one says so once."""
        if self.short:
            return False
        n, m = self.derivation[name].shape
        return len(self.places(name)) < n * m


def _dots(i: int | None, j: int | None) -> Formula | None:
    if i is None:
        return Dots("diagonal") if j is None else Dots("down")
    return Dots("across") if j is None else None


def with_put_in(working: Formula, known: Mapping[Formula, Formula]) -> Formula:
    """A working with what is `known` of its parts put in; products of dots become one row of dots."""

    def put_in(part: Any) -> Formula | None:
        several = isinstance(part, Times) and any(isinstance(factor, Dots) for factor in part.factors)
        return Dots() if several or isinstance(part, Dots) else known.get(part)

    return rewritten(working, put_in)
