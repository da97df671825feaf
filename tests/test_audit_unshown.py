"""What an author rounded and did not show, and what a program with 32 bits printed: no slips."""

from __future__ import annotations

import pytest

from tests.audit_cases import Rows, judged, last, stated, told

SCORES: dict[str, Rows] = {"scores": [["0", "1"], ["1", "1.5"]], "V": [["1"], ["2"]]}
"""The sums of the exponentials are 3.718 and 7.200."""


@pytest.mark.parametrize(
    "weights",
    [
        [["0.2703", "0.7347"], ["0.3775", "0.6225"]],  # e^s over 3.7 and 7.2
        [["0.2688", "0.7307"], ["0.3775", "0.6225"]],  # over 3.72 and 7.20
    ],
)
def test_weights_may_be_quotients_by_a_sum_that_was_rounded_and_not_shown(weights: Rows) -> None:
    powers = stated("exp", [["1.000", "2.718"], ["2.718", "4.482"]])
    for claims in ([stated("A", weights)], [powers, stated("A", weights)]):
        assert "slip" not in {verdict for verdict, _ in told(judged(SCORES, *claims))}


def test_outputs_behind_such_a_sum_are_no_slips_where_the_weights_are_not_shown() -> None:
    # (1 + 2 * 2.7183)/3.7 = 1.740 and (2.7183 + 2 * 4.4817)/7.2 = 1.6225; exactly 1.731 and 1.622
    given: dict[str, Rows] = {**SCORES, "V": [["1", "3"], ["2", "5"]]}
    report = judged(given, stated("Z", [["1.740", "4.484"], ["1.622", "4.245"]]))
    assert "slip" not in {verdict for verdict, _ in told(report)}


def test_the_sum_may_have_been_cut_off() -> None:
    weights: Rows = [["0.2695", "0.7327"], ["0.3781", "0.6233"]]  # over 3.71 and 7.19
    assert "slip" not in {verdict for verdict, _ in told(judged(SCORES, stated("A", weights)))}


def test_a_weight_that_no_rounded_sum_explains_is_a_slip() -> None:
    assert "slip" in {v for v, _ in told(judged(SCORES, stated("A", [["0.2703", "0.7400"]])))}


# Q = [[0.3333]] and K = [[0.6667]] are not shown, and were rounded to as many decimals as the scores
THIRDS: dict[str, Rows] = {
    "X": [["1"], ["2"], ["3"]],
    "W_Q": [["1/7"]],
    "W_K": [["100/7"]],
}


def test_who_rounds_what_is_not_shown_makes_no_slips() -> None:
    # Q = 0.14, 0.29, 0.43 and K = 14.29, 28.57, 42.86
    rows = [["2.00", "4.00", "6.00"], ["4.14", "8.29", "12.43"], ["6.14", "12.29", "18.43"]]
    assert "slip" not in {verdict for verdict, _ in told(judged(THIRDS, stated("scores", rows)))}


def test_a_single_number_among_few_tells_nothing_of_what_was_rounded_before_it() -> None:
    assert last(judged(THIRDS, stated("scores", [["2.00"]]))).verdict == "slip"


def test_one_slip_behind_what_is_not_shown_stays_one_where_others_are_exact() -> None:
    # of 1/49, 2/49, ... times 100 only 8.16 is wrong, and three more would be so with Q and K rounded
    rows = [["2.04", "4.08", "6.12"], ["4.08", "8.29", "12.24"], ["6.12", "12.24", "18.37"]]
    report = judged(THIRDS, stated("scores", rows), stated("scaled", [["9.99"]]))
    assert [j.printed.numeral.text for j in report.judgements if j.verdict == "slip"] == ["8.29", "9.99"]


SINGLE: dict[str, Rows] = {"Q": [["1.1", "1000.3"], ["0.7", "3"]], "K": [["1.3", "-0.1"], ["2.1", "0.002"]]}


def test_what_a_program_with_32_bits_leaves_of_terms_that_nearly_cancel_is_no_slip() -> None:
    # 1.1 * 1.3 - 1000.3 * 0.1 = -98.6 and 1.1 * 2.1 + 1000.3 * 0.002 = 4.3106, in floats -98.599998
    rows = [["-98.599998", "4.310600"], ["0.610000", "1.476000"]]
    assert "slip" not in {verdict for verdict, _ in told(judged(SINGLE, stated("scores", rows)))}
    rows = [["-98.599998", "4.310700"], ["0.610000", "1.476000"]]
    assert [v for v, _ in told(judged(SINGLE, stated("scores", rows)))][1] == "slip"


def test_a_sum_of_32_bits_below_a_slip_is_carried() -> None:
    # the score 3 printed as 5: e^5 + e = 151.131441 in floats, and 151.131419 in truth
    given: dict[str, Rows] = {"Q": [["1"]], "K": [["3"], ["1"]]}
    report = judged(
        given,
        stated("scores", [["5", "1"]]),
        stated("exp", [["148.413162", "2.718282"]]),
        stated("sum", [["151.131454"]]),
        stated("A", [["0.982014", "0.017986"]]),
    )
    assert [judgement.verdict for judgement in report.judgements] == [
        *("slip", "correct", "carried", "correct", "carried", "carried", "carried")
    ]
