"""What the auditor must see in the five source documents, as the cases in `cases/` hold them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from symattn.auditor.audit import audit
from symattn.auditor.report import Judgement, Remark, Report
from symattn.casefile.case_file import read_case

CASES = Path(__file__).parent.parent / "cases"


@cache
def report(name: str) -> Report:
    return audit(read_case(CASES / f"{name}.toml"))


def prints(name: str, quantity: str) -> dict[tuple[int, int], Judgement]:
    """The first print of each entry of a quantity."""
    found: dict[tuple[int, int], Judgement] = {}
    for judgement in report(name).judgements:
        number = judgement.printed
        if number.name == quantity:
            found.setdefault((number.row, number.col), judgement)
    return found


def remarks(name: str, code: str) -> Iterator[Remark]:
    return (remark for remark in report(name).remarks if remark.code == code)


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("thinking_machines", {"correct": 99, "rounding": 3}),
        ("wo_ai_mao", {"correct": 4, "carried": 96, "slip": 125, "undecided": 1}),
        ("mao_zuozai_dianzi_shang", {"correct": 8, "carried": 6, "slip": 63}),
        ("thinking_machines_unscaled", {"correct": 89}),
        ("softmax_saturation", {"correct": 14, "carried": 15, "slip": 7}),
        ("sinusoidal_positions", {"correct": 6}),
        ("two_heads_symbolic_wo", {"correct": 4}),
        ("bank_recipe", {"correct": 10}),
    ],
)
def test_every_printed_number_has_its_verdict(name: str, counts: dict[str, int]) -> None:
    assert Counter(judgement.verdict for judgement in report(name).judgements) == counts
    assert report(name).unread == ()


# 000: nothing is wrong


def test_in_000_three_numbers_are_intermediate_rounding_and_nothing_is_wrong() -> None:
    judgements = report("thinking_machines").judgements
    rounding = [j.printed.numeral.text for j in judgements if j.verdict == "rounding"]
    assert rounding == ["12.45", "16.91", "25.25"]
    assert {j.code for j in judgements} == {None, "SA101"}
    assert report("thinking_machines").remarks == ()


def test_in_000_3_over_1_414_printed_2_121_is_not_even_rounding() -> None:
    judgement = prints("thinking_machines", "scaled")[0, 1]
    assert (judgement.printed.numeral.text, judgement.printed.work) == ("2.121", "3/1.414")
    assert (judgement.verdict, judgement.code) == ("correct", None)


# 001: the inputs of every step


def test_in_001_the_first_row_of_q_is_1_09_0_54_0_86_0_43() -> None:
    row = [prints("wo_ai_mao", "Q")[0, j] for j in range(4)]
    assert [judgement.printed.numeral.text for judgement in row] == ["1.14", "0.57", "1.04", "0.31"]
    assert [judgement.expected for judgement in row] == ["1.09", "0.54", "0.86", "0.43"]
    assert [str(judgement.exact.rational) for judgement in row if judgement.exact] == [
        "109/100",
        "27/50",
        "43/50",
        "43/100",
    ]


def test_in_001_one_of_the_36_projected_values_is_right() -> None:
    all_of_them = [j for name in "QKV" for j in prints("wo_ai_mao", name).values()]
    assert len(all_of_them) == 36
    assert [j.printed.at for j in all_of_them if j.verdict == "correct"] == [("V", 0, 0, None)]


def test_in_001_a_score_is_wrong_by_its_own_digits_beside_its_wrong_inputs() -> None:
    judgement = next(j for j in prints("wo_ai_mao", "scores").values() if j.printed.numeral.text == "2.29")
    assert judgement.printed.work is not None
    assert (judgement.verdict, judgement.code, judgement.local) == ("slip", "SA205", "2.06")


def test_in_001_softmax_row_1_follows_from_its_own_scores() -> None:
    for name in ("exp", "A"):
        row = [judgement for (i, _), judgement in prints("wo_ai_mao", name).items() if i == 0]
        assert {judgement.verdict for judgement in row} == {"carried"}


# 002: a row that no scale explains


def test_in_002_2_2_times_2_1_plus_0_9_times_1_3_is_5_79_and_not_6_0() -> None:
    judgement = prints("mao_zuozai_dianzi_shang", "scores")[0, 0]
    assert (judgement.printed.numeral.text, judgement.printed.work) == ("6.0", "2.2*2.1 + 0.9*1.3")
    assert (judgement.verdict, judgement.code, judgement.local) == ("slip", "SA205", "5.8")


def test_in_002_the_softmax_row_follows_from_no_scale() -> None:
    (remark,) = remarks("mao_zuozai_dianzi_shang", "SA602")
    assert (remark.name, remark.row) == ("A", 0)
    row = [j for (i, _), j in prints("mao_zuozai_dianzi_shang", "A").items() if i == 0]
    assert {judgement.verdict for judgement in row} == {"slip"}


def test_in_002_the_ranking_sentence_is_false() -> None:
    said = {remark.code: remark.values for remark in remarks("mao_zuozai_dianzi_shang", "SA502")}
    assert said["SA502"]["stated"] == "猫"
    assert said["SA502"]["largest"] == "上"


def test_in_002_x_w_is_undefined_and_read_with_w_transposed() -> None:
    (remark,) = remarks("mao_zuozai_dianzi_shang", "SA401")
    assert (remark.values["written"], remark.values["fits"]) == ("X W_Q", "X W_Q^T")


# 003: a scaling that the text says it skips


def test_in_003_one_finding_says_that_the_skipped_scaling_was_done() -> None:
    (remark,) = report("thinking_machines_unscaled").remarks
    assert (remark.code, len(remark.numbers)) == ("SA601", 41)
    assert [j for j in report("thinking_machines_unscaled").judgements if j.code] == []


def test_in_003_the_scales_that_would_explain_it_lie_between_0_6857_and_0_7309() -> None:
    (remark,) = remarks("thinking_machines_unscaled", "SA601")
    assert (remark.values["low"], remark.values["high"]) == ("0.6857", "0.7309")
    assert "square root of d_k" in remark.values["followed"]
    assert remark.values["rivals"] == "used powers of 2 instead of e"  # ln 2 = 0.693 lies there too


# 004: the wrong word


def test_in_004_a_product_was_dropped_from_v() -> None:
    judgement = prints("softmax_saturation", "V")[0, 1]
    assert (judgement.printed.numeral.text, judgement.expected, judgement.verdict) == ("1", "3", "slip")
    assert judgement.cause is not None
    assert judgement.cause.slip == "term-dropped"


def test_in_004_the_score_expressions_multiply_by_k_instead_of_its_transpose() -> None:
    cause = next(cause for cause in report("softmax_saturation").causes if cause.name == "scores")
    assert (cause.slip, cause.scope, cause.certain, cause.rivals) == (
        "key-not-transposed",
        "matrix",
        True,
        (),
    )
    assert len(cause.numbers) == 4


def test_in_004_two_scores_do_not_even_follow_their_own_expressions() -> None:
    scores = prints("softmax_saturation", "scores")
    assert [scores[cell].code for cell in ((0, 0), (1, 0))] == ["SA205", "SA205"]


def test_in_004_attention_ends_on_the_wrong_word() -> None:
    found = list(remarks("softmax_saturation", "SA508"))
    assert [(remark.name, remark.row) for remark in found] == [("A", 0), ("A", 1)]
    weights = prints("softmax_saturation", "A")
    assert [(weights[cell].printed.numeral.text, weights[cell].expected) for cell in ((0, 0), (0, 1))] == [
        ("1", "0"),
        ("0", "1"),
    ]


def test_an_honest_author_is_never_accused() -> None:
    for name in ("thinking_machines", "sinusoidal_positions", "two_heads_symbolic_wo", "bank_recipe"):
        assert {j.verdict for j in report(name).judgements} <= {"correct", "rounding"}
        assert report(name).remarks == ()
