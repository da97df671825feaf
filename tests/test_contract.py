"""One contract for all operations: what an operation says about itself agrees.

The clauses stand in `contract.py`; the lying operations at the end break
one clause each, which proves that the contract can fail.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from typing import ClassVar

import numpy as np
import pytest
from case_plans import differentiated, planned, without_gradient
from contract import (
    broken_clauses,
    entries_are_worked_out,
    follows_orientation,
    results_stay_in_their_range,
    same,
)
from flint import fmpq

from symattn.attention.registry import OPERATIONS
from symattn.auditor.claims import SumOf, Term
from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.exact.shapes import Shape
from symattn.floats.arrays import Floats
from symattn.floats.from_exact import matrix_to_floats
from symattn.floats.tables import Table, points
from symattn.plans.gradient import Differentiable, Forward, Shares
from symattn.plans.operation import Operation, Slip
from symattn.plans.ops.add import Add
from symattn.plans.ops.layernorm_parts import Deviation, Gained, Mean, Standardise, Variance
from symattn.plans.ops.scale import Scale, ScaleByPrinted
from symattn.plans.plan import Line
from symattn.plans.transposed import on_rows, transposed_operation
from symattn.text.bilingual import Bilingual, both
from symattn.text.errors import SymattnError
from symattn.text.notation import Formula, Grid, Number, Product, Symbol


def test_the_operations_of_all_plans_are_those_that_are_registered() -> None:
    """One that nobody registered is held to nothing, and one that no plan has is forgotten too."""
    assert {kind.__name__ for kind in planned()} == {kind.__name__ for kind in OPERATIONS}


def test_the_gradient_of_a_line_reaches_each_of_its_arguments() -> None:
    found = [(line, without_gradient(line, around)) for line, around in differentiated()]
    assert [(line.name, missing) for line, missing in found if missing] == []
    checked = tuple({type(line.op) for line, _ in found})
    differentiable = [kind for kind in OPERATIONS if issubclass(kind, Differentiable)]
    assert [kind for kind in differentiable if not any(issubclass(one, kind) for one in checked)] == []


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.__name__)
def test_the_operation_keeps_the_contract(operation: type[Operation]) -> None:
    op, arguments = operation.example()
    assert isinstance(op, operation)
    assert broken_clauses(op, arguments) == []


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.__name__)
def test_the_operation_on_columns_keeps_the_contract(operation: type[Operation]) -> None:
    op, arguments = operation.example()
    assert transposed_operation(transposed_operation(op)) == op
    assert broken_clauses(transposed_operation(op), tuple(matrix.T for matrix in arguments)) == []


@pytest.mark.parametrize(
    "operation", [Mean, Variance, Deviation, Standardise, Gained, ScaleByPrinted, Term, SumOf]
)
def test_what_only_an_audit_computes_stays_in_its_range_and_is_worked_out(operation: type[Operation]) -> None:
    op, arguments = operation.example()
    assert results_stay_in_their_range(op, arguments)
    assert entries_are_worked_out(op, arguments)


@pytest.mark.parametrize("columns", [False, True])
def test_nothing_moves_where_no_argument_does(columns: bool) -> None:
    for operation in OPERATIONS:
        op, arguments = operation.example()
        matrices = [matrix.T if columns else matrix for matrix in arguments]
        found = (transposed_operation(op) if columns else op).moves(*map(points, matrices))
        cells = [cell for row in found or () for cell in row if cell.low.is_finite()]
        assert not any(cell.exceeds(fmpq(1, 10**9)) for cell in cells), operation.__name__


@pytest.mark.parametrize("columns", [False, True])
def test_a_slip_code_has_one_meaning_over_all_operations(columns: bool) -> None:
    words: dict[str, set[Bilingual]] = {}
    for operation in OPERATIONS:
        op = on_rows(operation.example()[0])
        for slip in (transposed_operation(op) if columns else op).slips():
            words.setdefault(slip.code, set()).add(slip.because)
    assert [code for code, meanings in words.items() if len(meanings) > 1] == []


def test_a_slip_about_rows_reads_differently_where_tokens_are_columns() -> None:
    slips = (slip for operation in OPERATIONS for slip in on_rows(operation.example()[0]).slips())
    assert [slip.code for slip in slips if not follows_orientation(slip.because)] == []


def reached(op: Operation) -> Iterable[Operation]:
    """The operation, its wrong versions, and theirs."""
    found, ahead = {type(op): op}, [op]
    while ahead:
        new = {type(slip.instead): slip.instead for slip in ahead.pop().slips()}
        ahead += (each for kind, each in new.items() if kind not in found)
        found = new | found
    return found.values()


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.__name__)
def test_no_operation_chooses_between_versions_by_a_string(operation: type[Operation]) -> None:
    """A wrong version is another operation or another number, not a branch in the right one."""
    fields_of = [(each, field.name) for each in reached(operation.example()[0]) for field in fields(each)]
    assert [f"{each}: {name}" for each, name in fields_of if isinstance(getattr(each, name), str)] == []


def test_parameters_are_replaced_by_a_function_of_them() -> None:
    for operation in OPERATIONS:
        op, arguments = operation.example()
        assert same(op.replaced(lambda parameter: parameter).exact(*arguments), op.exact(*arguments))


# Lies: each operation is Add but for one clause.


@dataclass(frozen=True)
class Honest(Add):
    """A + B."""


@dataclass(frozen=True)
class WrongShape(Honest):
    """Says that the sum is transposed."""

    def shape(self, *shapes: Shape) -> Shape:
        return super().shape(*shapes)[0] + 1, shapes[0][1]

    def exact(self, *arguments: Matrix) -> Matrix:
        return arguments[0] + arguments[1]


@dataclass(frozen=True)
class Unchecked(Honest):
    """Takes any shapes."""

    def shape(self, *shapes: Shape) -> Shape:
        return shapes[0]


@dataclass(frozen=True)
class WrongFloats(Honest):
    """Is off by a millionth in floats."""

    def floats(self, *arguments: Floats) -> Floats:
        return super().floats(*arguments) + 1e-6


@dataclass(frozen=True)
class UselessBound(Honest):
    """Allows itself any error."""

    def error(self, arguments: tuple[Floats, ...], errors: tuple[Floats, ...], result: Floats) -> Floats:
        return np.ones_like(result)


@dataclass(frozen=True)
class NarrowRange(Honest):
    """Says that the result moves less far than it does."""

    def moves(self, *tables: Table) -> Table | None:
        return tables[0]


@dataclass(frozen=True)
class Unmoved(Honest):
    """Says that nothing moves."""

    def moves(self, *tables: Table) -> Table | None:
        return None


@dataclass(frozen=True)
class Endless(Scale):
    """Says that a third of what ends does so too."""

    finite_decimals: ClassVar[bool] = True

    @classmethod
    def example(cls) -> tuple[Operation, tuple[Matrix, ...]]:
        return cls(Exact.of(3)), Scale.example()[1]


@dataclass(frozen=True)
class WrongEntry(Honest):
    """Works its entries out as products."""

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        return Product(tuple(argument.rows[i][j] for argument in arguments), "dot")


class WrongPart(Honest):
    """Has a symbol for what does not stand in its working."""

    def parts(self, i: int, j: int, *arguments: Grid) -> tuple[tuple[Symbol, Formula], ...]:
        return ((Symbol("mu"), Number("7")),)

    def part_values(self, i: int, j: int, *arguments: Matrix) -> tuple[Exact, ...]:
        return (Exact.of(7),)


@dataclass(frozen=True)
class WrongFormula(Honest):
    """Leaves its arguments out of its formula."""

    def formula(self, *arguments: Formula) -> Formula:
        return Number("1")


@dataclass(frozen=True)
class HarmlessSlip(Honest):
    """Calls the right operation a slip."""

    def slips(self) -> tuple[Slip, ...]:
        return (Slip("nothing-wrong", Bilingual("done it right", "做对了"), Honest()),)


@dataclass(frozen=True)
class TwiceNamed(Honest):
    """Has two slips of one name."""

    def slips(self) -> tuple[Slip, ...]:
        return super().slips() * 2


@dataclass(frozen=True)
class Untranslated(Honest):
    """Has a slip without Chinese words."""

    def slips(self) -> tuple[Slip, ...]:
        return tuple(replace(slip, because=both("omitted")) for slip in super().slips())


@dataclass(frozen=True)
class Slipless(Honest):
    """Thinks that nobody ever gets it wrong."""

    def slips(self) -> tuple[Slip, ...]:
        return ()


@dataclass(frozen=True)
class LyingSlip(Honest):
    """Has a slip that is itself wrong about its floats."""

    def slips(self) -> tuple[Slip, ...]:
        return (Slip("floats-wrong", Bilingual("lied", "说谎"), WrongFloats(times=0)),)


class Changeable(Honest):
    """Is frozen in name only."""

    def __setattr__(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)


@dataclass(frozen=True)
class Silent(Honest):
    pass


Silent.__doc__ = None

LIES: list[tuple[type[Operation], str]] = [
    (WrongShape, "shape_is_true"),
    (Unchecked, "misfits_are_refused"),
    (WrongFloats, "floats_are_near"),
    (UselessBound, "floats_are_near"),
    (NarrowRange, "results_stay_in_their_range"),
    (Unmoved, "results_stay_in_their_range"),
    (Endless, "results_end"),
    (WrongEntry, "entries_are_worked_out"),
    (WrongPart, "parts_are_worked_out"),
    (WrongFormula, "formula_takes_names"),
    (HarmlessSlip, "slips_show"),
    (TwiceNamed, "slips_are_named"),
    (Untranslated, "slips_are_named"),
    (Slipless, "slips_are_named"),
    (LyingSlip, "slips_keep_the_contract"),
    (Changeable, "is_frozen"),
    (Silent, "describes_itself"),
]


def test_an_honest_operation_of_the_tests_keeps_the_contract() -> None:
    assert broken_clauses(*Honest.example()) == []


@pytest.mark.parametrize(("lie", "clause"), LIES, ids=lambda value: getattr(value, "__name__", value))
def test_a_lying_operation_breaks_the_clause_it_lies_about(lie: type[Operation], clause: str) -> None:
    op, arguments = lie.example()
    assert clause in broken_clauses(op, arguments)


@dataclass(frozen=True)
class Forgetful(Honest):
    """Hands nothing back to its second argument."""

    def gradient(self, line: Line, g: str, forward: Forward) -> Shares:
        return super().gradient(line, g, forward)[:1]


@pytest.mark.parametrize(("lines", "missing"), [((), ["B"]), (("X",), ["B"]), (("A",), [])])
def test_a_forgetful_gradient_leaves_out_what_it_does_not_reach(
    lines: tuple[str, ...], missing: list[str]
) -> None:
    """B has no share; that of A is enough where B was made of A alone, as sums of exponentials are."""
    around = Forward({"B": Line("B", Scale(Exact.of(2)), lines)} if lines else {}, {})
    assert without_gradient(Line("R", Forgetful(), ("A", "B")), around) == missing
    assert without_gradient(Line("R", Honest(), ("A", "B")), around) == []


def test_the_default_error_bound_holds_for_an_operation_that_gives_none() -> None:
    op, arguments = Add.example()
    given = tuple(matrix_to_floats(matrix) for matrix in arguments)
    errors = tuple(np.full_like(matrix, 1e-9) for matrix in given)
    bound = Operation.error(op, given, errors, op.floats(*given))
    assert np.all(bound >= 2e-9 * (1 - 1e-6))
    assert np.all(bound <= 2.1e-9)


def test_errors_of_the_arguments_are_carried_through() -> None:
    for operation in OPERATIONS:
        op, arguments = operation.example()
        if not arguments:
            continue
        given = tuple(matrix_to_floats(matrix) for matrix in arguments)
        moved = tuple(matrix + 2.0**-20 for matrix in given)
        errors = tuple(np.full_like(matrix, 2.0**-20) for matrix in given)
        result, other = op.floats(*given), op.floats(*moved)
        bound = op.error(given, errors, result)
        with np.errstate(invalid="ignore"):
            difference = np.abs(other - result)
        assert np.all((difference <= bound * 1.0001) | (other == result)), operation.__name__


def test_a_refusal_is_an_error_of_the_input() -> None:
    with pytest.raises(SymattnError):
        Add().shape((1, 2), (2, 1))
    assert Exact.of(1) == Add().exact(Matrix.rational([[1]]), Matrix.rational([[0]]))[0, 0]
