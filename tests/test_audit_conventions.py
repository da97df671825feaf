"""What a document does throughout: the odd number of a matrix, digits cut off."""

from __future__ import annotations

from symattn.auditor.report import Judgement
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


def test_in_a_document_that_truncates_hidden_digits_are_those_cut_off() -> None:
    # Q = 0.66..., 1.66..., 2.66...; 2.66 stands for [2.66, 2.67): times 10, 26.69 is within reach
    report = judged(
        {"X": [["2/3"], ["5/3"], ["8/3"]], "W_Q": [["1"]], "K": [["10"]]},
        stated("Q", [["0.66"], ["1.66"], ["2.66"]]),
        stated("scores", [["6.69"], ["16.69"], ["26.69"]]),
    )
    assert {j.verdict for j in report.judgements} <= {"correct", "rounding"}
