"""The independent walk in floats: it agrees where all is right, and catches an operation that lies."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from flint import arb
from msgspec.structs import replace
from once import CASES, work

from symattn.attention.recipes.attention import attention, values
from symattn.casefile.case_file import parse_case
from symattn.checks.crosscheck import compare, crosscheck, in_floats
from symattn.checks.doubt import FOLLOWS, NO_BOUND, OVERFLOW, UNDECIDED, Doubt
from symattn.exact.literal import read
from symattn.exact.matrix import Matrix
from symattn.floats.arrays import Floats
from symattn.floats.bounded import Bounded
from symattn.floats.from_exact import matrix_to_floats
from symattn.plans.derive import Derivation, derive
from symattn.plans.ops.products import WeightedSum
from symattn.plans.ops.scale import Scale

TWO = """
title = "two tokens"
[given]
X = [[1, 1, 0], [1, 0, 1]]
W_Q = [[1, 0], [0, 1], [1, 1]]
W_K = [[0, 1], [1, 0], [1, 1]]
W_V = [[1, 0, 1], [0, 1, 1], [1, 1, 0]]
"""


def walked(text: str) -> Derivation:
    case = parse_case(text, None)
    return derive(attention(case), values(case))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_every_case_agrees_with_numpy_in_every_step(path: Path) -> None:
    worked = work(path)
    assert worked.check.agrees
    assert [step.name for step in worked.check.steps] == [line.name for line in worked.derivation]


def test_whole_numbers_are_held_exactly_and_the_softmax_is_off_by_few_ulps() -> None:
    steps = {step.name: step.max_ulp for step in crosscheck(walked(TWO)).steps}
    assert steps["Q"] == steps["scores"] == 0.0
    assert steps["A"] is not None
    assert 0 < steps["A"] < 4


class LyingWeigh(WeightedSum, frozen=True):
    """Its floats lose a part in a million of every output."""

    def floats(self, *arguments: Floats) -> Floats:
        return WeightedSum.floats(self, *arguments) * (1 - 1e-6)


class BarelyLyingScale(Scale, frozen=True):
    """Its floats are wrong by a hundred units of the last place."""

    def floats(self, *arguments: Floats) -> Floats:
        return Scale.floats(self, *arguments) * (1 + 100 * 2.0**-52)


def test_an_operation_whose_floats_lie_is_caught_in_its_own_step() -> None:
    right = walked(TWO)
    lying = tuple(replace(line, op=LyingWeigh()) if line.name == "Z" else line for line in right.plan)
    check = crosscheck(Derivation(right.given, lying, right.values))
    assert not check.agrees
    assert [step.name for step in check.steps if not step.agrees] == ["Z"]


def test_a_lie_of_a_hundred_ulps_is_a_disagreement_too() -> None:
    right = walked(TWO)

    def lie(op: Scale) -> BarelyLyingScale:
        return BarelyLyingScale(op.divisor, op.spelled, op.value, op.sizes)

    lying = tuple(
        replace(line, op=lie(line.op)) if isinstance(line.op, Scale) else line for line in right.plan
    )
    wrong = [
        step.name
        for step in crosscheck(Derivation(right.given, lying, right.values)).steps
        if not step.agrees
    ]
    assert wrong[0] == "scaled"


SCORES = '[given]\nscores = {}\nV = [[1], [2]]\n[attention]\nscale = "1"\n{}'


@pytest.mark.parametrize(
    "text",
    [
        # an enclosure of 1/2 with a radius, and a float without an error
        '[given]\nQ = [["0.7", "0.5"]]\nK = [["0.7", "0.5"]]\nV = [["0.7", "0.3"]]\n[attention]\nheads = 2\n',
        '[given]\npast_K = [[1]]\npast_V = [[1]]\nX = [["1/10"]]\nW_Q = [[1]]\nW_V = [[1]]\n'
        'W_K = [["1/10"]]\nb_K = ["1/10"]\n',
        # exponentials that underflow or overflow, in rows of their own, beside a hidden row and a sink
        SCORES.format("[[-1000, -1001], [3, 4]]", ""),
        SCORES.format("[[-2000, 1], [-800, -2000]]", ""),
        SCORES.format("[[1000, 2], [3, 4]]", "mask = [[1, 1], [0, 0]]"),
        SCORES.format("[[1000, 2], [3, 4]]", 'tokens_as = "columns"').replace("[[1], [2]]", "[[1, 2]]"),
        SCORES.format("[[1000, 2], [3, 999]]\nsink = [1]", ""),
        SCORES.format("[[1, 2], [3, 999]]\nsink = [1000]", ""),
        SCORES.format("[[1000, 2], [3, 9999]]\nsink = [1]", 'base = "1/2"'),
        # a tanh that is its argument, beside whole distances
        '[given]\nQ = [[1], [2], [3]]\nK = [[1], ["1e-50"], ["1/2"]]\nV = [[1], [2], [3]]\n[attention]\n'
        'scale = "1"\nsoftcap = "5"\npositions = "alibi"\n',
        # a softcap that is saturated, and its gradient
        '[given]\nQ = [[40]]\nK = [[1], [2]]\nV = [["1/3"], ["2/3"]]\ndZ = [["1/7"]]\n[attention]\n'
        'scale = "1"\nsoftcap = "1"\n',
        # a norm of what is nearly nothing, and one whose mean cancels nearly everything
        '[given]\nX = [["1e-9", "3e-9"]]\nW_Q = [[1], [1]]\nW_1 = [[1], [1]]\nW_2 = [[1, 1]]\n[attention]\n'
        'layer = "pre-norm"\n',
        '[given]\nX = [[100000000, 100000001, "100000002.1"]]\nW_Q = [[1], [1], [2]]\n[attention]\n'
        'layer = "pre-norm"\n',
        # a base near 1, whose logarithm is known to few digits
        SCORES.format("[[1000, 2], [3, 4]]", 'base = "1.00000001"'),
    ],
)
def test_right_floats_agree_whatever_rounding_does(text: str) -> None:
    assert crosscheck(walked(text)).agrees


def test_weights_are_compared_where_their_exponentials_underflow() -> None:
    found = {
        step.name: step.max_ulp for step in crosscheck(walked(SCORES.format("[[-1000, -1001]]", ""))).steps
    }
    assert found["A"] is not None
    assert found["Z"] is not None


def test_a_float_just_outside_of_its_bound_is_reported_and_one_inside_is_not() -> None:
    derivation = walked(TWO)
    made = dict(in_floats(derivation))["A"]
    exact = matrix_to_floats(derivation["A"])
    for share, agrees in ((0.9, True), (-0.9, True), (1.3, False), (-1.3, False)):
        values = made.value.copy()
        values[0, 1] = exact[0, 1] + share * (made.error[0, 1] + np.spacing(exact[0, 1]) / 2)
        assert compare("A", Bounded(values, made.error), derivation["A"]).agrees is agrees


def test_a_number_in_place_of_a_hidden_score_is_reported() -> None:
    derivation = walked(SCORES.format("[[1, 2], [3, 4]]", 'mask = "causal"'))
    made = dict(in_floats(derivation))["masked"]
    assert compare("masked", made, derivation["masked"]).agrees
    shown = np.where(np.isneginf(made.value), -1e30, made.value)
    assert not compare("masked", Bounded(shown, made.error), derivation["masked"]).agrees


def test_exponentials_beyond_float64_are_compared_relative_to_the_largest() -> None:
    text = 'title = "deep"\n[given]\nscores = [[2000, 1990]]\nV = [[1], [3]]\n[attention]\nscale = "1"\n'
    check = crosscheck(walked(text))
    assert check.agrees
    found = {step.name: step.max_ulp for step in check.steps}
    assert found["exp"] is None
    assert found["A"] is not None


def test_free_symbols_are_checked_at_a_witness_point() -> None:
    text = 'title = "s"\nsymbols = ["a", "b"]\n[given]\nscores = [["a", "b"], ["a*b", 1]]\nV = [["a"], [2]]\n'
    check = crosscheck(walked(text + '[attention]\nscale = "1"\n'))
    assert check.agrees
    assert dict(check.symbols) == {"a": "3/7", "b": "5/11"}


def test_a_float_beside_an_exact_zero_is_no_number_of_ulps() -> None:
    text = 'title = "z"\n[given]\nX = [[0.1, 0.2, -0.3]]\nW_Q = [[1], [1], [1]]\n'
    (step,) = crosscheck(walked(text)).steps
    assert step.agrees
    assert step.max_ulp == 0.0


def test_a_step_whose_bound_is_beyond_float64_is_said_not_to_be_compared() -> None:
    text = (
        'title = "vast"\n[given]\nscores = [["1e40", "3e40/7"]]\nV = [[1], [3]]\n[attention]\nscale = "1/7"\n'
    )
    found = {step.name: step.max_ulp for step in crosscheck(walked(text)).steps}
    assert found["scaled"] is not None
    assert found["A"] is None


def test_a_point_where_the_computation_has_no_value_is_passed_over() -> None:
    text = 'title = "p"\nsymbols = ["a"]\n[given]\nscores = [["1/(7*a - 3)", "a"]]\nV = [["a"], [2]]\n'
    text += '[attention]\nscale = "1"\n'
    assert dict(crosscheck(walked(text)).symbols) == {"a": "5/11"}


def test_what_was_not_compared_has_a_reason_and_names_where_it_begins() -> None:
    text = 'title = "deep"\n[given]\nscores = [[2000, 1990]]\nV = [[1], [3]]\n[attention]\nscale = "1"\n'
    doubts = {step.name: step.doubt for step in crosscheck(walked(text)).steps if step.doubt is not None}
    assert doubts == {"exp": OVERFLOW, "sum": Doubt(FOLLOWS, "exp")}
    vast = text.replace("[[2000, 1990]]", '[["1e40", "3e40/7"]]').replace('"1"', '"1/7"')
    steps = {step.name: step.doubt for step in crosscheck(walked(vast)).steps}
    assert steps["scaled"] is None
    assert steps["exp"] in (OVERFLOW, NO_BOUND)


def test_an_exact_value_that_is_not_enclosed_narrowly_is_not_compared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made, exact = Bounded(np.array([[0.0]]), np.array([[0.0]])), Matrix.of([[read("log(2)", {})]])
    assert not compare("Z", made, exact).agrees
    monkeypatch.setattr("symattn.checks.step_check._refined", lambda *_: arb(0, 1))
    assert compare("Z", made, exact).doubt is UNDECIDED
