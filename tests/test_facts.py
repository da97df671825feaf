"""Facts are proofs: equal rows, exactly rational entries, orders of attention."""

from __future__ import annotations

from fractions import Fraction

import pytest
from msgspec.structs import replace

from symattn.attention.recipes.attention import attention, values
from symattn.casefile.case_file import parse_case
from symattn.checks.facts import Fact, facts, ranking
from symattn.exact.functions import exp, sqrt, symbol
from symattn.exact.number import Exact
from symattn.plans.derive import derive
from symattn.plans.kinds import Rotation
from symattn.result import work


def found(text: str, kind: str) -> list[Fact]:
    case = parse_case('title = "t"\n' + text, None)
    return [fact for fact in facts(derive(attention(case), values(case))) if fact.kind == kind]


ROOTED = """
[given]
scores = [[2, 3], [3, 4]]
V = [[1, 1, 2], [2, 1, 1]]
[attention]
scale = "1/sqrt(2)"
"""


def test_rows_whose_scores_differ_by_a_common_summand_are_identical() -> None:
    assert [(fact.name, fact.rows) for fact in found(ROOTED, "equal-rows")] == [("A", (0, 1)), ("Z", (0, 1))]


def test_rows_that_differ_in_the_fortieth_decimal_are_not_identical() -> None:
    text = ROOTED.replace("[3, 4]", '[3, "4 + 1e-40"]')
    assert found(text, "equal-rows") == []


def test_an_output_is_exactly_rational_where_its_column_of_v_is_constant() -> None:
    constants = found(ROOTED, "constant")
    assert [(fact.name, fact.rows, fact.col, fact.value) for fact in constants] == [
        ("Z", (0,), 1, Exact.of(1)),
        ("Z", (1,), 1, Exact.of(1)),
    ]


def test_equal_scores_make_equal_weights_and_the_tie_is_kept_in_the_order() -> None:
    text = '[given]\nscores = [["sqrt(8)", "2*sqrt(2)", 3]]\nV = [[1], [2], [3]]\n[attention]\nscale = "1"\n'
    (order,) = found(text, "order")
    assert order.order == ((2,), (0, 1))
    assert order.decided


def test_an_order_among_symbols_is_not_stated() -> None:
    text = 'symbols = ["a"]\n[given]\nscores = [["a", 1]]\nV = [[1], [2]]\n[attention]\nscale = "1"\n'
    assert found(text, "order") == []


def test_a_fully_masked_row_does_not_sum_to_one() -> None:
    text = "[given]\nscores = [[1, 2], [3, 4]]\nV = [[1], [2]]\n[attention]\nscale = 1\n"
    text += "mask = [[0, 0], [1, 1]]\n"
    assert found(text, "sums-to-one") == []
    assert len(found(text.replace("[0, 0]", "[1, 0]"), "sums-to-one")) == 1


def test_numbers_that_agree_to_many_digits_are_ranked_all_the_same() -> None:
    close = sqrt(Exact.of(2)) + Exact.of(Fraction(1, 10**50))
    assert ranking([sqrt(Exact.of(2)), close]) == ((1,), (0,))


def test_what_cannot_be_decided_has_no_ranking() -> None:
    assert ranking([symbol("a"), exp(symbol("a"))]) is None


BACKWARD = "Q = [[1], [2]]\nK = [[1], [0]]\nV = [[1], [2]]\ndZ = [[1], [3]]\n"
DIFFERENTIAL = "Q = [[1, 0]]\nK = [[1, 2], [3, 4]]\nV = [[3], [1]]\nlambda = 0.25\n"


@pytest.mark.parametrize(
    ("given", "said"),
    [(BACKWARD, "dS' sums to exactly 0: adding the same"), (DIFFERENTIAL, "A sums to exactly 1 - λ = 0.75")],
)
def test_what_rows_sum_to_is_said(given: str, said: str) -> None:
    assert said in " ".join(work(parse_case(f"[given]\n{given}")).text().split())


def test_the_gradient_of_scores_with_a_sink_has_no_sum_of_zero() -> None:
    assert "to exactly 0" not in work(parse_case(f"[given]\n{BACKWARD}sink = [0]\n")).text()


ROTATED = """
[given]
Q = [[1, 0, 2, 1], [0, 1, 1, 1], [1, 1, 0, 2]]
K = [[1, 1, 0, 1], [2, 0, 1, 0], [0, 3, 1, 1]]
V = [[1], [2], [3]]
[attention]
positions = "rope"
"""


def test_scores_of_rotated_rows_depend_on_differences_of_positions_only() -> None:
    """With sines and cosines of whole numbers, which no table of special angles has."""
    assert [fact.name for fact in found(ROTATED, "relative-positions")] == ["scores"]
    assert found(ROTATED.replace('positions = "rope"', ""), "relative-positions") == []


def test_keys_rotated_in_other_pairs_than_queries_depend_on_the_positions_themselves() -> None:
    case = parse_case('title = "t"\n' + ROTATED, None)
    plan = tuple(
        replace(line, op=replace(line.op, interleaved=not line.op.interleaved))
        if isinstance(line.op, Rotation) and line.name == "K_R"
        else line
        for line in attention(case)
    )
    derivation = derive(plan, values(case))
    assert not any(fact.kind == "relative-positions" for fact in facts(derivation))
