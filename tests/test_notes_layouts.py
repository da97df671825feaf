"""Where numbers of notes stand: below captions, one row a line, in tables without heads, in sentences."""

from __future__ import annotations

import pytest

from symattn.reading.notes import read_notes
from tests.linked import given, linked

WEIGHTS = "W_Q = [[1, 2], [3, 4]]\n\n"


def test_below_an_empty_head_numbers_may_be_the_labels_of_rows() -> None:
    text = (
        "X:\n\n| | a | b |\n|---|---|---|\n| 1 | 1 | 0 |\n| 2 | 0 | 1 |\n\n"
        + WEIGHTS
        + "Q = [[1, 2], [3, 4]]\n"
    )
    assert given(text, "X") == (("1", "0"), ("0", "1"))


def test_a_table_without_any_head_is_numbers_from_its_first_column_on() -> None:
    text = "W_Q:\n\n| | |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n\nX = [[1, 0], [0, 1]]\n\nQ = [[1, 2], [3, 4]]\n"
    assert given(text, "W_Q") == (("1", "2"), ("3", "4"))


@pytest.mark.parametrize("head", ["| | |", "| d1 | d2 |"])
def test_numbers_that_happen_to_count_are_no_labels_below_such_heads(head: str) -> None:
    text = (
        f"W_Q:\n\n{head}\n|---|---|\n| 0 | 2 |\n| 1 | 4 |\n\nX = [[1, 0], [0, 1]]\n\nQ = [[0, 2], [1, 4]]\n"
    )
    assert given(text, "W_Q") == (("0", "2"), ("1", "4"))


def test_a_bias_as_a_column_is_a_bias() -> None:
    text = "$X = [[1, 0], [0, 1]]$\n\n$W_Q = [[1, 2], [3, 4]]$\n\n"
    text += r"$b_Q = \begin{pmatrix} 1 \\ 2 \end{pmatrix}$" + "\n\n$Q = [[2, 4], [4, 6]]$\n"
    assert given(text, "b_Q") == (("1", "2"),)


@pytest.mark.parametrize(
    "rows", ["- cat → [1, 0]\n- sat → [0, 1]\n", "* **cat**: [1, 0]\n\n* **sat**: [0, 1]\n"]
)
def test_rows_behind_their_tokens_are_the_matrix_of_the_caption(rows: str) -> None:
    text = f"The embeddings are\n\n{rows}\n{WEIGHTS}Q = [[1, 2], [3, 4]]\n"
    assert given(text, "X") == (("1", "0"), ("0", "1"))
    assert read_notes(text).cases[0].tokens == ("cat", "sat")


@pytest.mark.parametrize(
    "rows",
    [
        "Q:\n[[1 2]\n [3 4]]\n",
        "```\nQ =\n  [1, 2]\n  [3, 4]\n```\n",
        "Q = [1, 2]\n    [3, 4]\n",
        "**Queries of each token**\n\n```\n[1  2]\n[3  4]\n```\n",
        ">>> Q\n[[1, 2], [3, 4]]\n",
        "```\nnp.round(Q, 2)\n```\n```\narray([[1, 2],\n       [3, 4]])\n```\n",
    ],
)
def test_a_matrix_that_fills_its_lines_is_what_stands_above_it(rows: str) -> None:
    text = f"X = [[1, 0], [0, 1]]\n\n{WEIGHTS}{rows}"
    assert linked(text) == [("Q", 0, (("1", "2"), ("3", "4")))]


def test_rows_that_have_names_of_their_own_are_no_matrix() -> None:
    text = "scores = [[1, 0], [0, 1]]\n\nV = [[1], [2]]\n\n"
    text += "Row 1:\n\nexp = [2.718, 1]\nsoftmax = [0.731, 0.269]\n"
    assert [(name, row) for name, row, _ in linked(text)] == [("exp", 0), ("A", 0)]


def test_a_list_in_a_sentence_is_not_what_the_line_above_says() -> None:
    text = f"X = [[1, 0], [0, 1]]\n\n{WEIGHTS}Q = [[1, 2], [3, 4]]\n\nValues:\nthe list [7, 8] is long\n"
    assert linked(text) == [("Q", 0, (("1", "2"), ("3", "4")))]


