"""Equations outside every walk: which operands may stand for more digits than they show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from symattn.attention.case import Case, Place, Settings
from symattn.auditor.judging.equations import judge_equations
from symattn.auditor.report import Report
from tests.audit_cases import Rows, judged, stated, told

PLACE = Place(1, 1)


@dataclass(frozen=True)
class Stray:
    """An equation in a sentence."""

    work: str
    printed: str
    relation: str = "="
    place: Place = PLACE
    rounded: frozenset[str] = frozenset()
    work_places: tuple[Place, ...] = ()


def verdicts(*equations: Stray, beside: Sequence[Report] = ()) -> list[tuple[str, str | None]]:
    return told(judge_equations(equations, Case("test", {}, settings=Settings()), beside))


@pytest.mark.parametrize(
    ("work", "printed", "rounded", "verdict", "code"),
    [
        ("exp(1.414)", "4.113", "", "rounding", "SA102"),  # the root of 2
        ("exp(1.414)", "4.114", "", "rounding", "SA102"),  # exp(1.4145) is 4.1144
        ("exp(1.414)", "4.131", "", "slip", "SA205"),
        ("e^0.71", "2.04", "", "rounding", "SA102"),  # exp(0.715) is 2.044
        ("e^0.71", "2.06", "", "slip", "SA205"),
        ("4.113/8.169", "0.504", "4.113 8.169", "rounding", "SA102"),  # 4.1135/8.1685 is 0.50358
        ("4.113/8.169", "0.505", "4.113 8.169", "slip", "SA205"),
        ("4.113/8.169", "50.4%", "4.113 8.169", "rounding", "SA102"),
        ("2/1.41", "1.42", "", "correct", None),
        ("2/1.41", "1.41", "", "rounding", "SA102"),  # the root of 2
        ("2/1.41", "1.44", "", "slip", "SA205"),
        ("4.11+2.03", "6.13", "4.11 2.03", "rounding", "SA102"),  # 4.105 + 2.025 is 6.13
        ("4.11+2.03", "6.16", "4.11 2.03", "slip", "SA205"),
        ("exp(6.21)", "498.8", "6.21", "undecided", "SA107"),  # from 495.2 to 500.2: anything would pass
        ("exp(2.1)", "8.19", "", "slip", "SA205"),
        ("0.36*0.52+0.25*0.41", "0.30", "0.36 0.52 0.25 0.41", "rounding", "SA102"),  # up to 0.297
        ("0.36*0.52+0.25*0.41", "0.30", "", "slip", "SA205"),  # 0.2897: inputs stay
        ("0.36*0.52+0.25*0.41", "0.31", "0.36 0.52 0.25 0.41", "slip", "SA205"),
        ("(-4.7)/sqrt(3)", "-2.73", "-4.7", "rounding", "SA102"),  # -4.75 to -4.65 are -2.742 to -2.685
        ("(-4.7)/sqrt(3)", "-2.76", "-4.7", "slip", "SA205"),
        ("0.8*2", "1", "", "slip", "SA205"),  # an integer is not cut off
        ("2/3", "0.66", "", "rounding", "SA103"),
        (
            "1.1+2.2",
            "3.4",
            "",
            "slip",
            "SA205",
        ),  # a single decimal is seldom all that is left
    ],
)
def test_an_operand_of_a_stray_equation_moves_where_it_is_a_rounded_result_or_root(
    work: str, printed: str, rounded: str, verdict: str, code: str | None
) -> None:
    assert verdicts(Stray(work, printed, rounded=frozenset(rounded.split()))) == [(verdict, code)]


def test_who_prints_a_root_may_divide_by_its_decimal() -> None:
    # 2/1.4 is 1.43, and 2/sqrt(2) 1.41; of 2/1.35 to 2/1.45 nothing rounds to 1.49
    assert verdicts(Stray("sqrt(2)", "1.4"), Stray("2/sqrt(2)", "1.43"))[1] == ("rounding", "SA102")
    assert verdicts(Stray("sqrt(2)", "1.4"), Stray("2/sqrt(2)", "1.49"))[1] == ("slip", "SA205")
    assert verdicts(Stray("2/sqrt(2)", "1.43")) == [("slip", "SA205")]


EXAMPLE: dict[str, Rows] = {"Q": [["0.36", "0.25"]], "K": [["0.52", "0.41"]]}


def test_the_root_of_a_worked_example_is_what_its_quotients_divide_by() -> None:
    example = judged(EXAMPLE, stated("sqrt(d_k)", [["1.4"]]), scale="1/sqrt(d_k)")
    assert verdicts(Stray("2/sqrt(2)", "1.43"), beside=[example]) == [("rounding", "SA102")]


def test_beside_an_example_that_truncates_equations_are_cut_off() -> None:
    # exp of [1.41, 1.42) is 4.096 to 4.137, which 4.13 is cut off from, and not rounded
    thirds = stated("Q", [["0.66"], ["1.66"], ["2.66"], ["3.66"]])
    example = judged({"X": [["2/3"], ["5/3"], ["8/3"], ["11/3"]], "W_Q": [["1"]]}, thirds)
    equation = Stray("exp(1.41)", "4.13")
    assert verdicts(equation, beside=[example]) == [("rounding", "SA102")]
    assert verdicts(equation) == [("slip", "SA205")]


def test_a_working_may_divide_by_the_root_as_it_was_printed() -> None:
    report = judged(
        {"Q": [["2", "0"]], "K": [["1", "0"]]},
        stated("sqrt(d_k)", [["1.4"]]),
        stated("scaled", [["1.43"]], "2/sqrt(2)"),
        scale="1/sqrt(d_k)",
    )
    assert told(report)[1] == ("rounding", "SA101")


def test_what_is_no_number_is_unread() -> None:
    report = judge_equations([Stray("1+1", "1.2.3")], Case("test", {}))
    assert [(unread.text, unread.code) for unread in report.unread] == [("1.2.3", "SA901")]


SHARED = ("exp(1)/(exp(1) + exp(2))", "exp(2)/(exp(1) + exp(2))")


@pytest.mark.parametrize(
    ("powers", "total", "shares", "expected"),
    [
        (("2.72", "7.39"), "11.10", ("0.25", "0.67"), ["correct", "correct", "slip", "carried", "carried"]),
        (("2.27", "7.39"), "9.66", ("0.23", "0.77"), ["slip", "correct", "correct", "carried", "carried"]),
        (("2.72", "7.39"), "11.10", ("0.27", "0.37"), ["correct", "correct", "slip", "correct", "slip"]),
    ],
)
def test_what_follows_from_a_wrong_equation_is_carried(
    powers: tuple[str, str], total: str, shares: tuple[str, str], expected: list[str]
) -> None:
    equations = [Stray("exp(1)", powers[0]), Stray("exp(2)", powers[1])]
    equations.append(Stray(f"{powers[0]} + {powers[1]}", total))
    equations += map(Stray, SHARED, shares)
    assert [verdict for verdict, _ in verdicts(*equations)] == expected


def test_what_follows_from_the_right_value_of_a_misprint_may_look_like_the_misprint() -> None:
    assert [told for told, _ in verdicts(Stray("1*2", "4"), Stray("4*2 + 1*0", "4"))] == ["slip", "correct"]
