"""Columns of a table whose heads are formulas of other heads, and heads that the labels explain."""

from __future__ import annotations

import pytest

from symattn.reading.notes import read_notes
from tests.linked import accused

COMPARED = """q = [3, 3, 1, 2], d_k = 4, √d_k = 2

| key | vector | q·k | softmax(q·k) | q·k / 2 | softmax(q·k / 2) |
|---|---|---|---|---|---|
| I | [0, 2, 1, 1] | 9 | 0.02 | 4.5 | 0.11 |
| love | [1, 2, 2, 1] | 13 | 0.98 | 6.5 | 0.82 |
| tea | [1, 1, 0, 1] | 8 | 0.01 | 4.0 | 0.07 |
"""


def test_two_columns_of_weights_are_told_apart_by_what_their_heads_say_they_are_of() -> None:
    assert accused(COMPARED) == []
    assert accused(COMPARED.replace("0.98", "0.89")) == ["= 0.89"]


def test_vectors_beside_the_labels_of_keys_are_keys() -> None:
    (case,) = read_notes(COMPARED).cases
    assert case.given["K"].typed[1] == ("1", "2", "2", "1")
    assert accused(COMPARED.replace("| 13 |", "| 12 |")) == ["scores 12"]


def test_components_are_read_above_a_row_of_totals() -> None:
    text = (
        "Query: [0.9, -0.3]\n\n| token | k1 | k2 | score | exp |\n|---|---|---|---|---|\n"
        "| red | 0.1 | 0.3 | 0.00 | 1.00 |\n| fox | 0.7 | -0.5 | 0.78 | 2.18 |\n| total | | | | 3.18 |\n"
    )
    (case,) = read_notes(text).cases
    assert case.given["K"].typed == (("0.1", "0.3"), ("0.7", "-0.5"))


def test_a_column_of_workings_leaves_the_one_of_their_results_its_name() -> None:
    text = (
        "| token | Q | K |\n|---|---|---|\n| red | [1, 0] | [1, 1] |\n| fox | [1, 2] | [0, 2] |\n\n"
        "| query | key | q·k | score |\n|---|---|---|---|\n"
        "| red | red | 1×1 + 0×1 | 1 |\n| red | fox | 1×0 + 0×2 | 0 |\n"
        "| fox | red | 1×1 + 2×1 | 3 |\n| fox | fox | 1×0 + 2×2 | 5 |\n"
    )
    assert accused(text) == ["scores 5"]


@pytest.mark.parametrize("head", ["α", "$\\alpha_i$", "a", "p", "prob.", "share"])
def test_a_letter_in_the_head_beside_exponentials_stands_for_the_weights(head: str) -> None:
    text = (
        f"q = (1, 0)\n\n| key | k | score | exp | {head} |\n|---|---|---|---|---|\n"
        "| red | (2, 1) | 2 | 7.39 | 0.47 |\n| fox | (2, 0) | 2 | 7.39 | 0.74 |\n"
        "| hen | (0, 2) | 0 | 1.00 | 0.06 |\n"
    )
    assert accused(text) == ["A 0.74"]
