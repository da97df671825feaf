"""Exact matrices and vectors for Python programs: indexed, sliced and combined as NumPy's arrays are.

They wrap the immutable matrices of the computation (`symattn.exact.matrix`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, overload

from symattn.exact.matrix import Matrix as Value
from symattn.library.number import Exact
from symattn.library.table import Table, entry_of, listed, values_of

Index = int | slice


class Vector(Table, Sequence[Exact]):
    """A row or column of a matrix: exact numbers in order.

    >>> v = Vector([1, "1/2"])
    >>> v * 2, v @ v, len(v), v[-1]
    (Vector([2, 1]), Exact(5/4), 2, Exact(1/2))
    """

    __slots__ = ()

    def __init__(self, entries: Sequence[object]) -> None:
        object.__setattr__(self, "_values", self._read(entries))

    @classmethod
    def _read(cls, entries: Any) -> Value:
        return Value.of([[entry_of(x) for x in entries]])

    @property
    def shape(self) -> tuple[int]:
        return (self._values.shape[1],)

    def __len__(self) -> int:
        return self.shape[0]

    @overload
    def __getitem__(self, at: int) -> Exact: ...
    @overload
    def __getitem__(self, at: slice) -> Vector: ...
    def __getitem__(self, at: Index) -> Exact | Vector:
        columns = _chosen(at, len(self), "entries")
        if isinstance(columns, int):
            return Exact.of(self._values[0, columns])
        return Vector._made(self._values.taken([0], columns))

    def __iter__(self) -> Iterator[Exact]:
        return (Exact.of(self._values[0, j]) for j in range(len(self)))

    def __matmul__(self, other: Vector) -> Exact:
        """The dot product."""
        if not isinstance(other, Vector):
            return NotImplemented
        return Exact.of((self._values @ other._values.T)[0, 0])

    def decimal(self, places: int = 4, *, significant: int | None = None) -> list[str]:
        """The digits of every entry, correctly rounded."""
        return self._decimals(places, significant)[0]

    def tolist(self) -> list[Exact]:
        return list(self)


class Matrix(Table):
    """An exact matrix of shape (rows, columns), immutable.

    >>> M = Matrix([[1, "1/2"], ["sqrt(2)", 0]])
    >>> M.shape, len(M), M[0], M[-1, 0], M[:, 1]
    ((2, 2), 2, Vector([1, 1/2]), Exact(sqrt(2)), Vector([1/2, 0]))
    >>> M @ M == M.T, M[:, 1] == [0.5, 0], M + 1
    (False, True, Matrix([[2, 3/2],
            [1 + sqrt(2), 1]]))

    `@` is the matrix product; `+ - * / **` go entry by entry, with a single row, column or number repeated,
    and `==` is one bool. `np.asarray(M)` has the nearest float64 numbers.
    """

    __slots__ = ()

    def __init__(self, rows: Sequence[Sequence[object]]) -> None:
        object.__setattr__(self, "_values", self._read(rows))

    @classmethod
    def _read(cls, entries: Any) -> Value:
        return Value.of([[entry_of(x) for x in row] for row in listed(entries)])

    @classmethod
    def of(cls, rows: Any) -> Matrix:
        """The matrix of these rows, or of a matrix of the computation."""
        return cls._made(rows if isinstance(rows, Value) else cls._read(rows))

    @property
    def shape(self) -> tuple[int, int]:
        return self._values.shape

    @property
    def T(self) -> Matrix:
        """The transpose."""
        return Matrix._made(self._values.T)

    def __len__(self) -> int:
        return self.shape[0]

    @overload
    def __getitem__(self, at: int) -> Vector: ...
    @overload
    def __getitem__(self, at: slice) -> Matrix: ...
    @overload
    def __getitem__(self, at: tuple[int, int]) -> Exact: ...
    @overload
    def __getitem__(self, at: tuple[int, slice] | tuple[slice, int]) -> Vector: ...
    @overload
    def __getitem__(self, at: tuple[slice, slice]) -> Matrix: ...
    def __getitem__(self, at: Index | tuple[Index, Index]) -> Exact | Vector | Matrix:
        if isinstance(at, tuple) and len(at) != 2:
            raise IndexError(f"a matrix has a row and a column, not {len(at)} indices")
        i, j = at if isinstance(at, tuple) else (at, slice(None))
        rows, columns = _chosen(i, self.shape[0], "rows"), _chosen(j, self.shape[1], "columns")
        if isinstance(rows, int) and isinstance(columns, int):
            return Exact.of(self._values[rows, columns])
        part = self._values.taken(
            [rows] if isinstance(rows, int) else rows, [columns] if isinstance(columns, int) else columns
        )
        if isinstance(columns, int):
            return Vector._made(part.T)
        return Vector._made(part) if isinstance(rows, int) else Matrix._made(part)

    def __contains__(self, x: object) -> bool:
        """Whether it is an entry, or a row."""
        return any(x in row or x == row for row in self)

    def __iter__(self) -> Iterator[Vector]:
        return (self[i] for i in range(len(self)))

    @overload
    def __matmul__(self, other: Vector) -> Vector: ...
    @overload
    def __matmul__(self, other: Matrix | Sequence[Sequence[object]]) -> Matrix: ...
    def __matmul__(self, other: object) -> Vector | Matrix:
        """The matrix product. Raises ShapeMismatch."""
        if isinstance(other, Vector):
            return Vector._made((self._values @ other._values.T).T)
        values = values_of(other)
        return NotImplemented if values is None else Matrix._made(self._values @ values)

    def __rmatmul__(self, other: object) -> Matrix:
        values = values_of(other)
        return NotImplemented if values is None else Matrix._made(values @ self._values)

    def decimal(self, places: int = 4, *, significant: int | None = None) -> list[list[str]]:
        """The digits of every entry, correctly rounded, ties away from zero.

        >>> Matrix([["1/3", "sqrt(2)"]]).decimal(3)
        [['0.333', '1.414']]
        """
        return self._decimals(places, significant)

    def tolist(self) -> list[list[Exact]]:
        return [list(row) for row in self]


def _chosen(at: object, size: int, what: str) -> int | range:
    """An index or slice of so many rows or columns. Raises IndexError and TypeError as lists do."""
    if isinstance(at, slice):
        return range(*at.indices(size))
    if not hasattr(at, "__index__") or getattr(at, "shape", None):
        raise TypeError(f"rows and columns are integers or slices, not {type(at).__name__}")
    k = at.__index__()
    if not -size <= k < size:
        raise IndexError(f"{k} is not one of {size} {what}")
    return int(k % size)
