"""Parts of a matrix and matrices put together: the columns of each head, the rows of a token or a block, the
outputs of heads side by side, and rows one below the other, as a cache of keys grows.

Vaswani et al. 2017, section 3.2.2, for heads.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import chain
from typing import ClassVar, TypeVar

from msgspec.structs import replace

from symattn.exact.matrix import Matrix
from symattn.exact.shapes import Shape, require
from symattn.floats.arrays import Floats, np
from symattn.floats.tables import Table
from symattn.plans.gradient import Differentiable, Forward, Share, Shares
from symattn.plans.kinds import Part
from symattn.plans.operation import Mistake, Operation, Slip, Working
from symattn.plans.plan import Line
from symattn.plans.slips import mistake
from symattn.text.notation import Call, Formula, Grid, Number, Symbol

T = TypeVar("T")


class Taken:
    """Among the bases of an operation that takes the rows or columns `start` to before `stop`, from 0."""

    start: int
    stop: int

    def _within(self, shape: Shape, count: int, en: str, zh: str) -> int:
        """How many are taken of the `count` rows or columns, which `en` and `zh` call by name."""
        require(
            0 <= self.start < self.stop <= count,
            (shape, self.start + 1, self.stop, count),
            f"{en} {{1}} to {{2}} of a {{0}} matrix",
            f"{{0}} 矩阵没有第 {{1}} 至 {{2}} {zh}",
            f"there are {{3}} {en}",
            f"共有 {{3}} {zh}",
        )
        return self.stop - self.start

    @property
    def _where(self) -> Formula:
        first, last = self.start + 1, self.stop
        return Number(str(first)) if first == last else Symbol(f"{first}:{last}")


class Columns(Taken, Part, Differentiable, frozen=True):
    """The columns `start` to before `stop` (from 0) of a matrix: one head's part of Q, K or V."""

    finite_decimals: ClassVar[bool] = True
    working: ClassVar[Working] = "none"
    example_fields: ClassVar[tuple[int, ...]] = (1, 2)
    example_arguments: ClassVar = ([[1, 2], [3, 5]],)

    def shape(self, *shapes: Shape) -> Shape:
        n, m = shapes[0]
        return n, self._within(shapes[0], m, "[columns|rows]", "[列|行]")

    def exact(self, *arguments: Matrix) -> Matrix:
        return arguments[0].columns(self.start, self.stop)

    def floats(self, *arguments: Floats) -> Floats:
        return arguments[0][:, self.start : self.stop]

    def moves(self, *tables: Table) -> Table | None:
        return [row[self.start : self.stop] for row in tables[0]]

    def formula(self, *arguments: Formula) -> Formula:
        return Call("columns", (arguments[0], self._where))

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        return arguments[0].rows[i][self.start + j]

    def gradient(self, line: Line, g: str, forward: Forward) -> Shares:
        return (Share(line.args[0], None, (), self.start),)

    def slips(self) -> tuple[Slip, ...]:
        if self.start == 0:
            return ()
        width = self.stop - self.start
        return (
            mistake(
                "head-columns-of-neighbour", replace(self, start=self.start - width, stop=self.stop - width)
            ),
        )


class SharedColumns(Columns, frozen=True):
    """The columns of K or V that a head shares with its group: contiguous groups of heads.

    Ainslie et al. 2023 (grouped-query attention), section 2.2; one group for all heads is Shazeer 2019
    (multi-query attention). `elsewhere` is the first column of the group that counting the groups in
    turn (1, 2, 1, 2 for 1, 1, 2, 2) would give.
    """

    example_fields: ClassVar = (0, 1, 1)
    elsewhere: int | None = None

    def slips(self) -> tuple[Slip, ...]:
        if self.elsewhere is None or self.elsewhere == self.start:
            return ()
        width = self.stop - self.start
        return (
            mistake(
                "groups-interleaved",
                replace(self, start=self.elsewhere, stop=self.elsewhere + width, elsewhere=None),
            ),
        )


class Rows(Taken, Operation, frozen=True):
    """The rows `start` to before `stop` (from 0) of a matrix: a token's query, a block of values."""

    finite_decimals: ClassVar[bool] = True
    working: ClassVar[Working] = "none"
    example_fields: ClassVar = (1, 2)
    example_arguments: ClassVar = ([[1, 2], [3, 5]],)
    start: int
    stop: int

    def shape(self, *shapes: Shape) -> Shape:
        n, m = shapes[0]
        return self._within(shapes[0], n, "[rows|columns]", "[行|列]"), m

    def exact(self, *arguments: Matrix) -> Matrix:
        return arguments[0].taken(range(self.start, self.stop), range(arguments[0].shape[1]))

    def floats(self, *arguments: Floats) -> Floats:
        return arguments[0][self.start : self.stop]

    def moves(self, *tables: Table) -> Table | None:
        return tables[0][self.start : self.stop]

    def formula(self, *arguments: Formula) -> Formula:
        return Call("row" if self.stop == self.start + 1 else "rows", (arguments[0], self._where))

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        return arguments[0].rows[self.start + i][j]

    def slips(self) -> tuple[Slip, ...]:
        height = self.stop - self.start
        if self.start < height:
            return ()
        return (
            mistake(
                "rows-of-the-one-before", replace(self, start=self.start - height, stop=self.stop - height)
            ),
        )


