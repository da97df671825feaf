"""Immutable exact matrices: one interface, four representations.

- `SurdMatrix`: integer matrices over one common denominator, one for each square root, so that
  products of rational matrices are single flint products;
- `masked.Masked`: the same with entries that are hidden, minus infinity;
- `weighted.Weighted`: rows of exponentials with shared logits, numerators over one denominator a row;
- `Dense`: any exact entries, one by one.

`transposed.Transposed` sees one of them the other way round.

Which one holds a matrix is an internal matter: values, shapes and errors are the same.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from flint import arb, ctx, fmpq

from symattn.exact.enclosure import enclose
from symattn.exact.number import Exact, Infinite, Terms
from symattn.exact.shapes import Shape, even, spelled
from symattn.exact.surd import Surd
from symattn.exact.surds import Product, Surds
from symattn.exact.symbolic import Coefficient, dot
from symattn.text.bilingual import Bilingual
from symattn.text.errors import ShapeMismatch

if TYPE_CHECKING:
    import sympy


class Matrix:  # an ABC is asked at length what its instances are
    """An exact matrix of a fixed shape (rows, columns). Indices count from 0."""

    __slots__ = ("shape",)
    shape: Shape

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a Matrix is immutable")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a Matrix is immutable")

    @staticmethod
    def of(rows: Sequence[Sequence[Exact]]) -> Matrix:
        """A matrix of exact entries. Raises RaggedRows where the rows differ in length."""
        table = tuple(tuple(row) for row in rows)
        even(table)
        surds = [[entry.algebraic for entry in row] for row in table]
        if table and table[0] and all(isinstance(c, Surd) for row in surds for c in row):
            return SurdMatrix(Surds.of_surds(surds))  # type: ignore[arg-type]
        return Dense(table)

    @staticmethod
    def rational(rows: Sequence[Sequence[int | Fraction | fmpq]]) -> Matrix:
        """A matrix of rational numbers. Raises RaggedRows where the rows differ in length."""
        even(rows)
        return SurdMatrix(Surds.of_rationals(rows))

    @abstractmethod
    def __getitem__(self, at: tuple[int, int]) -> Exact: ...

    def rational_at(self, i: int, j: int) -> Any | None:
        """An entry as an fmpq where it is one, else None."""
        return self[i, j].rational

    def _inside(self, at: tuple[int, int]) -> None:
        """Raises IndexError outside the matrix; there are no negative indices."""
        if not (0 <= at[0] < self.shape[0] and 0 <= at[1] < self.shape[1]):
            raise IndexError(at)

    @property
    @abstractmethod
    def T(self) -> Matrix:
        """The transpose."""

    @abstractmethod
    def scaled(self, factor: Exact) -> Matrix:
        """Every entry times one factor."""

    @abstractmethod
    def taken(self, rows: Sequence[int], cols: Sequence[int]) -> Matrix:
        """The submatrix of these rows and columns, in this order."""

    def __matmul__(self, other: Matrix) -> Matrix:
        """The matrix product. Raises ShapeMismatch."""
        if self.shape[1] != other.shape[0]:
            raise ShapeMismatch(
                Bilingual("a product of {a} and {b} is undefined", "{a} 与 {b} 的乘积没有定义").format(
                    a=spelled(self.shape), b=spelled(other.shape)
                ),
                Bilingual(
                    "the columns of the first must be as many as the rows of the second",
                    "前者的列数必须等于后者的行数",
                ),
            )
        return self._times(other)

    def _times(self, other: Matrix) -> Matrix:
        (n, inner), (_, m) = self.shape, other.shape
        columns = [[other[k, j] for k in range(inner)] for j in range(m)]
        result = []
        for i in range(n):
            row = [self[i, k] for k in range(inner)]
            result.append([_dot(row, column) for column in columns])
        return Matrix.of(result)

    def _after(self, left: Matrix) -> Matrix:
        """`left` times this matrix, where `left` has no other way to it."""
        return Matrix._times(left, self)

    def __add__(self, other: Matrix) -> Matrix:
        """The sum; a single row or column is added to every row or column. Raises ShapeMismatch."""
        return self.combined(other, lambda a, b: a + b)

    def __sub__(self, other: Matrix) -> Matrix:
        return self + other.scaled(Exact.of(-1))

    def hadamard(self, other: Matrix) -> Matrix:
        """The elementwise product; a single row or column is repeated. Raises ShapeMismatch."""
        return self.combined(other, lambda a, b: a * b)

    def combined(self, other: Matrix, how: Callable[[Exact, Exact], Exact]) -> Matrix:
        """Entry by entry, a single row or column of `other` repeated. Raises ShapeMismatch."""
        (n, m), (p, q) = self.shape, other.shape
        if p not in (1, n) or q not in (1, m):
            raise ShapeMismatch(
                Bilingual("{a} and {b} cannot be combined entry by entry", "{a} 与 {b} 不能逐项运算").format(
                    a=spelled(self.shape), b=spelled(other.shape)
                ),
                Bilingual(
                    "the shapes must agree, or the second must be a single row, column or entry",
                    "两者形状应相同，或者后者只有一行、一列或一个元素",
                ),
            )
        return Matrix.of(
            [
                [how(self[i, j], other[i if p > 1 else 0, j if q > 1 else 0]) for j in range(m)]
                for i in range(n)
            ]
        )

    def map(self, how: Callable[[Exact], Exact]) -> Matrix:
        """A function of every entry."""
        return Matrix.of([[how(entry) for entry in row] for row in self.rows()])

    def row_sums(self) -> Matrix:
        """The sums of the rows, as a column (n, 1)."""
        return Matrix.of([[sum(row, Exact.of(0))] for row in self.rows()])

    def over(self, sums: Matrix) -> Matrix:
        """Every row over its entry of `sums` (n, 1); zeros where that is 0. Raises ShapeMismatch."""
        return self.combined(sums, lambda x, total: x / total if total else Exact.of(0))

    def rows(self) -> Iterator[tuple[Exact, ...]]:
        """The rows as tuples of exact numbers."""
        return map(self.row, range(self.shape[0]))

    def row(self, i: int) -> tuple[Exact, ...]:
        """Row i, from 0."""
        return tuple(self[i, j] for j in range(self.shape[1]))

    def columns(self, start: int, stop: int) -> Matrix:
        """The columns from `start` to before `stop`."""
        return self.taken(range(self.shape[0]), range(start, stop))

    def beside(self, other: Matrix) -> Matrix:
        """[self | other]. Raises ShapeMismatch where the numbers of rows differ."""
        if self.shape[0] != other.shape[0]:
            raise ShapeMismatch(
                Bilingual("{a} and {b} cannot stand side by side", "{a} 与 {b} 不能左右拼接").format(
                    a=spelled(self.shape), b=spelled(other.shape)
                ),
                Bilingual("both need the same number of rows", "两者的行数必须相同"),
            )
        return Matrix.of([a + b for a, b in zip(self.rows(), other.rows(), strict=True)])

    def enclosures(self, bits: int) -> list[list[arb]]:
        """Balls that contain the entries, computed with `bits` of working precision. Raises HasSymbols."""
        with ctx.workprec(bits):
            return self.balls()

    def balls(self) -> list[list[arb]]:
        """The same at the current working precision."""
        return [[enclose(entry, ctx.prec) for entry in row] for row in self.rows()]

    def to_sympy(self) -> sympy.Matrix:
        """The same matrix in SymPy."""
        import sympy

        return sympy.Matrix([[entry.to_sympy() for entry in row] for row in self.rows()])

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, Matrix)
            and self.shape == other.shape
            and all(a == b for a, b in zip(self.rows(), other.rows(), strict=True))
        )

    def __hash__(self) -> int:
        return hash((self.shape, tuple(self.rows())))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.shape[0]}x{self.shape[1]})"


class SurdMatrix(Matrix):
    """A matrix whose entries are all surds."""

    __slots__ = ("_entries", "held")
    held: Surds | Product
    _entries: dict[tuple[int, int], Exact]

    def __init__(self, held: Surds | Product) -> None:
        object.__setattr__(self, "shape", held.shape)
        object.__setattr__(self, "held", held)
        object.__setattr__(self, "_entries", {})

    @property
    def surds(self) -> Surds:
        """The entries as a table."""
        return self.held if isinstance(self.held, Surds) else self.held.multiplied_out

    def __getitem__(self, at: tuple[int, int]) -> Exact:
        entry = self._entries.get(at)
        if entry is None:
            self._inside(at)
            entry = self._entries[at] = Exact.of(self.surds[at])
        return entry

    @property
    def T(self) -> Matrix:
        return SurdMatrix(self.surds.T)

    def scaled(self, factor: Exact) -> Matrix:
        c = factor.algebraic
        return SurdMatrix(self.held.scaled(c)) if isinstance(c, Surd) else self.map(lambda x: x * factor)

    def taken(self, rows: Sequence[int], cols: Sequence[int]) -> Matrix:
        if (rows, cols) == (range(self.shape[0]), range(self.shape[1])):
            return self
        return SurdMatrix(self.surds.taken(rows, cols))

    def _times(self, other: Matrix) -> Matrix:
        if isinstance(other, SurdMatrix):
            return SurdMatrix(Product(self.surds, other.surds))
        return other._after(self)

    def __add__(self, other: Matrix) -> Matrix:
        if isinstance(other, SurdMatrix) and self.shape == other.shape:
            return SurdMatrix(self.surds.plus(other.surds))
        return super().__add__(other)

    def balls(self) -> list[list[arb]]:
        return self.surds.balls().tolist()  # type: ignore[no-any-return]


class Dense(Matrix):
    """Entries held one by one: symbols, masked scores, quotients of any kind."""

    __slots__ = ("entries",)
    entries: tuple[tuple[Exact, ...], ...]

    def __init__(self, entries: tuple[tuple[Exact, ...], ...]) -> None:
        object.__setattr__(self, "entries", entries)
        object.__setattr__(self, "shape", (len(entries), len(entries[0]) if entries else 0))

    def __getitem__(self, at: tuple[int, int]) -> Exact:
        self._inside(at)
        return self.entries[at[0]][at[1]]

    @property
    def T(self) -> Matrix:
        return Dense(tuple(zip(*self.entries, strict=True)))

    def scaled(self, factor: Exact) -> Matrix:
        return self.map(lambda entry: entry * factor)

    def taken(self, rows: Sequence[int], cols: Sequence[int]) -> Matrix:
        return Matrix.of([[self.entries[i][j] for j in cols] for i in rows])

    def _times(self, other: Matrix) -> Matrix:
        """The product with surds, for which those of each row are multiplied at once."""
        if not isinstance(other, SurdMatrix):
            return super()._times(other)
        columns = tuple(other.T.rows())
        return Matrix.of([_row_times(self.row(i), other, columns) for i in range(self.shape[0])])


def _row_times(
    row: tuple[Exact, ...], other: SurdMatrix, columns: Sequence[tuple[Exact, ...]]
) -> Sequence[Exact]:
    """A row times a table of surds; in the place of its first surd stands what all of them add up to."""
    plain = [isinstance(entry.algebraic, Surd) for entry in row]
    zero, one = Exact.of(0), Exact.of(1)
    if not any(plain):
        return [_dot(row, column) for column in columns]
    surds = Matrix.of([[entry if told else zero for entry, told in zip(row, plain, strict=True)]])
    sums = (surds @ other).row(0)
    if all(plain):
        return sums
    found = []
    for column, known in zip(columns, sums, strict=True):
        pairs = [*zip(row, column, plain, strict=True)]
        first = next((k for k, (a, b, told) in enumerate(pairs) if told and a and b), None)
        parts = [
            (known, one) if k == first else (a, b)
            for k, (a, b, told) in enumerate(pairs)
            if k == first or not told
        ]
        found.append(_dot([a for a, _ in parts], [b for _, b in parts]))
    return found


def _dot(row: Sequence[Exact], column: Sequence[Exact]) -> Exact:
    """The sum of the products; quotients over one denominator are added up in one pass over their terms."""
    found = dot((a.algebraic, b.algebraic) for a, b in zip(row, column, strict=True))
    if found is not None:
        return Exact.of(found)
    total = Exact.of(0)
    shared: dict[Terms, list[tuple[Terms, Coefficient]]] = {}
    for a, b in zip(row, column, strict=True):
        if a and b:
            factor = b.algebraic
            if factor is None or isinstance(a, Infinite):
                total = total + a * b
            else:
                shared.setdefault(a.under, []).append((a.over, factor))
    for under, parts in shared.items():
        total = total + Exact.quotient(Terms.total(parts), under)
    return total