@pytest.mark.parametrize(
    ("caption", "name"),
    [
        ("Softmax of the scores:", "A"),
        ("We apply the softmax to the scaled scores:", "A"),
        ("Scores before the softmax:", "scores"),
        ("Weighted sum of the values:", "Z"),
    ],
)
def test_a_caption_is_about_what_its_first_noun_says_or_about_the_softmax(caption: str, name: str) -> None:
    text = "Q = [[1], [2]]\n\nK = [[1], [1]]\n\nV = [[1], [2]]\n\n"
    assert [n for n, _, _ in linked(f"{text}{caption}\n[[1], [2]]\n\nZ = [[1.5], [1.5]]\n")][:1] == [name]


def test_semicolons_part_the_rows_of_a_matrix() -> None:
    text = "X = [1, 0; 0, 1]\n\nW_Q = [1, 2; 3, 4]\n\nQ = [1, 2; 3, 4]\n"
    assert linked(text) == [("Q", 0, (("1", "2"), ("3", "4")))]


def test_a_tabular_below_a_line_of_heads_is_a_table_with_tokens() -> None:
    text = "$X = [[1, 0], [0, 1]]$\n\n$W_Q = [[1, 2], [3, 4]]$\n\nQueries:\n"
    text += "\\begin{tabular}{lcc}\n & a & b \\\\ \\hline\ncat & 1 & 2 \\\\\nsat & 3 & 4\n\\end{tabular}\n"
    assert linked(text, "latex") == [("Q", 0, (("1", "2"), ("3", "4")))]


def test_rows_of_two_captions_are_two_matrices() -> None:
    text = "X = [[1, 0], [0, 1]]\n\nW_Q = W_K = [[1, 2], [3, 4]]\n\n"
    for number, caption in enumerate(("Queries", "Keys"), start=1):
        text += f"{number}. **{caption}**\n   - cat: `[1, 2]`\n   - sat: `[3, 4]`\n"
    assert linked(text) == [("Q", 0, (("1", "2"), ("3", "4"))), ("K", 0, (("1", "2"), ("3", "4")))]


def test_a_table_of_all_pairs_has_an_entry_in_each_row() -> None:
    text = "Q = [[1], [2]]\n\nK = [[1], [3]]\n\nWe do not scale.\n\n"
    text += "| query | key | q·k | exp |\n|---|---|---|---|\n"
    text += "| a | a | 1 | 2.72 |\n| a | b | 3 | 20.09 |\n| b | a | 2 | 7.39 |\n| b | b | 6 | 403.43 |\n"
    assert [(row, values) for name, row, values in linked(text) if name == "exp"] == [
        (0, (("2.72",),)),
        (0, (("20.09",),)),
        (1, (("7.39",),)),
        (1, (("403.43",),)),
    ]


def test_the_last_line_of_a_table_of_keys_may_be_their_sum() -> None:
    text = "Q = [[1]]\n\nK = [[1], [3]]\n\nWe do not scale.\n\nToken 1:\n\n"
    text += "| key | q·k | exp |\n|---|---|---|\n| a | 1 | 2.72 |\n| b | 3 | 20.09 |\n| **sum** | | 22.81 |\n"
    assert ("sum", 0, (("22.81",),)) in linked(text)


def test_points_of_an_exam_are_no_result() -> None:
    text = "\\textbf{Problem 3.} (12 points)\n\n$X = [[1, 0], [0, 1]]$\n\n$W_Q = [[1, 2], [3, 4]]$\n\n"
    assert read_notes(text + "$Q = [[1, 2], [3, 4]]$\n", "a", "latex").unread == ()


def test_vectors_beside_words_that_come_first_are_those_of_the_tokens() -> None:
    rows = "- hello: `[1, 0]`\n- world: `[0, 2]`\n\n"
    text = f"We embed both words in two dimensions.\n\n{rows}" + WEIGHTS + "Q = [[1, 2], [6, 8]]\n"
    assert given(text, "X") == (("1", "0"), ("0", "2"))
    later = WEIGHTS + f"X = [[1, 0], [0, 1]]\n\nOf the words:\n\n{rows}Q = [[1, 2], [3, 4]]\n"
    assert given(later, "X") == (("1", "0"), ("0", "1"))