class Joined(Operation, Differentiable, frozen=True):
    """Matrices put together along an `axis`: 1 side by side, 0 one below the other."""

    finite_decimals: ClassVar[bool] = True
    working: ClassVar[Working] = "none"
    axis: ClassVar[int]
    called: ClassVar[str]
    part: ClassVar[type[Columns | Rows]]
    unfit: ClassVar[tuple[str, str, str, str]]

    def shape(self, *shapes: Shape) -> Shape:
        across = shapes[0][1 - self.axis]
        for shape in shapes[1:]:
            require(shape[1 - self.axis] == across, (shapes[0], shape), *self.unfit)
        along = sum(shape[self.axis] for shape in shapes)
        return (across, along) if self.axis else (along, across)

    def _ordered(self, parts: tuple[T, ...]) -> tuple[T, ...]:
        return parts

    def _rows(self, *parts: Iterable[Sequence[T]]) -> list[list[T]]:
        """The rows of the whole from those of its parts."""
        ordered = self._ordered(parts)
        if self.axis:
            return [list(chain(*rows)) for rows in zip(*ordered, strict=True)]
        return [list(row) for row in chain(*ordered)]

    def exact(self, *arguments: Matrix) -> Matrix:
        return Matrix.of(self._rows(*(matrix.rows() for matrix in arguments)))

    def floats(self, *arguments: Floats) -> Floats:
        return np.concatenate(self._ordered(arguments), axis=self.axis)

    def moves(self, *tables: Table) -> Table | None:
        return self._rows(*tables)

    def formula(self, *arguments: Formula) -> Formula:
        return Call(self.called, arguments)

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        if self.axis:
            return self._rows(*(grid.rows[i : i + 1] for grid in arguments))[0][j]
        return self._rows(*(grid.rows for grid in arguments))[i][j]

    def gradient(self, line: Line, g: str, forward: Forward) -> Shares:
        """Each part has its rows or columns of the gradient."""
        shares, start = [], 0
        for name in line.args:
            stop = start + forward.shapes[name][self.axis]
            shares.append(Share(name, self.part(start, stop), (g,)))
            start = stop
        return tuple(shares)


class Concatenate(Joined, frozen=True):
    """[Z_1 | Z_2 | ...]: outputs (n_q, d_v) of the heads side by side; result (n_q, h d_v)."""

    rowwise: ClassVar[bool] = True
    axis: ClassVar = 1
    called: ClassVar = "Concat"
    part: ClassVar = Columns
    unfit: ClassVar = (
        "heads of {0} and {1} cannot stand [side by side|one below the other]",
        "{0} 与 {1} 的头不能拼接",
        "every head needs one [row|column] for each query",
        "每个头都应有与查询数相同的[行|列]数",
    )
    example_arguments: ClassVar = ([[1], [3]], [[2], [5]])

    def exact(self, *arguments: Matrix) -> Matrix:
        return reduce(lambda whole, part: whole.beside(part), self._ordered(arguments))

    def slips(self) -> tuple[Slip, ...]:
        return (mistake("heads-reversed", ReversedHeads()),)


class ReversedHeads(Mistake, Concatenate, frozen=True):
    """The mistake of the last head first."""

    def _ordered(self, parts: tuple[T, ...]) -> tuple[T, ...]:
        return parts[::-1]


class Stack(Joined, frozen=True):
    """Matrices of equal width one below the other: a cache with the new key below, the rows of an output."""

    axis: ClassVar = 0
    called: ClassVar = "Stack"
    part: ClassVar = Rows
    unfit: ClassVar = (
        "{0} and {1} cannot stand [one below the other|side by side]",
        "{0} 与 {1} 不能拼接",
        "both need the same number of [columns|rows]",
        "两者的[列|行]数必须相同",
    )
    example_arguments: ClassVar = ([[1, 2], [3, 5]], [[2, -1]])

    def slips(self) -> tuple[Slip, ...]:
        return (mistake("stacked-in-reverse", ReversedStack()),)


class ReversedStack(Mistake, Stack, frozen=True):
    """The mistake of the last rows first."""

    def _ordered(self, parts: tuple[T, ...]) -> tuple[T, ...]:
        return parts[::-1]
