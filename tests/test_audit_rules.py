"""The verdict on one printed number: every rule with the smallest numbers that show it, worked by hand."""

from __future__ import annotations

import pytest

from symattn.attention.case import Claim
from symattn.auditor.numeral import read_numeral
from symattn.text.errors import UnusableValue
from tests.audit_cases import THIRD, Q, Rows, judged, last, stated, told


@pytest.mark.parametrize(
    ("printed", "verdict", "code"),
    [
        ("1.00", "correct", None),  # rule 2: the exact value
        ("0.99", "rounding", "SA101"),  # rule 3: 3 * 0.33
        ("1.01", "rounding", "SA102"),  # rule 3: 3 * 0.335 rounds to it, just
        ("1.02", "slip", "SA201"),  # rule 4
        ("0.96", "slip", "SA201"),
    ],
)
def test_a_number_follows_the_exact_value_the_prints_or_their_hidden_digits(
    printed: str, verdict: str, code: str | None
) -> None:
    report = judged(THIRD, Q, stated("scores", [[printed]]))
    assert told(report) == [("correct", None), (verdict, code)]


def test_a_slip_says_by_how_many_units_and_what_is_right() -> None:
    judgement = last(judged(THIRD, Q, stated("scores", [["1.04"]])))
    assert (judgement.ulps, judgement.expected, judgement.local) == (4, "1.00", "0.99")


@pytest.mark.parametrize(("printed", "note"), [("0.12", "tie"), ("0.13", "tie"), ("0.125", "")])
def test_an_exact_tie_may_go_either_way(printed: str, note: str) -> None:
    judgement = last(judged({"X": [["0.5"]], "W_Q": [["0.25"]]}, stated("Q", [[printed]])))
    assert (judgement.verdict, judgement.code, judgement.note) == ("correct", None, note)


@pytest.mark.parametrize(
    ("exact", "printed", "verdict", "code"),
    [
        ("2/3", "0.66", "rounding", "SA103"),
        ("-2/3", "-0.66", "rounding", "SA103"),
        ("-1/200", "0.00", "correct", None),  # a tie at zero
        ("-9/1000", "0.00", "rounding", "SA103"),
        ("2/3", "0.68", "slip", "SA201"),  # cut off is never larger
        ("-2/3", "-0.68", "slip", "SA201"),
    ],
)
def test_a_number_cut_off_is_rounding(exact: str, printed: str, verdict: str, code: str | None) -> None:
    report = judged({"X": [["1"]], "W_Q": [[exact]]}, stated("Q", [[printed]]))
    assert told(report) == [(verdict, code)]


def test_a_fraction_is_not_corrected_by_a_rounded_decimal() -> None:
    matrices = {"scaled": [["1", "0"]]}
    judgements = judged(matrices, stated("A", [["1/3", "2/3"]])).judgements
    assert [(each.verdict, each.expected) for each in judgements] == [("slip", None), ("slip", None)]
    assert last(judged({"X": [["1"]], "W_Q": [["1/4"]]}, stated("Q", [["1/3"]]))).expected == "1/4"


def test_an_integer_for_a_decimal_is_a_slip_and_what_it_makes_wrong_is_carried() -> None:
    # K = 1.6; the weight of 1.6 beside 0 is 0.832, that of 1 is 0.731
    report = judged(
        {"Q": [["1"]], "X": [["2"], ["0"]], "W_K": [["0.8"]]},
        stated("K", [["1"], ["0"]]),
        stated("A", [["0.731", "0.269"]]),
    )
    assert [verdict for verdict, _ in told(report)] == ["slip", "correct", "carried", "carried"]


@pytest.mark.parametrize(("printed", "verdict"), [("1", "slip"), ("2", "correct"), ("1.6", "correct")])
def test_a_working_refutes_an_integer_that_was_cut_off(printed: str, verdict: str) -> None:
    report = judged({"X": [["2"]], "W_K": [["0.8"]]}, stated("K", [[printed]], "2*0.8"))
    assert last(report).verdict == verdict


