"""The formula of a product, computed, is its result, on rows and on columns."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce

import pytest

from symattn.attention.registry import OPERATIONS
from symattn.exact.matrix import Matrix
from symattn.plans.operation import Operation
from symattn.plans.transposed import transposed_operation
from symattn.text.notation import Formula, Product, Sum, Symbol, Transpose

PRODUCTS = [operation.example() for operation in OPERATIONS if operation.example()[0].is_product]


def computed(formula: Formula, matrices: Mapping[Formula, Matrix]) -> Matrix:
    """A formula of matrix algebra, carried out."""
    match formula:
        case Transpose(matrix=matrix):
            return computed(matrix, matrices).T
        case Product(factors=factors):
            return reduce(lambda a, b: a @ b, (computed(factor, matrices) for factor in factors))
        case Sum(terms=terms):
            return reduce(lambda a, b: a + b, (computed(term, matrices) for term in terms))
    return matrices[formula]


@pytest.mark.parametrize(("op", "arguments"), PRODUCTS, ids=lambda value: type(value).__name__)
@pytest.mark.parametrize("columns", [False, True])
def test_the_formula_of_a_product_is_what_is_computed(
    op: Operation, arguments: tuple[Matrix, ...], columns: bool
) -> None:
    if columns:
        op, arguments = transposed_operation(op), tuple(matrix.T for matrix in arguments)
    names = tuple(Symbol(name) for name in "ABC"[: len(arguments)])
    assert computed(op.formula(*names), dict(zip(names, arguments, strict=True))) == op.exact(*arguments)
