"""What stands in place of the softmax: `normaliser = "relu"`, `"sparsemax"`, `"sigmoid"`."""

from __future__ import annotations

import numpy as np
import pytest

from symattn.auditor.audit import audit
from symattn.casefile.case_file import parse_case
from symattn.exact.plain import plain_table
from symattn.result import Worked, work
from symattn.text.errors import SymattnError

GIVEN = """[given]
Q = [[1, 0], [1, -1], [2, 1]]
K = [[1, 1], [0, 2], [-1, 1]]
V = [[1, 0], [2, 1], [0, 3]]
"""
Q, K, V = (
    np.array(m, float)
    for m in ([[1, 0], [1, -1], [2, 1]], [[1, 1], [0, 2], [-1, 1]], [[1, 0], [2, 1], [0, 3]])
)


def worked(normaliser: str, more: str = "", given: str = "") -> Worked:
    return work(parse_case(f'{GIVEN}{given}[attention]\nnormaliser = "{normaliser}"\n{more}'))


def plain(normaliser: str, scores: np.ndarray) -> np.ndarray:
    """The weights by another way: ReLU and sigmoid as defined, sparsemax by bisection of its threshold."""
    if normaliser == "relu":
        return np.where(scores > 0, scores, 0) / scores.shape[1]
    if normaliser == "sigmoid":
        return 1 / (1 + scores.shape[1] * np.exp(-scores))
    low, high = scores.max(axis=1, keepdims=True) - 1, scores.max(axis=1, keepdims=True)
    for _ in range(80):
        middle = (low + high) / 2
        above = np.clip(scores - middle, 0, None).sum(axis=1, keepdims=True) > 1
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    return np.clip(scores - low, 0, None)


@pytest.mark.parametrize("mask", ["none", "causal"])
@pytest.mark.parametrize("normaliser", ["relu", "sparsemax", "sigmoid"])
def test_weights_and_outputs_are_those_of_a_plain_evaluation(normaliser: str, mask: str) -> None:
    scores = Q @ K.T / np.sqrt(2)
    if mask == "causal":
        scores = np.where(np.tril(np.ones((3, 3))) > 0, scores, -np.inf)
    weights = plain(normaliser, scores)
    found = worked(normaliser, f'mask = "{mask}"')
    assert np.allclose(found["A"].to_sympy().evalf(), weights.tolist(), atol=1e-12)
    assert np.allclose(np.array(found["Z"].to_sympy().evalf(), float), weights @ V, atol=1e-12)
    assert found.check.agrees


@pytest.mark.parametrize("normaliser", ["relu", "sparsemax", "sigmoid"])
@pytest.mark.parametrize("more", ['tokens_as = "rows"', "heads = 2", 'temperature = "1/2"', "softcap = 2"])
def test_gradients_agree_with_derivatives(normaliser: str, more: str) -> None:
    seed = "dconcat" if more == "heads = 2" else "dZ"
    check = worked(normaliser, more, f"{seed} = [[1, 0], [0, 1], [1, 1]]\n").check
    assert check.agrees
    assert {"dQ", "dK", "dV"} <= {gradient.name for gradient in check.gradients}


def test_sparsemax_of_rational_scores_is_rational_and_zero_for_far_keys() -> None:
    found = worked("sparsemax", 'scale = "1"')
    assert plain_table(found["A"]) == [["1", "0", "0"], ["1", "0", "0"], ["1", "0", "0"]]
    given = '[given]\nscores = [[1, "1/2", -1]]\nV = [[1], [2], [3]]\n'
    near = work(parse_case(f'{given}[attention]\nscale = "1"\nnormaliser = "sparsemax"\n'))
    assert plain_table(near["A"]) == [["3/4", "1/4", "0"]]


def test_relu_weights_get_no_fact_of_a_softmax_and_a_row_of_zeros_is_not_called_hidden() -> None:
    found = worked("relu", 'scale = "1"')
    assert {fact.kind for fact in found.facts if fact.name == "A"} <= {"order", "constant", "equal-rows"}
    assert "no key is visible" not in found.text()
    assert "sums to exactly 1" not in found.text()


def test_the_rows_of_a_sparsemax_are_proved_to_sum_to_1_without_the_reason_of_a_softmax() -> None:
    page = worked("sparsemax").text()
    assert "sums to exactly 1, decided row by row" in page
    assert "numerators" not in page


