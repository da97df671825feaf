"""What stands behind a slip: carried on from it, resumed from the right value, or a slip of its own."""

from __future__ import annotations

import pytest

from symattn.auditor.judging.baseline import Baseline
from symattn.auditor.judging.evaluations import Evaluations
from symattn.auditor.judging.judge import MoreSlips
from tests.audit_cases import THIRD, WRONG, Rows, judged, last, stated, told


@pytest.mark.parametrize(
    ("printed", "verdict", "code", "note"),
    [
        ("1.29", "carried", "SA301", ""),  # rule 5: 3 * 0.43
        ("1.28", "carried", "SA301", ""),  # rule 5: [1.275, 1.305] holds it
        ("1", "correct", None, ""),  # rule 5: 1.29 and the exact 1 both print 1
        ("1.00", "correct", None, "resumed"),  # rule 6
        ("2.00", "slip", "SA201", "second"),  # rule 7
    ],
)
def test_behind_a_slip_a_number_is_carried_resumed_or_a_second_slip(
    printed: str, verdict: str, code: str | None, note: str
) -> None:
    judgement = last(judged(THIRD, WRONG, stated("scores", [[printed]])))
    assert (judgement.verdict, judgement.code, judgement.note) == (verdict, code, note)


def test_behind_a_slip_who_goes_on_from_the_right_value_may_cut_it_off() -> None:
    matrices: dict[str, Rows] = {"X": [["1"]], "W_Q": [["1"]], "K": [["2"], ["0.667"]]}
    judgement = last(judged(matrices, stated("Q", [["5"]]), stated("scores", [["10", "0.66"]])))
    assert (judgement.verdict, judgement.code, judgement.note) == ("rounding", "SA103", "resumed")


def test_a_carried_number_names_the_slip_it_goes_back_to_through_what_was_not_printed() -> None:
    # the scores are not printed; exp(3 * 0.43) = 3.63
    report = judged(THIRD, WRONG, stated("exp", [["3.63"]]))
    assert (last(report).verdict, last(report).root) == ("carried", 0)


def test_a_slip_whose_every_consumer_goes_on_from_the_right_value_is_a_typo() -> None:
    assert told(judged(THIRD, WRONG, stated("scores", [["1.00"]])))[0] == ("slip", "SA204")
    assert told(judged(THIRD, WRONG, stated("scores", [["1.29"]])))[0] == ("slip", "SA201")


def test_a_supposition_is_given_up_at_the_first_slip_too_many() -> None:
    one, zero = MoreSlips(1), MoreSlips(0)
    report = judged(THIRD, WRONG, stated("exp", [["3.63"]]))
    for name, found in (("Q", report.judgements[:1]), ("exp", report.judgements[1:])):
        assert not one(name, found, Evaluations(Baseline.of((), {}, {}, {}, ())))
        assert zero(name, found, Evaluations(Baseline.of((), {}, {}, {}, ())))


def test_of_two_slips_one_may_be_a_typo_and_the_other_carried_on() -> None:
    # Q = 2 printed 5, K = 3 printed 4, and the scores are 2 * 4
    report = judged(
        {"X": [["1"]], "W_Q": [["2"]], "W_K": [["3"]]},
        stated("Q", [["5"]]),
        stated("K", [["4"]]),
        stated("scores", [["8"]]),
    )
    assert [j.verdict for j in report.judgements] == ["slip", "slip", "carried"]
    assert (report.judgements[0].code, last(report).root) == ("SA204", 1)


def test_what_is_divided_by_a_misprinted_root_is_carried() -> None:
    report = judged(
        {"Q": [["7", "1"]], "K": [["1", "0"], ["0", "1"]]},
        stated("sqrt(d_k)", [["1.7"]]),
        stated("scaled", [["4.12", "0.59"]]),
        scale="1/sqrt(d_k)",
    )
    assert told(report) == [("slip", "SA201"), ("carried", "SA301"), ("carried", "SA301")]


@pytest.mark.parametrize("work", [None, "1.000 + 7.839"])
def test_a_sum_over_a_wrong_exponential_is_carried(work: str | None) -> None:
    report = judged(
        {"scores": [["0", "2"]]}, stated("exp", [["1.000", "7.839"]]), stated("sum", [["8.839"]], work)
    )
    assert told(report)[1:] == [("slip", "SA202"), ("carried", "SA301")]
    assert last(report).root == 1


