"""Honest numbers of authors who round on the way: a root before they divide by it, a summand, a quantity."""

from __future__ import annotations

import pytest
from flint import fmpq

from symattn.attention.case import Claim
from symattn.auditor.messages import message
from symattn.auditor.ranges.roots import rounded_roots
from symattn.notes.documents import document_reports
from tests.audit_cases import Rows, judged, stated, told

SCORES: dict[str, Rows] = {"Q": [["1", "0"], ["0", "1"]], "K": [["5", "2"], ["1", "3"]]}
SCORED = stated("scores", [["5", "1"], ["2", "3"]])


def verdicts(rows: Rows, *more: Claim) -> set[str]:
    report = judged(SCORES, SCORED, stated("scaled", rows), *more, scale="1/sqrt(d_k)")
    return {verdict for verdict, _ in told(report)}


def accused(text: str) -> list[str]:
    """The wrong results of the equations of a text."""
    (report,) = document_reports(text, "notes.md", "markdown")
    return [one.printed.numeral.text for one in report.judgements if one.verdict in ("slip", "carried")]


@pytest.mark.parametrize(
    "rows",
    [
        [["3.546", "0.709"], ["1.418", "2.128"]],  # over 1.41
        [["3.5461", "0.7092"], ["1.4184", "2.1276"]],
        [["3.550", "0.710"], ["1.420", "2.130"]],  # times 0.71
        [["3.535", "0.707"], ["1.414", "2.121"]],  # times 0.707
        [["3.546", "0.709"], ["1.418", "2.127"]],  # over 1.41, and cut off
    ],
)
def test_who_rounds_the_root_first_goes_on_honestly(rows: Rows) -> None:
    assert verdicts(rows) == {"correct", "rounding"}


def test_what_no_rounded_root_explains_is_a_slip_all_the_same() -> None:
    assert "slip" in verdicts([["3.516", "0.703"], ["1.406", "2.110"]])
    assert "slip" in verdicts([["3.536", "0.707"], ["1.414", "2.128"]])  # only one of them is over 1.41
    assert "slip" in verdicts(
        [["3.536", "0.707"], ["1.414", "2.120"]]
    )  # nor does 0.7069, cut off, tell alone


def test_what_follows_a_rounded_root_that_is_not_printed_is_honest() -> None:
    # e^(5/1.41) is 34.68 and e^(5/sqrt(2)) 34.33
    powers = stated("exp", [["34.68", "2.03"], ["4.13", "8.40"]])
    report = judged(SCORES, SCORED, powers, scale="1/sqrt(d_k)")
    assert {verdict for verdict, _ in told(report)} == {"correct", "rounding"}


@pytest.mark.parametrize(
    ("rows", "used"),
    [
        ([["3.571", "0.714"], ["1.429", "2.143"]], "divided by 1.4"),
        ([["3.500", "0.700"], ["1.400", "2.100"]], "multiplied by 0.7"),
        ([["3.546", "0.709"], ["1.418", "2.128"]], "divided by 1.41"),
    ],
)
def test_a_root_that_was_rounded_first_is_one_finding(rows: Rows, used: str) -> None:
    report = judged(SCORES, SCORED, stated("scaled", rows), scale="1/sqrt(d_k)")
    assert {verdict for verdict, _ in told(report)} == {"correct", "rounding"}
    (remark,) = report.remarks
    assert (remark.code, remark.verdict) == ("SA106", "rounding")
    assert f"the scores were {used}, and the declared divisor is sqrt(2)" in message(report, remark, "en")


def test_what_follows_a_root_of_one_decimal_is_judged_by_it() -> None:
    # 5/1.4 is 3.57 and e^3.57 is 35.5; the last of these should be 8.52
    powers = stated("exp", [["35.56", "2.04"], ["4.17", "8.12"]])
    scaled = stated("scaled", [["3.571", "0.714"], ["1.429", "2.143"]])
    report = judged(SCORES, SCORED, scaled, powers, scale="1/sqrt(d_k)")
    assert [verdict for verdict, _ in told(report)[8:]] == ["rounding", "rounding", "rounding", "slip"]


