"""What a document does throughout: the odd number of a matrix, digits cut off, a step done otherwise."""

from __future__ import annotations

from symattn.auditor.report import Judgement, Report
from tests.audit_cases import Rows, judged, last, stated

# Q = 1/3, 2/3, 4/3, printed 0.3, 0.7, 1.3; scores Q K^T with K = 2.9, 5.9
ODD: dict[str, Rows] = {"X": [["1/3"], ["2/3"], ["4/3"]], "W_Q": [["1"]], "K": [["2.9"], ["5.9"]]}
ODD_Q = stated("Q", [["0.3"], ["0.7"], ["1.3"]])


def test_the_odd_number_of_a_matrix_is_judged_by_the_convention_of_the_others() -> None:
    # exactly 0.97, 1.97, 1.93, 3.93, 3.87, 7.87; from the prints, 1.3 * 5.9 = 7.67
    right = [["1.0", "2.0"], ["1.9", "3.9"], ["3.9", "7.5"]]
    report = judged(ODD, ODD_Q, stated("scores", right))
    assert [j.code for j in report.judgements[3:]] == [None] * 5 + ["SA207"]


def test_two_odd_numbers_are_no_convention() -> None:
    report = judged(ODD, ODD_Q, stated("scores", [["1.0", "2.0"], ["1.9", "4.3"], ["3.9", "7.5"]]))
    assert [j.code for j in report.judgements if j.code] == ["SA102", "SA102"]


def test_where_g_and_l_print_alike_there_is_no_convention_to_tell() -> None:
    # times 0.2 and 0.4 both give 0.1 0.1 | 0.1 0.3 | 0.3 0.5; 75 is within [1.25 * 59, 1.35 * 59]
    small: dict[str, Rows] = {**ODD, "K": [["0.2"], ["0.4"], ["59"]]}
    printed = stated("scores", [["0.1", "0.1"], ["0.1", "0.3"], ["0.3", "0.5"]])
    report = judged(small, ODD_Q, printed, stated("scores", [["75"]], row=2, col=2))
    assert (last(report).verdict, last(report).code) == ("rounding", "SA102")


def test_no_odd_one_is_accused_among_numbers_that_all_follow_the_prints() -> None:
    # l = 0.87, 1.77, 2.03, 4.13, 3.77, 7.67: the last also happens to be no print of g
    report = judged(ODD, ODD_Q, stated("scores", [["0.9", "1.8"], ["2.0", "4.1"], ["3.8", "7.7"]]))
    assert {j.verdict for j in report.judgements[3:]} == {"rounding"}


def thirds(*printed: str) -> list[Judgement | str]:
    report = judged(
        {"X": [["2/3"], ["5/3"], ["8/3"], ["11/3"]], "W_Q": [["1"]]}, stated("Q", [[p] for p in printed])
    )
    return [*(j.verdict for j in report.judgements), *(remark.code for remark in report.remarks)]


def test_three_numbers_cut_off_and_none_rounded_make_a_document_that_truncates() -> None:
    assert thirds("0.66", "1.66", "2.66", "3.66") == ["correct"] * 4 + ["SA104"]


def test_one_number_rounded_up_among_them_says_otherwise() -> None:
    assert thirds("0.66", "1.66", "2.66", "3.67") == ["rounding"] * 3 + ["correct"]


def test_integers_are_cut_off_in_a_document_that_does_so_as_a_habit() -> None:
    assert thirds("0", "1", "2", "3") == ["correct"] * 4 + ["SA104"]
    assert thirds("0.66", "1.66", "2.66", "3") == ["correct"] * 4 + ["SA104"]
    assert thirds("0.66", "1.67", "2.67", "3") == ["rounding", "correct", "correct", "slip"]
    assert thirds("0.66", "2", "3", "3") == ["rounding", "correct", "correct", "slip"]


