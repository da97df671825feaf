"""Operands of workings that say again what was printed before have its verdict, and claim nothing."""

from __future__ import annotations

import pytest

from symattn.auditor.report import OPERAND, WRONG
from symattn.reading.documents import document_reports
from symattn.reading.said_again import AGAIN
from tests.linked import accused, linked

GIVEN = """\
Q = [[1, 0], [0, 1]]
K = [[1, 1], [0, 1]]
V = [[2, 4], [6, 8]]

scores = [[1, 0], [1, 1]]

scaled = [[0.707, 0], [0.707, 0.707]]

"""
POWERS = "For query 1: exp(0.707) = 2.028, exp(0) = 1\n"
WEIGHTS = "A = [[0.67, 0.33], [0.50, 0.50]]\n\n"


def again(text: str) -> list[str]:
    """The operands that have a verdict, in the order of the text."""
    judged = (each for report in document_reports(text, None, "markdown") for each in report.judgements)
    return [each.printed.numeral.text for each in judged if each.note == OPERAND]


@pytest.mark.parametrize(
    ("text", "operands"),
    [
        (POWERS, ["0.707", "0"]),
        (POWERS + "sum = 2.028 + 1 = 3.028\n", ["0.707", "0", "2.028", "1"]),
        (POWERS + "sum = 2.028 + 3 = 5.028\n", ["0.707", "0", "2.028"]),  # no power is 3
        (WEIGHTS + "Z_{1,1} = 0.67(2) + 0.33(6) = 3.32\n", ["0.67", "0.33"]),
        (WEIGHTS + "Z_{1,1} = 0.76(2) + 0.33(6) = 3.50\n", ["0.33"]),
    ],
)
def test_operands_have_the_verdict_of_what_they_say_again(text: str, operands: list[str]) -> None:
    assert again(GIVEN + text) == operands


def test_what_says_a_slip_again_gets_no_verdict() -> None:
    text = GIVEN + "A = [[0.76, 0.33], [0.50, 0.50]]\n\nZ_{1,1} = 0.76(2) + 0.33(6) = 3.50\n"
    assert again(text) == ["0.33"]
    assert accused(text)[:1] == ["A 0.76"]


def test_operands_are_no_claims() -> None:
    text = GIVEN + POWERS
    assert [link[0] for link in linked(text)] == ["scores", "scaled", "exp", "exp"]


@pytest.mark.parametrize(
    ("said", "operands"),
    [
        ("The first of the two is the larger (0.67 here).", ["0.67"]),
        ("The other model had 0.66.", []),
        ("Its losses were 0.50, 0.67 and 0.71.", []),  # a list of something else
        ("w = 0.5", []),
    ],
)
def test_weights_in_a_sentence_are_known_again(said: str, operands: list[str]) -> None:
    text = GIVEN + WEIGHTS + said + "\n"
    assert [each for each in again(text) if each not in again(GIVEN + WEIGHTS)] == operands
    assert accused(text) == []


@pytest.mark.parametrize(("weights", "verdicts"), [("0.38, 0.62", []), ("0.37, 0.63", ["slip", "slip"])])
def test_a_right_row_of_the_walk_is_no_slip_beside_scores_that_are_rounded_otherwise(
    weights: str, verdicts: list[str]
) -> None:
    text = "Q = [[1.5, 0.4], [2.1, 1.3]]\n\nK = [[3, 2], [2.1, 4]]\n\nscores = [[5.3, 4.75], [8.9, 9.61]]\n\n"
    text += f"scaled = [[3.7, 3.4], [6.3, 6.8]]\n\nsoftmax([6.2, 6.9]) = [{weights}]\n\n"
    text += "A = [[0.60, 0.40], [0.38, 0.62]]\n"
    reports = document_reports(text, None, "markdown")
    assert [j.verdict for report in reports for j in report.judgements if j.verdict in WRONG] == verdicts
    left = [each.why for report in reports for each in report.unread if each.code == "SA905"]
    assert left == ([] if verdicts else [AGAIN, AGAIN])