@pytest.mark.parametrize(
    ("printed", "work", "verdict", "code"),
    [
        ("0.99", "0.33*3", "rounding", "SA101"),
        ("1.00", "0.33*3", "correct", None),  # 0.33 stands for more digits: [0.975, 1.005]
        ("1.05", "0.33*3", "slip", "SA205"),  # rule 1
        ("1.00", "0.33*4", "slip", "SA203"),  # rule 1: the value is right, its working is not
        ("1.32", "0.33*4", "slip", "SA201"),  # it follows its working, which is not this step
    ],
)
def test_a_number_must_follow_the_working_on_its_line(
    printed: str, work: str, verdict: str, code: str | None
) -> None:
    assert told(judged(THIRD, Q, stated("scores", [[printed]], work)))[1] == (verdict, code)


def test_a_right_value_with_a_wrong_working_taints_nothing_behind_it() -> None:
    # 0.99 = 3 * 0.33 is intermediate rounding, not carried from the 0.33
    report = judged(THIRD, stated("Q", [["0.33"]], "1*0.5"), stated("scores", [["0.99"]]))
    assert told(report) == [("slip", "SA203"), ("rounding", "SA101")]


@pytest.mark.parametrize(
    ("printed", "verdict", "code"),
    [
        ("143.5", "correct", None),  # e^(14.9/3)
        ("148.4", "rounding", "SA101"),  # e^5.0
        ("150.0", "undecided", "SA107"),  # within [e^4.95, e^5.05], which is 148 units wide
        ("200.0", "slip", "SA201"),
    ],
)
def test_a_range_wider_than_twenty_units_decides_nothing(
    printed: str, verdict: str, code: str | None
) -> None:
    report = judged(
        {"scores": [["14.9"]]}, stated("scaled", [["5.0"]]), stated("exp", [[printed]]), scale="1/3"
    )
    assert told(report) == [("correct", None), (verdict, code)]


def test_a_percentage_has_a_unit_of_its_own() -> None:
    scores: dict[str, Rows] = {"scores": [["0", "1"]]}  # weights 0.26894 and 0.73106
    report = judged(scores, stated("A", [["27%", "73.1%"]]))
    assert told(report) == [("correct", None)] * 2
    judgement = last(judged(scores, stated("A", [["30%"]])))
    assert (judgement.verdict, judgement.ulps, judgement.expected) == ("slip", 3, "27%")


def test_an_integer_stage_must_hold_exactly() -> None:
    integers: dict[str, Rows] = {"X": [["1"]], "W_Q": [["2"]], "K": [["3"]]}
    assert last(judged(integers, stated("Q", [["2"]]), stated("scores", [["6"]]))).verdict == "correct"
    assert last(judged(integers, stated("Q", [["2"]]), stated("scores", [["7"]]))).verdict == "slip"


def test_a_quantity_whose_digits_all_show_does_not_move() -> None:
    # Q = 0.25 has no more digits than printed: behind the wrong 0.26, 2.55 is no hidden 0.255
    quarter: dict[str, Rows] = {"X": [["0.5"]], "W_Q": [["0.5"]], "K": [["10"]]}
    told_ = told(judged(quarter, stated("Q", [["0.26"]]), stated("scores", [["2.55"]])))
    assert told_ == [("slip", "SA201"), ("slip", "SA201")]


def test_a_wrong_quotient_may_hide_digits_where_the_right_one_has_none() -> None:
    # 4/2 = 2.0, but 4/sqrt(2) = 2.828 was printed as 2.8, and e^2.828 = 16.9, not e^2.8 = 16.4
    report = judged({"scores": [["4"]]}, stated("scaled", [["2.8"]]), stated("exp", [["16.9"]]), scale="1/2")
    assert told(report) == [("slip", "SA201"), ("carried", "SA301")]


def test_scores_may_be_divided_by_the_printed_root_or_by_the_root_itself() -> None:
    # 3/1.414 = 2.1216, 3/sqrt(2) = 2.1213
    matrices: dict[str, Rows] = {"Q": [["1", "2"]], "K": [["1", "1"]]}
    for printed, expected in (
        ("2.122", ("rounding", "SA101")),
        ("2.121", ("correct", None)),
        ("2.123", ("slip", "SA201")),
    ):
        report = judged(
            matrices,
            stated("sqrt(d_k)", [["1.414"]]),
            stated("scaled", [[printed]]),
            scale="1/sqrt(d_k)",
        )
        assert told(report)[1] == expected


