"""Rules that an operation writes once: on exact numbers a value, on formulas the working."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from symattn.attention.registry import OPERATIONS
from symattn.exact.matrix import Matrix
from symattn.exact.number import MINUS_INFINITY, Exact
from symattn.exact.spell import spell
from symattn.exact.symbolic import named_symbol
from symattn.exact.work import STEPS_OF_ADDENDS, TooMuchWork, at_most
from symattn.floats.interval import Interval
from symattn.floats.tables import points
from symattn.plans.ops.project import Project
from symattn.plans.rules import (
    Ruled,
    Term,
    Written,
    dot,
    formula_of,
    like,
    maximum,
    root,
    signed,
    square,
    total_of,
)
from symattn.text.notation import (
    Call,
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
)

A, B, C = (Term(Symbol(name)) for name in "abc")


def test_what_a_rule_has_made_goes_on_and_what_was_given_stays_together() -> None:
    a, b, c = (term.formula for term in (A, B, C))
    assert (A + B - C).formula == Sum((a, b, Negative(c)))
    assert (A * B * C).formula == Product((a, b, c), "dot")
    given = Term(Sum((a, b)))
    assert (given + C).formula == Sum((Sum((a, b)), c))
    assert (A + (B + C)).formula == Sum((a, Sum((b, c))))
    assert ((A + B) / C).formula == Quotient(Sum((a, b)), c)


def test_nothing_is_written_for_a_zero_that_is_added_and_a_one_that_divides() -> None:
    assert (A + Exact.of(0)) == A
    assert (A / Exact.of(1)) == A
    assert signed(A, 0, B) == A


def test_functions_are_values_of_numbers_and_formulas_of_what_is_written() -> None:
    four, nine = Exact.of(4), Exact.of(9)
    assert (root(four), square(four), maximum(four, nine)) == (Exact.of(2), Exact.of(16), nine)
    a = A.formula
    assert formula_of(root(A)) == Root(a)
    assert formula_of(square(A)) == Power(a, Number("2"))
    assert formula_of(maximum(Exact.of(0), A)) == Call("max", (Number("0"), a))
    assert formula_of(like(A, four)) == Number("4")
    assert like(nine, four) == four


def test_one_rule_gives_a_value_and_its_working() -> None:
    exact = Matrix.rational([[1, 2], [3, 5]])
    written = Written.of(Grid(((Symbol("a"), Symbol("b")), (Symbol("c"), Symbol("d")))))
    values, working = (dot(m.row(0), m.T.row(1)) for m in (exact, written))
    assert values == Exact.of(1 * 2 + 2 * 5)
    a, b, d = (Symbol(name) for name in "abd")
    assert working.formula == Sum((Product((a, b), "dot"), Product((b, d), "dot")))


def test_a_spelled_sum_keeps_every_sign() -> None:
    assert total_of((A, B), spelled=True).formula == Sum((A.formula, B.formula), spelled=True)
    assert total_of((A,), spelled=True) == A


def test_a_sum_beyond_a_budget_ends_before_its_further_numbers_are_made() -> None:
    made = []

    def numbers() -> Iterator[Exact]:
        for k in range(9):
            made.append(k)
            yield Exact.of(named_symbol(f"x_{k}"))

    with pytest.raises(TooMuchWork), at_most(2 * STEPS_OF_ADDENDS):
        total_of(numbers())
    assert len(made) == 3


def test_minus_infinity_is_written_as_such() -> None:
    assert formula_of(MINUS_INFINITY) == Negative(Infinity())


def test_most_operations_say_their_rule_once() -> None:
    """An operation with a rule writes neither the values nor the working again."""
    ruled = [kind for kind in OPERATIONS if issubclass(kind, Ruled)]
    assert len(ruled) > len(OPERATIONS) / 2
    twice = [kind.__name__ for kind in ruled if "entry" in vars(kind)]
    assert twice == []


def test_one_rule_of_matrices_is_value_formula_working_and_range() -> None:
    """A projection says X W + b once; whatever moves in it moves in its range."""
    x, w, b = Matrix.rational([[1, 2]]), Matrix.rational([[1, 4], [2, -1]]), Matrix.rational([[1, -2]])
    op = Project()
    assert op.exact(x, w, b) == Matrix.rational([[6, 0]])
    names = tuple(Symbol(name) for name in "XWb")
    assert op.formula(*names) == Sum((Product(names[:2]), names[2]))
    grids = (Grid(tuple(tuple(map(spell, row)) for row in m.rows())) for m in (x, w, b))
    one, two, four = (Number(digit) for digit in "124")
    products = Product((one, four), "dot"), Product((two, Number("-1")), "dot")
    assert op.entry(0, 1, *grids) == Sum((*products, Number("-2")))
    tables = [points(m) for m in (x, w, b)]
    low, high = tables[0][0][0].low, tables[0][0][0].low + 1
    tables[0][0][0] = Interval(low, high)
    moved = op.moves(*tables)
    assert moved is not None
    assert [(float(cell.low), float(cell.high)) for cell in moved[0]] == [(6.0, 7.0), (0.0, 4.0)]
