"""Honest numbers that are easily accused: each with the smallest numbers that show why it is honest."""

from __future__ import annotations

import pytest
from flint import arb, fmpq

from symattn.attention.case import Claim
from symattn.auditor.messages import message
from symattn.auditor.ranges.steps import through
from symattn.auditor.ranges.working import read_working
from symattn.floats.interval import Interval, between
from symattn.plans.ops.layernorm_parts import Variance
from symattn.plans.ops.normalise import Normalise
from tests.audit_cases import Rows, judged, last, stated, told
from tests.test_audit_conventions import ODD, ODD_Q


@pytest.mark.parametrize(
    ("printed", "verdict", "code"),
    [("6.303", "correct", None), ("6.304", "rounding", "SA101"), ("6.302", "slip", "SA201")],
)
def test_a_number_may_be_rounded_twice(printed: str, verdict: str, code: str | None) -> None:
    # 6.30349 is 6.3035 to four decimals, and that is 6.304 to three
    report = judged({"X": [["1"]], "W_Q": [["6.30349"]]}, stated("Q", [[printed]]))
    assert told(report) == [(verdict, code)]


@pytest.mark.parametrize(
    ("printed", "verdict"),
    [("40490.5812", "correct"), ("40490.6055", "slip"), ("40490.5893", "rounding"), ("40490.58", "correct")],
)
def test_a_program_with_32_bits_prints_digits_that_it_does_not_have(printed: str, verdict: str) -> None:
    report = judged({"X": [["1"]], "W_Q": [["40490.58123"]]}, stated("Q", [[printed]]))
    assert told(report)[0][0] == verdict


def test_nobody_is_odd_in_a_document_that_does_not_keep_to_one_convention() -> None:
    # the scores follow the exact values; e^2.0 is 7.4, and e^1.967, exactly, 7.1
    scores = stated("scores", [["1.0", "2.0"], ["1.9", "3.9"], ["3.9", "7.5"]])
    for power, code in (("7.1", "SA207"), ("7.4", "SA102")):
        report = judged(ODD, ODD_Q, scores, stated("exp", [[power]], col=1))
        assert report.judgements[8].code == code


@pytest.mark.parametrize(("printed", "code"), [("2.5", "SA102"), ("2.4", "SA201")])
def test_a_number_less_than_a_unit_off_is_not_odd(printed: str, code: str) -> None:
    # with 2.0 for 5.9 the last is 2.67 exactly and 2.6 from the prints, within [2.5, 2.7]
    scores = stated("scores", [["1.0", "0.7"], ["1.9", "1.3"], ["3.9", printed]])
    assert last(judged({**ODD, "K": [["2.9"], ["2.0"]]}, ODD_Q, scores)).code == code


@pytest.mark.parametrize(
    ("row", "verdict", "code"),
    [
        (["0.2119", "0.2119", "0.5762"], "rounding", "SA101"),
        (["0.2119", "0.2119", "0.5763"], "slip", "SA201"),
        (["0.2118", "0.2120", "0.5762"], "slip", "SA201"),
    ],
)
def test_the_last_weight_may_be_what_the_others_leave_of_one(
    row: list[str], verdict: str, code: str | None
) -> None:
    # 1/(2 + e) is 0.21194 and e/(2 + e) is 0.57612
    assert told(judged({"scores": [["1", "1", "2"]]}, stated("A", [row])))[-1] == (verdict, code)


@pytest.mark.parametrize("work", ["(0.3-0.1-0.2)^2", "(1/3-1/3)^3"])
def test_the_power_of_a_difference_that_vanishes_is_nought(work: str) -> None:
    working = read_working(work, lambda numeral: False)
    assert working is not None
    assert working.range.meets(fmpq(0), fmpq(0))
    assert not working.range.meets(fmpq(1, 1000), fmpq(1))


