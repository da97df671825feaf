"""Rules that an operation writes once: on exact matrices they are its values, on written ones its working.

A rule says with `+ - * /` and the functions of this file what an entry or a row of the result is. Its
numbers are `Exact`, or `Term`s, which keep what is done with them as a formula. Float64 code is no such
rule on purpose: it checks this one.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Any, ClassVar

from msgspec import Struct

from symattn.exact import functions
from symattn.exact.matrix import Matrix
from symattn.exact.maximum import largest
from symattn.exact.number import Exact, Infinite
from symattn.exact.shapes import Shape
from symattn.exact.spell import spell
from symattn.floats.tables import Table, added, product, transposed
from symattn.plans.base import Base
from symattn.plans.operation import Operation
from symattn.text.notation import (
    Call,
    Formula,
    Grid,
    Infinity,
    Negative,
    Number,
    Power,
    Product,
    Quotient,
    Root,
    Sum,
    Symbol,
    Transpose,
    product_of,
    sum_of,
)

ZERO, ONE = Exact.of(0), Exact.of(1)
HIDDEN = Negative(Infinity())


class Term(Struct, frozen=True):
    """A number as it is written. What a rule has `made` goes on: a + b, plus c, is one sum of three terms."""

    formula: Formula
    made: bool = False

    def _joined(self, kind: type[Sum | Product]) -> tuple[Formula, ...]:
        match self.formula:
            case Sum(terms=terms, spelled=False) if self.made and kind is Sum:
                return terms
            case Product(factors=factors, sign="dot") if self.made and kind is Product:
                return factors
        return (self.formula,)

    def __add__(self, other: Any) -> Term:
        if isinstance(other, Exact) and not other:
            return self
        return Term(Sum((*self._joined(Sum), formula_of(other))), True)

    def __sub__(self, other: Any) -> Term:
        return Term(Sum((*self._joined(Sum), Negative(formula_of(other)))), True)

    def __mul__(self, other: Any) -> Term:
        return Term(Product((*self._joined(Product), formula_of(other)), "dot"), True)

    def __truediv__(self, other: Any) -> Term:
        return self if other == ONE else Term(Quotient(self.formula, formula_of(other)), True)

    def __neg__(self) -> Term:
        return Term(Negative(self.formula), True)


def formula_of(x: Any) -> Formula:
    """How a number of a rule is written; an exact one, such as epsilon, in closed form."""
    return x.formula if isinstance(x, Term) else HIDDEN if isinstance(x, Infinite) else spell(x)


def like(other: Any, x: Exact, written: Formula | None = None) -> Any:
    """A number of the operation among numbers like the `other`: exact, or as it is `written`."""
    return Term(written or spell(x)) if isinstance(other, Term) else x


def hidden(x: Any) -> bool:
    """Whether a number is minus infinity."""
    return isinstance(x, Infinite) or (isinstance(x, Term) and x.formula == HIDDEN)


def vanishes(x: Any) -> bool:
    """Whether a number is 0, as far as it shows."""
    return x.formula == Number("0") if isinstance(x, Term) else not x


def visible(numbers: Iterable[Any]) -> list[Any]:
    """Those that are not hidden."""
    return [x for x in numbers if not hidden(x)]


class Function(Struct, frozen=True):
    """A function in rules: of exact numbers, and how it is written."""

    exact: Callable[..., Exact]
    written: Callable[..., Formula]

    def __call__(self, *numbers: Any) -> Any:
        if any(isinstance(x, Term) for x in numbers):
            return Term(self.written(*map(formula_of, numbers)), True)
        return self.exact(*numbers)


def called(name: str, exact: Callable[..., Exact]) -> Function:
    """A function that is written by its name."""
    return Function(exact, lambda *numbers: Call(name, numbers))


cos, sin = called("cos", functions.cos), called("sin", functions.sin)
tanh, erf = called("tanh", functions.tanh), called("erf", functions.erf)
root = Function(functions.sqrt, Root)
exp = Function(functions.exp, lambda x: Power(Symbol("e"), x))
maximum = Function(
    lambda *numbers: largest(numbers), lambda *cells: Call("max", cells) if cells[1:] else cells[0]
)
slashed = Function(lambda x, y: x / y, lambda x, y: Quotient(x, y, flat=True))
square = Function(lambda x: x * x, lambda x: Power(x, Number("2")))


def _in_turn(numbers: Iterable[Exact]) -> Exact:
    return sum(numbers, ZERO)


def total_of(
    numbers: Iterable[Any], *, spelled: bool = False, exact: Callable[[Iterable[Exact]], Exact] = _in_turn
) -> Any:
    """Their sum; written, each keeps its own sign if `spelled`: 2 + (-3).

    `exact` adds numbers, each before the next is made, so that one beyond a budget is the last.
    """
    rest = iter(numbers)
    first = list(islice(rest, 1))
    if first and isinstance(first[0], Term):
        found = (*first, *rest)
        return Term(sum_of(map(formula_of, found), spelled=spelled), len(found) > 1)
    return exact(chain(first, rest))


def dot(row: Iterable[Any], column: Iterable[Any]) -> Any:
    """The sum of the products of two rows."""
    return total_of(a * b for a, b in zip(row, column, strict=True))


def mean_of(numbers: Sequence[Any], *, spelled: bool = False) -> Any:
    """Their mean."""
    return total_of(numbers, spelled=spelled) / Exact.of(len(numbers))


def divided(numbers: Iterable[Any], divisor: Any) -> list[Any]:
    """Each of them over one divisor."""
    if isinstance(divisor, Term):
        return [x / divisor for x in numbers]
    factor = divisor.inverse()
    return [x * factor for x in numbers]


def signed(x: Any, sign: int, y: Any) -> Any:
    """x + y, x - y, or x where the sign is 0."""
    return x + y if sign > 0 else x - y if sign else x


def power(base: Base, exponent: Any) -> Any:
    """The base to an exponent."""
    if isinstance(exponent, Term):
        return Term(Power(base.written, exponent.formula))
    return base.power(exponent)


def times_log(base: Base, x: Any) -> Any:
    """The logarithm of a base times x, which is x for e."""
    if isinstance(x, Term):
        return Term(product_of((*base.written_log, x.formula)), True)
    return base.log * x


def every(matrix: Any) -> Iterator[Any]:
    """All entries of a matrix, row by row."""
    return chain(*matrix.rows())


class Written(Struct, frozen=True):
    """A matrix of which an entry is written when somebody asks for it."""

    shape: Shape
    at: Callable[[int, int], Term]

    @staticmethod
    def of(grid: Grid) -> Written:
        rows = grid.rows
        return Written(grid.shape, lambda i, j: Term(rows[i][j]))

    def __getitem__(self, at: tuple[int, int]) -> Term:
        return self.at(*at)

    def row(self, i: int) -> tuple[Term, ...]:
        return tuple(self.at(i, j) for j in range(self.shape[1]))

    def rows(self) -> Iterator[tuple[Term, ...]]:
        return map(self.row, range(self.shape[0]))

    @property
    def T(self) -> Written:
        return Written(self.shape[::-1], lambda i, j: self.at(j, i))

    def __matmul__(self, other: Written) -> Written:
        shape = self.shape[0], other.shape[1]
        return Written(shape, lambda i, j: dot(self.row(i), other.T.row(j)))

    def __add__(self, row: Written) -> Written:
        return Written(self.shape, lambda i, j: self.at(i, j) + row.at(0, j))


class Named(Term, frozen=True):
    """A matrix by its name, or the formula of several."""

    @property
    def T(self) -> Named:
        return Named(Transpose(self.formula))

    def __matmul__(self, other: Named) -> Named:
        return Named(Product((self.formula, other.formula)))


class Ranges(Struct, frozen=True):
    """A matrix of which each entry moves within an interval."""

    table: Table

    @property
    def T(self) -> Ranges:
        return Ranges(transposed(self.table))

    def __matmul__(self, other: Ranges) -> Ranges:
        return Ranges(product(self.table, other.table))

    def __add__(self, row: Ranges) -> Ranges:
        return Ranges(added(self.table, row.table))


class Ruled(Operation, frozen=True):
    """An operation that says once what an entry (`cell`) or the `entries` of a row of its result is."""

    symbols: ClassVar[tuple[str, ...]] = ()
    """What a page calls the numbers that the entries of a row share, in the order of `shared`."""

    def cell(self, i: int, j: int, *arguments: Any) -> Any:
        """Entry (i, j) from matrices, all of them exact or all of them written."""
        return self.entries(i, *arguments)[j]

    def entries(self, i: int, *arguments: Any) -> Sequence[Any]:
        """Row i, by default cell by cell."""
        width = self.shape(*(matrix.shape for matrix in arguments))[1]
        return [self.cell(i, j, *arguments) for j in range(width)]

    def shared(self, i: int, *arguments: Any) -> tuple[Any, ...]:
        """Numbers that the entries of row i share."""
        return ()

    def exact(self, *arguments: Matrix) -> Matrix:
        height = self.shape(*(matrix.shape for matrix in arguments))[0]
        return Matrix.of([self.entries(i, *arguments) for i in range(height)])

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        return formula_of(self.cell(i, j, *map(Written.of, arguments)))

    def parts(self, i: int, j: int, *arguments: Grid) -> tuple[tuple[Symbol, Formula], ...]:
        index, found = Number(str(i + 1)), self.shared(i, *map(Written.of, arguments))
        named = zip(self.symbols, found, strict=False)  # `shared` may be empty
        return tuple((Symbol(name, index), formula_of(x)) for name, x in named)

    def part_values(self, i: int, j: int, *arguments: Matrix) -> tuple[Exact, ...]:
        return self.shared(i, *arguments) if self.symbols else ()


class Algebraic(Ruled, frozen=True):
    """An operation of which the `rule` is made of products, transposes and a row that is added to each row.

    It is the value of exact matrices, the formula of their names and the range of what moves, too.
    """

    @abstractmethod
    def rule(self, *arguments: Any) -> Any:
        """The result, from matrices of one of these kinds."""

    def exact(self, *arguments: Matrix) -> Matrix:
        found: Matrix = self.rule(*arguments)
        return found

    def cell(self, i: int, j: int, *arguments: Any) -> Any:
        return self.rule(*arguments)[i, j]

    def formula(self, *arguments: Formula) -> Formula:
        return formula_of(self.rule(*map(Named, arguments)))

    def moves(self, *tables: Table) -> Table | None:
        found: Ranges = self.rule(*map(Ranges, tables))
        return found.table
