"""Matrices without a name that are the sum or the product of two before them."""

from __future__ import annotations

import pytest

from symattn.reading.documents import document_reports
from tests.linked import accused

FIRST = "Matrix F is [[0.35, -0.42], [0.61, 0.17]].\n\n"
SECOND = "Matrix G is [[1.14, 0.28], [-0.53, 0.96]].\n\n"


def verdicts(text: str) -> list[tuple[str, str]]:
    reports = document_reports(text, "notes.md", "markdown")
    return [(one.printed.numeral.text, one.verdict) for each in reports for one in each.judgements]


@pytest.mark.parametrize(
    "numbers",
    [
        ("1.49", "-0.14", "0.08", "1.13"),
        ("0.62", "-0.31", "0.61", "0.33"),
        ("0.28", "-0.59", "0.74", "-0.16"),
    ],
)
def test_sums_and_products_are_known_by_their_numbers(numbers: tuple[str, ...]) -> None:
    a, b, c, d = numbers
    found = verdicts(f"{FIRST}{SECOND}Together: [[{a}, {b}], [{c}, {d}]].\n")
    assert [text for text, verdict in found if verdict in ("correct", "rounding")] == [*numbers]


def test_one_number_that_differs_is_accused() -> None:
    more = f"{FIRST}{SECOND}".replace("0.35", "0.352").replace("0.28", "0.285")
    found = verdicts(f"{more}The sums: [[1.492, -0.135], [0.08, 1.31]].\n")
    assert [text for text, verdict in found if verdict == "slip"] == ["1.31"]


def test_a_matrix_that_agrees_in_half_of_its_numbers_is_of_something_else() -> None:
    assert verdicts(f"{FIRST}{SECOND}The sums: [[1.49, -0.14], [0.11, 1.31]].\n") == []


def test_what_the_right_value_of_a_misprint_makes_is_no_slip() -> None:
    text = (
        "PE(pos, 2i) = sin(pos / 10000^(2i/d_model)), PE(pos, 2i+1) = cos(pos / 10000^(2i/d_model))\n\n"
        "| pos | dim 0 | dim 1 |\n|---|---|---|\n| 0 | 0.000 | 1.000 |\n| 1 | 0.814 | 0.540 |\n\n"
        "Now add the embeddings:\n\n| token | dim 0 | dim 1 |\n|---|---|---|\n"
        "| cat | -0.3 | 0.6 |\n| sat | -0.5 | -0.9 |\n\nThe sums are\n\n"
        "| token | dim 0 | dim 1 |\n|---|---|---|\n| cat | -0.300 | 1.600 |\n| sat | 0.341 | -0.360 |\n"
    )
    assert [text for text, verdict in verdicts(text) if verdict == "slip"] == ["0.814"]


def test_masked_scores_are_no_product_that_only_wide_rounding_would_allow() -> None:
    text = "Q = [[-0.4, 0.3], [0.6, -0.3], [0.1, 0.4]]\nK = [[-0.3, 0.3], [0.4, -0.9], [0.2, 0.3]]\n"
    text += "V = [[0.1, -0.2], [0.4, 0.5], [0.9, 0.1]]\n\nScaled scores QKᵀ/√2 before masking:\n\n"
    heads = "| q \\ k | Tom | eats | pie |\n|---|---|---|---|\n"
    text += f"{heads}| Tom | 0.15 | -0.30 | 0.01 |\n| eats | -0.19 | 0.36 | 0.02 |\n"
    text += "| pie | 0.06 | -0.23 | 0.10 |\n"
    text += f"\nAfter the mask:\n\n{heads}| Tom | 0.15 | −∞ | −∞ |\n| eats | -0.19 | 0.36 | −∞ |\n"
    text += "| pie | 0.06 | -0.23 | 0.10 |\n\nSoftmax per row:\n\n"
    text += f"{heads}| Tom | 1.00 | 0 | 0 |\n| eats | 0.37 | 0.63 | 0 |\n| pie | 0.36 | 0.27 | 0.37 |\n"
    assert accused(text) == []
