"""Operations with tokens as columns: every matrix transposed, Q = W_Q X, S = K^T Q, softmax down the columns.

The column convention is that of much of mathematics and of handwritten notes (Phuong and Hutter 2022,
"Formal Algorithms for Transformers", write it throughout). An operation on rows says everything about the
one on columns: (A B)^T = B^T A^T turns its result, its formula, its workings and its slips alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from msgspec.structs import replace

from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.exact.shapes import Shape
from symattn.floats.arrays import Floats
from symattn.floats.tables import Table
from symattn.floats.tables import transposed as turned_table
from symattn.plans.derive import Derivation
from symattn.plans.operation import Operation, Slip
from symattn.plans.plan import Plan
from symattn.text.errors import ShapeMismatch
from symattn.text.notation import (
    Call,
    Formula,
    Grid,
    Negative,
    Power,
    Product,
    Quotient,
    Series,
    Sum,
    Symbol,
    Transpose,
    commuted,
)

_PARTS: Mapping[str, str] = MappingProxyType({"row": "column", "rows": "columns", "columns": "rows"})
"""What the functions that take a part of a matrix take of its transpose."""


class TransposedOperation(Operation, frozen=True):
    """The operation `rows` with every argument and its result transposed."""

    rows: Operation

    def shape(self, *shapes: Shape) -> Shape:
        try:
            return self.rows.shape(*(shape[::-1] for shape in shapes))[::-1]
        except ShapeMismatch as problem:
            raise ShapeMismatch(problem.reason.transposed, problem.advice.transposed) from None

    def exact(self, *arguments: Matrix) -> Matrix:
        return self.rows.exact(*(matrix.T for matrix in arguments)).T

    def floats(self, *arguments: Floats) -> Floats:
        return self.rows.floats(*(matrix.T for matrix in arguments)).T

    def error(self, arguments: tuple[Floats, ...], errors: tuple[Floats, ...], result: Floats) -> Floats:
        given, spread = (tuple(matrix.T for matrix in matrices) for matrices in (arguments, errors))
        return self.rows.error(given, spread, result.T).T

    def moves(self, *tables: Table) -> Table | None:
        found = self.rows.moves(*map(turned_table, tables))
        return None if found is None else turned_table(found)

    def formula(self, *arguments: Formula) -> Formula:
        return transposed(self.rows.formula(*map(Transpose, arguments)))

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        working = self.rows.entry(j, i, *(grid.T for grid in arguments))
        return commuted(working) if self.rows.is_product else working

    def parts(self, i: int, j: int, *arguments: Grid) -> tuple[tuple[Symbol, Formula], ...]:
        return self.rows.parts(j, i, *(grid.T for grid in arguments))

    def part_values(self, i: int, j: int, *arguments: Matrix) -> tuple[Exact, ...]:
        return self.rows.part_values(j, i, *(matrix.T for matrix in arguments))

    def slips(self) -> tuple[Slip, ...]:
        return tuple(
            Slip(slip.on_columns or slip.code, slip.because.transposed, transposed_operation(slip.instead))
            for slip in self.rows.slips()
        )

    def for_derivative(self) -> Operation | None:
        found = self.rows.for_derivative()
        return None if found is None else transposed_operation(found)

    def for_comparing(self) -> Operation:
        return transposed_operation(self.rows.for_comparing())

    @classmethod
    def example(cls) -> tuple[Operation, tuple[Matrix, ...]]:
        raise NotImplementedError("an operation on columns has the example of the one on rows, transposed")


def transposed_operation(op: Operation) -> Operation:
    """The operation on columns of one on rows, and the other way round; twice, it is `op` again."""
    if isinstance(op, TransposedOperation):
        return op.rows
    return op.on_columns() or TransposedOperation(op)


def on_columns(plan: Plan) -> bool:
    """Whether tokens are columns in a plan."""
    return any(isinstance(line.op, TransposedOperation) for line in plan)


def transposed_plan(plan: Plan) -> Plan:
    """The plan on columns of one on rows, and the other way round."""
    return tuple(replace(line, op=transposed_operation(line.op)) for line in plan)


def transposed_derivation(derivation: Derivation) -> Derivation:
    """The computation with every matrix transposed: on columns for one on rows, and the other way round."""
    return Derivation(
        {name: matrix.T for name, matrix in derivation.given.items()},
        transposed_plan(derivation.plan),
        {name: matrix.T for name, matrix in derivation.values.items()},
    )


def on_rows(op: Operation) -> Operation:
    """The operation that says what is done, wherever the tokens stand."""
    return op.rows if isinstance(op, TransposedOperation) else op


def transposed(formula: Formula) -> Formula:
    """The transpose of a formula whose matrices stand in `Transpose`, carried out; scalars stay.

    (A^T B^T)^T is B A: the factors of a product change places.
    """
    match formula:
        case Transpose(matrix=matrix):
            return matrix
        case Grid(rows=rows):
            return Grid(tuple(tuple(map(transposed, row)) for row in rows)).T
        case Product(factors=factors, sign=sign):
            parts = tuple(map(transposed, factors))
            if sign == "":  # a factor that stays is a number
                backwards = iter(
                    [part for part, before in zip(parts, factors, strict=True) if part != before][::-1]
                )
                parts = tuple(
                    part if part == before else next(backwards)
                    for part, before in zip(parts, factors, strict=True)
                )
            return Product(parts, sign)
        case Sum(terms=terms, spelled=spelled):
            return Sum(tuple(map(transposed, terms)), spelled)
        case Quotient(over=over, under=under, flat=flat):
            return Quotient(transposed(over), transposed(under), flat)
        case Power(base=base, exponent=exponent):
            return Power(transposed(base), transposed(exponent))
        case Negative(term=term):
            return Negative(transposed(term))
        case Call(function=function, arguments=arguments):
            return Call(_PARTS.get(function, function), tuple(map(transposed, arguments)))
        case Series(index=Symbol(name="i" | "j" as index), body=body):
            return replace(formula, index=Symbol("j" if index == "i" else "i"), body=transposed(body))
        case Series(body=body):
            return replace(formula, body=transposed(body))
    return formula
