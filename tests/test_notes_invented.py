"""Lists that are called the softmax of the list above them and follow in no number."""

from __future__ import annotations

import pytest

from tests.linked import accused

SCORES = "Raw scores: [0.10, 0.80, 0.20, 0.05]\n"


@pytest.mark.parametrize(
    ("below", "wrong"),
    [
        ("After softmax: [0.08, 0.55, 0.12, 0.06]", 4),  # they do not sum to 1
        ("After softmax: [0.10, 0.70, 0.15, 0.05]", 4),  # of no temperature
        ("After softmax: [0.21, 0.41, 0.22, 0.16]", 3),  # the 0.22 is right
        ("After softmax: [0.22, 0.31, 0.24, 0.22]", 0),  # of half the scores
        ("After softmax: [0.22, 0.12, 0.35, 0.31]", 0),  # they rank otherwise, as other scores do
        ("The head's weights: [0.08, 0.55, 0.12, 0.06]", 0),  # nobody says how they were made
        ("After masking row 2, softmax: [0.08, 0.55, 0.12, 0.06]", 0),
    ],
)
def test_a_list_that_no_softmax_makes_of_the_scores_above_it(below: str, wrong: int) -> None:
    assert len(accused(f"{SCORES}{below}\n")) == wrong


def test_a_number_of_a_row_before_a_caption_is_no_factor_of_it() -> None:
    text = (
        "Q = [[1, 0], [0, 1]], K = [[1, 0], [0, 1]], V = [[1, 2], [3, 4]]\n\n"
        "Row 1 weights: [0.670, 0.330]\n\nRow 2 weights: [0.330, 0.770]\n"
    )
    assert accused(text) == ["A 0.770"]
