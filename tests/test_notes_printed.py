"""What programs printed: a captioned, a shown and a labelled matrix, each in the smallest notebook."""

from __future__ import annotations

import json

from symattn.reading.notes import read_notes
from tests.linked import linked

GIVEN = "Q = np.array([[1, 0], [0, 2]])\nK = np.array([[1, 1], [0, 1]])\nV = np.array([[1, 2], [3, 4]])\n"


def claims(*cells: tuple[str, str]) -> list[tuple[str, int, int, tuple[tuple[str, ...], ...]]]:
    """Name, row, column and numbers of every claim of a notebook of cells, each of code and output."""
    notebook = {
        "cells": [
            {
                "cell_type": "code",
                "source": code,
                "outputs": [{"output_type": "stream", "text": printed}] if printed else [],
            }
            for code, printed in cells
        ]
    }
    reading = read_notes(json.dumps(notebook), kind="notebook")
    return [(each.name, each.row, each.col, each.values) for case in reading.cases for each in case.stated]


SCORES = (("1", "0"), ("2", "2"))


def test_words_above_a_printed_matrix_name_it() -> None:
    assert claims((GIVEN, ""), ('print("Raw scores:", x)', "Raw scores:\n[[1 0]\n [2 2]]\n")) == [
        ("scores", 0, 0, SCORES)
    ]


def test_a_formula_above_a_printed_matrix_names_it() -> None:
    printed = "S = Q K^T / sqrt(d_k) :\n [[0.71 0.  ]\n [1.41 1.41]]\n"
    assert claims((GIVEN, ""), ("show()", printed)) == [("scaled", 0, 0, (("0.71", "0."), ("1.41", "1.41")))]


def test_the_variable_that_the_code_prints_names_what_has_no_words() -> None:
    assert claims((GIVEN + "scores = Q @ K.T\nprint(scores)", "[[1. 0.]\n [2. 2.]]\n")) == [
        ("scores", 0, 0, (("1.", "0."), ("2.", "2.")))
    ]


def test_words_that_could_be_checked_by_nothing_yield_to_what_the_numbers_follow() -> None:
    printed = "Attention:\n[[0.67 0.33]\n [0.5  0.5 ]]\n"
    assert claims((GIVEN, ""), ('print("Attention:", a)', printed)) == [
        ("A", 0, 0, (("0.67", "0.33"), ("0.5", "0.5")))
    ]


def test_words_hold_for_a_matrix_of_the_right_shape_whose_numbers_are_wrong() -> None:
    printed = "Raw scores:\n[[9 9]\n [8 7]]\n"
    assert claims((GIVEN, ""), ('print("Raw scores:", a)', printed)) == [
        ("scores", 0, 0, (("9", "9"), ("8", "7")))
    ]


def test_scores_are_called_scaled_where_nothing_else_is_printed_of_them() -> None:
    printed = "Scaled scores:\n[[1 0]\n [2 9]]\n"
    assert (
        claims((GIVEN.replace("2]", "9]"), ""), ("show()", printed.replace("2 9", "9 9")))[0][0] == "scores"
    )


def test_one_printed_list_is_the_row_that_its_numbers_follow() -> None:
    assert claims((GIVEN, ""), ("print(row)", "weights: [0.50 0.50]\n")) == [("A", 1, 0, (("0.50", "0.50"),))]


def test_a_batch_of_one_is_its_only_matrix() -> None:
    printed = "tensor([[[1, 0],\n         [2, 2]]])"
    assert claims((GIVEN, ""), ("scores", printed)) == [("scores", 0, 0, SCORES)]


def test_a_labelled_table_is_what_the_code_shows() -> None:
    table = "       k:cat  k:sat\nq:cat      1      0\nq:sat      2      2\n"
    assert claims((GIVEN, ""), ("pd.DataFrame(scores, index=rows)", table)) == [("scores", 0, 0, SCORES)]


def test_heads_with_numbers_part_a_table_into_its_quantities() -> None:
    table = "     Q1   Q2   K1   K2\na   1.0  0.0  1.0  1.0\nb   0.0  2.0  0.0  1.0\n"
    assert [
        (name, values) for name, _, _, values in claims(("df", table), ("scores", "[[1 0]\n [2 2]]\n"))
    ] == [("scores", SCORES)]


def test_two_names_on_the_left_of_one_sign_are_no_size() -> None:
    printed = "[[0.67 0.33]\n [0.5  0.5 ]]\n"
    assert claims((GIVEN, ""), ("n, d_k = 3, 5", ""), ("attn", printed))[0][0] == "A"


