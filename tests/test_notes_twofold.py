"""Cells with two numbers, one made of the other, are two matrices."""

from __future__ import annotations

import pytest

from symattn.reading.notes import read_notes
from tests.linked import accused, linked

GIVEN = "Q = [[1, 2], [3, 0], [1, 1]], K = [[2, 1], [1, 0], [0, 3]], d_k = 2.\n\n"
SCORES = (("4", "1", "6"), ("6", "3", "0"), ("3", "1", "3"))
SCALED = (("2.83", "0.71", "4.24"), ("4.24", "2.12", "0.00"), ("2.12", "0.71", "2.12"))


def table(corner: str, form: str) -> str:
    rows = zip("abc", SCORES, SCALED, strict=True)
    cells = (
        f"| {word} | {' | '.join(form.format(*pair) for pair in zip(*pairs, strict=True))} |"
        for word, *pairs in rows
    )
    return "\n".join([f"| {corner} | a | b | c |", "|---|---|---|---|", *cells, ""])


@pytest.mark.parametrize(
    "told",
    [
        table("", "{} → {}"),
        table("score (scaled score)", "{} (**{}**)"),
        "Scores (scaled scores in parentheses):\n\n" + table("query", "{} ({})"),
        table("", "{} ({})") + "\n(each cell: raw score, scaled score in parentheses)\n",
    ],
)
def test_cells_with_two_numbers_are_two_matrices(told: str) -> None:
    assert linked(GIVEN + told) == [("scores", 0, SCORES), ("scaled", 0, SCALED)]


def test_a_wrong_number_of_two_in_a_cell_is_accused() -> None:
    assert accused(GIVEN + table("", "{} → {}").replace("0.71", "0.81", 1)) == ["scaled 0.81"]


def test_two_numbers_in_cells_of_something_else_are_left() -> None:
    (case,) = read_notes(
        GIVEN
        + "S = Q K^T = [[4, 1, 6], [6, 3, 0], [3, 1, 3]]\n\n"
        + (
            "Mean (deviation) of runs:\n\n| | small | large |\n|---|---|---|\n"
            "| base | 2.83 (0.19) | 0.71 (0.02) |\n| ours | 4.25 (0.88) | 2.11 (0.10) |\n"
        )
    ).cases
    assert [claim.name for claim in case.stated] == ["scores"]
