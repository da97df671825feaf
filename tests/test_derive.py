"""Walking a plan: what is walked, what is assumed, what is missing, and that nothing changes afterwards."""

from __future__ import annotations

from fractions import Fraction

import pytest

from symattn.attention.case import Case, Given, Settings
from symattn.attention.recipes.attention import attention
from symattn.attention.runnable import runnable
from symattn.exact.functions import exp, sqrt
from symattn.exact.matrix import Matrix
from symattn.exact.names import Names
from symattn.exact.number import Exact
from symattn.floats.from_exact import to_float
from symattn.plans.derive import derive, shapes
from symattn.plans.ops import (
    Exponential,
    Normalise,
    Project,
    RowSums,
    Scale,
    Scores,
    SoftmaxBackward,
    WeightedSum,
)
from symattn.plans.plan import Line, base_name, head_of, leading_to, missing
from symattn.text.errors import MissingGiven, ShapeMismatch, UnusableValue
from symattn.text.notation import Power, Quotient, Root, Symbol

X = Matrix.rational([[1, 0], [0, 2]])
W = Matrix.rational([[1, 1], [0, 1]])

PLAN = (
    Line("Q", Project(biases=0), ("X", "W_Q")),
    Line("K", Project(biases=0), ("X", "W_K")),
    Line("scores", Scores(), ("Q", "K")),
    Line("scaled", Scale(sqrt(Exact.of(2))), ("scores",)),
    Line("exp", Exponential(), ("scaled",)),
    Line("sum", RowSums(), ("exp",)),
    Line("A", Normalise(), ("exp", "sum")),
    Line("Z", WeightedSum(), ("A", "V")),
)
GIVEN = {"X": X, "W_Q": W, "W_K": W, "V": W}


def test_a_walk_worked_by_hand() -> None:
    walk = derive(PLAN, GIVEN)
    assert walk["Q"] == Matrix.rational([[1, 1], [0, 2]])
    assert walk["scores"] == Matrix.rational([[2, 2], [2, 4]])
    assert walk["scaled"][1, 1] == Exact.of(2) * sqrt(Exact.of(2))
    assert walk["A"][0, 0] == Exact.of(Fraction(1, 2))
    assert walk["A"][1, 0] == Exact.of(1) / (Exact.of(1) + exp(sqrt(Exact.of(2))))
    assert walk["Z"][0, 1] == Exact.of(1)


def test_a_derivation_keeps_the_order_and_finds_givens_and_results_by_name() -> None:
    walk = derive(PLAN, GIVEN)
    assert [line.name for line in walk] == [line.name for line in PLAN]
    assert list(walk.values) == [line.name for line in PLAN]
    assert walk["X"] == X
    assert "V" in walk
    assert "A" in walk
    assert "output" not in walk
    assert walk.line("A") == PLAN[6]
    assert walk.line("X") is None


def test_from_an_assumed_value_the_walk_goes_on_as_its_reader_would() -> None:
    printed = Matrix.rational([[1, 1], [0, 3]])
    walk = derive(PLAN, GIVEN, assume={"Q": printed})
    assert walk["Q"] == Matrix.rational([[1, 1], [0, 2]])  # the line itself is still computed
    assert walk["scores"] == printed @ walk["K"].T  # but what uses it sees the printed value


def test_a_value_assumed_for_a_given_replaces_it_and_leaves_the_given_in_the_derivation() -> None:
    walk = derive(PLAN, GIVEN, assume={"X": Matrix.rational([[1, 0], [0, 1]])})
    assert walk["Q"] == W
    assert walk["X"] == X


def test_assuming_what_is_computed_changes_nothing() -> None:
    plain = derive(PLAN, GIVEN)
    again = derive(PLAN, GIVEN, assume=dict(plain.values))
    assert all(again[name] == plain[name] for name in plain.values)


def test_a_derivation_cannot_be_changed_and_does_not_follow_its_arguments() -> None:
    given = dict(GIVEN)
    walk = derive(PLAN, given)
    given["X"] = W
    assert walk["X"] == X
    with pytest.raises(TypeError):
        walk.values["A"] = X  # type: ignore[index]
    with pytest.raises(TypeError):
        walk.given["X"] = W  # type: ignore[index]


def test_errors_carry_the_name_of_the_step() -> None:
    wide = {**GIVEN, "W_K": Matrix.rational([[1, 1, 1], [0, 1, 1]])}
    with pytest.raises(ShapeMismatch) as caught:
        derive(PLAN, wide)
    assert caught.value.step == "scores"
    with pytest.raises(ShapeMismatch) as caught:
        shapes(PLAN, wide)
    assert caught.value.step == "scores"


def test_arguments_that_do_not_fit_are_refused_where_the_line_is_evaluated() -> None:
    line = Line("dS", SoftmaxBackward(), ("A", "dA"))
    given = {"A": Matrix.rational([[1, 2]]), "dA": Matrix.rational([[1, 2, 3]])}
    with pytest.raises(ShapeMismatch, match="the weights are 1×2, their gradient 1×3"):
        line.value(given, Names())


@pytest.mark.parametrize("walk", [derive, shapes])
def test_a_line_without_its_arguments_is_an_error_of_the_input(walk: object) -> None:
    with pytest.raises(MissingGiven, match="A needs exp and sum"):
        walk(PLAN[6:], GIVEN)  # type: ignore[operator]