def test_each_row_of_a_table_may_be_a_quantity() -> None:
    """Whole, or a vector for each token; the head of the column, `Value`, is then none."""
    weights = "| Wq | [[1, 2], [0, 1]] |\n| W_K | [[1, 0], [1, 1]] |\n\n"
    inputs = "X = [[1, 0], [0, 2]]\n\n| Matrix | Value |\n|---|---|\n" + weights
    assert given(inputs + "Q = [[1, 2], [0, 2]]\n", "W_K") == (("1", "0"), ("1", "1"))
    vectors = "| | cat | sat |\n|---|---|---|\n| Q | [1, 2] | [0, 2] |\n| K | [1, 0] | [2, 2] |\n"
    assert linked(inputs + vectors) == [
        ("Q", 0, (("1", "2"),)),
        ("Q", 1, (("0", "2"),)),
        ("K", 0, (("1", "0"),)),
        ("K", 1, (("2", "2"),)),
    ]


def test_the_answers_to_choose_from_are_no_rows_of_a_matrix() -> None:
    text = "X = [[1, 0], [0, 1]]\n\n" + WEIGHTS
    text += "What is Q?\n\n- (A) [9, 9]\n- (B) [8, 8]\n\nQ = [[1, 2], [3, 4]]\n"
    assert linked(text) == [("Q", 0, (("1", "2"), ("3", "4")))]


def test_rows_behind_names_of_quantities_are_no_rows_of_one_matrix() -> None:
    text = "X = [[1, 0], [0, 1], [1, 1]]\n\nW_V = [[1, 2], [3, 4]]\n\nV = [[1, 2], [3, 4], [4, 6]]\n\n"
    text += "- query: [1, 2]\n- key: [1, 0]\n- value: [3, 4]\n"
    assert ("V", 0, (("1", "2"), ("1", "0"), ("3", "4"))) not in linked(text)


@pytest.mark.parametrize("between", [r" \quad ", r" \; ", "\n", "$ $"])
def test_a_matrix_is_no_factor_of_the_equation_behind_it(between: str) -> None:
    matrix = r"\begin{{bmatrix}} {} & 0 \\ 0 & {} \end{{bmatrix}}"
    given_ones = between.join(f"W_{name} = {matrix.format(k, k)}" for k, name in enumerate("QKV", start=1))
    text = f"X = [[1, 2], [3, 4]]\n\n$${given_ones}$$\n\nK = [[2, 4], [6, 8]]\n"
    text = text.replace("$$", "$") if "$" in between else text
    assert given(text, "W_V") == (("3", "0"), ("0", "3"))
    assert linked(text) == [("K", 0, (("2", "4"), ("6", "8")))]


def test_the_first_table_of_tokens_is_x() -> None:
    table = "Our sentence:\n\n| Word | d1 | d2 |\n|---|---|---|\n| cat | 1 | 0 |\n| sat | 0 | 2 |\n\n"
    assert given(table + WEIGHTS + "Q = [[1, 2], [6, 8]]\n", "X") == (("1", "0"), ("0", "2"))
    behind = WEIGHTS + "X = [[1, 0], [0, 1]]\n\n" + table + "Q = [[1, 2], [3, 4]]\n"
    assert given(behind, "X") == (("1", "0"), ("0", "1"))


def test_vectors_below_a_word_are_those_of_the_token() -> None:
    vectors = "**cat:**\n- Q = [1, 0]\n- K = [1, 2]\n\n**sat:**\n- Q = [0, 2]\n- K = [3, 1]\n\n"
    (case,) = read_notes(vectors + "scores = [[1, 3], [4, 2]]\n").cases
    assert case.tokens == ("cat", "sat")
    assert (case.given["Q"].typed, case.given["K"].typed) == (
        (("1", "0"), ("0", "2")),
        (("1", "2"), ("3", "1")),
    )


