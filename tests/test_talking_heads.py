"""Talking-heads attention: `P_l` and `P_w` under `[given]`."""

from __future__ import annotations

import numpy as np
import pytest

from symattn.auditor.audit import audit
from symattn.casefile.case_file import parse_case
from symattn.floats.from_exact import matrix_to_floats
from symattn.result import Worked, work
from symattn.text.errors import SymattnError

GIVEN = {
    "Q": [[1, 0, 2, 1], [0.5, -0.5, 0, 1], [1, 1, -1, 0.5]],
    "K": [[1, 1, 0, 1], [0.5, 1, 1, 0], [-1, 1, 0.5, 0]],
    "V": [[1, 0], [2, 1], [0, 3]],
}
MIXING = {"P_l": [[1, -1], [2, 0.5]], "P_w": [[0.5, 0.25], [0.5, 1]]}
SLOPE = {"dconcat": [[1, 0], [0, 1], [1, 1]]}


def text(given: dict[str, list[list[float]]], settings: str = "") -> str:
    rows = "\n".join(f"{name} = {[[str(x) for x in row] for row in m]}" for name, m in given.items())
    return f"[given]\n{rows}\n[attention]\nheads = 2\nscale = '1'\n{settings}\n"


def worked(mixing: list[str], settings: str = "", **more: list[list[float]]) -> Worked:
    return work(parse_case(text(GIVEN | {name: MIXING[name] for name in mixing} | more, settings)))


def softmax(scores: np.ndarray) -> np.ndarray:
    powers = np.exp(scores)
    return powers / powers.sum(axis=-1, keepdims=True)


def outputs(before: np.ndarray, after: np.ndarray, causal: bool) -> np.ndarray:
    """Shazeer et al. 2020, section 3, with heads as an axis."""
    q, k = (np.array(GIVEN[name]).reshape(3, 2, 2) for name in "QK")
    v = np.array(GIVEN["V"]).reshape(3, 2, 1)
    logits = np.einsum("nha,mha,hg->gnm", q, k, before) + np.where(causal & (np.tri(3) == 0), -np.inf, 0.0)
    return np.einsum("hnm,hg,mga->nga", softmax(logits), after, v).reshape(3, 2)


@pytest.mark.parametrize("settings", ["", "mask = 'causal'", "mask = 'causal'\nevaluation = 'cached'"])
@pytest.mark.parametrize("mixing", [["P_l"], ["P_w"], ["P_l", "P_w"]])
def test_scores_and_weights_are_mixed_over_the_heads(mixing: list[str], settings: str) -> None:
    before, after = (np.array(MIXING[name]) if name in mixing else np.eye(2) for name in ("P_l", "P_w"))
    found = worked(mixing, settings)
    assert np.allclose(
        matrix_to_floats(found.derivation["concat"]), outputs(before, after, bool(settings)), rtol=1e-12
    )
    assert found.check.agrees
    assert not any(proof.refuted for proof in found.proofs)


def test_tokens_as_columns_transpose_the_mixing_matrices_too() -> None:
    columns = {name: np.transpose(m).tolist() for name, m in (GIVEN | MIXING).items()}
    found = work(parse_case(text(columns, "tokens_as = 'columns'"))).derivation["concat"]
    assert np.allclose(matrix_to_floats(found.T), outputs(*map(np.array, MIXING.values()), False), rtol=1e-12)


def test_heads_that_share_keys_and_values_are_mixed() -> None:
    shared = {"K": [row[:2] for row in GIVEN["K"]], "V": [row[:1] for row in GIVEN["V"]]}
    twice = {name: [row * 2 for row in m] for name, m in shared.items()}
    z = worked(["P_l", "P_w"], "kv_heads = 1", **shared).derivation["concat"]
    assert np.allclose(
        matrix_to_floats(z),
        matrix_to_floats(worked(["P_l", "P_w"], **twice).derivation["concat"]),
        rtol=1e-12,
    )


@pytest.mark.parametrize("settings", ["", "mask = 'causal'", "normaliser = 'sigmoid'", "softcap = 2"])
def test_gradients_agree_with_complex_steps(settings: str) -> None:
    check = worked(["P_l", "P_w"], settings, **SLOPE).check
    assert check.agrees
    assert {"dQ", "dK", "dV", "dP_l", "dP_w"} <= {gradient.name for gradient in check.gradients}