def test_a_decimal_in_a_working_that_stands_nowhere_else_may_hide_digits() -> None:
    # 3/1.4 is 2.143, but 1.4 stands for the root of 2, and 3/sqrt(2) is 2.121
    report = judged(
        {"Q": [["1", "2"]], "K": [["1", "1"]]}, stated("scaled", [["2.121"]], "3/1.4"), scale="1/sqrt(d_k)"
    )
    assert told(report) == [("correct", None)]


@pytest.mark.parametrize(
    ("weight", "term", "verdict"),
    [
        ("0.333", "2.334", "rounding"),  # 7 times [0.3325, 0.3335] reaches 2.3345
        ("0.333", "2.336", "slip"),
        ("0.433", "3.034", "carried"),  # the same behind a wrong weight
        ("0.433", "3.036", "slip"),
    ],
)
def test_a_summand_lies_in_the_range_of_its_printed_operands(weight: str, term: str, verdict: str) -> None:
    scores: dict[str, Rows] = {"scores": [["log(1/3)", "log(2/3)"]], "V": [["7"], ["1"]]}  # weights 1/3, 2/3
    report = judged(scores, stated("A", [[weight]]), Claim("Z.term", ((term,),), key=0))
    assert last(report).verdict == verdict


def test_a_sum_that_was_not_printed_moves_with_its_exponentials() -> None:
    # 2.7 and 1.0 stand for 2.65 to 2.75 and (whole, exp 0) 1: a weight of 0.726 to 0.733, with a printed
    # sum of 3.7 one of 2.65/3.75 = 0.707 to 2.75/3.65 = 0.753
    scores: dict[str, Rows] = {"scores": [["0", "1"]]}
    exp, total, weight = (
        stated("exp", [["1.0", "2.7"]]),
        stated("sum", [["3.7"]]),
        stated("A", [["0.75"]], col=1),
    )
    assert last(judged(scores, exp, weight)).verdict == "slip"
    assert last(judged(scores, exp, total, weight)).verdict == "rounding"


def test_a_sum_printed_as_zero_leaves_its_weights_open() -> None:
    # e^-11 = 0.0000167 and e^-12 = 0.0000061, both printed 0.0000: nobody can tell 0.80 from 0.73
    report = judged(
        {"scores": [["-11", "-12"]]}, stated("exp", [["0.0000", "0.0000"]]), stated("A", [["0.80"]])
    )
    assert last(report).verdict == "undecided"


def test_numerals_know_their_decimals_and_their_preimage() -> None:
    assert [read_numeral(text).places for text in ("0.50", "0.5", "50%", "1.5e-3", "3")] == [2, 1, 2, 4, 0]
    low, high = read_numeral("-0.5").truncated()
    assert (str(low), str(high)) == ("-3/5", "-1/2")


def test_a_number_for_which_the_walk_has_no_place_is_unread_not_wrong() -> None:
    report = judged(THIRD, stated("Q", [["0.33", "0.5"]]), stated("output", [["1"]]))
    assert [unread.code for unread in report.unread] == ["SA903", "SA902"]
    assert report.printed == 3


@pytest.mark.parametrize(
    ("written", "name"),
    [("S", "scores"), ("S'", "scaled"), ("P", "A"), ("O", "Z"), ("E", "exp"), ("D", "sum")],
)
def test_a_quantity_may_be_stated_by_the_symbol_that_pages_print(written: str, name: str) -> None:
    report = judged({"Q": [["1"]], "K": [["1"]], "V": [["7"]]}, stated(written, [["9"]]))
    assert [(j.printed.name, j.verdict) for j in report.judgements] == [(name, "slip")]


@pytest.mark.parametrize("written", ["head2.S", "S^(2)", "S^{(2)}", "S⁽²⁾"])
def test_the_symbol_of_a_head_may_be_written_with_its_number(written: str) -> None:
    two: dict[str, Rows] = {"X": [["1", "2"]], **{f"W_{w}": [["1", "0"], ["0", "1"]] for w in "QKV"}}
    report = judged(two, stated(written, [["4"]]), heads=2)
    assert [(j.printed.name, j.verdict) for j in report.judgements] == [("head2.scores", "correct")]


@pytest.mark.parametrize(
    ("written", "remedy"),
    [
        ("weights", "did you mean A?"),
        ("注意力权重", "did you mean A?"),
        ("scors", "did you mean scores?"),
    ],
)
def test_an_unknown_name_is_an_error_with_the_near_names(written: str, remedy: str) -> None:
    with pytest.raises(UnusableValue) as caught:
        judged(THIRD, Q, stated(written, [["1", "2"]]))
    assert f'stated[1].name: the computation has no quantity "{written}"' in str(caught.value)
    assert remedy in str(caught.value)


