"""Whole matrices that are carried: products, of which an entry is made once it is looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

from flint import arb, arb_mat, ctx

from symattn.exact.carried import Carried
from symattn.exact.expression import Node
from symattn.exact.matrix import Dense, Matrix, SurdMatrix
from symattn.exact.number import Exact
from symattn.exact.surd import Surd
from symattn.exact.transposed import Transposed
from symattn.exact.work import FEWEST_TERMS

Entries = tuple[tuple[Exact, ...], ...]


class Seen(Dense):
    """Carried entries as a line sees them: plain numbers, and names or definitions of constants."""

    __slots__ = ("matrix",)
    matrix: Matrix
    """What is seen, which has the same values."""

    def __init__(self, entries: Entries, matrix: Matrix) -> None:
        super().__init__(entries)
        object.__setattr__(self, "matrix", matrix)

    @property
    def T(self) -> Matrix:
        return Seen(tuple(zip(*self.entries, strict=True)), self.matrix.T)

    def _times(self, other: Matrix) -> Matrix:
        if isinstance(other, SurdMatrix) and self.shape[1] >= FEWEST_TERMS:
            return CarriedProduct(self, other)
        return super()._times(other)

    def balls(self) -> list[list[arb]]:
        return self.matrix.balls()


def seen_as(entries: Entries, matrix: Matrix) -> Matrix:
    """The entries that are seen of a matrix; its products are carried where they are."""
    flat = [x for row in entries for x in row]
    if any(x.carried for x in flat) and all(isinstance(x.algebraic, Surd) or _is_definition(x) for x in flat):
        return Seen(entries, matrix)
    return matrix if entries == tuple(matrix.rows()) else Dense(entries)


def _is_definition(x: Exact) -> bool:
    c = x.algebraic
    return isinstance(c, Carried) and c.node.constant


class CarriedProduct(Matrix):
    """(n, m) as `left` (n, k) times plain numbers (k, m); balls come from one product at each precision."""

    __slots__ = ("__dict__", "left", "right")
    left: Seen
    right: SurdMatrix

    def __init__(self, left: Seen, right: SurdMatrix) -> None:
        object.__setattr__(self, "shape", (left.shape[0], right.shape[1]))
        object.__setattr__(self, "left", left)
        object.__setattr__(self, "right", right)
        self.__dict__.update(_made={}, _balls={}, _named={})

    _made: dict[tuple[int, int], Exact]
    _balls: dict[int, list[list[arb]]]
    _named: dict[str, Entries]

    def __getitem__(self, at: tuple[int, int]) -> Exact:
        self._inside(at)
        if at not in self._made:
            row, column = (
                Dense((self.left.entries[at[0]],)),
                self.right.taken(range(self.right.shape[0]), at[1:]),
            )
            self._made[at] = (row @ column)[0, 0]
        return self._made[at]

    @property
    def T(self) -> Matrix:
        return Transposed(self)

    def scaled(self, factor: Exact) -> Matrix:
        c = factor.algebraic
        if isinstance(c, Surd) and c:
            return CarriedProduct(self.left, SurdMatrix(self.right.surds.scaled(c)))
        return self.map(lambda x: x * factor)

    def taken(self, rows: Sequence[int], cols: Sequence[int]) -> Matrix:
        return Matrix.of([[self[i, j] for j in cols] for i in rows])

    def balls(self) -> list[list[arb]]:
        if ctx.prec not in self._balls:
            self._balls[ctx.prec] = (arb_mat(self.left.balls()) * self.right.surds.balls()).tolist()
        return self._balls[ctx.prec]

    @cached_property
    def _origins(self) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        """Of each row of `left` and column of `right` the first that is equal, and what counts in it, as
        bits: the entries that are carried, and those that are not 0.
        """
        return _lines(self.left.rows(), lambda x: x.symbolic), _lines(self.right.T.rows(), bool)

    def named(self, name: str) -> Entries:
        """The entries by name, but for plain numbers; what equal rows and columns make shares a name."""
        if name not in self._named:
            rows, columns = self._origins
            leaves: dict[tuple[int, int], Exact] = {}
            self._named[name] = tuple(
                tuple(
                    self._seen(name, (i, j), leaves) if carried & counts else self[i, j]
                    for j, counts in columns
                )
                for i, carried in rows
            )
        return self._named[name]

    def _seen(self, name: str, at: tuple[int, int], leaves: dict[tuple[int, int], Exact]) -> Exact:
        from symattn.exact.named import Named

        if at not in leaves:
            leaves[at] = Exact.of(Carried(Node("named", Named.entry(name, *at, self))))
        return leaves[at]


def _lines(lines: Iterable[tuple[Exact, ...]], counts: Callable[[Exact], bool]) -> list[tuple[int, int]]:
    known: dict[tuple[Exact, ...], int] = {}
    return [
        (known.setdefault(line, at), sum(1 << k for k, x in enumerate(line) if counts(x)))
        for at, line in enumerate(lines)
    ]
