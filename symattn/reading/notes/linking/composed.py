"""Matrices outside of every walk that two matrices before them make: their sum, or their product.

`The sums are`, and below a matrix: no name says of what, but its numbers do. A number that differs is tied as
well where most others agree, with more digits than chance would.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.formula import Binary, Grid, Node, Num, grid_of, last_of, numerals
from symattn.reading.notes.formulas.works import WRITTEN, is_literal
from symattn.reading.notes.linking.closeness import is_decimal, unit
from symattn.reading.notes.linking.ledger import size

BACK = 8
"""How many matrices before one are tried."""
LARGEST = 144
FEWEST = 3
DIGITS, DIGITS_OF_MOST = 6, 7
"""How many digits agree that tell what a matrix is: where all numbers agree, and where most do."""


@dataclass(frozen=True)
class Matrix:
    """A printed matrix of numbers, with what these are about."""

    rows: Sequence[Sequence[Num]]

    @cached_property
    def sizes(self) -> Sequence[Sequence[float]]:
        """How large the numbers are."""
        return [[size(num) or 0.0 for num in row] for row in self.rows]

    @cached_property
    def rooms(self) -> Sequence[Sequence[float]]:
        """How far off what is made of each number may be by its rounding."""
        return [[0.5 * unit(num) if is_decimal(num) else 0.0 for num in row] for row in self.rows]

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.rows), len(self.rows[0])

    @cached_property
    def T(self) -> Matrix:
        """The transpose."""
        return Matrix(list(zip(*self.rows, strict=True)))


@dataclass(frozen=True, slots=True)
class _Way:
    """How the entry of a matrix is made of two others: about what it is, and how far off it may be."""

    left: Matrix
    right: Matrix
    op: str

    def entry(self, i: int, j: int) -> tuple[float, float]:
        """What an entry is, and how much the rounding of its operands may move it."""
        a, b, u, v = self.left.sizes, self.right.sizes, self.left.rooms, self.right.rooms
        if self.op == "+":
            return a[i][j] + b[i][j], u[i][j] + v[i][j]
        inner = range(len(b))
        made = sum(a[i][k] * b[k][j] for k in inner)
        return made, sum(abs(a[i][k]) * v[k][j] + abs(b[k][j]) * u[i][k] for k in inner)

    def written(self, i: int, j: int) -> Node:
        """The formula of an entry."""
        a, b = self.left.rows, self.right.rows
        if self.op == "+":
            return Binary("+", a[i][j], b[i][j])
        terms: list[Node] = [Binary("*", a[i][k], b[k][j]) for k in range(len(b))]
        return WRITTEN.summed(terms)


def composed(found: Sequence[Item], is_open: Callable[[Num], bool]) -> Iterator[tuple[Num, Node, bool]]:
    """The numbers of such matrices, each with the formula that it is the value of, and whether it agrees."""
    before: list[Matrix] = []
    for item in found:
        grid = grid_of(last_of(item.node))
        if grid is None or item.broken or not _is_plain(grid):
            continue
        matrix = Matrix([[cell for cell in row if isinstance(cell, Num)] for row in grid.rows])
        if any(each.sizes == matrix.sizes for each in before):
            continue
        if all(is_open(num) for row in matrix.rows for num in row):
            yield from _made(matrix, before)
        before.append(matrix)
        del before[:-BACK]


def _is_plain(grid: Grid) -> bool:
    """Whether a matrix is one of numbers with several rows and columns, and not too large."""
    n, m = len(grid.rows), len(grid.rows[0])
    sized = n > 1 < m and n * m <= LARGEST and is_literal(grid) and all(len(row) == m for row in grid.rows)
    return sized and not any(num.text.endswith("inf") for num in numerals(grid))


def _made(matrix: Matrix, before: Sequence[Matrix]) -> Iterator[tuple[Num, Node, bool]]:
    """The numbers of a matrix with the way that makes most of them, if one does."""
    best: tuple[int, _Way, set[tuple[int, int]]] | None = None
    rivals = False
    for way in _ways(matrix, before):
        wrong = _wrong(matrix, way)
        if wrong is None:
            continue
        rank = len(wrong)
        rivals = best is not None and best[0] == rank
        if best is None or rank < best[0]:
            best, rivals = (rank, way, wrong), False
    if best is None or (rivals and best[0]):
        return
    _, way, wrong = best
    for i, row in enumerate(matrix.rows):
        for j, num in enumerate(row):
            yield num, way.written(i, j), (i, j) not in wrong


def _ways(matrix: Matrix, before: Sequence[Matrix]) -> Iterator[_Way]:
    """The sums and the products of the matrices before one that have its shape, the nearest first."""
    shape = matrix.shape
    near = before[::-1]
    for k, right in enumerate(near):
        for n, left in enumerate(near):
            if n > k and left.shape == right.shape == shape:
                yield _Way(left, right, "+")
            for factor in (right, right.T) if n != k else (right.T,):
                if left.shape[1] == factor.shape[0] and (left.shape[0], factor.shape[1]) == shape:
                    yield _Way(left, factor, "*")


def _wrong(matrix: Matrix, way: _Way) -> set[tuple[int, int]] | None:
    """The entries that a way does not make, None where these are too many or what agrees tells nothing."""
    count = matrix.shape[0] * matrix.shape[1]
    wrong: set[tuple[int, int]] = set()
    digits = fits = 0
    told = set[str]()
    for i, row in enumerate(matrix.rows):
        for j, num in enumerate(row):
            made, room = way.entry(i, j)
            own = 1.01 * unit(num) * is_decimal(num) + 1e-9
            off = abs(made - matrix.sizes[i][j])
            if off > own + room:
                wrong.add((i, j))
                if 4 * len(wrong) > count:
                    return None
                continue
            fits += 1
            told |= {num.text} if matrix.sizes[i][j] else set()
            if off <= own:  # what only the rounding of its operands allows tells nothing
                digits += len(num.text.lstrip("-0.").replace(".", "").rstrip("0"))
    if wrong and len(told) < FEWEST:  # the same few numbers are found again in many products
        return None
    return wrong if fits >= FEWEST and digits >= (DIGITS_OF_MOST if wrong else DIGITS) else None
