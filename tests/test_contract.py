"""One contract for all operations: what an operation says about itself agrees.

The clauses are in `contract.py`; `test_contract_lies.py` has operations that break one clause each.
"""

from __future__ import annotations

from collections.abc import Iterable

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
from symattn.floats.from_exact import matrix_to_floats
from symattn.floats.tables import points
from symattn.plans.gradient import Differentiable
from symattn.plans.operation import Operation
from symattn.plans.ops.add import Add
from symattn.plans.ops.layernorm_parts import Deviation, Gained, Mean, Standardise, Variance
from symattn.plans.ops.scale import ScaleByPrinted
from symattn.plans.transposed import on_rows, transposed_operation
from symattn.text.bilingual import Bilingual
from symattn.text.errors import SymattnError


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
    fields_of = [(each, name) for each in reached(operation.example()[0]) for name in each.__struct_fields__]
    assert [f"{each}: {name}" for each, name in fields_of if isinstance(getattr(each, name), str)] == []


def test_parameters_are_replaced_by_a_function_of_them() -> None:
    for operation in OPERATIONS:
        op, arguments = operation.example()
        assert same(op.replaced(lambda parameter: parameter).exact(*arguments), op.exact(*arguments))


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
