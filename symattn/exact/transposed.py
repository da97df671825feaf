"""The transpose of a matrix that keeps a structure of its own: seen the other way round, not copied."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from flint import arb

from symattn.exact.matrix import Dense, Matrix
from symattn.exact.number import Exact


class Transposed(Matrix):
    """(m, n) for `matrix` (n, m), whose structure it keeps: its transpose is `matrix` itself."""

    __slots__ = ("matrix",)
    matrix: Matrix

    def __init__(self, matrix: Matrix) -> None:
        object.__setattr__(self, "matrix", matrix)
        object.__setattr__(self, "shape", matrix.shape[::-1])

    def __getitem__(self, at: tuple[int, int]) -> Exact:
        self._inside(at)
        return self.matrix[at[1], at[0]]

    @property
    def T(self) -> Matrix:
        return self.matrix

    def scaled(self, factor: Exact) -> Matrix:
        return self.matrix.scaled(factor).T

    def taken(self, rows: Sequence[int], cols: Sequence[int]) -> Matrix:
        return self.matrix.taken(cols, rows).T

    def _times(self, other: Matrix) -> Matrix:
        return Dense(tuple(self.rows())) @ other

    def __add__(self, other: Matrix) -> Matrix:
        return (self.matrix + other.T).T

    def combined(self, other: Matrix, how: Callable[[Exact, Exact], Exact]) -> Matrix:
        return self.matrix.combined(other.T, how).T

    def map(self, how: Callable[[Exact], Exact]) -> Matrix:
        return self.matrix.map(how).T

    def rows(self) -> Iterator[tuple[Exact, ...]]:
        return zip(*self.matrix.rows(), strict=True)

    def balls(self) -> list[list[arb]]:
        return [list(row) for row in zip(*self.matrix.balls(), strict=True)]
