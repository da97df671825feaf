"""Top-k attention: `top_k` under `[attention]`."""

from __future__ import annotations

import numpy as np
import pytest

from symattn.auditor.audit import audit
from symattn.casefile.case_file import parse_case
from symattn.floats.from_exact import matrix_to_floats
from symattn.result import Worked, work
from symattn.text.errors import SymattnError

QKV = """
[given]
Q = [[1, 0], ["1/2", "-1/2"], [1, 1]]
K = [[1, 1], ["1/2", 2], [-1, 1]]
V = [[1, 0], [2, 1], [0, 3]]
"""
SCORES = "[given]\nscores = [[{}, 2, 2, 0]]\nV = [[1], [2], [3], [4]]\n[attention]\nscale = '1'\ntop_k = {}\n"
ONE_QUERY = (
    "[given]\nQ = [[1]]\nK = [[{}], [3]]\nV = [[1], [2]]\ndZ = [[1]]\n[attention]\nscale = '1'\ntop_k = 1\n"
)


def worked(settings: str) -> Worked:
    return work(parse_case(f"{QKV}[attention]\nscale = '1'\n{settings}\n"))


@pytest.mark.parametrize("more", ["", "mask = 'causal'", "mask = 'causal'\nevaluation = 'cached'"])
@pytest.mark.parametrize("k", [1, 2, 5])
def test_weights_are_a_softmax_over_the_k_largest_scores(more: str, k: int) -> None:
    q, key = np.array([[1, 0], [0.5, -0.5], [1, 1]]), np.array([[1, 1], [0.5, 2], [-1, 1]])
    scores = np.where(np.tri(3) > 0, q @ key.T, -np.inf) if more else q @ key.T
    least = [sorted(row)[::-1][:k][-1] for row in scores.tolist()]
    powers = np.where(scores >= np.array(least)[:, None], np.exp(scores), 0.0)
    found = worked(f"top_k = {k}\n{more}")
    z = powers / powers.sum(axis=1, keepdims=True) @ np.array([[1, 0], [2, 1], [0, 3]])
    assert np.allclose(matrix_to_floats(found.derivation["Z"]), z, rtol=1e-12)
    assert found.check.agrees


@pytest.mark.parametrize(("first", "k", "kept"), [(1, 1, [1, 2]), (1, 3, [0, 1, 2]), (2, 1, [0, 1, 2])])
def test_all_scores_that_equal_the_k_th_largest_are_kept(first: int, k: int, kept: list[int]) -> None:
    weights = work(parse_case(SCORES.format(first, k))).derivation["A"]
    assert [j for j in range(4) if weights[0, j]] == kept


def test_the_gradient_is_proved_and_undecided_at_a_tie() -> None:
    proofs = {proof.name: proof.equal for proof in work(parse_case(ONE_QUERY.format(1))).proofs}
    assert proofs == {"dQ": True, "dK": True, "dV": True}
    at_a_tie = {proof.name: proof.decided for proof in work(parse_case(ONE_QUERY.format(3))).proofs}
    assert at_a_tie == {"dQ": True, "dK": False, "dV": True}


@pytest.mark.parametrize("more", ["temperature = 2", "softcap = 2", "normaliser = 'sparsemax'"])
def test_gradients_agree_with_complex_steps(more: str) -> None:
    text = QKV + f"dZ = [[1, 0], [0, 1], [1, 1]]\n[attention]\nscale = '1'\ntop_k = 2\n{more}\n"
    check = work(parse_case(text)).check
    assert check.agrees
    assert {"dQ", "dK", "dV"} <= {gradient.name for gradient in check.gradients}


def test_an_undecided_order_is_one_clear_error() -> None:
    with pytest.raises(SymattnError, match="the largest scores of a row, which could not be decided"):
        work(parse_case("symbols = ['a']\n" + SCORES.format('"a"', 2)))


def test_what_needs_the_scores_of_a_block_alone_is_refused() -> None:
    with pytest.raises(SymattnError, match="top-k attention with an online evaluation"):
        worked("top_k = 2\nevaluation = 'online'")


def test_the_page_says_what_is_kept() -> None:
    found = worked("top_k = 2")
    assert "each query keeps its 2 largest scores, all of them at a tie" in found.text(width=400)
    assert "每个查询保留最大的 2 个得分（并列时全部保留）" in found.text(lang="zh", width=400)


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ('"0.6439", "0.2369", "0.0871", "0.0321"', "top-k-omitted"),
        ('"0.6815", "0.2507", "0.0339", "0.0339"', "top-k-zero"),
        ('"0.6652", "0.2447", "0.0900", "0"', "top-k-one-more"),
    ],
)
def test_the_audit_names_how_the_largest_scores_were_mistaken(values: str, code: str) -> None:
    scores = SCORES.format(3, 2).replace("2, 2, 0", "2, 1, 0")
    case = parse_case(f'{scores}[[stated]]\nname = "A"\nvalues = [[{values}]]\n')
    assert {found.cause.slip for found in audit(case).judgements if found.cause} == {code}
