"""Differential attention: A = A_1 - lambda A_2. Ye et al. 2024."""

from __future__ import annotations

import pytest

from symattn.auditor.audit import audit
from symattn.casefile.case_file import parse_case
from symattn.exact.plain import plain_table
from symattn.result import Worked, work
from symattn.text.errors import SymattnError

GIVEN = """[given]
Q = [[1, 0], [0, 2], [1, 2]]
K = [[1, 1], [1, 0], [2, 1]]
V = [[1, 0], [2, 1], [3, 1]]
"""
VECTORS = "lambda_q1 = [1, 0]\nlambda_k1 = [0, 1]\nlambda_q2 = [1, -1]\nlambda_k2 = [0, 1]\n"


def worked(given: str, more: str = "") -> Worked:
    return work(parse_case(f"{GIVEN}{given}[attention]\n{more}"))


def test_lambda_is_made_of_its_vectors_as_in_the_paper() -> None:
    assert plain_table(worked(VECTORS)["lambda"]) == [["6/5 - exp(-1)"]]
    assert plain_table(worked(VECTORS, "lambda_init = 0.8\n")["lambda"]) == [["9/5 - exp(-1)"]]


def test_the_maps_subtract_where_all_scores_are_alike() -> None:
    """Two softmaxes of equal scores are 1/3 each: what is left is (1 - lambda)/3."""
    given = "[given]\nQ = [[0, 0]]\nK = [[1, 2], [3, 4], [5, 6]]\nV = [[3], [3], [3]]\nlambda = 0.25\n"
    found = work(parse_case(given))
    assert plain_table(found["A"]) == [["1/4", "1/4", "1/4"]]
    assert plain_table(found["Z"]) == [["9/4"]]


def test_only_the_maps_get_facts_of_a_softmax() -> None:
    summed = {fact.name for fact in worked("lambda = 0.5\n").facts if fact.kind == "sums-to-one"}
    assert summed == {"map1.A", "map2.A"}


def test_the_scores_of_a_map_are_scaled_by_the_width_of_its_queries() -> None:
    page = worked("lambda = 0.5\n").text(detail="some")
    assert "d_k = 1" in page
    assert "√d_k = 1" in page


@pytest.mark.parametrize("tokens_as", ["rows", "columns"])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_single_number_has_no_brackets_and_no_indices(tokens_as: str, lang: str) -> None:
    given = GIVEN
    if tokens_as == "columns":
        given = "[given]\nQ = [[1, 0], [0, 2]]\nK = [[1, 1], [1, 0]]\nV = [[1, 0], [2, 1]]\n"
    page = work(parse_case(f'{given}lambda = 0.5\n[attention]\ntokens_as = "{tokens_as}"\n')).text(
        lang=lang, detail="some"
    )
    assert "λ = 0.5" in page
    assert "λ₁₁" not in page
    assert "0.5·A⁽²⁾" in page


@pytest.mark.parametrize(
    ("slip", "a"),
    [
        ("maps-added", "[[0.379, 0.379, 0.743], [0.567, 0.365, 0.567], [0.446, 0.244, 0.810]]"),
        ("second-map-omitted", "[[0.212, 0.212, 0.576], [0.333, 0.333, 0.333], [0.212, 0.212, 0.576]]"),
        ("lambda-omitted", "[[-0.121, -0.121, 0.243], [-0.135, 0.270, -0.135], [-0.256, 0.149, 0.108]]"),
    ],
)
def test_a_mistake_in_the_difference_is_named_as_the_cause(slip: str, a: str) -> None:
    stated = f'[[stated]]\nname = "A"\nvalues = {a}\n'
    case = parse_case(f"{GIVEN}lambda = 0.5\n{stated}")
    assert {judgement.cause.slip for judgement in audit(case).judgements if judgement.cause} == {slip}


def test_a_factor_of_the_normed_head_left_out_is_named_as_the_cause() -> None:
    given = f'{GIVEN}lambda = 0.5\n[attention]\nhead_norm = "rms"\n'
    normed = work(parse_case(given))["mixed_N"]
    rows = [[f"{float(normed[i, j].to_sympy()):.3f}" for j in range(2)] for i in range(3)]
    stated = "[[stated]]\nname = 'Z'\nvalues = [" + ", ".join(f"[{', '.join(row)}]" for row in rows) + "]\n"
    judgements = audit(parse_case(given + stated)).judgements
    assert {judgement.cause.slip for judgement in judgements if judgement.cause} == {"head-factor-omitted"}


@pytest.mark.parametrize(
    "more", ["", "heads = 2\n", 'head_norm = "rms"\nepsilon = 0.1\n', 'mask = "causal"\n']
)
def test_gradients_agree_with_derivatives(more: str) -> None:
    given = GIVEN
    if "heads" in more:
        given = given.replace("0], [0, 2], [1, 2]", "0, 1, 1], [0, 2, 1, -1], [1, 2, 0, 1]")
        given = given.replace("1], [1, 0], [2, 1]", "1, 0, 2], [1, 0, 1, 1], [2, 1, 1, 0]", 1)
    seed = "dconcat" if "heads" in more else "dZ"
    text = f"{given}{VECTORS}{seed} = [[1, 2], [0, 1], [-1, 3]]\n[attention]\n{more}"
    check = work(parse_case(text)).check
    assert check.agrees
    assert {"dQ", "dK", "dV", "dlambda_q1", "dlambda_k2"} <= {gradient.name for gradient in check.gradients}


@pytest.mark.parametrize(
    ("given", "more", "said"),
    [
        ("lambda = 0.5\nsink = [1]\n", "", "differential attention with a sink"),
        ("lambda = 0.5\n", 'evaluation = "online"\n', "differential attention with an online evaluation"),
        ("lambda = 0.5\n", 'jacobians = "rows"\n', "differential attention with Jacobians"),
        ("lambda = 0.5\n", "heads = 2\n", "1 column of Q and K in a head, for two attention maps"),
        ("lambda_q1 = [1]\n", "", "lambda_q1 without lambda_k1, lambda_q2, lambda_k2"),
        ("lambda = [0.5]\n", "", "given.lambda: a list of 1 entry where a number belongs"),
        ("lambda = 0.5\n", "lambda_init = 0.8\n", "lambda_init"),
    ],
)
def test_what_does_not_go_together_is_refused_in_one_message(given: str, more: str, said: str) -> None:
    with pytest.raises(SymattnError) as refused:
        worked(given, more)
    assert said in str(refused.value)