def test_the_variance_about_an_entry_that_is_its_mean_has_a_range() -> None:
    x, mean = [between(fmpq(0), fmpq(2)), between(fmpq(3), fmpq(3))], between(fmpq(1), fmpq(1))
    table = through(Variance(), [[x], [[mean]]])
    assert table is not None
    assert not table[0][0].meets(fmpq(3), fmpq(9))
    assert table[0][0].meets(fmpq(2), fmpq(5, 2))


# the weights are 0.110, 0.264, 0.264, 0.110 and 0.252: rounded, they add up to 0.99
LOGITS = ["-0.8289", "0.0465", "0.0465", "-0.8289", "0"]
ADDING_UP = [["0.11", "0.27", "0.26", "0.11", "0.25"]]


def test_a_weight_moved_by_a_unit_so_that_its_row_adds_up_to_one_is_rounding_with_a_note() -> None:
    report = judged({"scores": [LOGITS]}, stated("A", ADDING_UP))
    assert told(report)[1] == ("rounding", "SA101")
    assert message(report, report.judgements[1], "en").startswith(
        "A, row 1, column 2: 0.27 makes its row add up to 1"
    )
    assert last(judged({"scores": [LOGITS]}, stated("A", [[*ADDING_UP[0][:4], "0.27"]]))).verdict == "slip"


def test_with_tokens_as_columns_a_weight_may_be_moved_so_that_its_column_adds_up_to_one() -> None:
    given: dict[str, Rows] = {"scores": [[score] for score in LOGITS]}
    report = judged(given, stated("A", [[a] for a in ADDING_UP[0]]), tokens_as="columns", weights="left")
    assert told(report)[1] == ("rounding", "SA101")


def test_a_weight_moved_behind_a_slip_is_carried_as_the_others_of_its_row_are() -> None:
    given: dict[str, Rows] = {"Q": [["1"]], "K": [["1"], *([score] for score in LOGITS[1:])]}
    report = judged(given, stated("scores", [LOGITS]), stated("A", ADDING_UP))
    assert [judgement.verdict for judgement in report.judgements[5:]] == ["carried"] * 5
    assert {judgement.root for judgement in report.judgements[5:]} == {0}


def test_outputs_may_be_made_of_the_weight_before_it_was_moved() -> None:
    # 0.264 * 1000 is 264, and 0.27 * 1000 is 270
    given: dict[str, Rows] = {"scores": [LOGITS], "V": [["0"], ["1000"], ["0"], ["0"], ["0"]]}
    for printed in ("264", "270"):
        assert last(judged(given, stated("A", ADDING_UP), stated("Z", [[printed]]))).verdict != "slip"


def share(first: tuple[int, int], second: tuple[int, int]) -> Interval:
    """The first of two tenths-valued intervals over their sum."""
    row = [between(fmpq(low, 10), fmpq(high, 10)) for low, high in (first, second)]
    table = through(Normalise(), [[row], [[row[0]]]], joint=[True])
    assert table is not None
    return table[0][0]


def test_the_share_of_a_negative_number_has_both_its_ends() -> None:
    # -1.1/(-1.1 + 2.9) = -0.61 to -0.9/(-0.9 + 3.1) = -0.41
    found = share((-11, -9), (29, 31))
    assert abs(found.low - arb(-11) / 18) < 1e-9
    assert abs(found.high - arb(-9) / 22) < 1e-9


def test_the_share_of_a_sum_that_may_vanish_may_be_anything() -> None:
    assert share((-11, -9), (9, 11)).exceeds(fmpq(10**9))


def test_what_happens_to_be_right_in_a_wrong_matrix_tells_no_convention() -> None:
    # Q is wrong but for 0.67, which is rounded; K is cut off
    report = judged(
        {"X": [["1"]], "W_Q": [["2/3", "1/7", "1/9"]], "W_K": [["2/3", "5/3", "8/3"]]},
        stated("Q", [["0.67", "5.00", "7.00"]]),
        stated("K", [["0.66", "1.66", "2.66"]]),
    )
    assert [remark.code for remark in report.remarks] == ["SA104"]


