"""What exact matrices and vectors for Python programs have in common: entries combined one by one."""

from __future__ import annotations

import pickle
from abc import ABC, abstractmethod
from collections.abc import Callable
from numbers import Real
from typing import TYPE_CHECKING, Any, Self, cast

from symattn.exact.matrix import Matrix as Value
from symattn.exact.number import Exact as Entry
from symattn.exact.shapes import spelled
from symattn.exact.spell import spell
from symattn.library.number import Exact, value_of
from symattn.library.values import refused, shown
from symattn.many.workers import packed
from symattn.text.bilingual import Bilingual
from symattn.text.errors import ShapeMismatch
from symattn.text.notation import Grid

if TYPE_CHECKING:
    import numpy as np
    import sympy

    from symattn.floats.arrays import Floats

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
        values = values_of(other)
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
        kind: type[Table] = type(self)
        if isinstance(other, Table) and len(other.shape) > len(self.shape):
            kind = type(other)
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
        entries = listed(other)
        if not isinstance(entries, list):
            return NotImplemented
        mine = self.tolist()
        return len(mine) == len(entries) and all(map(_equal, mine, entries))

    __hash__ = None  # type: ignore[assignment]

    # conversion

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        """The nearest float64 numbers, or the exact entries for `dtype=object`.

        Raises ValueError for an array of integers where an entry is none.
        """
        import numpy as np

        if copy is False:
            raise ValueError("an array of exact numbers is a copy always")
        if dtype is not None and np.dtype(dtype) == object:
            entries = np.empty(self._values.shape, dtype=object)
            for i, row in enumerate(self._values.rows()):
                for j, entry in enumerate(row):
                    entries[i, j] = Exact.of(entry)
            return entries.reshape(self.shape)
        kind: type[int | float] = int if dtype is not None and np.dtype(dtype).kind in "iu" else float
        numbers = [[kind(Exact.of(x)) for x in row] for row in self._values.rows()]
        return np.array(numbers, dtype=dtype or np.float64).reshape(self.shape)

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


def entry_of(x: object) -> Entry:
    """What constructors take as an entry, as a number of the computation. Raises TypeError."""
    if isinstance(x, str):
        return Exact(x)._value
    value = value_of(x)
    if value is None:
        raise TypeError(refused(x))
    return value


def values_of(other: object) -> Value | None:
    """What a matrix or vector may be combined with, as a matrix: of one entry for a number."""
    if isinstance(other, Table):
        return other._values
    other = listed(other)
    if isinstance(other, list):
        rows = other if other and isinstance(other[0], list) else [other]
        return Value.of([[entry_of(x) for x in row] for row in rows])
    value = value_of(other)
    if value is None and isinstance(other, Real):
        raise TypeError(refused(other))
    return None if value is None else Value.of([[value]])


def listed(other: Any) -> Any:
    """Arrays, matrices, tuples and lists as lists, of lists where they have rows; anything else itself."""
    if hasattr(other, "tolist"):
        other = other.tolist()
    if isinstance(other, list | tuple):
        return [listed(x) for x in other]
    return other


def _equal(a: object, b: object) -> bool:
    """Whether entries, or rows of them, are equal."""
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(_equal, a, b))
    return a == b


def _unpickled(kind: type[Table], data: bytes) -> Table:
    return kind._made(pickle.loads(data))
