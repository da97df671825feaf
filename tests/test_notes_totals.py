"""Columns of sums beside lists of exponentials, heads that say what scores are divided by, counted steps."""

from __future__ import annotations

import pytest

from symattn.reading.notes import read_notes
from tests.linked import ATTENDED, accused, linked

ROWS = (
    "|---|---|---|---|---|\n| 1 | 0.71, {} | 2.03, 1.00 | {} | 0.67, 0.33 |\n"
    "| 2 | 0.00, 1.41 | 1.00, 4.11 | 5.11 | 0.20, 0.80 |\n"
)


@pytest.mark.parametrize(
    "head", ["| query | scaled (÷1.414) | exp | Σ | weights |", "| query | ÷ √2 | e^x | sum | softmax |"]
)
def test_a_table_of_lists_has_a_column_of_their_sums(head: str) -> None:
    table = f"{ATTENDED}\n{head}\n{ROWS}"
    read = linked(table.format("0.00", "3.03"))
    assert [name for name, *_ in read] == ["scaled", "exp", "sum", "A"] * 2
    assert accused(table.format("0.00", "3.03")) == []
    assert len(accused(table.format("0.00", "3.63"))) == 1


def test_the_first_and_the_last_of_what_is_counted_are_no_numbers_of_the_walk() -> None:
    assert read_notes(f"{ATTENDED}\nCached from steps 1–2, seen by tokens 1 and 2.\n").unread == ()


def test_attention_above_an_output_is_the_weights_where_both_are_alike_in_size() -> None:
    text = f"{ATTENDED}\n- scaled scores = [[0.707, 0], [0, 1.414]]\n"
    text += "- attention = [[0.670, 0.330], [{}, 0.804]]\n- output = [[1.660, 2.660], [2.608, 3.608]]\n"
    assert [name for name, *_ in linked(text.format("0.196"))] == ["scaled", "A", "Z"]
    assert accused(text.format("0.196")) == []
    assert len(accused(text.format("0.246"))) == 1


def test_infinity_in_a_matrix_of_divided_scores_is_what_no_working_comes_to() -> None:
    text = f"{ATTENDED}\nscores:\n\n 1 0\n 0 2\n\nWe divide by √2 and set what is later to -∞:\n\n"
    text += " 0.707    -∞\n 0.000 1.414\n"
    assert read_notes(text).unread == ()
    assert not [each for each in read_notes(text).equations if "inf" in each.printed]


@pytest.mark.parametrize("name", ["sfrac", "nicefrac"])
def test_a_slanted_fraction_is_a_fraction(name: str) -> None:
    text = (
        f"{ATTENDED}\n\\[ \\{name}{{5}}{{\\sqrt 4}} = 2.5 \\] and \\[ \\{name}{{7}}{{\\sqrt 4}} = 3.5 \\]\n"
    )
    assert accused(text) == []


def test_equations_that_are_numbered_at_the_ends_of_their_lines() -> None:
    text = f"{ATTENDED}\ns₁₁ = q₁·k₁ = 1·1 + 0·0 = 1    (1)\n\ns₁₂ = q₁·k₂ = 1·0 + 0·1 = 0    (2)\n\n"
    text += "s'₁₁ = 1/√2 ≈ 0.7071    (3)\n"
    assert accused(text) == []
    assert [name for name, *_ in linked(text)] == ["scores", "scores", "scores", "scaled"]
