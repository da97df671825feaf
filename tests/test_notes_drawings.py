"""Matrices drawn over several lines: side by side, in frames, of workings, below formulas and names."""

from __future__ import annotations

import pytest

from symattn.reading.notes import read_notes
from tests.linked import given, linked

WEIGHTS = "W_Q = [[1, 2], [3, 4]]\n\n"


@pytest.mark.parametrize(
    "drawn",
    ["      ⎡ 1  0 ⎤\n  X = ⎣ 0  1 ⎦\n", "      ⎛1 0⎞\n  X = ⎝0 1⎠\n", "      | 1  0 |\n  X = | 0  1 |\n"],
)
def test_a_matrix_in_tall_brackets_or_between_bars_is_read_as_drawn(drawn: str) -> None:
    text = f"{drawn}\n        [ 1  2 ]\n  W_Q = [ 3  4 ]\n\n      [ 1  2 ]\n  Q = [ 3  4 ]\n"
    assert given(text, "X", "text") == (("1", "0"), ("0", "1"))


def test_a_pipe_table_of_one_row_of_numbers_is_no_drawing() -> None:
    text = "X = [[1, 0], [0, 1]]\n\n" + WEIGHTS + "| 5 |\n|---|\n| 6 |\n\nQ = [[1, 2], [3, 4]]\n"
    assert linked(text) == [("Q", 0, (("1", "2"), ("3", "4")))]


def test_names_in_a_line_above_drawings_are_each_that_of_the_one_below() -> None:
    """As many names as drawings, of whatever height, with words behind some of them."""
    text = (
        "X (2 tokens)      W_q           W_k\n"
        "[ 1  2  0 ]       [ 1  0 ]      [ 0  1 ]\n"
        "[ 0  1  1 ]       [ 0  1 ]      [ 1  0 ]\n"
        "                  [ 1  1 ]      [ 1  1 ]\n\n"
        "Q = X W_q     K = X W_k\n"
        "[ 1  2 ]      [ 2  1 ]\n"
        "[ 1  2 ]      [ 2  3 ]\n"
    )
    assert given(text, "W_K", "text") == (("0", "1"), ("1", "0"), ("1", "1"))
    assert linked(text, "text") == [("Q", 0, (("1", "2"), ("1", "2"))), ("K", 0, (("2", "1"), ("2", "3")))]


@pytest.mark.parametrize("heads", ["Q        K        V", "left    right"])
def test_a_line_above_drawings_that_does_not_name_each_names_none(heads: str) -> None:
    drawn = "[ 1  2 ]          [ 0  1 ]\n[ 1  2 ]          [ 1  0 ]\n"
    assert read_notes(f"{heads}\n{drawn}", "a", "text").cases == ()


def test_a_drawing_of_workings_is_followed_by_what_they_come_to() -> None:
    """Beside it with the sign on one of the rows, or below it."""
    text = (
        "  Q = [ 1 0 ]    K = [ 0 1 ]    V = [ 1 2 ]\n"
        "      [ 0 1 ]        [ 1 2 ]        [ 3 4 ]\n\n"
        "  S = [ 1*0+0*1   1*1+0*1 ]   [ 0  1 ]\n"
        "      [ 0*0+1*1   0*1+1*2 ] = [ 1  2 ]\n\n"
        "  A = [ 0.33  0.67 ]\n"
        "      [ 0.33  0.67 ]\n\n"
        "  O = [ 0.33*1+0.67*3   0.33*2+0.67*4 ]\n"
        "      [ 0.33*1+0.67*3   0.33*2+0.67*4 ]\n"
        "    = [ 2.34  3.34 ]\n"
        "      [ 2.34  3.34 ]\n"
    )
    (case,) = read_notes(text, "a", "text").cases
    worked = [(claim.name, claim.values[0][0], claim.work) for claim in case.stated if claim.work]
    assert worked[:4] == [
        ("scores", "0", "1*0 + 0*1"),
        ("scores", "1", "1*1 + 0*1"),
        ("scores", "1", "0*0 + 1*1"),
        ("scores", "2", "0*1 + 1*2"),
    ]
    assert worked[4:6] == [("Z", "2.34", "0.33*1 + 0.67*3"), ("Z", "3.34", "0.33*2 + 0.67*4")]


def test_words_and_an_arrow_before_a_drawing_name_it() -> None:
    text = (
        "Q = [[1, 0], [0, 1]]\n\nK = [[1, 0], [0, 1]]\n\nV = [[1, 2], [3, 4]]\n\n"
        "softmax → | 0.67 0.33 |\n          | 0.33 0.67 |\n\n"
        "so the output is\n\n| 1.66 2.66 |\n| 2.34 3.34 |\n"
    )
    assert linked(text) == [
        ("A", 0, (("0.67", "0.33"), ("0.33", "0.67"))),
        ("Z", 0, (("1.66", "2.66"), ("2.34", "3.34"))),
    ]