def test_in_a_document_that_truncates_hidden_digits_are_those_cut_off() -> None:
    # Q = 0.66..., 1.66..., 2.66...; 2.66 stands for [2.66, 2.67): times 10, 26.69 is within reach
    report = judged(
        {"X": [["2/3"], ["5/3"], ["8/3"]], "W_Q": [["1"]], "K": [["10"]]},
        stated("Q", [["0.66"], ["1.66"], ["2.66"]]),
        stated("scores", [["6.69"], ["16.69"], ["26.69"]]),
    )
    assert {j.verdict for j in report.judgements} <= {"correct", "rounding"}


# Q = 1, 2; K = 1, 3; d_k = 1, so the scale is a number of its own: scores 1 3 | 2 6
PAIR: dict[str, Rows] = {"Q": [["1"], ["2"]], "K": [["1"], ["3"]], "V": [["10"], ["20"]]}
UNSCALED = stated("A", [["0.12", "0.88"], ["0.02", "0.98"]])
IN_TWOS = stated("A", [["0.200", "0.800"], ["0.059", "0.941"]])


def conventions(report: Report) -> list[tuple[str, str, str, int]]:
    """The findings on conventions: code, what is declared, the slips that explain, of how many numbers."""
    return [
        (remark.code, remark.values["declared"], remark.values["slips"], len(remark.numbers))
        for remark in report.remarks
        if remark.code == "SA601"
    ]


def test_weights_that_all_lack_the_declared_scaling_are_one_finding_and_right_for_what_they_are() -> None:
    report = judged(PAIR, UNSCALED, stated("Z", [["18.8"], ["19.8"]]), scale="1/2")
    assert conventions(report) == [("SA601", "scores divided by 2", "scale-omitted", 6)]
    assert {j.verdict for j in report.judgements} <= {"correct", "rounding"}


def test_weights_in_another_base_than_declared_are_one_finding() -> None:
    assert conventions(judged(PAIR, IN_TWOS)) == [("SA601", "the base e", "base-two", 4)]


def test_weights_in_base_e_where_another_is_declared_are_one_finding() -> None:
    assert conventions(judged(PAIR, UNSCALED, base="2")) == [("SA601", "the base 2", "base-e", 4)]


def test_a_wrong_matrix_from_which_nobody_goes_on_is_slips() -> None:
    report = judged(PAIR, UNSCALED, stated("Z", [["17.3"], ["18.8"]]), scale="1/2")
    assert conventions(report) == []
    assert [j.verdict for j in report.judgements[:4]] == ["slip"] * 4


def test_three_numbers_are_too_few_to_speak_of_a_convention() -> None:
    report = judged(PAIR, stated("A", [["0.12", "0.88"]]), stated("A", [["0.02"]], row=1), scale="1/2")
    assert conventions(report) == []


def test_weights_of_scaled_scores_that_were_printed_but_not_used_lack_no_scaling() -> None:
    scaled = stated("scaled", [["0.5", "1.5"], ["1", "3"]])
    report = judged(PAIR, scaled, UNSCALED, scale="1/2")
    assert conventions(report) == []
    assert [j.verdict for j in report.judgements] == ["correct"] * 4 + ["slip"] * 4


def test_a_slip_before_the_step_hides_no_convention() -> None:
    # X W_Q = 1, 2 and 3; the last is printed 4, so that its scores are 4 12 12
    wide: dict[str, Rows] = {"X": [["1"], ["2"], ["3"]], "W_Q": [["1"]], "K": [["1"], ["3"], ["2"]]}
    queries = stated("Q", [["1"], ["2"], ["4"]])
    weights = stated("A", [["0.14", "0.57", "0.29"], ["0.05", "0.76", "0.19"], ["0.00", "0.94", "0.06"]])
    report = judged(wide, queries, weights)
    assert conventions(report) == [("SA601", "the base e", "base-two", 8)]
    assert [j.printed.name for j in report.judgements if j.verdict == "slip"] == ["Q"]
