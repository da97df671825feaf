"""A number printed again: a copy of the first, right or wrong by itself."""

from __future__ import annotations

import pytest

from tests.audit_cases import THIRD, WRONG, Q, judged, last, stated, told


@pytest.mark.parametrize(
    ("again", "verdict", "code"),
    [
        ("0.33", "correct", None),
        ("0.3", "correct", None),
        ("0.333", "correct", None),
        ("0.35", "slip", "SA206"),
    ],
)
def test_a_number_printed_again_is_a_copy(again: str, verdict: str, code: str | None) -> None:
    assert told(judged(THIRD, Q, stated("Q", [[again]])))[1] == (verdict, code)


def test_the_copy_of_a_slip_is_that_slip_again() -> None:
    judgement = last(judged(THIRD, WRONG, stated("scores", [["1.29"]]), WRONG))
    assert (judgement.verdict, judgement.root, judgement.note) == ("slip", 0, "copy")


def test_a_right_copy_of_a_misprint_is_correct() -> None:
    report = judged(THIRD, WRONG, stated("Q", [["0.33"]]))
    assert told(report) == [("slip", "SA201"), ("correct", None)]


@pytest.mark.parametrize(("again", "verdict"), [("1.00", "correct"), ("1.01", "rounding"), ("1.02", "slip")])
def test_a_copy_that_differs_is_a_slip_only_where_it_would_be_one_alone(again: str, verdict: str) -> None:
    assert (
        last(judged(THIRD, Q, stated("scores", [["0.99"]]), stated("scores", [[again]]))).verdict == verdict
    )


def test_a_copy_of_a_carried_number_may_be_carried_with_other_digits() -> None:
    # 3 times [0.425, 0.435]
    judgement = last(judged(THIRD, WRONG, stated("scores", [["1.29"]]), stated("scores", [["1.28"]])))
    assert (judgement.verdict, judgement.root, judgement.note) == ("carried", 0, "copy")


@pytest.mark.parametrize(
    ("again", "scores", "verdicts"),
    [
        ("0.3", "0.9", ["correct", "correct", "rounding"]),  # 3 times 0.3, and not 1.0
        ("0.3", "0.99", ["correct", "correct", "rounding"]),
        ("0.3", "0.6", ["correct", "correct", "slip"]),
        ("0.43", "1.29", ["correct", "slip", "carried"]),
        ("0.43", "0.99", ["correct", "slip", "rounding"]),
    ],
)
def test_what_follows_from_either_print_of_a_number_is_no_slip(
    again: str, scores: str, verdicts: list[str]
) -> None:
    report = judged(THIRD, Q, stated("Q", [[again]]), stated("scores", [[scores]]))
    assert [judgement.verdict for judgement in report.judgements] == verdicts


def test_what_follows_from_a_wrong_second_print_goes_back_to_that_print() -> None:
    assert last(judged(THIRD, Q, WRONG, stated("scores", [["1.29"]]))).root == 1


def test_the_copy_of_a_right_value_beside_a_wrong_working_is_right() -> None:
    again = stated("Q", [["0.33"]])
    assert told(judged(THIRD, stated("Q", [["0.33"]], work="1 + 1"), again)) == [
        ("slip", "SA203"),
        ("correct", None),
    ]


def test_a_slip_in_the_last_digit_is_none_where_fewer_digits_are_printed_again() -> None:
    # 0.3333 is right, 0.3332 is not, and 0.333 of it is right again
    report = judged(THIRD, stated("Q", [["0.3332"]]), stated("Q", [["0.333"]]), stated("Q", [["0.3332"]]))
    assert [judgement.verdict for judgement in report.judgements] == ["slip", "correct", "slip"]
