"""Matrices that are written as one list each are read as matrices where their products are."""

from __future__ import annotations

import pytest

from tests.linked import accused, given, links

ROWS = """X = (1 0 2 2)
W_Q = (1 1 1 2)
W_K = (1 0 2 0)
Q = X W_Q = (1 1 4 6)
K = X W_K = (1 0 6 0)
Q K^T = (1 6 4 24)
Q K^T / sqrt(2) = (0.7071 4.2426 2.8284 16.9706)
"""
COLUMNS = "X = [1, 2, 3, 4, 5, 6]\n\nW_Q = [1, 0, 1, 0, 1, 1]\n\nQ = X W_Q = [6, 8, 8, 10]\n"


@pytest.mark.parametrize(
    ("text", "x", "name"),
    [
        (ROWS, (("1", "0"), ("2", "2")), "scaled"),
        (COLUMNS, (("1", "3", "5"), ("2", "4", "6")), "Q"),
    ],
)
def test_lists_that_multiply_as_matrices_are_matrices(
    text: str, x: tuple[tuple[str, ...], ...], name: str
) -> None:
    assert given(text, "X") == x
    assert links(text)[-1][0] == name
    assert not accused(text)


def test_a_vector_times_a_matrix_stays_a_vector() -> None:
    text = "x = [1, 0, 2, 2]\n\nW_Q = [[1, 0], [1, 0], [1, 0], [2, 1]]\n\nq = x W_Q = [7, 2]\n"
    assert given(text, "X") == (("1", "0", "2", "2"),)
