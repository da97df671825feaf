"""Captions at matrices, labels beside them, and dots for the rows and columns that are left out."""

from __future__ import annotations

import pytest
from placed import placed

from symattn.reading.notes.reader import read_notes

GIVEN = "X = [[1, 0], [0, 1], [1, 1], [2, 1]]\nW_Q = [[1, 2], [3, 4]]\nW_K = [[1, 0], [0, 1]]\n\n"


@pytest.mark.parametrize(
    "matrix",
    [
        r"\underset{2 \times 2}{\begin{bmatrix} 1 & 2 \\ 3 & 4 \end{bmatrix}}",
        r"\overset{Q}{\begin{bmatrix} 1 & 2 \\ 3 & 4 \end{bmatrix}}",
        r"\underbrace{\begin{bmatrix} 1 & 2 \\ 3 & 4 \end{bmatrix}}_{\text{queries}}",
        r"\overbrace{\begin{bmatrix} 1 & 2 \\ 3 & 4 \end{bmatrix}}^{2 \times 2}",
    ],
)
def test_a_caption_over_or_under_a_matrix_says_nothing_about_its_numbers(matrix: str) -> None:
    text = f"X = [[1, 0], [0, 1]]\nW_Q = [[1, 2], [3, 4]]\n\n$Q = X W_Q = {matrix}$\n"
    assert [number for *_, number in placed(text)] == ["1", "2", "3", "4"]


def test_matrices_with_captions_side_by_side_are_multiplied() -> None:
    text = (
        GIVEN + r"$Q = X W_Q = \underset{X}{\begin{bmatrix} 1 & 0 \\ 0 & 1 \\ 1 & 1 \\ 2 & 1 \end{bmatrix}}"
        r"\underset{W}{\begin{bmatrix} 1 & 2 \\ 3 & 4 \end{bmatrix}} = "
        r"\begin{bmatrix} 1 & 2 \\ 3 & 4 \\ 4 & 6 \\ 5 & 8 \end{bmatrix}$"
    )
    assert [number for *_, number in placed(text)] == ["1", "2", "3", "4", "4", "6", "5", "8"]


def test_rows_below_vertical_dots_are_counted_from_the_last() -> None:
    text = GIVEN + r"$Q = \begin{bmatrix} 1 & 2 \\ \vdots & \vdots \\ 5 & 8 \end{bmatrix}$"
    assert placed(text) == [("Q", 0, 0, "1"), ("Q", 0, 1, "2"), ("Q", 3, 0, "5"), ("Q", 3, 1, "8")]


def test_columns_behind_dots_are_counted_from_the_last() -> None:
    text = (
        GIVEN
        + r"$S = \begin{bmatrix} 1 & \cdots & 4 \\ \vdots & \ddots & \vdots \\ 5 & \cdots & 9 \end{bmatrix}$"
    )
    assert placed(text) == [
        ("scores", 0, 0, "1"),
        ("scores", 0, 3, "4"),
        ("scores", 3, 0, "5"),
        ("scores", 3, 3, "9"),
    ]


def test_a_list_that_breaks_off_is_its_first_entries() -> None:
    assert placed(GIVEN + "q_1 = [1, ...]\n") == [("Q", 0, 0, "1")]


def test_nothing_is_guessed_where_the_size_is_not_known() -> None:
    reading = read_notes(r"$V = \begin{bmatrix} 1 & 2 \\ \vdots & \vdots \\ 5 & 8 \end{bmatrix}$")
    assert reading.cases == ()
    assert [left.text for left in reading.unread] == ["1", "2", "5", "8"]


def test_labels_beside_rows_may_have_dots_between_them() -> None:
    text = (
        GIVEN
        + r"$Q = \begin{matrix} \text{a} & 1 & 2 \\ \vdots & \vdots & \vdots \\ \text{d} & 5 & 8"
        + r"\end{matrix}$"
    )
    assert placed(text) == [("Q", 0, 0, "1"), ("Q", 0, 1, "2"), ("Q", 3, 0, "5"), ("Q", 3, 1, "8")]