def test_what_a_slip_before_it_does_not_touch_is_rounding_and_not_carried() -> None:
    """The wrong 5 meets the 0 of K: the scores follow 0.33 whether it is put right or not."""
    report = judged(
        {"X": [["1"]], "W_Q": [["1/3", "2"]], "W_K": [["3", "0"]]},
        stated("Q", [["0.33", "5"]]),
        stated("scores", [["0.99"]]),
    )
    assert told(report)[1:] == [("slip", "SA201"), ("rounding", "SA101")]


@pytest.mark.parametrize(("share", "verdict"), [("0.35", "carried"), ("0.43", "carried"), ("0.50", "slip")])
def test_a_weight_may_go_past_a_wrong_sum_and_still_be_carried(share: str, verdict: str) -> None:
    # e^0 is not 2.0, and 2.0 + 2.7 not 5.7; 2.0/5.7 = 0.35, and 2.0/4.7 = 0.43
    report = judged(
        {"scores": [["0", "1"]]},
        stated("exp", [["2.0", "2.7"]]),
        stated("sum", [["5.7"]]),
        stated("A", [[share]]),
    )
    assert [judgement.verdict for judgement in report.judgements] == ["slip", "correct", "slip", verdict]


def test_a_wrong_number_may_have_its_minus_only_in_print() -> None:
    # 2 * 3 is neither 5 nor -5; the score 5 * 2 follows from a 5 that was printed with a minus
    report = judged(
        {"X": [["2"]], "W_Q": [["3"]], "K": [["2"]]},
        stated("Q", [["-5"]]),
        stated("scores", [["10"]]),
    )
    assert [judgement.verdict for judgement in report.judgements] == ["slip", "carried"]


@pytest.mark.parametrize(
    ("printed", "work", "verdict"),
    [
        ("1.70", "0.50*1 + 0.60*2", "carried"),  # the second weight is nowhere else
        ("1.75", "0.50*1 + 0.60*2", "slip"),
        ("2.30", "0.50*1 + 0.60*3", "slip"),  # no value is 3
    ],
)
def test_behind_a_slip_a_number_follows_a_working_of_its_own_operands(
    printed: str, work: str, verdict: str
) -> None:
    report = judged(
        {"scores": [["0", "1"]], "V": [["1"], ["2"]]}, stated("A", [["0.50"]]), stated("Z", [[printed]], work)
    )
    assert [judgement.verdict for judgement in report.judgements] == ["slip", verdict]


@pytest.mark.parametrize(
    ("sums", "weights", "outputs"),
    [
        ("38.02", ["0.90", "0.10"], "2.79"),
        ("38.02", ["0.896", "0.104"], "2.793"),
        ("38.0", ["0.8964", "0.1036"], "2.79"),
    ],
)
def test_what_follows_from_a_slip_through_an_undecided_number_is_carried(
    sums: str, weights: list[str], outputs: str
) -> None:
    # scores 0.45 printed 3.53; the range of e^3.53 is 34 units wide, so that 34.08 is undecided
    report = judged(
        {"Q": [["1.52", "1.23"]], "K": [["1.31", "-1.25"], ["0.40", "0.62"]], "V": [["3"], ["1"]]},
        stated("scores", [["3.53", "1.37"]]),
        stated("exp", [["34.08", "3.94"]]),
        stated("sum", [[sums]]),
        stated("A", [weights]),
        stated("Z", [[outputs]]),
    )
    _, _, first, second, *behind = report.judgements
    assert (first.verdict, first.root, second.verdict) == ("undecided", 0, "correct")
    assert {judgement.verdict for judgement in behind} <= {"carried", "undecided"}
    assert {judgement.root for judgement in behind} == {0}


def test_an_undecided_number_that_only_the_right_value_may_explain_accuses_nothing_behind_it() -> None:
    # scores 5.31 misprinted 3.51; e^5.31 is 202.35, and e^5.3097 is 202.29
    report = judged(
        {"Q": [["1.7699", "0"]], "K": [["3", "0"], ["0.4", "0"]]},
        stated("scores", [["3.51", "0.71"]]),
        stated("exp", [["202.35", "2.03"]]),
        stated("sum", [["204.38"]]),
    )
    assert [judgement.verdict for judgement in report.judgements if judgement.printed.name != "scores"] == [
        "undecided",
        "correct",
        "rounding",
    ]