def test_shapes_are_known_without_a_walk() -> None:
    known = shapes(PLAN, {**GIVEN, "V": Matrix.rational([[1, 2, 3], [4, 5, 6]])})
    assert known["Q"] == (2, 2)
    assert known["sum"] == (2, 1)
    assert known["Z"] == (2, 3)
    assert {name: matrix.shape for name, matrix in derive(PLAN, GIVEN).values.items()} == {
        name: shape for name, shape in shapes(PLAN, GIVEN).items() if name not in GIVEN
    }


def test_only_lines_that_can_be_walked_are_kept() -> None:
    assert [line.name for line in runnable(PLAN, ["X", "W_Q"])] == ["Q"]
    assert [line.name for line in runnable(PLAN, ["Q", "K"])] == ["scores", "scaled", "exp", "sum", "A"]
    assert runnable(PLAN, []) == ()


def test_a_line_before_the_one_that_makes_its_argument_is_an_error_of_the_plan() -> None:
    late = (*PLAN[:4], *PLAN[5:], PLAN[4])  # exp after what is divided by its sums
    with pytest.raises(ValueError, match="the line sum of a plan needs exp, which is computed later"):
        runnable(late, GIVEN)
    assert [line.name for line in runnable(late, ["exp", "V"])] == ["sum", "A", "Z"]


@pytest.mark.parametrize("argument", ["scores", "head2.scoers"])
def test_an_argument_that_no_line_makes_and_no_case_gives_is_an_error_of_the_plan(argument: str) -> None:
    with pytest.raises(ValueError, match=f"the line scores of a plan needs {argument}, which "):
        runnable((Line("scores", PLAN[2].op, ("Q", argument)),), ["Q"])


def test_what_is_given_is_not_computed_again() -> None:
    kept = [line.name for line in runnable(PLAN, ["X", "W_Q", "W_K", "K", "V"])]
    assert kept == ["Q", "scores", "scaled", "exp", "sum", "A", "Z"]


def test_what_is_asked_for_rests_on_these_lines() -> None:
    assert [line.name for line in leading_to(PLAN, {"scores"})] == ["Q", "K", "scores"]
    assert [line.name for line in leading_to(PLAN, {"A"}, {"scaled"})] == ["exp", "sum", "A"]
    assert leading_to(PLAN, {"X"}) == ()


def test_what_would_have_to_be_given() -> None:
    assert missing(PLAN, [], "scores") == ("X", "W_Q", "W_K")
    assert missing(PLAN, ["X", "W_Q"], "scores") == ("W_K",)
    assert missing(PLAN, ["scores"], "A") == ()
    assert missing(PLAN, [], "memory") == ("memory",)


def test_heads_are_tags_on_names() -> None:
    assert (head_of("head2.A"), base_name("head2.A")) == ("head2", "A")
    assert (head_of("A"), base_name("A")) == ("", "A")


def typed(rows: list[list[int]]) -> Given:
    return Given(tuple(tuple(map(str, row)) for row in rows), Matrix.rational(rows))


def case(settings: Settings, **given: list[list[int]]) -> Case:
    return Case("a case", {name: typed(rows) for name, rows in given.items()}, settings=settings)


SQUARE = [[1, 0], [0, 1]]


def test_a_case_that_gives_too_little_says_what_is_missing() -> None:
    with pytest.raises(MissingGiven) as caught:
        attention(case(Settings(), X=SQUARE))
    assert "W_Q, W_K, W_V" in caught.value.remedy


def test_a_walk_may_start_at_the_weights_without_any_scale() -> None:
    plan = attention(case(Settings(), A=SQUARE, V=SQUARE))
    assert [line.name for line in plan] == ["Z"]


def test_heads_must_share_the_width_evenly() -> None:
    with pytest.raises(ShapeMismatch, match="3 columns"):
        attention(case(Settings(heads=2), X=SQUARE, W_Q=[[1, 2, 3], [4, 5, 6]]))


@pytest.mark.parametrize(
    "settings", [Settings(scale="0"), Settings(scale="d_k - d_k"), Settings(base="1"), Settings(base="-2")]
)
def test_a_scale_of_zero_and_a_base_that_is_none_are_refused(settings: Settings) -> None:
    with pytest.raises(UnusableValue):
        attention(case(settings, Q=SQUARE, K=SQUARE))


def test_a_mask_without_queries_is_no_crash() -> None:
    plan = attention(case(Settings(mask="causal"), memory=SQUARE, W_K=SQUARE))
    assert [line.name for line in plan] == ["K"]


@pytest.mark.parametrize(("base", "kind"), [("sqrt(2)", Root), ("1/2", Quotient)])
def test_a_base_is_written_as_it_is(base: str, kind: type) -> None:
    plan = attention(case(Settings(base=base, scale="1"), scores=[[1, 2]]))
    formula = next(line for line in plan if line.name == "exp").op.formula(Symbol("s"))
    assert isinstance(formula, Power)
    assert isinstance(formula.base, kind)


@pytest.mark.parametrize(
    ("x", "expected"),
    [
        (Exact.of(Fraction(1, 10)), 0.1),
        (sqrt(Exact.of(2)), 2**0.5),
        (Exact.of(10**400), float("inf")),
        (-Exact.of(10**400), float("-inf")),
        (exp(Exact.of(1000)), float("inf")),
        (-exp(Exact.of(5000)), float("-inf")),
        (exp(Exact.of(-5000)), 0.0),
        (exp(Exact.of(-740)), 4.2e-322),
        (exp(Exact.of(Fraction(1, 10**60))) - Exact.of(1), 1e-60),  # cancels 200 bits
    ],
)
def test_exact_numbers_become_the_nearest_floats(x: Exact, expected: float) -> None:
    assert to_float(x) == expected
