"""Rows: those of one token or one block, and rows put one below the other, as a cache of keys grows."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from symattn.exact.matrix import Matrix
from symattn.exact.shapes import Shape, require
from symattn.floats.arrays import Floats, np
from symattn.floats.tables import Table
from symattn.plans.gradient import Differentiable, Forward, Share, Shares
from symattn.plans.operation import Mistake, Operation, Slip, Working
from symattn.plans.plan import Line
from symattn.text.bilingual import oriented
from symattn.text.notation import Call, Formula, Grid, Number, Symbol


class Rows(Operation, frozen=True):
    """The rows `start` to before `stop` (from 0) of a matrix: a token's query, a block of values."""

    finite_decimals: ClassVar[bool] = True
    working: ClassVar[Working] = "none"
    example_fields: ClassVar = (1, 2)
    example_arguments: ClassVar = ([[1, 2], [3, 5]],)
    start: int
    stop: int

    def shape(self, *shapes: Shape) -> Shape:
        n, m = shapes[0]
        require(
            0 <= self.start < self.stop <= n,
            (self.start + 1, self.stop, shapes[0], n),
            "[rows|columns] {0} to {1} of a {2} matrix",
            "{2} 矩阵没有第 {0} 至 {1} [行|列]",
            "there are {3} [rows|columns]",
            "共有 {3} [行|列]",
        )
        return self.stop - self.start, m

    def exact(self, *arguments: Matrix) -> Matrix:
        return arguments[0].taken(range(self.start, self.stop), range(arguments[0].shape[1]))

    def floats(self, *arguments: Floats) -> Floats:
        return arguments[0][self.start : self.stop]

    def moves(self, *tables: Table) -> Table | None:
        return tables[0][self.start : self.stop]

    def formula(self, *arguments: Formula) -> Formula:
        first, last = self.start + 1, self.stop
        where = Number(str(first)) if first == last else Symbol(f"{first}:{last}")
        return Call("row" if first == last else "rows", (arguments[0], where))

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        return arguments[0].rows[self.start + i][j]

    def slips(self) -> tuple[Slip, ...]:
        height = self.stop - self.start
        if self.start < height:
            return ()
        return (
            Slip(
                "rows-of-the-one-before",
                oriented("taken the [rows|columns] of the step before", "取了前一步的[行|列]"),
                replace(self, start=self.start - height, stop=self.stop - height),
                on_columns="columns-of-the-one-before",
            ),
        )


class Stack(Operation, Differentiable, frozen=True):
    """Matrices of equal width one below the other: a cache with the new key below, the rows of an output."""

    finite_decimals: ClassVar[bool] = True
    working: ClassVar[Working] = "none"
    example_arguments: ClassVar = ([[1, 2], [3, 5]], [[2, -1]])

    def shape(self, *shapes: Shape) -> Shape:
        for shape in shapes[1:]:
            require(
                shape[1] == shapes[0][1],
                (shapes[0], shape),
                "{0} and {1} cannot stand [one below the other|side by side]",
                "{0} 与 {1} 不能拼接",
                "both need the same number of [columns|rows]",
                "两者的[列|行]数必须相同",
            )
        return sum(shape[0] for shape in shapes), shapes[0][1]

    def exact(self, *arguments: Matrix) -> Matrix:
        return Matrix.of([row for part in arguments for row in part.rows()])

    def floats(self, *arguments: Floats) -> Floats:
        return np.concatenate(arguments, axis=0)

    def moves(self, *tables: Table) -> Table | None:
        return [row for part in tables for row in part]

    def formula(self, *arguments: Formula) -> Formula:
        return Call("Stack", arguments)

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        for grid in arguments:
            if i < len(grid.rows):
                return grid.rows[i][j]
            i -= len(grid.rows)
        raise IndexError(i)

    def gradient(self, line: Line, g: str, forward: Forward) -> Shares:
        """Rows one below the other: each part has its rows of the gradient."""
        shares, start = [], 0
        for name in line.args:
            stop = start + forward.shapes[name][0]
            shares.append(Share(name, Rows(start, stop), (g,)))
            start = stop
        return tuple(shares)

    def slips(self) -> tuple[Slip, ...]:
        return (
            Slip(
                "stacked-in-reverse",
                oriented(
                    "put the new [rows|columns] before the old ones instead of after",
                    "把新[行|列]放在了旧[行|列]的前面，而不是后面",
                ),
                ReversedStack(),
            ),
        )


class ReversedStack(Mistake, Stack, frozen=True):
    """The mistake of the last rows first."""

    def exact(self, *arguments: Matrix) -> Matrix:
        return Stack.exact(self, *arguments[::-1])

    def floats(self, *arguments: Floats) -> Floats:
        return Stack.floats(self, *arguments[::-1])

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        return Stack.entry(self, i, j, *arguments[::-1])
