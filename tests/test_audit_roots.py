"""Decimals that stand for more than they show: roots where a source begins, operands of stray equations."""

from __future__ import annotations

import pytest
from flint import fmpq

from symattn.auditor.ranges.roots import stands_for_root
from tests.audit_cases import judged, last, stated, told


@pytest.mark.parametrize(
    ("printed", "places", "stands"),
    [
        ("1.414", 3, True),  # the root of 2
        ("-1.414", 3, True),
        ("0.707", 3, True),  # of 1/2
        ("1.41", 2, True),
        ("2.828", 3, True),  # of 8
        ("1.4", 1, False),  # one decimal tells no root
        ("1.418", 3, False),
        ("1.500", 3, False),  # of 9/4, which has no root to hide
        ("12.04", 2, False),  # of 145, but every other number is next to so large a root
    ],
)
def test_a_decimal_stands_for_the_root_that_rounds_to_it(printed: str, places: int, stands: bool) -> None:
    whole, _, decimals = printed.partition(".")
    assert stands_for_root(fmpq(int(whole + decimals), 10 ** len(decimals)), places) is stands


@pytest.mark.parametrize("work", [None, "exp(1.414)"])
def test_a_root_where_the_source_begins_moves(work: str | None) -> None:
    # exp(1.414) is 4.1124, exp(sqrt 2) is 4.1133
    begun = {"scores": [["1.414"]]}
    assert told(judged(begun, stated("exp", [["4.113"]], work))) == [("rounding", "SA102")]
    assert last(judged(begun, stated("exp", [["4.115"]], work))).verdict == "slip"


def test_a_plain_decimal_where_the_source_begins_stays() -> None:
    assert last(judged({"scores": [["1.418"]]}, stated("exp", [["4.130"]], "exp(1.418)"))).verdict == "slip"


def test_a_result_where_the_source_begins_moves_beside_what_it_is_made_of() -> None:
    # exp(0.36) is 1.4333; 0.3626, which 0.36 may stand for, gives 1.4370
    assert last(judged({"scaled": [["0.36"]]}, stated("exp", [["1.44"]]))).verdict == "slip"
    begun = {"scaled": [["0.36"]], "W_K": [["1"]]}
    assert last(judged(begun, stated("exp", [["1.44"]]))).verdict == "rounding"
    assert last(judged(begun, stated("exp", [["1.45"]]))).verdict == "slip"


def test_a_root_of_d_k_is_that_of_the_scale_where_nothing_else_tells_d_k() -> None:
    report = judged(
        {"scores": [["1"]]},
        stated("sqrt(d_k)", [["1.414"]]),
        stated("scaled", [["0.707"]]),
        scale="1/sqrt(2)",
    )
    assert told(report) == [("correct", None), ("correct", None)]


def test_a_root_of_an_unknown_d_k_is_not_judged() -> None:
    report = judged({"scores": [["1"]]}, stated("sqrt(d_k)", [["1.414"]]))
    assert (report.judgements, [left.code for left in report.unread]) == ((), ["SA902"])


@pytest.mark.parametrize(
    ("weights", "output", "verdict"),
    [
        (["0.190", "0.811"], "1.190", "rounding"),  # within 0.0005 (2 + 1) of 1.191
        (["0.190", "0.811"], "1.187", "slip"),
        (["0.19", "0.81"], "1.189", "slip"),  # picked by hand: 1.19
    ],
)
def test_weights_of_three_decimals_where_the_source_begins_hide_digits(
    weights: list[str], output: str, verdict: str
) -> None:
    report = judged({"A": [weights], "V": [["2"], ["1"]]}, stated("A", [weights]), stated("Z", [[output]]))
    assert last(report).verdict == verdict
