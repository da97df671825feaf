"""Encoder layers and linear attention, held against NumPy by the textbook and against literal fractions."""

from __future__ import annotations

from math import erf
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from once import work

from symattn.attention.recipes.attention import attention, values
from symattn.casefile.case_file import parse_case, read_case
from symattn.checks.proofs import prove_equal
from symattn.exact.decision import equal
from symattn.exact.literal import read
from symattn.floats.from_exact import matrix_to_floats
from symattn.result import Worked
from symattn.text.errors import MissingGiven, UnusableValue

FOLDER = Path(__file__).parent.parent / "cases" / "variants"


def softmax(s: Any) -> Any:
    e = np.exp(s - s.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def attend(x: Any, g: dict[str, Any]) -> Any:
    q, k, v = x @ g["W_Q"], x @ g["W_K"], x @ g["W_V"]
    return softmax(q @ k.T / np.sqrt(q.shape[1])) @ v


def layer_norm(x: Any) -> Any:
    return (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True))


def rms_norm(x: Any) -> Any:
    return x / np.sqrt((x * x).mean(1, keepdims=True))


def gelu(x: Any) -> Any:
    return x * (1 + np.vectorize(erf)(x / np.sqrt(2))) / 2


def floats(worked: Worked) -> dict[str, Any]:
    return {name: matrix_to_floats(matrix) for name, matrix in worked.derivation.given.items()}


def near(worked: Worked, name: str, expected: Any) -> bool:
    return bool(np.allclose(matrix_to_floats(worked[name]), expected, rtol=1e-12, atol=1e-12))


def test_a_layer_with_its_norms_last() -> None:
    worked = work(FOLDER / "encoder_post_norm.toml")
    g = floats(worked)
    one = layer_norm(g["X"] + attend(g["X"], g))
    two = np.maximum(one @ g["W_1"] + g["b_1"], 0) @ g["W_2"] + g["b_2"]
    assert near(worked, "norm_1", one)
    assert near(worked, "norm_2", layer_norm(one + two))
    assert not near(worked, "norm_2", layer_norm(two))


def test_a_layer_with_its_norms_first() -> None:
    worked = work(FOLDER / "encoder_pre_norm.toml")
    g = floats(worked)
    one = g["X"] + attend(rms_norm(g["X"]), g)
    assert near(worked, "residual_2", one + gelu(rms_norm(one) @ g["W_1"]) @ g["W_2"])


def test_two_layers_of_attention() -> None:
    worked = work(FOLDER / "two_layers.toml")
    g = floats(worked)
    one = g["X"] + attend(g["X"], g)
    assert near(worked, "layer1.residual_1", one)
    assert near(worked, "layer2.residual_1", one + attend(one, g))


def test_the_mean_and_the_variance_of_a_layer_norm_by_hand() -> None:
    """The row 1, 3 has the mean 2 and the variance 1; with a gain of 2 and a shift of 5: 3 and 7."""
    text = (
        "[given]\nX = [[1, 3]]\nW_Q = [[1], [0]]\nW_K = [[1], [0]]\nW_V = [[0, 0], [0, 0]]\n"
        "W_1 = [[1], [1]]\nW_2 = [[1, 1]]\ngamma_1 = [2, 2]\nbeta_1 = [5, 5]\n"
        "[attention]\nlayer = 'post-norm'\n"
    )
    worked = work(parse_case(text))
    assert [str(x.rational) for x in next(worked["norm_1"].rows())] == ["3", "7"]
    assert equal(work(parse_case(text + "epsilon = 3\n"))["norm_1"][0, 0], read("4", {})) is True
    with pytest.raises(MissingGiven, match="beta_1"):
        work(parse_case(text.replace("beta_1 = [5, 5]\n", "")))


LINEAR = """
[given]
Q = [[1, 2], [0, 1], [2, -1]]
K = [[1, 0], [1, 1], [-1, 2]]
V = [[1, 0], [0, 1], [2, 2]]
[attention]
kernel = "relu"
"""


def test_linear_attention_is_rational_by_hand() -> None:
    """Features cut off at 0: the third query is (2, 0), which only the first two keys meet, alike."""
    worked = work(parse_case(LINEAR))
    assert [[str(x.rational) for x in row] for row in worked["A"].rows()] == [
        ["1/8", "3/8", "1/2"],
        ["0", "1/3", "2/3"],
        ["1/2", "1/2", "0"],
    ]
    assert [str(x.rational) for x in next(worked["Z"].rows())] == ["9/8", "11/8"]


def test_the_linear_walk_equals_the_quadratic_one() -> None:
    (proof,) = work(read_case(FOLDER / "linear_attention.toml")).proofs
    assert (proof.name, proof.decided, proof.equal) == ("Z", True, True)
    symbolic = 'symbols = ["a", "b"]\n' + LINEAR.replace("[[1, 0], [0, 1], [2, 2]]", '[["a"], ["b"], [1]]')
    (proof,) = work(parse_case(symbolic + 'evaluation = "linear"\n')).proofs
    assert proof.equal


def test_without_the_features_the_linear_walk_is_another() -> None:
    from msgspec.structs import replace

    case = parse_case(LINEAR + 'evaluation = "linear"\n')
    plan = attention(case)
    (line,) = (line for line in plan if line.name == "Q_F")
    (slip,) = (slip for slip in line.op.slips() if slip.code == "relu-omitted")
    wrong = tuple(replace(each, op=slip.instead) if each is line else each for each in plan)
    refuted = prove_equal(wrong, plan, values(case), "Z")
    assert refuted.decided
    assert refuted.witness is not None
    assert refuted.witness.row == 2


@pytest.mark.parametrize(
    "more", ["mask = [[0, -1, 0], [0, 0, 0], [0, 0, 2]]", "softcap = 2", 'evaluation = "online"']
)
def test_linear_attention_has_no_scores_to_bias_or_cap(more: str) -> None:
    with pytest.raises(UnusableValue, match="linear attention"):
        work(parse_case(LINEAR + more + "\n"))


def test_a_softmax_has_no_linear_walk() -> None:
    with pytest.raises(UnusableValue, match="kernel"):
        work(parse_case(LINEAR.replace('kernel = "relu"', 'evaluation = "linear"')))


@pytest.mark.parametrize("more", ["", 'align = "bottom-right"\n', 'align = "top-left"\n'])
def test_causal_linear_attention_is_a_running_sum_equal_to_the_masked_weights(more: str) -> None:
    given = LINEAR.replace("[[1, 2], [0, 1], [2, -1]]", "[[1, 2], [0, 1]]") if more else LINEAR
    text = given + 'mask = "causal"\n' + more
    direct, running = (work(parse_case(text + f'evaluation = "{kind}"\n')) for kind in ("direct", "linear"))
    assert direct["Z"] == running["Z"]
    (proof,) = running.proofs
    assert (proof.decided, proof.equal) == (True, True)
    assert "step2.KV" in running.derivation


def test_a_linear_evaluation_knows_no_other_mask_than_a_causal_one() -> None:
    with pytest.raises(UnusableValue, match="a mask that is not causal alone"):
        work(parse_case(LINEAR + 'window_left = 1\nwindow_right = 0\nevaluation = "linear"\n'))
