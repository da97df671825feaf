"""Fixing cases as wholes: other conventions than declared, false statements, closed forms."""

from __future__ import annotations

import pytest

from symattn.cli.fixing import Fixed
from tests.test_fixes import repaired

UNSCALED = """\
[given]
Q = [[1, 1], [2, 0]]
K = [[1, 0], [0, 2]]
V = [[1], [2]]

[[stated]]
name = "scores"
values = [[1, 2], [2, 0]]

[[stated]]
name = "A"
values = [[0.269, 0.731], [0.881, 0.119]]

[[stated]]
name = "Z"
values = [[1.731], [1.119]]
"""
DIVIDED = UNSCALED.replace("0.269, 0.731], [0.881, 0.119", "0.330, 0.670], [0.804, 0.196").replace(
    "[1.731], [1.119]", "[1.670], [1.196]"
)


def codes(found: Fixed) -> set[str | None]:
    return {finding.code for report in found.reports for finding in report.findings()}


def test_numbers_that_follow_another_scale_are_computed_by_the_declared_one() -> None:
    found = repaired(UNSCALED, unsafe=True)
    assert (found.text, codes(found)) == (DIVIDED, set())


def test_another_convention_is_left_alone_without_unsafe_fixes() -> None:
    assert repaired(UNSCALED).text == UNSCALED


def test_a_slip_beside_another_convention_is_put_right_too() -> None:
    assert repaired(UNSCALED.replace("[[1, 2], [2, 0]]", "[[1, 3], [2, 0]]"), unsafe=True).text == DIVIDED


def test_numbers_of_another_product_are_computed_by_the_declared_one() -> None:
    text = """\
[given]
X = [[1, 2], [3, 4]]
W_Q = [[1, 1], [0, 1]]

[[stated]]
name = "Q"
values = [[3, 2], [7, 4]]
"""
    found = repaired(text, unsafe=True)
    assert (found.text, codes(found)) == (text.replace("[[3, 2], [7, 4]]", "[[1, 3], [3, 7]]"), set())


STATEMENT = """\
tokens = ["cat", "sat", "mat"]

[given]
Q = [[1, 0], [0, 1], [2, 0]]
K = [[1, 0], [0, 1], [2, 0]]

[[statement]]
"""


@pytest.mark.parametrize(
    ("said", "then"),
    [
        ('kind = "argmax"\nname = "A"\nrow = 0\nvalue = "sat"', '"mat"'),
        ('kind = "order"\nname = "A"\nrow = 0\nvalue = ["cat", "mat", "sat"]', '["mat", "cat", "sat"]'),
        ('kind = "shape"\nname = "Q"\nvalue = [2, 3]', "[3, 2]"),
    ],
)
def test_a_false_statement_gets_the_words_that_make_it_true(said: str, then: str) -> None:
    found = repaired(f"{STATEMENT}{said}\n", unsafe=True)
    assert found.text == f"{STATEMENT}{said.partition('value = ')[0]}value = {then}\n"
    assert codes(found) == set()


def test_a_statement_whose_right_words_are_not_known_is_left_to_its_author() -> None:
    text = f'{STATEMENT}kind = "order"\nname = "A"\nrow = 1\nvalue = ["sat", "cat", "mat"]\n'  # cat = mat
    assert repaired(text, unsafe=True).text == text


@pytest.mark.parametrize(
    ("q", "k", "scores", "right"),
    [("[1, 2]", "[3, 4]", "12", "11"), ("[-1, 2]", "[4, 0]", "-3", "-4")],
)
def test_a_closed_form_keeps_its_root_and_changes_the_number_in_front(
    q: str, k: str, scores: str, right: str
) -> None:
    text = f"""\
[given]
Q = [{q}]
K = [{k}]

[[stated]]
name = "scaled"
values = [["{scores}/sqrt(2)"]]
"""
    assert repaired(text, unsafe=True).text == text.replace(f'"{scores}/', f'"{right}/')
