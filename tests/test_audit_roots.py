"""Decimals that stand for more than they show: roots where a source begins, operands of stray equations."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from flint import fmpq

from symattn.auditor.equations import judge_equations
from symattn.auditor.roots import stands_for_root
from symattn.case import Case, Place, Settings
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


PLACE = Place(1, 1)


@dataclass(frozen=True)
class Stray:
    """An equation in a sentence."""

    work: str
    printed: str
    relation: str = "="
    place: Place = PLACE
    rounded: frozenset[str] = frozenset()


def verdicts(*equations: Stray) -> list[tuple[str, str | None]]:
    return told(judge_equations(equations, Case("test", {}, settings=Settings())))


@pytest.mark.parametrize(
    ("work", "printed", "verdict", "code"),
    [
        ("exp(1.414)", "4.113", "rounding", "SA102"),  # the root of 2
        ("exp(1.414)", "4.114", "rounding", "SA102"),  # exp(1.4145) is 4.1144
        ("exp(1.414)", "4.131", "slip", "SA205"),
        ("e^0.71", "2.04", "rounding", "SA102"),  # exp(0.715) is 2.044
        ("e^0.71", "2.06", "slip", "SA205"),
        ("4.113/8.169", "0.504", "rounding", "SA102"),  # 4.1135/8.1685 is 0.50358
        ("4.113/8.169", "0.505", "slip", "SA205"),
        ("exp(6.21)", "498.8", "undecided", "SA107"),  # from 495.2 to 500.2: anything would pass
        ("exp(2.1)", "8.19", "slip", "SA205"),  # an input: it shows fewer decimals than the result
        ("0.36*0.52+0.25*0.41", "0.30", "slip", "SA205"),  # 0.2897: products of inputs stay
    ],
)
def test_an_operand_of_a_stray_equation_moves_where_it_looks_like_a_result(
    work: str, printed: str, verdict: str, code: str | None
) -> None:
    assert verdicts(Stray(work, printed)) == [(verdict, code)]


def test_the_rounded_result_of_one_stray_equation_moves_in_the_next_and_an_exact_one_stays() -> None:
    # 1/3 is 0.3, and from [0.25, 0.35] times 4 come 1.0 to 1.4
    assert verdicts(Stray("1/3", "0.3"), Stray("0.3*4", "1.3"))[1] == ("rounding", "SA102")
    assert verdicts(Stray("3/10", "0.3"), Stray("0.3*4", "1.3"))[1] == ("slip", "SA205")
