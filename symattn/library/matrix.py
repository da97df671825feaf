"""Exact matrices and vectors for Python programs: indexed, sliced and combined as NumPy's arrays are.

They wrap the immutable matrices of the computation (`symattn.exact.matrix`).
"""

from __future__ import annotations

import pickle
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any, Self, cast, overload

from symattn.casefile.workers import packed
from symattn.exact.matrix import Matrix as Value
from symattn.exact.number import Exact as Entry
from symattn.exact.shapes import spelled
from symattn.exact.spell import spell
from symattn.library.number import Exact, refused, shown, value_of
from symattn.text.bilingual import Bilingual
from symattn.text.errors import ShapeMismatch
from symattn.text.notation import Grid

if TYPE_CHECKING:
    import numpy as np
    import sympy

    from symattn.floats.arrays import Floats

Index = int | slice
MOST_SHOWN = 6
"""Rows and columns that `repr` shows."""


class Table(ABC):
    """What a matrix and a vector have in common: immutable exact entries, combined one by one.

    `_values` is a matrix of the computation, of one row for a vector.
    """

    __slots__ = ("_values",)
    _values: Value
    __array_ufunc__ = None  # an operation with an array of NumPy is one of this class

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a {type(self).__name__} is immutable")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a {type(self).__name__} is immutable")

    @classmethod
    def _made(cls, values: Value) -> Self:
        made = object.__new__(cls)
        object.__setattr__(made, "_values", values)
        return made

    @classmethod
    @abstractmethod
    def _read(cls, entries: Any) -> Value:
        """Entries as the constructor takes them."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (type(self), packed(self._values))

    @property
    @abstractmethod
    def shape(self) -> tuple[int, ...]:
        """The numbers of rows and columns, or of entries."""

    @abstractmethod
    def tolist(self) -> list[Any]:
        """The entries as a list, of rows for a matrix."""

    # arithmetic, entry by entry, with numbers and with what has a fitting shape

    def __add__(self, other: object) -> Self:
        return self._combined(other, lambda a, b: a + b)

    __radd__ = __add__

    def __sub__(self, other: object) -> Self:
        return self._combined(other, lambda a, b: a - b)

    def __rsub__(self, other: object) -> Self:
        return self._combined(other, lambda a, b: b - a)

    def __mul__(self, other: object) -> Self:
        return self._combined(other, lambda a, b: a * b)

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> Self:
        return self._combined(other, lambda a, b: a / b)

    def __pow__(self, other: object) -> Self:
        return self._combined(other, lambda a, b: a**b)

    def __neg__(self) -> Self:
        return self * -1

    def _combined(self, other: object, how: Callable[[Exact, Exact], Exact]) -> Self:
        values = _values_of(other)
        if values is None:
            return cast(Self, NotImplemented)
        (n, m), (p, q) = self._values.shape, values.shape
        if {n, p} - {1, max(n, p)} or {m, q} - {1, max(m, q)}:
            raise ShapeMismatch(
                Bilingual("{a} and {b} cannot be combined entry by entry", "{a} 与 {b} 不能逐项运算").format(
                    a=spelled((n, m)), b=spelled((p, q))
                ),
                Bilingual(
                    "the shapes must agree, or one side be a single row, column or number",
                    "两者形状应相同，或者一方只有一行、一列或一个数",
                ),
            )
        kind = Matrix if isinstance(other, Matrix) else type(self)
        entries = [
            [
                how(Exact.of(self._values[i % n, j % m]), Exact.of(values[i % p, j % q]))._value
                for j in range(max(m, q))
            ]
            for i in range(max(n, p))
        ]
        return cast(Self, kind._made(Value.of(entries)))

    def __eq__(self, other: object) -> bool:
        """Whether all entries are equal, decided: one bool, and False where the shapes differ."""
        entries = _listed(other)
        if not isinstance(entries, list):
            return NotImplemented
        mine = self.tolist()
        return len(mine) == len(entries) and all(map(_equal, mine, entries))

    __hash__ = None  # type: ignore[assignment]

    # conversion

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        """The nearest float64 numbers, or the exact entries for `dtype=object`."""
        import numpy as np

        if copy is False:
            raise ValueError("an array of exact numbers is a copy always")
        if dtype is not None and np.dtype(dtype) == object:
            entries = np.empty(self._values.shape, dtype=object)
            for i, row in enumerate(self._values.rows()):
                for j, entry in enumerate(row):
                    entries[i, j] = Exact.of(entry)
            return entries.reshape(self.shape)
        floats = np.array([[float(Exact.of(x)) for x in row] for row in self._values.rows()])
        return floats.reshape(self.shape).astype(dtype or np.float64)

    def to_numpy(self) -> Floats:
        """The nearest float64 numbers. Raises TypeError where symbols are in it."""
        return self.__array__()

    def to_sympy(self) -> sympy.Matrix:
        """The same matrix in SymPy; a vector is one row."""
        return self._values.to_sympy()

    _sympy_ = to_sympy

    def latex(self) -> str:
        """The closed forms in LaTeX, without dollar signs; `bmatrix` is one of amsmath."""
        from symattn.typeset.latex_maths import latex_formula

        return latex_formula(self._grid())

    def _grid(self) -> Grid:
        return Grid(tuple(tuple(map(spell, row)) for row in self._values.rows()))

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex()}$"

    def _repr_html_(self) -> str:
        from symattn.typeset.mathml import mathml

        return mathml(self._grid(), block=True)

    def _decimals(self, places: int, significant: int | None) -> list[list[str]]:
        return [
            [Exact.of(x).decimal(places, significant=significant) for x in row] for row in self._values.rows()
        ]

    def __repr__(self) -> str:
        n, m = self.shape if len(self.shape) == 2 else (1, self.shape[0])
        rows = []
        for i in range(min(n, MOST_SHOWN)):
            entries = [shown(self._values[i, j]) for j in range(min(m, MOST_SHOWN))]
            rows.append(f"[{', '.join([*entries, *(['…'] if m > MOST_SHOWN else [])])}]")
        if len(self.shape) == 1:
            return f"{type(self).__name__}({rows[0]})"
        indent = ",\n" + " " * (len(type(self).__name__) + 2)
        more = [f"… of {spelled((n, m))}"] if n > MOST_SHOWN or m > MOST_SHOWN else []
        return f"{type(self).__name__}([{indent.join([*rows, *more])}])"


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
        return Value.of([[_entry(x) for x in entries]])

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
        return Value.of([[_entry(x) for x in row] for row in _listed(entries)])

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
        values = _values_of(other)
        return NotImplemented if values is None else Matrix._made(self._values @ values)

    def __rmatmul__(self, other: object) -> Matrix:
        values = _values_of(other)
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
    if not hasattr(at, "__index__"):
        raise TypeError(f"rows and columns are integers or slices, not {type(at).__name__}")
    k = at.__index__()
    if not -size <= k < size:
        raise IndexError(f"{k} is not one of {size} {what}")
    return int(k % size)


def _entry(x: object) -> Entry:
    if isinstance(x, str):
        return Exact(x)._value
    value = value_of(x)
    if value is None:
        raise TypeError(refused(x))
    return value


def _values_of(other: object) -> Value | None:
    """What a matrix or vector may be combined with, as a matrix: of one entry for a number."""
    if isinstance(other, Table):
        return other._values
    other = _listed(other)
    if isinstance(other, list):
        return Matrix._read(other) if other and isinstance(other[0], list) else Vector._read(other)
    value = value_of(other)
    if value is None and isinstance(other, Real):
        raise TypeError(refused(other))
    return None if value is None else Value.of([[value]])


def _listed(other: Any) -> Any:
    """Arrays, matrices, tuples and lists as lists, of lists where they have rows; anything else itself."""
    if hasattr(other, "tolist"):
        other = other.tolist()
    if isinstance(other, list | tuple):
        return [_listed(x) for x in other]
    return other


def _equal(a: object, b: object) -> bool:
    """Whether entries, or rows of them, are equal."""
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(_equal, a, b))
    return a == b


def _unpickled(kind: type[Table], data: bytes) -> Table:
    return kind._made(pickle.loads(data))