def test_embeddings_times_themselves_are_queries_and_keys_at_once() -> None:
    code = "inputs = torch.tensor([[1, 0], [1, 2]])\nscores = inputs @ inputs.T\nprint(scores)"
    assert claims((code, "tensor([[1, 1],\n        [1, 5]])\n")) == [
        ("scores", 0, 0, (("1", "1"), ("1", "5")))
    ]


def test_a_tuple_of_matrices_is_each_by_the_name_that_the_code_shows() -> None:
    code = "X = np.array([[1, 0], [0, 2]])\nW_Q = np.array([[1, 1], [0, 1]])\nW_K = W_Q\nQ = X @ W_Q\nQ, K"
    printed = "(array([[1, 1],\n        [0, 2]]),\n array([[1, 1],\n        [0, 2]]))"
    for shown in (code, code.replace("Q, K", "print(Q, K)")):
        assert [name for name, *_ in claims((shown, printed))] == ["Q", "K"]


CONSOLE = """\
```
> Q <- matrix(c(1, 2, 3, 0), nrow = 2, byrow = TRUE)
> K <- matrix(c(2, 1,
+               1, 0), nrow = 2, byrow = TRUE)
> S <- Q %*% t(K)
> S
     [,1] [,2]
[1,]    4    1
[2,]    6    3
> round(S / sqrt(2), 3)
      [,1]  [,2]
[1,] 2.828 0.707
[2,] 4.243 2.121
```
"""


def test_a_console_answers_what_was_typed_at_its_prompt() -> None:
    assert linked(CONSOLE) == [
        ("scores", 0, (("4", "1"), ("6", "3"))),
        ("scaled", 0, (("2.828", "0.707"), ("4.243", "2.121"))),
    ]


def test_a_frame_in_a_console_is_what_its_name_says() -> None:
    text = (
        "```python\n>>> df_scores\n      the   cat\nthe  1.00  0.00\ncat  2.00  3.00\n"
        ">>> (df_scores / np.sqrt(2)).round(2)\n      the   cat\nthe  0.71  0.00\ncat  1.41  2.12\n```\n"
    )
    assert linked(text) == [("scaled", 0, (("0.71", "0.00"), ("1.41", "2.12")))]


def test_a_product_with_the_values_that_is_shown_is_the_output() -> None:
    given = "Q = np.array([[1, 0], [0, 2]])\nK = np.array([[1, 0], [0, 1]])\nV = np.array([[1, 2], [3, 4]])"
    for shown in ("(w @ V).round(2)", "print(probs @ V)"):
        (read,) = claims((given, ""), (shown, "array([[9.66, 2.66], [2.61, 3.61]])"))
        assert read[0] == "Z"


def test_heads_that_a_console_made_up_name_nothing() -> None:
    """R calls columns without names V1, V2, and so on; Julia prints the size of a matrix above it."""
    frames = "".join(
        f"> {name}\n      V1    V2\nthe  {a}  1.0\ncat  {b}  2.0\n"
        for name, a, b in (("Q", "0.5", "1.5"), ("K", "0.6", "1.4"))
    )
    assert linked(f"```\n{frames}> Q %*% t(K)\n      the   cat\nthe  1.30  2.70\ncat  2.90  6.10\n```\n") == [
        ("scores", 0, (("1.30", "2.70"), ("2.90", "6.10")))
    ]
    size, q = "3×3 Matrix{Float64}:", "1 0 2; 0 1 1; 1 1 0"
    rows = " 5.0  2.0  1.0\n 2.0  2.0  1.0\n 1.0  1.0  2.0\n"
    printed = f"julia> Q = [{q}];\njulia> K = [{q}];\njulia> S = Q * K'\n{size}\n{rows}"
    assert [name for name, *_ in linked(f"```\n{printed}```\n")] == ["scores"]


def test_what_code_sets_a_name_to_says_whether_it_prints_scaled_scores() -> None:
    """Half of the numbers are exchanged, so that they do not tell."""
    text = (
        "Q = [[0.1, -0.4], [0.78, 0.54]]\n\nK = [[0.13, 0.0], [0.45, -0.48]]\n\n"
        "```python\nS = Q @ K.T / np.sqrt(2)\nprint(S.round(3))\n```\n\n"
        "```\n[[0.009 0.168]\n [0.065 0.072]]\n```\n"
    )
    assert linked(text) == [("scaled", 0, (("0.009", "0.168"), ("0.065", "0.072")))]