@pytest.mark.parametrize("opening", ["[]", "||", "()"])
def test_drawings_joined_by_signs_are_one_formula_that_its_last_drawing_ends(opening: str) -> None:
    left, right = opening
    text = (
        "X = [[1, 0], [0, 1]]\n\nW_Q = [[1, 2], [3, 4]]\n\n"
        "    [ 1 0 ]   [ 1 2 ]   [ 1 2 ]\nQ = [ 0 1 ] * [ 3 4 ] = [ 3 4 ]\n"
    )
    drawn = text.replace("[ ", f"{left} ").replace(" ]", f" {right}")
    assert linked(drawn, "text") == [("Q", 0, (("1", "2"), ("3", "4")))]


def test_of_several_heads_only_one_may_be_worked() -> None:
    """Rows below a formula, however it calls the head, are all of what it says."""
    text = (
        "# Head 1\n\nX =\n1 0\n0 2\n\nW1_Q =\n1 2\n3 4\n\nQ1 =\n1 2\n6 8\n\n"
        "W1_K =\n1 0\n0 1\n\nK1 =\n1 0\n0 2\n\nS1 = Q1 K1^T / sqrt(2) =\n0.71 2.83\n4.24 11.31\n"
    )
    assert linked(text) == [
        ("Q", 0, (("1", "2"), ("6", "8"))),
        ("K", 0, (("1", "0"), ("0", "2"))),
        ("scaled", 0, (("0.71", "2.83"), ("4.24", "11.31"))),
    ]


def test_words_before_a_single_list_name_no_drawing() -> None:
    text = "Q = [[1, 0], [0, 1]]\n\nK = [[1, 0], [0, 1]]\n\nV = [[1], [2]]\n\n"
    text += "```\nAttention one : [0.7 0.3]\nAttention two : [0.3 0.7]\n```\n"
    assert all(name != "Z" for name, _, _ in linked(text))


def test_vectors_of_a_line_stand_below_their_heads() -> None:
    text = (
        "```\n      Q         K        V\n"
        "The [1, 0]    [1, 1]   [1, 0]\ncat [0, 1]    [0, 1]   [2, 1]\n```\n\n"
        "scores = [[1, 0], [1, 1]]\n"
    )
    assert given(text, "K") == (("1", "1"), ("0", "1"))
    assert given(text, "V") == (("1", "0"), ("2", "1"))
    assert linked(text) == [("scores", 0, (("1", "0"), ("1", "1")))]


def test_lists_with_names_of_their_own_may_stand_beside_drawings() -> None:
    text = (
        "x_1 = [1, 0, 1]    W_Q = [2 0]\nx_2 = [0, 1, 1]          [0 1]\n                         [1 1]\n\n"
    )
    assert linked(text + "Q = [[3, 1], [1, 2]]\n", "text") == [("Q", 0, (("3", "1"), ("1", "2")))]


def test_rows_in_an_open_frame_are_a_matrix_whatever_arrows_say_of_them() -> None:
    text = "Q = ┌      ┐\n    │ 1 0  │  ← the first (2)\n    │ 0 2.5│\n    └      ┘\nK = [[1, 1], [0, 1]]\n\n"
    assert linked(text + "scores = [[1, 0], [2.5, 2.5]]\n", "text") == [
        ("scores", 0, (("1", "0"), ("2.5", "2.5")))
    ]
    assert given(text, "Q") == (("1", "0"), ("0", "2.5"))


def test_rows_in_brackets_below_a_formula_are_all_of_what_it_says() -> None:
    text = "Q =\n[1 0]\n[0 2]\n\nK =\n[1 0]\n[0 1]\n\nQK^T / 2 =\n[0.50  0.00]\n[0.00  1.00]\n"
    assert linked(text, "text")[-1] == ("scaled", 0, (("0.50", "0.00"), ("0.00", "1.00")))


def test_matrices_side_by_side_may_have_commas_between_them_and_rows_that_begin_elsewhere() -> None:
    text = "Q = [1, 1], K = [1, 0], V = [2, 3]\n        [0, 1]      [0, 2]      [4, 5]\n"
    assert [given(text, name, "text") for name in "QKV"] == [
        (("1", "1"), ("0", "1")),
        (("1", "0"), ("0", "2")),
        (("2", "3"), ("4", "5")),
    ]


def test_rows_with_a_query_before_an_arrow_below_a_line_of_keys_are_no_queries() -> None:
    table = "scores = Q × K^T\n\n         K1  K2\nQ1 →   [ 1   2 ]  ← token 1\nQ2 →   [ 0   3 ]  ← token 2\n"
    text = f"Q = [[1, 0], [0, 1]]\n\nK = [[1, 0], [2, 3]]\n\n{table}"
    assert linked(text, "text") == [("scores", 0, (("1", "2"), ("0", "3")))]


def test_drawings_side_by_side_without_a_sign_are_multiplied() -> None:
    """What is set to both, of whatever height, is the third behind the equals sign."""
    text = (
        "           | 1 2 1 | | 0 1 |   | 6 5 |\n"
        "Q = X Wq = | 2 1 2 | | 2 2 | = | 6 4 |\n"
        "                     | 2 0 |\n"
    )
    assert linked(text, "text") == [("Q", 0, (("6", "5"), ("6", "4")))]
    assert given(text, "W_Q", "text") == (("0", "1"), ("2", "2"), ("2", "0"))
