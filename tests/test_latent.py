"""Multi-head latent attention. DeepSeek-V2 (2024), section 2.1."""

from __future__ import annotations

import numpy as np
import pytest

from symattn.auditor.audit import audit
from symattn.casefile.case_file import parse_case
from symattn.floats.from_exact import matrix_to_floats
from symattn.result import Worked, work
from symattn.text.errors import SymattnError

GIVEN = """[given]
X     = [[1, 0, 1], [0, 2, 1], [1, 1, 0]]
W_DQ  = [[1, 0], [0, 1], [1, 1]]
W_UQ  = [[1, 0, 1, 1], [0, 1, 1, 0]]
W_QR  = [[1, 0, 0, 1], [0, 1, 1, 0]]
W_DKV = [[1, 0], [1, 1], [0, 1]]
W_UK  = [[1, 1, 0, 1], [0, 1, 1, 0]]
W_KR  = [[1, 0], [0, 1], [1, 0]]
W_UV  = [[1, 0], [0, 1]]
W_O   = [[1, 0, 1], [0, 1, 1]]
"""
HEADS = '[attention]\nheads = 2\npositions = "rope"\nangles = ["pi/3"]\n'


def worked(given: str = GIVEN, more: str = HEADS) -> Worked:
    return work(parse_case(given + more))


def test_keys_of_all_heads_share_one_rotary_part_behind_their_own_columns() -> None:
    found = worked()
    first, second, shared = (matrix_to_floats(found[name]) for name in ("head1.K", "head2.K", "K_R"))
    assert np.array_equal(first[:, 2:], shared)
    assert np.array_equal(second[:, 2:], shared)
    assert not np.array_equal(first[:, :2], second[:, :2])
    assert found.check.agrees


def test_scores_are_scaled_by_the_whole_width_of_a_head() -> None:
    assert "√d_k = 2" in worked().text()


def test_a_scale_without_the_rotary_columns_is_named_as_the_cause() -> None:
    scores = matrix_to_floats(worked()["head1.scores"])
    rows = ", ".join(f"[{', '.join(f'{x / np.sqrt(2):.3f}' for x in row)}]" for row in scores)
    stated = f'[[stated]]\nname = "head1.scaled"\nvalues = [{rows}]\n'
    judgements = audit(parse_case(GIVEN + HEADS + stated)).judgements
    assert {each.cause.slip for each in judgements if each.cause} == {"scale-without-rotary"}


def test_without_a_rotary_part_it_is_attention_with_products_of_weights() -> None:
    lines = [line for line in GIVEN.splitlines() if not line.startswith(("W_QR", "W_KR"))]
    found = worked("\n".join(lines) + "\n", "[attention]\nheads = 2\n")
    x, dq, uq, dkv, uk, uv, o = (
        np.array(matrix_to_floats(found.derivation.given[name]))
        for name in ("X", "W_DQ", "W_UQ", "W_DKV", "W_UK", "W_UV", "W_O")
    )
    made = []
    for head in range(2):
        own = slice(2 * head, 2 * head + 2)
        powers = np.exp((x @ dq @ uq)[:, own] @ (x @ dkv @ uk)[:, own].T / np.sqrt(2))
        made.append(powers / powers.sum(1, keepdims=True) @ (x @ dkv @ uv)[:, [head]])
    assert np.allclose(matrix_to_floats(found["output"]), np.hstack(made) @ o, atol=1e-12)


@pytest.mark.parametrize("more", ["", 'latent_norm = "rms"\nepsilon = 0.1\n', 'pairs = "half"\n'])
def test_gradients_agree_with_derivatives(more: str) -> None:
    given = GIVEN + "doutput = [[1, 0, 2], [0, 1, 1], [3, 1, 0]]\n"
    given += "gamma_KV = [1, 2]\n" if "norm" in more else ""
    check = worked(given, HEADS + more).check
    assert check.agrees
    assert {"dX", "dW_DQ", "dW_DKV", "dW_KR", "dW_UV"} <= {each.name for each in check.gradients}


def test_queries_may_come_straight_from_the_inputs() -> None:
    lines = [line for line in GIVEN.splitlines() if not line.startswith("W_DQ")]
    given = "\n".join(lines).replace(
        "[[1, 0, 1, 1], [0, 1, 1, 0]]", "[[1, 0, 1, 1], [0, 1, 1, 0], [1, 0, 0, 1]]"
    )
    given = given.replace("[[1, 0, 0, 1], [0, 1, 1, 0]]", "[[1, 0, 0, 1], [0, 1, 1, 0], [1, 1, 0, 0]]")
    found = worked(given + "\n")
    assert "c_Q" not in found.derivation
    assert found.check.agrees


@pytest.mark.parametrize(
    ("given", "more", "said"),
    [
        ("", "kv_heads = 1\n", "latent attention with heads that share keys and values"),
        ("", 'mask = "causal"\nevaluation = "cached"\n', "latent attention with an evaluation with a cache"),
        ("", "heads = 3\n", "W_UQ has 4 columns, which 3 heads cannot share evenly"),
        ("", 'latent_norm = "rms"\nepsilon = 0\n', "epsilon"),
        ("gamma_KV = [1, 2]\n", "", "gamma_KV is given, and no step of this case takes it"),
        ("W_Q = [[1, 0], [1, 1], [1, 2]]\n", "", "W_Q is given, and no step of this case takes it"),
    ],
)
def test_what_does_not_go_together_is_refused_in_one_message(given: str, more: str, said: str) -> None:
    heads = HEADS.replace("heads = 2\n", "") if "heads = 3" in more else HEADS
    with pytest.raises(SymattnError) as refused:
        worked(GIVEN + given, heads + more)
    assert said in str(refused.value)
