"""The names of a computation: which entries of a matrix what follows sees by name (`symattn.exact.named`)."""

from __future__ import annotations

from functools import partial

from symattn.exact.bounds import longer_than
from symattn.exact.carried import as_carried
from symattn.exact.decision import FIRST_BITS, is_zero
from symattn.exact.enclosure import HasSymbols, enclose
from symattn.exact.masked import Masked
from symattn.exact.matrix import Dense, Matrix, SurdMatrix
from symattn.exact.number import Exact, Infinite
from symattn.exact.on_demand import ByEntry
from symattn.exact.substitution import free_symbols
from symattn.exact.surd import Surd
from symattn.exact.symbolic import Symbolic
from symattn.exact.weighted import Weighted
from symattn.exact.whole import Same, Whole, is_large, seen_as


class Names:
    """The names of one derivation. Entries of one definition, up to sign, share its first name."""

    def __init__(self) -> None:
        self._of: dict[Exact, Exact] = {}
        self._weights: dict[str, Whole] = {}
        self.carried: set[type] = set()
        """The operations of which a line was beyond the budget: their next lines are carried at once."""

    def seen(self, name: str, matrix: Matrix, longest: int, carry: bool = False) -> Matrix:
        """The matrix `name` with its entries of more than `longest` nodes, but no plain number, by name.

        With `carry`, what is made of any of them but a plain number is carried.
        """
        if isinstance(matrix, SurdMatrix) or (isinstance(matrix, Weighted) and not matrix.normalised):
            return matrix  # a softmax divides the exponentials that it sees by their sum
        if isinstance(matrix, Whole):
            return matrix.named(name)
        if isinstance(matrix, Weighted) and is_large(matrix) and matrix.logits.shape[1] > longest:
            if carry and not has_symbols(matrix):
                if name not in self._weights:
                    self._weights[name] = Whole(Same(), (matrix,), matrix.shape)
                return self._weights[name].named(name)
            how = partial(self._entry_seen, name, matrix, longest, carry)
            return ByEntry(matrix.shape, how)
        seen = tuple(
            tuple(self._entry_seen(name, matrix, longest, carry, (i, j)) for j in range(matrix.shape[1]))
            for i in range(matrix.shape[0])
        )
        return seen_as(seen, matrix)

    def _entry_seen(self, name: str, matrix: Matrix, longest: int, carry: bool, at: tuple[int, int]) -> Exact:
        x = matrix[at]
        found = x if _short(x, longest) else self._entry(name, *at, x)
        return as_carried(found) if carry or x.carried else found

    def _entry(self, name: str, i: int, j: int, x: Exact) -> Exact:
        if x not in self._of:
            if -x in self._of:
                return -self._of[-x]
            from symattn.exact.named import Named

            self._of[x] = Exact.of(Symbolic(Named(name, i, j, x)))
        return self._of[x]


def _short(x: Exact, longest: int) -> bool:
    return isinstance(x, Infinite) or isinstance(x.algebraic, Surd) or not longer_than(x, longest)


def with_zeros(matrix: Matrix) -> Matrix:
    """A matrix with 0 for the entries in names that are proved to be 0."""
    if isinstance(matrix, SurdMatrix | Weighted):
        return matrix
    if isinstance(matrix, Whole) and not any(_vanishes(matrix[at]) for at in matrix.undecided()):
        return matrix
    rows = tuple(matrix.rows())
    settled = tuple(tuple(Exact.of(0) if _vanishes(x) else x for x in row) for row in rows)
    return matrix if settled == rows else Matrix.of(settled)


def _vanishes(x: Exact) -> bool:
    if not in_names(x):
        return False
    try:
        return bool(enclose(x, FIRST_BITS).contains(0)) and is_zero(x) is True
    except HasSymbols:
        return is_zero(x) is True


def holds_names(matrix: Matrix) -> bool:
    """Whether a named quantity stands in an entry of the matrix."""
    return isinstance(matrix, Dense | Whole) and any(in_names(x) for row in matrix.rows() for x in row)


def in_names(x: Exact) -> bool:
    """Whether a named quantity stands in x."""
    if not x.symbolic:
        return False
    from symattn.exact.named import names_in

    return bool(names_in(x))


def has_symbols(matrix: Matrix) -> bool:
    """Whether a free symbol stands in an entry of the matrix."""
    if isinstance(matrix, SurdMatrix | Masked | Whole):
        return False
    if isinstance(matrix, Weighted):
        parts = (matrix.logits, matrix.coefficients)
        return any(has_symbols(part) for part in parts if part is not None)
    return any(x.symbolic and free_symbols(x) for row in matrix.rows() for x in row)