def test_a_second_query_that_nobody_names_is_not_the_first() -> None:
    text = "Step a:\nQ = [1, 2]\n\nStep b:\nQ = [3, 4]\n\nscores = [1, 2]\n"
    text = "K = [[1, 0], [0, 1]]\n\nV = [[1, 0], [0, 1]]\n\n" + text
    assert linked(text) == [("scores", 0, (("1", "2"),))]


def test_equations_in_the_cells_of_a_tabular_are_read() -> None:
    text = (
        r"\begin{tabular}{p{3cm}c}" + "\n"
        r"$Q=\begin{pmatrix}1&0\\0&2\end{pmatrix}$ & $K=\begin{pmatrix}1&1\\0&1\end{pmatrix}$ \\" + "\n"
        r"\end{tabular}" + "\n"
        r"\begin{minipage}{0.48\textwidth}$QK^T=\begin{pmatrix}1&0\\2&2\end{pmatrix}$\end{minipage}" + "\n"
    )
    assert linked(text, "latex") == [("scores", 0, (("1", "0"), ("2", "2")))]
    assert read_notes(text, "a", "latex").unread == ()


def test_as_many_lists_in_a_sentence_as_there_are_rows_are_a_matrix() -> None:
    """However the words above speak of another row."""
    text = (
        "q1 = (1, 0), k1 = (1, 0), q2 = (0, 1), k2 = (0, 2)\n\nThe second row is 0 and 2.\n\n"
        "softmax -> (0.67, 0.33) and (0.20, 0.80)\n"
    )
    assert linked(text)[-1] == ("A", 0, (("0.67", "0.33"), ("0.20", "0.80")))
    assert linked(text.replace("(0.67, 0.33) and ", ""))[-1] == ("A", 1, (("0.20", "0.80"),))


def test_a_table_of_steps_is_an_equation_in_each_row() -> None:
    text = (
        "| Step | Computation | Result |\n|---|---|---|\n| q | given | [1, 2] |\n| k₁ | given | [1, 1] |\n"
        "| k₂ | given | [0, 2] |\n| s₁ = q·k₁ | 1·1 + 2·1 | 3 |\n| s₂ = q·k₂ | 1·0 + 2·2 | 4 |\n"
    )
    assert linked(text)[:2] == [("scores", 0, (("3",),)), ("scores", 0, (("4",),))]
    (case,) = read_notes(text).cases
    assert [claim.work for claim in case.stated][:2] == ["1*1 + 2*1", "1*0 + 2*2"]


def test_rows_that_say_whose_and_which_they_are_take_no_caption() -> None:
    """The line above them speaks of the dimension of the keys."""
    text = (
        '* **Key dimension ($d_k$):** 2\n\n* **$x_1$ ("good"):** `[2, 1]`\n* **$x_2$ ("bad"):** `[1, 1]`\n\n'
        "* $W_K = [[0, 0], [1, 1]]$\n\n* **Key ($k_1$):** $x_1 W_K = [1, 1]$\n"
    )
    assert given(text, "X") == (("2", "1"), ("1", "1"))
    assert linked(text) == [("K", 0, (("1", "1"),))]


def test_rows_behind_labels_and_a_drawn_line_are_the_matrix_of_their_caption() -> None:
    text = """\
Q = [[1, 0], [0, 2]]
K = [[1, 0], [0, 1]]

The attention weights:

```
        │ "sun"  "moon"   ← (keys)
────────┼──────────────
"sun"   │ 0.67   0.33
"moon"  │ 0.30   0.80     ← looks at itself
```
"""
    assert ("A", 0, (("0.67", "0.33"), ("0.30", "0.80"))) in linked(text)


@pytest.mark.parametrize("indent", ["\t\t", "    ", " " * 12])
def test_the_rows_of_a_matrix_hang_below_its_name_however_far(indent: str) -> None:
    text = f"X = [[2, 1], [1, 1]]\n\n```\nW_query = [1, 0]\n{indent}[1, 2]\n```\n\nQ = [[3, 2], [2, 2]]\n"
    assert given(text, "W_Q") == (("1", "0"), ("1", "2"))