def test_an_undecided_support_is_one_clear_error() -> None:
    given = 'symbols = ["a"]\n[given]\nscores = [["a", 0]]\nV = [[1], [2]]\n'
    text = f'{given}[attention]\nscale = "1"\nnormaliser = "sparsemax"\n'
    with pytest.raises(SymattnError, match="the support of a sparsemax, which could not be decided"):
        work(parse_case(text))


@pytest.mark.parametrize("normaliser", ["relu", "sparsemax", "sigmoid"])
@pytest.mark.parametrize(
    ("more", "given", "other"),
    [
        ('evaluation = "online"', "", "an online evaluation"),
        ('base = "2"', "", "another base"),
        ('shift = "max"', "", "shift"),
        ('jacobians = "rows"', "", "Jacobians"),
        ("", "sink = [1]\n", "a sink"),
    ],
)
def test_what_belongs_to_a_softmax_is_refused(normaliser: str, more: str, given: str, other: str) -> None:
    with pytest.raises(SymattnError, match=f"with {other}"):
        worked(normaliser, more, given)


def test_relu_weights_that_were_not_divided_are_named_as_the_cause() -> None:
    stated = '[[stated]]\nname = "A"\nvalues = [["0.707", 0, 0], [0, 0, 0], ["2.121", "1.414", 0]]\n'
    case = parse_case(f'{GIVEN}[attention]\nnormaliser = "relu"\n{stated}')
    assert {judgement.cause.slip for judgement in audit(case).judgements if judgement.cause} == {
        "relu-weights-undivided"
    }


def test_sigmoid_weights_are_those_of_the_paper_and_keep_the_order_of_the_scores() -> None:
    found = worked("sigmoid", 'scale = "1"')
    scores = Q @ K.T
    weights = 1 / (1 + np.exp(-(scores - np.log(3))))
    assert np.allclose(np.array(found["A"].to_sympy().evalf(), float), weights, atol=1e-12)
    assert np.allclose(np.array(found["Z"].to_sympy().evalf(), float), weights @ V, atol=1e-12)
    kinds = {fact.kind for fact in found.facts if fact.name == "A"}
    assert "order" in kinds
    assert "sums-to-one" not in kinds


@pytest.mark.parametrize(("bias", "first"), [("0", "e/(1 + e)"), ("-1", "1/2")])
def test_the_bias_of_a_sigmoid_may_be_any_number(bias: str, first: str) -> None:
    given = "[given]\nscores = [[1, 2]]\nV = [[1], [2]]\n"
    text = f'{given}[attention]\nscale = "1"\nnormaliser = "sigmoid"\nsigmoid_bias = "{bias}"\n'
    found = work(parse_case(text))
    import sympy

    assert sympy.simplify(found["A"].to_sympy()[0, 0] - sympy.sympify(first, {"e": sympy.E})) == 0


def test_many_sigmoids_are_added_up_by_name() -> None:
    """Each weight has a denominator of its own: written out, eight keys would have one of degree eight."""
    rows = [[k] for k in range(8)]
    text = f'[given]\nQ = [[1]]\nK = {rows}\nV = {rows}\n[attention]\nscale = "1"\nnormaliser = "sigmoid"\n'
    assert "A₁₈·7" in work(parse_case(text)).text()
    assert len(str(work(parse_case(text))["Z"].to_sympy())) < 300


@pytest.mark.parametrize(("slip", "bias"), [("sigmoid-bias-omitted", 0.0), ("sigmoid-bias-sign", np.log(3))])
def test_a_wrong_bias_of_a_sigmoid_is_named_as_the_cause(slip: str, bias: float) -> None:
    weights = 1 / (1 + np.exp(-(Q @ K.T + bias)))
    rows = ", ".join(f"[{', '.join(f'{x:.4f}' for x in row)}]" for row in weights)
    text = f'{GIVEN}[attention]\nscale = "1"\nnormaliser = "sigmoid"\n'
    text += f'[[stated]]\nname = "A"\nvalues = [{rows}]\n'
    judgements = audit(parse_case(text)).judgements
    assert {each.cause.slip for each in judgements if each.cause} == {slip}
