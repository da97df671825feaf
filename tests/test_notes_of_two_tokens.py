"""Tables of two tokens each are no vectors, and vectors are told of tokens by what these are called."""

from __future__ import annotations

import pytest

from tests.linked import accused, given, links

LETTERS = "$cat = {}$, $sat = {}$\n\nWe set $Q=K=V=X$.\n\n"
TABLES = """\
| Query \\ Key | cat | sat |
|---|---|---|
| cat | 5 | 2 |
| sat | 2 | 1 |

| Query \\ Key | cat | sat |
|---|---|---|
| cat | 3.54 | 1.41 |
| sat | 1.41 | 0.71 |
"""


@pytest.mark.parametrize(
    "vectors",
    [
        ("[1, 2]", "[0, 1]"),
        (r"\\begin{bmatrix}1 & 2\\end{bmatrix}", r"\\begin{bmatrix}0 & 1\\end{bmatrix}"),
        (r"\\begin{bmatrix}1 \\\\ 2\\end{bmatrix}", r"\\begin{bmatrix}0 \\\\ 1\\end{bmatrix}"),
    ],
)
def test_tables_of_two_tokens_are_what_their_numbers_are(vectors: tuple[str, str]) -> None:
    vectors = (vectors[0].replace("\\\\", "\\"), vectors[1].replace("\\\\", "\\"))
    text = "**Embeddings**\n\n" + LETTERS.format(*vectors) + TABLES
    assert given(text, "X") == (("1", "2"), ("0", "1"))
    assert {name for name, *_ in links(text)} == {"scores", "scaled"}
    assert accused(text) == []
    assert accused(text.replace("0.71", "0.17")) == ["scaled 0.17"]


def test_a_sentence_on_the_inputs_is_no_caption_of_a_table_below_it() -> None:
    text = "We set $Q=K=V=X$.\n\n" + TABLES + "\nA = [[0.89, 0.11], [0.67, 0.33]]\nV = [[1, 2], [0, 1]]\n"
    assert accused(text) == []


def test_a_list_that_is_called_a_sum_may_be_that_of_weighted_values() -> None:
    text = (
        "q = [1, 0, 2]\nk1 = [0, 1, 1], k2 = [4, 4, 0], k3 = [2, 3, 1]\n"
        "v1 = [1, 2, 3], v2 = [2, 8, 0], v3 = [2, 6, 3]\n\n"
        "We do not scale: softmax gives [0.063, 0.468, 0.468].\n\n"
        "Sum: [1.935, 6.678, 1.593].\n"
    )
    assert accused(text) == []


def test_rows_and_columns_that_are_counted_alike_are_those_of_weights() -> None:
    table = "| | 1 | 2 |\n|---|---|---|\n| 1 | 1 | 0 |\n| 2 | 3 | 1 |\n"
    text = f"X = [[1, 2]]\n\n**W_Q**:\n\n{table}\nQ = [[7, 3]]\n"
    assert given(text, "W_Q") == (("1", "0"), ("3", "1"))
    assert accused(text) == ["Q 3"]
