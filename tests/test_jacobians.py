"""The Jacobians of one row of attention: by hand, and proved to be derivatives of the walk."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from symattn.casefile.case_file import parse_case
from symattn.checks.proofs import jacobian_proofs
from symattn.plans.derive import derive
from symattn.plans.ops.jacobians import KeyJacobian, SoftmaxJacobian
from symattn.result import Worked, work
from symattn.text.errors import UnusableValue

HALVES = """
[given]
Q = [[0, 0]]
K = [[1, 0], [0, 2]]
V = [[0], [4]]
[attention]
scale = "1/3"
jacobians = "rows"
"""
"""Weights 1/2 and 1/2."""
ASK = '[attention]\njacobians = "rows"\n'
TWO = "[given]\nQ = [[1, 2], [0, 1]]\nK = [[1, 0], [2, 1]]\nV = [[1, 3], [2, 0]]\n"
PROVED = {
    "masked": TWO + ASK + 'mask = "causal"\n',
    "two heads": TWO + ASK + "heads = 2\n",
    "logits": 'symbols = ["s", "t", "r"]\n[given]\nscaled = [["s", "t", "r"]]\nV = [[1], [0], [0]]\n' + ASK,
}


def entries(worked: Worked, name: str) -> list[list[str]]:
    return [[str(x.rational) for x in row] for row in worked[name].rows()]


def test_the_jacobian_of_two_equal_weights_by_hand() -> None:
    """J = 1/4 of ((1, -1), (-1, 1)); V^T J = (-1, 1); times K = (-1, 2), over 3."""
    worked = work(parse_case(HALVES))
    assert entries(worked, "row1.J") == [["1/4", "-1/4"], ["-1/4", "1/4"]]
    assert entries(worked, "row1.J_S") == [["-1", "1"]]
    assert entries(worked, "row1.J_SK") == [["-1", "2"]]
    assert entries(worked, "row1.J_Q") == [["-1/3", "2/3"]]


@pytest.mark.parametrize("case", PROVED)
def test_jacobians_are_proved_to_be_derivatives(case: str) -> None:
    proofs = work(parse_case(PROVED[case])).proofs
    assert proofs
    assert [proof.name for proof in proofs if not (proof.decided and proof.equal)] == []
    names = {proof.name.rpartition(".")[2] for proof in proofs}
    assert names == ({"J"} if case == "logits" else {"J", "J_Q"})


KEYS = HALVES.replace('"rows"', '"all"')
"""z = 2, so that a_j (v_j - z) / 3 is -1/3 for the first key and 1/3 for the second."""


def test_the_derivatives_by_keys_and_values_by_hand() -> None:
    worked = work(parse_case(KEYS.replace("Q = [[0, 0]]", "Q = [[0, 0], [0, 3]]")))
    assert entries(worked, "row1.key1.J_K") == [["0", "0"]]
    assert entries(worked, "row1.key2.J_V") == [["1/2"]]
    worked = work(
        parse_case(KEYS.replace("K = [[1, 0], [0, 2]]", "K = [[1, 0], [1, 0]]").replace("0, 0", "6, 9"))
    )
    assert entries(worked, "row1.key1.J_K") == [["-2", "-3"]]
    assert entries(worked, "row1.key2.J_K") == [["2", "3"]]


@pytest.mark.parametrize("case", ["masked", "two heads"])
def test_the_derivatives_by_keys_and_values_are_proved(case: str) -> None:
    proofs = work(parse_case(PROVED[case].replace("rows", "all"))).proofs
    assert [proof.name for proof in proofs if not (proof.decided and proof.equal)] == []
    assert {proof.name.rpartition(".")[2] for proof in proofs} == {"J", "J_Q", "J_K", "J_V"}


def test_a_derivative_by_the_key_that_forgets_the_output_is_refuted() -> None:
    derivation = work(parse_case(KEYS.replace("[[0, 0]]", "[[0, 1]]"))).derivation
    wrong = tuple(
        replace(line, op=line.op.slips()[0].instead) if isinstance(line.op, KeyJacobian) else line
        for line in derivation
    )
    verdicts = {proof.name: proof.equal for proof in jacobian_proofs(derive(wrong, derivation.given))}
    assert verdicts["row1.key1.J_V"]
    assert not verdicts["row1.key2.J_K"]


def test_a_jacobian_without_the_outer_product_is_refuted_with_a_witness() -> None:
    derivation = work(parse_case(HALVES)).derivation
    wrong = tuple(
        replace(line, op=SoftmaxJacobian(sign=0)) if line.name == "row1.J" else line for line in derivation
    )
    first, *_ = jacobian_proofs(derive(wrong, derivation.given))
    assert first.decided
    assert not first.equal
    assert first.witness is not None


def test_a_walk_without_a_softmax_has_no_jacobian_of_one() -> None:
    with pytest.raises(UnusableValue, match="without a softmax"):
        work(parse_case(HALVES + 'kernel = "relu"\n'))


def test_the_page_of_symbols_says_what_was_proved_in_both_languages() -> None:
    worked = work(Path(__file__).parent.parent / "cases" / "variants" / "jacobian_symbolic.toml")
    assert "are the derivatives of the output, proved entry by entry" in worked.markdown(lang="en")
    assert "就是输出的导数，已逐项证明" in worked.markdown(lang="zh")


def test_the_page_has_a_chapter_for_each_row_and_key_in_both_languages() -> None:
    worked = work(Path(__file__).parent.parent / "cases" / "variants" / "jacobian_keys.toml")
    assert "Row 1, Key 2" in worked.markdown(lang="en")
    assert "第 1 行，第 2 个键" in worked.markdown(lang="zh")
