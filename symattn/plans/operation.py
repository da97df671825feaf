"""What an operation is: one step of a computation that says everything about itself.

An operation computes itself exactly and in floats (whose rounding error is bounded by running the same
code on bounded arrays), writes itself in neutral notation, gives an example, and lists its slips: the
operations that people carry out instead. One contract test (tests/test_contract.py) holds for all of them.
"""

from __future__ import annotations

from abc import ABCMeta, abstractmethod
from math import inf
from typing import Any, ClassVar, Literal, Self

from msgspec import Struct, StructMeta
from msgspec.structs import replace

from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.exact.shapes import Shape
from symattn.floats.arrays import Floats, np
from symattn.floats.tables import Table, still
from symattn.plans.base import Base
from symattn.text.bilingual import Bilingual, oriented
from symattn.text.notation import Formula, Grid, Product, Symbol

Working = Literal["terms", "rule", "none"]
"""How a page works out the entries of a result: `terms` puts the matrices into the formula and writes the
terms of each entry; `rule` writes a rule for each entry; `none` nothing, for entries are handed on."""


class _Abstract(StructMeta, ABCMeta):
    """Structs with methods that each subclass must have."""


class Operation(Struct, frozen=True, metaclass=_Abstract):
    """One step `name = operation(arguments)`; subclasses are frozen structs of its parameters."""

    is_product: ClassVar[bool] = False
    """Whether the result is a matrix product, whose factors change places where it is transposed."""

    entrywise: ClassVar[bool] = False
    """Whether each entry follows from the same entries of the arguments, wherever the tokens stand."""
    finite_decimals: ClassVar[bool] = False
    """Whether decimals that end make decimals that end, as sums and products do and quotients need not."""

    kinked: ClassVar[bool] = False
    """Whether it has no derivative where an argument is 0, as a ReLU has none."""

    rowwise: ClassVar[bool] = False
    """Whether a row of the result is what it is because of the same row of the first argument."""

    working: ClassVar[Working] = "terms"
    differentiates_weights: ClassVar[bool] = False
    """Whether it hands the gradient of weights back to what they were made of, as a softmax backwards."""
    most_in_sums: ClassVar[float] = inf
    """How many entries what follows adds up in closed form, and not by name: none of a tanh."""

    example_fields: ClassVar[tuple[Any, ...]] = ()
    """The parameters of its example; by default all are left out."""
    example_arguments: ClassVar[tuple[list[list[int]], ...]]
    """The arguments of its example, whole numbers row by row."""

    def shape(self, *shapes: Shape) -> Shape:
        """The shape of the result, by default that of the first argument.

        Raises ShapeMismatch where the arguments do not fit.
        """
        return shapes[0]

    @abstractmethod
    def exact(self, *arguments: Matrix) -> Matrix:
        """The exact result for arguments that fit: `Line.value` has asked `shape` before."""

    @abstractmethod
    def floats(self, *arguments: Floats) -> Floats:
        """The result in float64, by code that never sees an exact value.

        Of a forward operation that is differentiated, in complex numbers too: their imaginary parts take
        derivatives (`symattn.checks.gradcheck`).
        """

    @abstractmethod
    def formula(self, *arguments: Formula) -> Formula:
        """The operation applied to named or written-out arguments, in neutral notation."""

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        """The working of entry (i, j), from 0, with the entries of the arguments put in.

        By default the formula of these entries, its factors with dots between; a single row or column is
        repeated.
        """
        working = self.formula(*(grid.at(i, j) for grid in arguments))
        return replace(working, sign="dot") if isinstance(working, Product) else working

    def parts(self, i: int, j: int, *arguments: Grid) -> tuple[tuple[Symbol, Formula], ...]:
        """What a page defines once and then writes as a symbol in the working of entry (i, j).

        Each formula stands in that working as it is here; a later one may hold an earlier one.
        """
        return ()

    def part_values(self, i: int, j: int, *arguments: Matrix) -> tuple[Exact, ...]:
        """The values of `parts`, in the same order."""
        return ()

    @classmethod
    def example(cls) -> tuple[Operation, tuple[Matrix, ...]]:
        """A small instance and arguments on which every slip shows."""
        return cls(*cls.example_fields), tuple(map(Matrix.rational, cls.example_arguments))

    def slips(self) -> tuple[Slip, ...]:
        """How people get it wrong."""
        return ()

    def error(self, arguments: tuple[Floats, ...], errors: tuple[Floats, ...], result: Floats) -> Floats:
        """A bound on |floats - exact|, from bounds on the errors of the arguments; infinite for none.

        `floats` itself is run on bounded arrays (`symattn.floats.bounded`); an operation says more where it
        computes with constants that are rounded more than once.
        """
        from symattn.floats.bounded import Bounded, bounded

        made = self.floats(*map(Bounded, arguments, errors))  # type: ignore[arg-type]
        return bounded(made).error

    def moves(self, *tables: Table) -> Table | None:
        """The ranges of the result over independent ranges of the arguments; None where nothing moves.

        They hold every value that the result can take; a range that is too wide hides mistakes, one that is
        too narrow accuses honest numbers. By default they come from `error`; an operation says more where
        entries move against each other, and that would be much too wide.
        """
        if all(map(still, tables)):
            return None
        from symattn.floats.middles import around, middles

        values, radii = zip(*map(middles, tables), strict=True)
        resting = tuple(
            np.where([[a.low is a.high for a in row] for row in table], spread, 0.0)
            for table, spread in zip(tables, radii, strict=True)
        )
        with np.errstate(all="ignore"):
            result = np.asarray(self.floats(*values))
            reach, at_rest = (self.error(values, spread, result) for spread in (radii, resting))
        return around(result, *(np.broadcast_to(bound, result.shape) for bound in (reach, at_rest)))

    def on_columns(self) -> Operation | None:
        """The operation on transposed arguments, with a transposed result, where it can say so by itself."""
        return self if self.entrywise else None

    def for_derivative(self) -> Operation | None:
        """What takes its place where the computation is differentiated; by default the operation itself.

        None where the result cancels in what follows, as a maximum that is subtracted.
        """
        return self

    def for_comparing(self) -> Operation:
        """What takes its place where results are compared with printed numbers, and is fast there."""
        return self

    def replaced(self, how: Any) -> Self:
        """The operation with `how` applied to each of its exact parameters (numbers and matrices)."""
        changes = {
            name: value.replaced(how) if isinstance(value, Base | Operation) else how(value)
            for name in self.__struct_fields__
            if isinstance(value := getattr(self, name), Exact | Matrix | Base | Operation)
        }
        return replace(self, **changes) if changes else self


class Slip(Struct, frozen=True):
    """A named human mistake: the operation that somebody carried out instead.

    `code` names the mistake (`scale-omitted`), `on_columns` names it with tokens as columns where that
    differs; `because` reads after "you have ..." in English and after "这里" in Chinese.
    """

    code: str
    because: Bilingual
    instead: Operation
    on_columns: str = ""


def slip(code: str, en: str, zh: str, instead: Operation, on_columns: str = "") -> Slip:
    """A mistake in words of both languages; `[row|column]` marks what reads differently for columns."""
    return Slip(code, oriented(en, zh), instead, on_columns)


class Mistake:
    """First among the bases of a wrong version of an operation: it has no slips."""

    def slips(self) -> tuple[Slip, ...]:
        """None: what is wrong is not gone wrong with once more."""
        return ()

    def moves(self: Any, *tables: Table) -> Table | None:
        """By its floats: what the right operation says of its range is not true of a wrong one."""
        return Operation.moves(self, *tables)
