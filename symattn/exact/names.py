"""The names of a walk: which entries of a matrix what follows sees by name (`symattn.exact.named`)."""

from __future__ import annotations

from symattn.exact.bounds import nodes
from symattn.exact.matrix import Dense, Matrix
from symattn.exact.number import Exact, Infinite
from symattn.exact.surd import Surd
from symattn.exact.surds import SurdMatrix
from symattn.exact.symbolic import Symbolic
from symattn.exact.weighted import Weighted

LONGEST = 24
"""How many nodes an entry has at most that is seen in closed form by what follows."""


class Names:
    """The names of one walk. Entries of one definition, up to its sign, share the name that it got first."""

    def __init__(self) -> None:
        self._of: dict[Exact, Exact] = {}

    def onward(self, name: str, matrix: Matrix, longest: int) -> Matrix:
        """The matrix `name` as what follows sees it: entries of more than `longest` nodes by their names."""
        if isinstance(matrix, SurdMatrix) or (isinstance(matrix, Weighted) and not matrix.normalised):
            return matrix  # a softmax divides the exponentials that it sees by their sum
        rows = tuple(matrix.rows())
        seen = tuple(
            tuple(x if _short(x, longest) else self._entry(name, i, j, x) for j, x in enumerate(row))
            for i, row in enumerate(rows)
        )
        return matrix if seen == rows else Dense(seen)

    def _entry(self, name: str, i: int, j: int, x: Exact) -> Exact:
        if -x in self._of:
            return -self._of[-x]
        if x not in self._of:
            from symattn.exact.named import Named

            self._of[x] = Exact.of(Symbolic(Named(name, i, j, x)))
        return self._of[x]


def _short(x: Exact, longest: int) -> bool:
    return isinstance(x, Infinite) or isinstance(x.algebraic, Surd) or nodes(x) <= longest


def in_names(x: Exact) -> bool:
    """Whether a named quantity stands in x."""
    if not x.symbolic:
        return False
    from symattn.exact.named import names_in

    return bool(names_in(x))
