"""Tokens that stand in every sentence: `the`, `is` and `on` are no token where a phrase goes on with them."""

from __future__ import annotations

import pytest

from tests.linked import accused, links

THE = """\
q_the = [1, 0], q_cat = [0, 2]
k_the = [1, 1], k_cat = [0, 1]
v_the = [2, 0], v_cat = [0, 4]

Scores for **cat**: 2, 2. Without scaling.
"""


@pytest.mark.parametrize(
    "sentence",
    [
        "So the weights are 0.50 and 0.50.",
        "Thus the attention weights: [0.50, 0.50].",
        "For the second step, weights [0.50, 0.50].",
    ],
)
def test_an_article_is_no_token(sentence: str) -> None:
    text = f"Tokens: the, cat\n\n{THE}\n{sentence}\n"
    assert accused(text) == []
    assert {link[1] for link in links(text) if link[0] == "A"} <= {1}


def test_a_function_word_before_its_numbers_is_its_token() -> None:
    text = f"Tokens: the, cat\n\n{THE}\n- the: weights = [0.73, 0.27]\n- cat: weights = [0.50, 0.50]\n"
    assert accused(text) == []
    assert {link[1] for link in links(text) if link[0] == "A"} == {0, 1}
