"""Named quantities: one number known by its name, and what is concluded about it."""

from __future__ import annotations

import sympy
from variant_cases import variant

from symattn.exact.decision import equal
from symattn.exact.derivative import derivative
from symattn.exact.functions import exp, symbol, tanh
from symattn.exact.matrix import Matrix
from symattn.exact.named import Named
from symattn.exact.names import Names
from symattn.exact.number import Exact
from symattn.exact.symbolic import Symbolic

TANH = tanh(Exact.of(2))
NAME = Exact.of(Symbolic(Named("u", 0, 1, TANH)))


def test_a_name_equals_its_definition_and_minus_the_name_its_negative() -> None:
    assert equal(NAME, TANH) is True
    assert equal(-NAME, tanh(Exact.of(-2))) is True
    assert equal(NAME, -TANH) is False


def test_the_derivative_of_a_name_is_that_of_its_definition() -> None:
    t = symbol("t")
    named = Exact.of(Symbolic(Named("u", 0, 0, exp(t * t))))
    assert str(derivative(named * named, "t").to_sympy()) == "4*u_0_0*t*exp(t**2)"


def test_entries_of_more_nodes_than_asked_for_go_by_name_and_plain_numbers_never() -> None:
    seen = Names().onward("u", Matrix.of([[Exact.of(3), TANH], [exp(Exact.of(1)), -TANH]]), 0)
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
