"""Named quantities: one number known by its name, and what is concluded about it."""

from __future__ import annotations

import pytest
import sympy
from variant_cases import variant

from symattn.casefile.case_file import parse_case
from symattn.exact.algebraic import effort, set_effort
from symattn.exact.bounds import nodes
from symattn.exact.decision import equal, is_zero
from symattn.exact.derivative import derivative
from symattn.exact.functions import exp, symbol, tanh
from symattn.exact.matrix import Matrix
from symattn.exact.named import Named, names_in
from symattn.exact.names import Names
from symattn.exact.number import Exact
from symattn.exact.symbolic import Symbolic
from symattn.result import work

TANH = tanh(Exact.of(2))
NAME = Exact.of(Symbolic(Named("u", 0, 1, TANH)))


def test_a_name_equals_its_definition_and_minus_the_name_its_negative() -> None:
    assert equal(NAME, TANH) is True
    assert equal(-NAME, tanh(Exact.of(-2))) is True
    assert equal(NAME, -TANH) is False


def test_the_derivative_of_a_name_is_that_of_its_definition() -> None:
    t = symbol("t")
    known = Exact.of(Symbolic(Named("u", 0, 0, exp(t * t))))
    assert str(derivative(known * known, "t").to_sympy()) == "4*u_0_0*t*exp(t**2)"


def test_entries_of_more_nodes_than_asked_for_go_by_name_and_plain_numbers_never() -> None:
    seen = Names().seen("u", Matrix.of([[Exact.of(3), TANH], [exp(Exact.of(1)), -TANH]]), 0)
    assert [str(x.to_sympy()) for row in seen.rows() for x in row] == ["3", "u_0_1", "u_1_0", "-u_0_1"]
    assert seen == seen.T.T


def test_what_follows_a_softcap_sees_it_by_name_and_the_json_in_closed_form() -> None:
    """e to the tanh of a score is e to a name: nothing of it is expanded, and enclosures are those of the
    name."""
    worked = variant("softcap")
    assert str(worked["masked"][1, 1].to_sympy()) == "capped_1_1"
    assert not worked["capped"][1, 1].to_sympy().atoms(Named)
    (step,) = worked.data(only=["A"])["steps"]
    assert step["exact"][0] == ["1", "0"]
    assert f"{sympy.sympify(step['exact'][1][0]).evalf(4)}" == step["decimal"][1][0] == "0.3853"


def test_what_is_named_is_written_out_where_only_that_decides() -> None:
    """1/(1 + e^2) + e^2/(1 + e^2) = 1, and in names alone it is only a sum."""
    one, two = (Exact.of(Symbolic(Named("a", 0, j, softmax(j)))) for j in range(2))
    assert equal(one + two, Exact.of(1)) is True
    assert is_zero(one + two - Exact.of(1)) is True
    assert equal(one + one, Exact.of(1)) is False


def test_names_whose_definitions_multiply_are_undecided_soon() -> None:
    """Each name squares a sum with the one before it: twelve are thousands of terms together."""
    x = symbol("t") * exp(Exact.of(1))
    for k in range(12):
        before = Exact.of(Symbolic(Named("x", k, 0, x)))
        x = (before + exp(Exact.of(k))) * (before + exp(Exact.of(k + 20)))
    again = Exact.of(Symbolic(Named("y", 0, 0, x * Exact.of(2))))
    assert is_zero(again - x - x) is True
    assert is_zero(again - x - x - Exact.of(Symbolic(Named("z", 0, 0, exp(symbol("t")))))) is not True


def softmax(j: int) -> Exact:
    powers = [Exact.of(1), exp(Exact.of(2))]
    return powers[j] / (powers[0] + powers[1])


INPUTS = """
[given]
X = [[1, 2], [0, -1], [3, "sqrt(2)"]]
W_Q = [[1, 0], [2, 1]]
W_K = [[0, 1], [1, 1]]
W_V = [[1, -1], [2, 0]]
"""
FEED_FORWARD = "W_O = [[1, 0], [0, 1]]\nW_1 = [[1], [2]]\nW_2 = [[1, 3]]"


def test_an_entry_in_names_that_is_proved_to_be_zero_is_zero() -> None:
    """The gradient of the scores sums to zero along a row, whatever its entries are called."""
    worked = work(parse_case(ZERO))
    assert names_in(worked["dQ"][0, 0])
    assert worked["dQ"][0, 1] == Exact.of(0)


@pytest.mark.parametrize(
    ("name", "settings", "given"),
    [
        ("db_K", 'loss = "cross-entropy"', "b_K = [1, 0]\ntarget = [[1, 0], [0, 1], [1, 0]]"),
        ("db_K", 'loss = "squared"\nlayers = 2', "b_K = [1, 0]\ntarget = [[1, 0], [0, 1], [2, 0]]"),
        ("dresidual_1", 'loss = "sum"\nlayer = "post-norm"\nepsilon = "1/10"', FEED_FORWARD),
    ],
)
def test_a_gradient_of_what_changes_nothing_is_zero(name: str, settings: str, given: str) -> None:
    """A softmax does not see what is added to all scores, nor the sum of a norm what its row is: the rows of
    names cancel one by one, in the layers below too."""
    worked = work(parse_case(f'{INPUTS}{given}\n[attention]\nmask = "causal"\n{settings}\n'))
    assert {x for row in worked[name].rows() for x in row} == {Exact.of(0)}


ZERO = """
[given]
Q = [[1, 0]]
K = [[1, 1], [2, 1], [4, 1]]
V = [[1], [3], [0]]
dZ = [[5]]
[attention]
scale = "1"
"""


def test_gradients_of_heads_and_tokens_are_no_product_of_all_their_denominators() -> None:
    """Two heads of four tokens: each entry of dX is a short expression in names, and NumPy agrees."""
    worked = work(parse_case(GRADIENTS))
    assert worked.check.agrees
    assert max(nodes(x) for row in worked["dX"].rows() for x in row) < 50


GRADIENTS = """
[given]
X = [[1, 0, 2, 1], [0, 1, 1, -1], [2, 1, 0, 1], [1, 1, 1, 0]]
W_Q = [[1, 0, 2, 0], [0, 1, 0, 1], [1, 1, 0, 0], [0, 0, 1, 1]]
W_K = [[0, 1, 1, 0], [1, 0, 0, 1], [0, 0, 1, 1], [1, 1, 0, 0]]
W_V = [[1, 2, 0, 1], [0, 1, 1, 0], [1, 0, 0, 2], [0, 1, 1, 1]]
W_O = [[1, 0, 0, 1], [0, 1, 1, 0], [1, 1, 0, 0], [0, 0, 1, 1]]
doutput = [[1, 0, 0, 2], [0, 1, 0, 0], [0, 0, 1, -1], [1, 0, 0, 0]]
[attention]
heads = 2
"""


def test_more_effort_puts_in_more_definitions() -> None:
    x = Exact.of(Symbolic(Named("x", 0, 0, symbol("t") * exp(Exact.of(1)))))
    y = Exact.of(Symbolic(Named("y", 0, 0, x * x)))
    before = effort()
    try:
        set_effort(4)
        assert is_zero(y - x * x) is None
        set_effort(before)
        assert is_zero(y - x * x) is True
    finally:
        set_effort(before)
