"""Heads: each head's columns of Q, K, V, and the heads' outputs side by side. Vaswani et al. 2017, 3.2.2."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from symattn.exact.matrix import Matrix
from symattn.exact.shapes import Shape, require
from symattn.floats.arrays import Floats, np
from symattn.floats.tables import Table
from symattn.plans.gradient import Differentiable, Forward, Share, Shares
from symattn.plans.kinds import Part
from symattn.plans.operation import Mistake, Operation, Slip, Working
from symattn.plans.plan import Line
from symattn.text.bilingual import Bilingual, oriented
from symattn.text.notation import Call, Formula, Grid, Number, Symbol


class Columns(Part, Differentiable, frozen=True):
    """The columns `start` to before `stop` (from 0) of a matrix: one head's part of Q, K or V."""

    finite_decimals: ClassVar[bool] = True
    working: ClassVar[Working] = "none"
    example_fields: ClassVar[tuple[int, ...]] = (1, 2)
    example_arguments: ClassVar = ([[1, 2], [3, 5]],)

    def shape(self, *shapes: Shape) -> Shape:
        n, m = shapes[0]
        require(
            0 <= self.start < self.stop <= m,
            (self.start + 1, self.stop, shapes[0], m),
            "[columns|rows] {0} to {1} of a {2} matrix",
            "{2} 矩阵没有第 {0} 至 {1} [列|行]",
            "there are {3} [columns|rows]",
            "共有 {3} [列|行]",
        )
        return n, self.stop - self.start

    def exact(self, *arguments: Matrix) -> Matrix:
        return arguments[0].columns(self.start, self.stop)

    def floats(self, *arguments: Floats) -> Floats:
        return arguments[0][:, self.start : self.stop]

    def moves(self, *tables: Table) -> Table | None:
        return [row[self.start : self.stop] for row in tables[0]]

    def formula(self, *arguments: Formula) -> Formula:
        first, last = self.start + 1, self.stop
        where = Number(str(first)) if first == last else Symbol(f"{first}:{last}")
        return Call("columns", (arguments[0], where))

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        return arguments[0].rows[i][self.start + j]

    def gradient(self, line: Line, g: str, forward: Forward) -> Shares:
        return (Share(line.args[0], None, (), self.start),)

    def slips(self) -> tuple[Slip, ...]:
        width = self.stop - self.start
        if self.start == 0:
            return ()
        return (
            Slip(
                "head-columns-of-neighbour",
                oriented("taken the [columns|rows] of the head before", "取了前一个头的[列|行]"),
                replace(self, start=self.start - width, stop=self.stop - width),
                on_columns="head-rows-of-neighbour",
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
            Slip(
                "groups-interleaved",
                Bilingual(
                    "given the groups of keys and values to the heads in turn instead of in runs",
                    "把键值组轮流分给各头，而不是连续分配",
                ),
                replace(self, start=self.elsewhere, stop=self.elsewhere + width, elsewhere=None),
            ),
        )


class Concatenate(Operation, Differentiable, frozen=True):
    """[Z_1 | Z_2 | ...]: outputs (n_q, d_v) of the heads side by side; result (n_q, h d_v)."""

    rowwise: ClassVar[bool] = True
    finite_decimals: ClassVar[bool] = True
    working: ClassVar[Working] = "none"
    example_arguments: ClassVar = ([[1], [3]], [[2], [5]])

    def shape(self, *shapes: Shape) -> Shape:
        for shape in shapes[1:]:
            require(
                shape[0] == shapes[0][0],
                (shapes[0], shape),
                "heads of {0} and {1} cannot stand [side by side|one below the other]",
                "{0} 与 {1} 的头不能拼接",
                "every head needs one [row|column] for each query",
                "每个头都应有与查询数相同的[行|列]数",
            )
        return shapes[0][0], sum(shape[1] for shape in shapes)

    def exact(self, *arguments: Matrix) -> Matrix:
        whole = arguments[0]
        for part in arguments[1:]:
            whole = whole.beside(part)
        return whole

    def floats(self, *arguments: Floats) -> Floats:
        return np.concatenate(arguments, axis=1)

    def moves(self, *tables: Table) -> Table | None:
        return [[cell for part in tables for cell in part[i]] for i in range(len(tables[0]))]

    def formula(self, *arguments: Formula) -> Formula:
        return Call("Concat", arguments)

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        for grid in arguments:
            width = len(grid.rows[0])
            if j < width:
                return grid.rows[i][j]
            j -= width
        raise IndexError(j)

    def gradient(self, line: Line, g: str, forward: Forward) -> Shares:
        shares, start = [], 0
        for name in line.args:
            stop = start + forward.shapes[name][1]
            shares.append(Share(name, Columns(start, stop), (g,)))
            start = stop
        return tuple(shares)

    def slips(self) -> tuple[Slip, ...]:
        return (
            Slip(
                "heads-reversed",
                Bilingual("concatenated the heads in the wrong order", "头的拼接顺序弄反了"),
                ReversedHeads(),
            ),
        )


class ReversedHeads(Mistake, Concatenate, frozen=True):
    """The mistake of the last head first."""

    def exact(self, *arguments: Matrix) -> Matrix:
        return Concatenate.exact(self, *arguments[::-1])

    def floats(self, *arguments: Floats) -> Floats:
        return Concatenate.floats(self, *arguments[::-1])

    def moves(self, *tables: Table) -> Table | None:
        return Concatenate.moves(self, *tables[::-1])

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        return Concatenate.entry(self, i, j, *arguments[::-1])