def test_a_name_without_its_head_is_an_error_that_names_the_heads() -> None:
    two: dict[str, Rows] = {"X": [["1", "2"]], **{f"W_{w}": [["1", "0"], ["0", "1"]] for w in "QKV"}}
    with pytest.raises(UnusableValue, match=r"did you mean head1\.A or head2\.A"):
        judged(two, stated("A", [["1"]]), heads=2)


def test_a_column_that_is_stated_as_a_row_is_answered_by_its_shape() -> None:
    (unread,) = judged({"scores": [["0"], ["0"]]}, stated("sum", [["1.5", "2.5"]])).unread
    assert "2×1 numbers are expected, not 1×2: values = [[1.5], [2.5]]" in unread.why.en
    assert "应为 2×1 个数，而不是 1×2：values = [[1.5], [2.5]]" in unread.why.zh
    longer = judged({"scores": [["0"], ["0"]]}, stated("sum", [["1.0", "1.0", "1.0"]])).unread
    assert not any("expected" in unread.why.en for unread in longer)


def test_a_summand_of_a_key_that_there_is_not_has_no_verdict() -> None:
    weights: dict[str, Rows] = {"scores": [["0"]], "V": [["3"]]}
    report = judged(weights, stated("Z", [["3"]]), Claim("Z.term", (("1",),), key=4))
    assert told(report) == [("correct", None)]
    assert [(each.text, each.code) for each in report.unread] == [("1", "SA902")]


SCORED: dict[str, Rows] = {"Q": [["2"]], "K": [["5"]]}


@pytest.mark.parametrize(("printed", "verdict"), [("321.6619", "rounding"), ("321.6640", "slip")])
def test_an_exponential_may_be_of_a_quotient_by_a_root_that_is_held_to_two_digits_more(
    printed: str, verdict: str
) -> None:
    """exp(10/sqrt(3)) is 321.6624, and 321.6622 with 1.732051 for the root; the quotient is rounded too."""
    report = judged(SCORED, stated("scores", [["10"]]), stated("exp", [[printed]]), scale="1/sqrt(3)")
    assert last(report).verdict == verdict


@pytest.mark.parametrize(
    ("printed", "verdict"),
    [("4843.0", "correct"), ("4865.9", "rounding"), ("4875.1", "undecided"), ("4950.0", "slip")],
)
def test_what_a_working_allows_as_well_as_the_right_number_is_no_slip(printed: str, verdict: str) -> None:
    # 12/sqrt(2) is 8.4853, which is not printed but for its working: from 8.485 to 8.495
    matrices: dict[str, Rows] = {"Q": [["3", "3"]], "K": [["2", "2"]]}
    claim = stated("exp", [[printed]], "exp(8.49)")
    assert last(judged(matrices, claim, scale="1/sqrt(2)")).verdict == verdict


def test_what_stands_before_a_step_without_a_value_is_judged_all_the_same() -> None:
    # the second row of X + Z is constant, so that its norm divides by zero
    matrices: dict[str, Rows] = {"X": [["1", "0"], ["0", "1"]], "scores": [["0", "0"], ["0", "0"]]}
    matrices["V"] = [["1", "1"], ["3", "1"]]
    claims = stated("Z", [["2", "1"], ["2", "1.5"]]), stated("norm_1", [["1", "-1"], ["0.7", "-0.7"]])
    report = judged(matrices, *claims, layer="post-norm")
    assert [judgement.verdict for judgement in report.judgements] == ["correct"] * 3 + ["slip"]
    assert {each.why.en for each in report.unread} == {"a division by zero"}


@pytest.mark.parametrize(("printed", "verdict"), [("1.1", "carried"), ("1.3", "slip")])
def test_what_follows_from_a_slip_may_be_cut_off_behind_its_hidden_digits(printed: str, verdict: str) -> None:
    """Three times 0.395 to 0.405 is 1.185 to 1.215, cut off 1.1 or 1.2."""
    report = judged(THIRD, stated("Q", [["0.40"]]), stated("scores", [[printed]]))
    assert [number.verdict for number in report.judgements] == ["slip", verdict]