def test_gradients_are_proved() -> None:
    given = {"Q": [[1, 0]], "K": [[1, 2], [0, 1]], "V": [[1, 0], [2, 1]], "dconcat": [[1, 2]], **MIXING}
    proofs = {proof.name: proof.equal for proof in work(parse_case(text(given))).proofs}
    assert proofs == dict.fromkeys(("dQ", "dK", "dV", "dP_l", "dP_w"), True)


def test_what_has_no_weights_to_mix_is_refused() -> None:
    with pytest.raises(SymattnError, match="talking-heads attention with an online evaluation"):
        worked(["P_w"], "evaluation = 'online'")


def test_a_matrix_that_is_not_one_row_and_column_a_head_is_refused() -> None:
    with pytest.raises(SymattnError, match=r"P_l is 3×2"):
        worked([], P_l=[[1, 2], [3, 4], [5, 6]])


def test_the_page_says_what_is_mixed() -> None:
    found = worked(["P_l", "P_w"])
    assert "the scores of the heads are mixed: L^h is the sum of all S'^k" in found.text(width=400)
    assert "各头的权重相混合" in found.text(lang="zh", width=400)


def test_outputs_are_worked_out_from_the_mixed_weights() -> None:
    given = {"Q": [[0, 0]], "K": [[1, 2], [0, 1]], "V": [[1, 0], [3, 2]], "P_w": [[3, 1], [2, 1]]}
    assert "Z⁽¹⁾₁₁ = (5/2)·1 + (5/2)·3 = 10" in work(parse_case(text(given))).text(width=400)


def stated(name: str, values: np.ndarray, mixing: list[str]) -> set[str]:
    """The mistakes that an audit names in rounded numbers."""
    rows = [[f"{x:.4f}" for x in row] for row in values.tolist()]
    case = text(GIVEN | {each: MIXING[each] for each in mixing})
    report = audit(parse_case(f'{case}[[stated]]\nname = "{name}"\nvalues = {rows}\n'))
    return {found.cause.slip for found in report.judgements if found.cause}


def test_the_audit_names_how_the_scores_were_mistaken() -> None:
    q, k = (np.array(GIVEN[name]).reshape(3, 2, 2) for name in "QK")
    scores, mixing = np.einsum("nha,mha->hnm", q, k), np.array(MIXING["P_l"])
    mixed = {name: np.einsum("hnm,hg->gnm", scores, p) for name, p in (("p", mixing), ("t", mixing.T))}
    late = np.einsum("hnm,hg->gnm", softmax(scores), mixing)
    assert stated("head2.A", softmax(scores)[1], ["P_l"]) == {"heads-not-mixed"}
    assert stated("head2.A", softmax(mixed["t"])[1], ["P_l"]) == {"head-mixing-transposed"}
    assert stated("head2.A", late[1], ["P_l"]) == {"heads-mixed-after-softmax"}
    assert stated("head2.A", softmax(mixed["p"])[1], ["P_l"]) == set()
    other = np.einsum("hnm,hg->gnm", scores, np.array(MIXING["P_w"]))
    assert stated("head2.A", softmax(other)[1], ["P_l", "P_w"]) == {"head-mixings-exchanged"}


def test_the_audit_names_weights_that_were_mixed_too_early() -> None:
    q, k = (np.array(GIVEN[name]).reshape(3, 2, 2) for name in "QK")
    scores, mixing = np.einsum("nha,mha->hnm", q, k), np.array(MIXING["P_w"])
    early = softmax(np.einsum("hnm,hg->gnm", scores, mixing))[0]
    assert stated("head1.mixed_weights", early, ["P_w"]) == {"heads-mixed-before-softmax"}


def test_mistakes_are_named_with_tokens_as_columns() -> None:
    q, k = (np.array(GIVEN[name]).reshape(3, 2, 2) for name in "QK")
    late = np.einsum("nha,mha->hnm", q, k)
    late = np.einsum("hnm,hg->gnm", softmax(late), np.array(MIXING["P_l"]))[1]
    columns = {name: np.transpose(m).tolist() for name, m in (GIVEN | {"P_l": MIXING["P_l"]}).items()}
    rows = [[f"{x:.4f}" for x in row] for row in late.T.tolist()]
    case = text(columns, "tokens_as = 'columns'") + f"[[stated]]\nname = 'head2.A'\nvalues = {rows}\n"
    found = audit(parse_case(case)).judgements
    assert {each.cause.slip for each in found if each.cause} == {"heads-mixed-after-softmax"}