def test_slips_beside_a_root_of_one_decimal_do_not_hide_it() -> None:
    # the last quotient is a misprint, and the rows of the exponentials are exchanged
    scaled = stated("scaled", [["3.571", "0.714"], ["1.429", "9.143"]])
    powers = stated("exp", [["4.17", "8.52"], ["35.56", "2.04"]])
    report = judged(SCORES, SCORED, scaled, powers, scale="1/sqrt(d_k)")
    assert [verdict for verdict, _ in told(report)[4:8]] == ["rounding", "rounding", "rounding", "slip"]


def test_no_number_follows_from_a_root_that_is_far_from_its_decimal() -> None:
    assert fmpq(2) not in rounded_roots(3, coarse=True)  # 1/0.5, where 1/sqrt(3) is 0.58
    assert {fmpq(17, 10), fmpq(10, 6)} <= {*rounded_roots(3, coarse=True)}
    assert fmpq(17, 10) not in rounded_roots(3)


def test_closed_forms_may_be_worked_out_with_a_rounded_root() -> None:
    # e^(5/1.41) is 34.68
    closed = stated("scaled", [["5/sqrt(2)", "1/sqrt(2)"], ["2/sqrt(2)", "3/sqrt(2)"]])
    powers = stated("exp", [["34.68", "2.03"], ["4.13", "8.40"]])
    report = judged(SCORES, SCORED, closed, powers, scale="1/sqrt(d_k)")
    assert {verdict for verdict, _ in told(report)} == {"correct", "rounding"}


def test_a_slip_beside_a_rounded_root_is_found_alone() -> None:
    scaled = stated("scaled", [["3.546", "0.709"], ["1.418", "2.128"]])
    weights = stated("A", [["0.945", "0.055"], ["0.330", "0.760"]])
    report = judged(SCORES, SCORED, scaled, weights, scale="1/sqrt(d_k)")
    wrong = [one.printed.numeral.text for one in report.judgements if one.verdict == "slip"]
    assert wrong == ["0.760"]


def test_equations_of_one_root_that_was_rounded_are_honest() -> None:
    assert accused("5/√2 = 3.546, 2/√2 = 1.418\n") == []
    assert accused("5/√2 = 3.546, 2/√2 = 1.414, 3/√2 = 2.14\n") == ["3.546", "2.14"]


def test_one_quantity_may_be_cut_off_and_another_rounded() -> None:
    # the softmax of 1.2 and 0.3 is 0.7109 and 0.2891, cut off; 0.7109 + 2.891 is 3.60, rounded
    given: dict[str, Rows] = {"Q": [["1"]], "K": [["1.2345"], ["0.2501"]], "V": [["1"], ["10"]]}
    scored, weighed = stated("scores", [["1.2", "0.3"]]), stated("A", [["0.71", "0.28"]])
    report = judged(given, scored, weighed, stated("Z", [["3.60"]]))
    assert {verdict for verdict, _ in told(report)} == {"correct", "rounding"}
    assert told(judged(given, scored, weighed, stated("Z", [["3.80"]])))[-1][0] == "slip"


def test_exponentials_may_be_put_down_before_they_are_added() -> None:
    assert accused("exp(1.18) = 3.25\n\nexp(1) + exp(2) + exp(0.3) = 11.44\n") == []
    assert accused("exp(1) + exp(2) + exp(0.3) = 11.42\n") == ["11.42"]


def test_the_last_weight_may_be_the_rest_to_one_beside_its_quotient() -> None:
    powers = stated("exp", [["12.55", "3.74", "5.21"]])
    weights = [("0.58", "12.55"), ("0.17", "3.74"), ("0.25", "5.21")]
    shares = [stated("A", [[weight]], f"{power}/21.50", col=k) for k, (weight, power) in enumerate(weights)]
    report = judged({"scores": [["2.53", "1.32", "1.65"]]}, powers, *shares)
    assert {verdict for verdict, _ in told(report)} == {"correct", "rounding"}
