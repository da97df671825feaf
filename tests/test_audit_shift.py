"""Exponentials printed as exp(s - max): a convention that is read off the numbers, row by row."""

from __future__ import annotations

import pytest
from audit_cases import Rows, judged, stated

from symattn.auditor.report import Report

# scores 1 3 | 2 1; less the largest -2 0 | 0 -1
QKV: dict[str, Rows] = {
    "Q": [["1", "0"], ["0", "1"]],
    "K": [["1", "2"], ["3", "1"]],
    "V": [["1"], ["3"]],
}
SHIFTED: Rows = [["0.135", "1.000"], ["1.000", "0.368"]]
PLAIN: Rows = [["2.718", "20.086"], ["7.389", "2.718"]]
WEIGHTS = stated("A", [["0.119", "0.881"], ["0.731", "0.269"]])


def wrong(report: Report) -> list[tuple[str, int, int]]:
    return [each.printed.at[:3] for each in report.judgements if each.verdict in ("slip", "carried")]


def read_off(report: Report) -> list[str]:
    return [each.values["conventions"] for each in report.remarks if each.code == "SA603"]


def test_who_subtracts_the_maximum_throughout_is_not_accused() -> None:
    report = judged(QKV, stated("exp", SHIFTED), stated("sum", [["1.135"], ["1.368"]]), WEIGHTS)
    assert wrong(report) == []
    assert read_off(report) == ["shift = max (6/6)"]


def test_a_sum_is_judged_by_the_convention_where_no_exponentials_are_printed() -> None:
    report = judged(QKV, stated("sum", [["1.135"], ["1.368"]]), WEIGHTS)
    assert wrong(report) == []


def test_a_wrong_exponential_is_found_within_the_convention() -> None:
    report = judged(QKV, stated("exp", [["0.135", "1.000"], ["1.000", "0.638"]]), WEIGHTS)
    assert wrong(report) == [("exp", 1, 1)]
    assert report.judgements[3].expected == "0.368"


def test_a_wrong_exponential_is_found_in_the_only_row() -> None:
    one: dict[str, Rows] = {"Q": [["1", "0"]], "K": [["1", "2"], ["3", "1"], ["2", "5"]], "V": [["1"]] * 3}
    report = judged(one, stated("exp", [["0.135", "1.000", "0.638"]]))
    assert wrong(report) == [("exp", 0, 2)]


def test_a_wrong_sum_is_found_within_the_convention_and_carries_on() -> None:
    report = judged(QKV, stated("exp", SHIFTED), stated("sum", [["1.135"], ["1.638"]]))
    assert wrong(report) == [("sum", 1, 0)]


def test_the_convention_is_read_off_row_by_row() -> None:
    report = judged(QKV, stated("exp", [SHIFTED[0], PLAIN[1]]), stated("sum", [["1.135"], ["10.107"]]))
    assert wrong(report) == []
    assert read_off(report) == ["shift = max (3/3)"]


def test_plain_exponentials_are_read_as_such() -> None:
    report = judged(QKV, stated("exp", PLAIN), WEIGHTS)
    assert (wrong(report), read_off(report)) == ([], [])


def test_a_slip_among_plain_exponentials_is_no_convention() -> None:
    report = judged(QKV, stated("exp", [["2.718", "20.086"], ["7.389", "0.368"]]))
    assert (wrong(report), read_off(report)) == ([("exp", 1, 1)], [])


def test_it_is_read_off_with_tokens_as_columns_too() -> None:
    turned: dict[str, Rows] = {name: list(zip(*rows, strict=True)) for name, rows in QKV.items()}
    across = list(zip(*SHIFTED, strict=True))
    report = judged(
        turned,
        stated("exp", across),
        stated("sum", [["1.135", "1.368"]]),
        tokens_as="columns",
        weights="left",
    )
    assert (wrong(report), read_off(report)) == ([], ["shift = max (6/6)"])


def test_declared_and_kept_it_needs_no_word() -> None:
    report = judged(QKV, stated("exp", SHIFTED), WEIGHTS, shift="max")
    assert (wrong(report), report.remarks) == ([], ())


def test_plain_exponentials_where_it_is_declared_are_one_finding() -> None:
    report = judged(QKV, stated("exp", PLAIN), WEIGHTS, shift="max")
    assert wrong(report) == []
    (remark,) = report.remarks
    assert (remark.code, remark.values["slips"]) == ("SA601", "maximum-kept")


@pytest.mark.parametrize("row", [["0.24", "1.00"], ["0.25", "1.00"]])
def test_printed_scores_before_it_move_the_differences(row: list[str]) -> None:
    # scaled 0.707, 2.121 printed 0.7, 2.1: e^-1.4 is 0.25, e^-1.41 is 0.24
    report = judged(QKV, stated("scaled", [["0.7", "2.1"]]), stated("exp", [row]), scale="1/sqrt(2)")
    assert wrong(report) == []
