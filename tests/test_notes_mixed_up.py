"""Causes of slips made by hand: rows exchanged or copied, another row's sum, zeros after the softmax."""

from __future__ import annotations

from symattn.auditor.report import Report
from symattn.reading.documents import document_reports

HEAD = """Q = [[1, 0], [0, 1], [1, 1]]

K = [[1, 2], [0, 1], [2, 1]]

V = [[1, 0], [0, 2], [1, 1]]
"""
SCORES = "Scores Q K^T:\n\nS = [[1, 0, 2], [2, 1, 1], [3, 1, 3]]\n"
SCALED = "Scaled by sqrt(d_k) = sqrt(2):\n\nS / sqrt(2) = {}\n"
WEIGHTS = "Weights, softmax(S / sqrt(2)):\n\nA = {}\n"
RIGHT_SCALED = "[[0.7071, 0.0000, 1.4142], [1.4142, 0.7071, 0.7071], [2.1213, 0.7071, 2.1213]]"


def audited(*parts: str) -> Report:
    (report,) = document_reports("\n".join((HEAD, *parts)), "notes.md", "markdown")
    return report


def causes(*parts: str) -> list[tuple[str, str]]:
    """The causes that are certain: their words and their scope."""
    return [(cause.because.en, cause.scope) for cause in audited(*parts).causes if cause.certain]


def test_two_rows_that_changed_places_are_said_to_be_exchanged() -> None:
    said = causes(
        SCORES,
        SCALED.format("[[1.4142, 0.7071, 0.7071], [0.7071, 0.0000, 1.4142], [2.1213, 0.7071, 2.1213]]"),
    )
    assert said == [("exchanged rows 1 and 2", "matrix")]


def test_rows_that_are_all_one_off_are_one_cause() -> None:
    said = causes(
        SCORES,
        SCALED.format("[[1.4142, 0.7071, 0.7071], [2.1213, 0.7071, 2.1213], [0.7071, 0.0000, 1.4142]]"),
    )
    assert said == [("written every row in the place before its own", "matrix")]


def test_a_column_that_was_copied_names_the_one_it_is_of() -> None:
    said = causes(
        SCORES,
        SCALED.format("[[0.7071, 0.0000, 0.0000], [1.4142, 0.7071, 0.7071], [2.1213, 0.7071, 0.7071]]"),
    )
    assert said == [("written column 2 in its place", "column")]


def test_a_row_divided_by_the_sum_of_another_one_says_whose() -> None:
    weights = "[[0.2840, 0.1400, 0.5760], [0.5760, 0.2840, 0.2840], [0.4458, 0.1084, 0.4458]]"
    assert causes(SCORES, SCALED.format(RIGHT_SCALED), WEIGHTS.format(weights)) == [
        ("divided by the sum of row 1", "row")
    ]


def test_zeros_that_a_mask_puts_into_weights_that_are_not_normalised_again_are_named() -> None:
    weights = "[[0.2840, 0.0000, 0.0000], [0.5035, 0.2483, 0.0000], [0.4458, 0.1084, 0.4458]]"
    said = causes("We use a causal mask.\n", SCORES, SCALED.format(RIGHT_SCALED), WEIGHTS.format(weights))
    because = "put zeros into the weights for the mask without normalising them again"
    assert said == [(because, "matrix")]