def test_where_truncation_leaves_nothing_wrong_a_single_number_that_is_cut_off_shows_it() -> None:
    # 2.66 stands for [2.66, 2.67) where it is cut off: times 10, cut off again, for 26.69 as well
    only: dict[str, Rows] = {"X": [["8/3"]], "W_Q": [["1"]], "K": [["10"]]}
    report = judged(only, stated("Q", [["2.66"]]), stated("scores", [["26.69"]]))
    assert {j.verdict for j in report.judgements} <= {"correct", "rounding"}
    assert not report.remarks


def test_the_wrong_word_is_a_finding_only_where_a_number_is_wrong() -> None:
    # 0.4988 and 0.5012 are printed as 0.5; an author who holds 0.1 for 0.105 prints 0.51 and 0.49 for them
    logits: dict[str, Rows] = {"Q": [["1"]], "K": [["0.100"], ["0.105"]]}
    near = judged(logits, stated("scores", [["0.1", "0.1"]]), stated("A", [["0.51", "0.49"]]))
    wrong = judged(logits, stated("A", [["0.71", "0.29"]]))
    assert [[remark.code for remark in report.remarks] for report in (near, wrong)] == [[], ["SA508"]]


def test_a_right_number_behind_a_slip_may_hide_what_the_slip_left() -> None:
    # 3.15/1.9999 = 1.57508 prints as the exact 1.5750 cut off, and exp of it is 4.8311
    report = judged(
        {"Q": [["3.15", "0", "0", "0"]], "K": [["1", "0", "0", "0"]]},
        stated("sqrt(d_k)", [["1.9999"]]),
        stated("scaled", [["1.5750"]]),
        stated("exp", [["4.8309"]]),
        scale="1/sqrt(d_k)",
    )
    assert [verdict for verdict, _ in told(report)] == ["slip", "correct", "rounding"]


def test_behind_a_misprint_the_right_number_may_have_been_rounded() -> None:
    # 2/3, misprinted as 0.76, was held as 0.67: ten times that is 6.70, and not 6.67
    report = judged(
        {"X": [["1"]], "W_Q": [["2/3"]], "K": [["10"]]}, stated("Q", [["0.76"]]), stated("scores", [["6.70"]])
    )
    assert told(report) == [("slip", "SA204"), ("rounding", "SA102")]


def test_an_operand_that_is_wrong_may_hide_digits_where_the_right_one_has_none() -> None:
    # 3/2 and 6/2 end; the misprinted 1.33 may stand for 4/3, and e^(4/3) is 3.79
    report = judged(
        {"scores": [["3", "6"]]},
        stated("scaled", [["1.33", "3.00"]]),
        stated("exp", [["3.79"]], "exp(1.33)"),
        scale="1/2",
    )
    assert told(report) == [("slip", "SA201"), ("correct", None), ("carried", "SA301")]


@pytest.mark.parametrize(("printed", "verdict"), [("321.65", "rounding"), ("321.64", "slip")])
def test_what_is_not_printed_may_have_been_held_to_two_digits_more_than_what_is(
    printed: str, verdict: str
) -> None:
    # 10/√3 = 5.773502..., held as 5.7735 or as 5.77348 from a root in four digits: e^5.77348 = 321.655
    report = judged({"scores": [["10"]]}, stated("exp", [[printed]]), scale="1/sqrt(3)")
    assert last(report).verdict == verdict


def test_a_misprint_among_numbers_that_a_cause_explains_is_one_of_what_the_cause_makes_of_it() -> None:
    # Q K = [[22.4992, 26.9890], [48.8720, 58.9162]] for Q K^T, the last misprinted, and all of it halved
    report = judged(
        {"Q": [["1.07", "2.31"], ["3.19", "4.43"]], "K": [["5.03", "6.29"], ["7.41", "8.77"]]},
        stated("scores", [["22.4992", "26.9890"], ["48.8720", "85.9162"]]),
        stated("scaled", [["11.2496", "13.4945"], ["24.4360", "29.4581"]]),
        scale="1/2",
    )
    assert [judgement.verdict for judgement in report.judgements] == ["slip"] * 4 + ["carried"] * 4


