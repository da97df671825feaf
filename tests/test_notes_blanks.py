"""Cells that a mask leaves empty are hidden keys, however they are left empty."""

from __future__ import annotations

import pytest

from symattn.reading.notes import read_notes
from symattn.reading.notes.layout.blanks import with_hidden


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("[[1, -, —], [2, 3, -], [4, 5, 6]]", "[[1, ∞, ∞], [2, 3, ∞], [4, 5, 6]]"),
        ("[[1, masked],\n [2, 3]]", "[[1, ∞     ],\n [2, 3]]"),
        ("[ 1  .  . ]\n[ 2  3  . ]\n[ 4  5  6 ]", "[ 1  ∞  ∞ ]\n[ 2  3  ∞ ]\n[ 4  5  6 ]"),
        (r"\begin{bmatrix} 1 &  \\ 2 & 3 \end{bmatrix}", r"\begin{bmatrix} 1 &∞ \\ 2 & 3 \end{bmatrix}"),
        ("| I | 1 |  |\n| am | 2 | 3 |", "| I | 1 |∞ |\n| am | 2 | 3 |"),
        ("[[1, 2, ×], [3, 4, ×]]", "[[1, 2, ∞], [3, 4, ∞]]"),
    ],
)
def test_an_empty_cell_beside_numbers_is_hidden_and_every_offset_stays(written: str, read: str) -> None:
    assert with_hidden(written) == read


@pytest.mark.parametrize(
    "written",
    [
        "[1 - 2]",  # a difference
        "| I |  | 1 |\n| am | 2 | 3 |",  # a blank that no mask leaves
        "[[1, x], [2, 3]]",  # a letter
        "| - | - |",
    ],
)
def test_what_may_be_something_else_stays(written: str) -> None:
    assert with_hidden(written) == written


ROWS = """\
Q = [[1, 0], [0, 2]]
K = [[1, 0], [0, 1]]
V = [[1, 2], [3, 4]]

"""


@pytest.mark.parametrize(
    "printed",
    [
        "scores = [[1, -], [0, 2]]\n",
        "A = [[1, -], [0.2, 0.8]]\n",
        "α_1 = softmax([0.71]) = [1.00]\n\nα_2 = softmax([0, 1.41]) = [0.20, 0.80]\n",
    ],
)
def test_a_lower_triangle_of_scores_or_weights_is_causal(printed: str) -> None:
    (case,) = read_notes(ROWS + printed).cases
    assert case.settings.mask == "causal"


@pytest.mark.parametrize(
    ("printed", "padding", "mask"),
    [
        ("masked = [[0.71, -inf], [0, -inf]]\n", (("1", "0"),), "none"),
        ("A_1 = [1.00]\n\nA_2 = [1.00]\n", (("1", "0"),), "none"),
        ("masked = [[-inf, 0], [0, 1.41]]\n", None, (("0", "1"), ("1", "1"))),
    ],
)
def test_keys_that_a_document_hides_are_those_of_its_mask(
    printed: str, padding: object, mask: object
) -> None:
    (case,) = read_notes(ROWS + "scores = [[1, 0], [0, 2]]\n\n" + printed + "\nZ = [[1, 2], [1, 2]]\n").cases
    settings = case.settings
    assert (settings.padding.typed if settings.padding else None) == padding
    assert (settings.mask if isinstance(settings.mask, str) else settings.mask.typed) == mask
