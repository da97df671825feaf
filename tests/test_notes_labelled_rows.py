"""Matrices of rows that begin with a label, with no line of heads and no brackets."""

from __future__ import annotations

import pytest

from tests.linked import accused, given, links

TEXT = """\
X:

cat  1  0
sat  0  1

Q, K and V are X itself.

Scores:

cat  1  0
sat  0  1

Divided by √2:

cat  0.71  0.00
sat  0.00  0.71

Attention weights:

cat  0.67  0.33
sat  0.33  0.67
"""
BARE = """\
Tokens: cat, sat

q_cat = [1, 2], q_sat = [0, 1]
k_cat = [1, 0], k_sat = [1, 1]

       cat   sat
cat    1     3
sat    0     1
"""


@pytest.mark.parametrize("between", ["  ", " ", "\t", " | ", "   "])
def test_rows_begin_with_a_token_and_no_heads_stand_above(between: str) -> None:
    text = TEXT.replace("cat  ", f"cat{between}").replace("sat  ", f"sat{between}")
    assert accused(text) == []
    assert {name for name, _, _, _ in links(text)} == {"scores", "scaled", "A"}
    assert accused(text.replace("0.67  0.33", "0.76  0.33")) == ["A 0.76"]


def test_a_table_without_a_caption_is_what_its_numbers_are() -> None:
    assert ("scores", 0, 0, (("1", "3"), ("0", "1"))) in links(BARE)


def test_lines_of_other_words_under_no_caption_are_no_matrix() -> None:
    text = BARE.partition("       cat")[0] + "loss  0.5  0.3\nrate  0.2  0.1\n"
    assert links(text) == []


def test_the_labels_of_rows_are_the_tokens_of_the_lists_below_them() -> None:
    text = (
        "The scaled scores are\n\n     tea   is\ntea  1.0  0.5\nis   0.2  0.3\n\nSoftmax of each row:\n\n"
        "     tea   is\ntea  0.622 0.378\nis   0.475 0.525\n\n"
        "Value vectors: tea [1, 0], is [0, 2].\n\nOutput: tea [0.622, 0.756], is [0.475, 1.05].\n"
    )
    assert given(text, "V") == (("1", "0"), ("0", "2"))
    assert accused(text) == []
    assert accused(text.replace("1.05", "1.5")) == ["Z 1.5"]


@pytest.mark.parametrize("comma", [",", ""])
@pytest.mark.parametrize(
    "aside", ['(the query of "cat")', "(token 0's query)", "（第一个词）", "← token 1", "// cat"]
)
def test_words_in_brackets_beside_a_row_are_no_part_of_the_matrix(comma: str, aside: str) -> None:
    rows = f"Q = [[1, 0]{comma}     {aside}\n     [0, 2]]     (of token 1)\nK = [[1, 1],\n     [0, 1]]\n\n"
    text = f"```\n{rows}scores = [[1, 0]{comma}    {aside}\n          [2, 2]]    (row 1)\n```\n"
    assert ("scores", 0, 0, (("1", "0"), ("2", "2"))) in links(text)
    assert accused(text.replace("[2, 2]", "[2, 3]")) == ["scores 3"]