@pytest.mark.parametrize(
    ("last", "verdicts"),
    [("8.33", ["carried"] * 4), ("8.83", ["carried"] * 3 + ["undecided"]), ("8.3", ["carried"] * 4)],
)
def test_what_one_number_divides_goes_back_to_the_root_that_was_printed_for_it(
    last: str, verdicts: list[str]
) -> None:
    # the root of 4 is printed 7, and all of it is divided by 6
    report = judged(
        {
            "Q": [["3", "1", "0", "0"], ["2", "5", "1", "0"]],
            "K": [["1", "2", "0", "0"], ["9", "6", "2", "1"]],
        },
        stated("scores", [["5", "33"], ["12", "50"]]),
        stated("sqrt(d_k)", [["7"]]),
        stated("scaled", [["0.83", "5.50"], ["2.00", last]]),
        scale="1/sqrt(d_k)",
    )
    assert [judgement.verdict for judgement in report.judgements[4:]] == ["slip", *verdicts]


def test_behind_a_misprint_the_right_number_may_have_been_cut_off() -> None:
    # 2/3, misprinted as 0.1, was held as 0.6, and K = 3 as the slip 4: 2.4
    report = judged(
        {"X": [["1"]], "W_Q": [["2/3"]], "W_K": [["3"]]},
        stated("Q", [["0.1"]]),
        stated("K", [["4"]]),
        stated("scores", [["2.4"]]),
    )
    assert [judgement.verdict for judgement in report.judgements] == ["slip", "slip", "carried"]


def test_what_dots_leave_out_of_a_row_may_have_been_rounded_as_its_neighbours() -> None:
    # Q = [0.5, 1/3], of which only 0.5 is printed: with 0.3 for 1/3, 2 * 0.5 + 6 * 0.3 is 2.8 and not 3.0
    report = judged(
        {"X": [["1"]], "W_Q": [["1/2", "1/3"]], "K": [["2", "6"]]},
        stated("Q", [["0.5"]]),
        stated("scores", [["2.8"]]),
    )
    assert told(report) == [("correct", None), ("rounding", "SA102")]


@pytest.mark.parametrize(("printed", "verdict"), [("69.60", "rounding"), ("69.65", "slip")])
def test_who_prints_a_root_works_out_its_decimals(printed: str, verdict: str) -> None:
    # e^(6/sqrt(2)) is 69.594; 6/1.4142 is 4.2427, and e^4.2427 is 69.60
    scores = stated("scaled", [["6/sqrt(2)"]])
    report = judged({"scores": [["6"]]}, scores, stated("exp", [[printed]]), scale="1/sqrt(2)")
    assert last(report).verdict == verdict


@pytest.mark.parametrize(("printed", "verdict"), [("0.5", "correct"), ("0.7", "slip")])
def test_an_operand_of_a_sum_is_the_term_and_no_value_of_the_same_digits(printed: str, verdict: str) -> None:
    # the terms are 0.225 and 0.24; the 0.2 that V shows hides nothing
    values = [["0.9"], ["0.2"]]
    terms = [Claim("Z.term", (("0.2",),), key=k) for k in (0, 1)]
    report = judged(
        {"A": [["1/4", "6/5"]], "V": values},
        stated("V", values),
        *terms,
        stated("Z", [[printed]], "0.2 + 0.2"),
    )
    assert last(report).verdict == verdict


@pytest.mark.parametrize(("printed", "code"), [("3.535", None), ("3.533", "SA203")])
def test_an_operand_may_be_cut_off_beside_a_result_that_is_right(printed: str, code: str | None) -> None:
    # e^(5/sqrt(2)) = e^3.53553 = 34.313; e^3.535 would be 34.295
    work = f"exp({printed})"
    report = judged({"scores": [["5"]]}, stated("exp", [["34.313"]], work), scale="1/sqrt(2)")
    assert last(report).code == code
