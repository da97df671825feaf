"""Tokens as columns: every matrix transposed, Q = W_Q X, S = K^T Q, softmax down the columns, Z = V A."""

from __future__ import annotations

import re

import pytest

from symattn.errors import ShapeMismatch, SymattnError, UnusableValue
from symattn.reading.case_file import parse_case
from symattn.worked import Worked, work

COLUMNS = """
tokens = ["the", "cat"]
[given]
X = [[1, 1], [1, 0], [0, 1]]
W_Q = [[1, 0, 1], [0, 1, 1]]
W_K = [[0, 1, 1], [1, 0, 1]]
W_V = [[1, 0, 1], [0, 1, 1], [1, 1, 0]]
b_Q = [1, 0]
[attention]
tokens_as = "columns"
scale = "1"
"""


def worked(text: str) -> Worked:
    return work(parse_case(text))


def entries(walk: Worked, name: str) -> list[list[str]]:
    from symattn.exact.plain import plain_table

    return plain_table(walk[name])


def test_every_step_is_that_of_columns() -> None:
    walk = worked(COLUMNS)
    assert entries(walk, "Q") == [["2", "3"], ["1", "1"]]
    assert entries(walk, "scores") == [["3", "4"], ["4", "5"]]
    assert entries(walk, "sum") == [["exp(3) + exp(4)", "exp(4) + exp(5)"]]
    assert entries(walk, "A") == [
        ["1/(1 + exp(1))", "1/(1 + exp(1))"],
        ["1/(1 + exp(-1))", "1/(1 + exp(-1))"],
    ]
    assert walk["Z"].shape == (3, 2)


def test_the_formulas_are_those_of_columns() -> None:
    steps = {step["name"]: step["formula"] for step in worked(COLUMNS).data()["steps"]}
    assert steps == {
        "Q": "W_Q X + b_Q",
        "K": "W_K X",
        "V": "W_V X",
        "scores": "K^T Q",
        "scaled": "scores / 1",
        "exp": "e^scaled",
        "sum": "sum_i exp",
        "A": "exp / sum",
        "Z": "V A",
    }


def test_what_is_proved_of_rows_is_proved_of_columns() -> None:
    found = [(fact.kind, fact.name, fact.rows, fact.columns) for fact in worked(COLUMNS).facts]
    assert ("sums-to-one", "A", (), (0, 1)) in found
    assert ("equal-columns", "A", (), (0, 1)) in found
    assert not any(kind == "equal-rows" for kind, *_ in found)


def test_the_cross_check_walks_columns_and_finds_exponentials_that_overflow() -> None:
    large = COLUMNS.replace('scale = "1"', 'scale = "900"')
    assert worked(COLUMNS).check.agrees
    assert worked(large).check.agrees


@pytest.mark.parametrize(
    ("change", "mistake", "said"),
    [
        (
            ('tokens_as = "columns"', 'tokens_as = "columns"\nweights = "right"'),
            UnusableValue,
            "(X W) with tokens",
        ),
        (
            ("W_Q = [[1, 0, 1], [0, 1, 1]]", "W_Q = [[1, 0], [0, 1], [1, 1]]"),
            ShapeMismatch,
            "W X is undefined",
        ),
        (('scale = "1"', "heads = 3"), ShapeMismatch, "Q has 2 rows, which 3 heads cannot share"),
        (("b_Q = [1, 0]", "b_Q = [[1, 0]]"), ShapeMismatch, "a bias is one column, added to every column"),
        (("b_Q = [1, 0]", "b_Q = [1, 0, 2]"), ShapeMismatch, "the bias is 3×1"),
        (('"the", "cat"', '"the", "cat", "sat"'), ShapeMismatch, "3 labels, while X has 2 columns"),
    ],
)
def test_what_does_not_fit_is_said_of_columns(
    change: tuple[str, str], mistake: type[SymattnError], said: str
) -> None:
    with pytest.raises(mistake, match=re.escape(said)):
        worked(COLUMNS.replace(*change))
