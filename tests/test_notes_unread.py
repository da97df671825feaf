"""Right numbers beside something that could not be read: a heading, a row of a matrix, an input, a step."""

from __future__ import annotations

import pytest

from tests.linked import accused

ATTENDED = "Q = [[1, 0], [0, 2]]\nK = [[1, 0], [0, 1]]\nV = [[10, 20], [30, 10]]\nWe do not scale.\n\n"
SCORES = "scores = [[1, 0], [0, 2]]\n\n"


@pytest.mark.parametrize("second", ["Row 2:", "Zorp 7?:", ""])
def test_exponentials_and_their_sum_are_of_the_row_that_they_follow(second: str) -> None:
    first = "Row 1:\n\n- exp = [2.72, 1.00]\n- sum = 2.72 + 1.00 = 3.72\n\n"
    rest = f"{second}\n\n- exp = [1.00, 7.39]\n- sum = 1.00 + 7.39 = 8.39\n"
    assert accused(ATTENDED + SCORES + first + rest) == []


def test_a_sum_that_is_of_no_row_is_not_held_against_the_heading_above() -> None:
    first = "Row 1:\n\n- exp = [2.72, 1.00]\n- sum = 3.72\n\n"
    assert accused(ATTENDED + SCORES + first + "- sum = 8.39\n") == []


@pytest.mark.parametrize(("one", "found"), [("8.39", []), ("8.99", ["sum 8.99"])])
def test_a_sum_below_its_heading_is_held_against_it(one: str, found: list[str]) -> None:
    rows = "Row 1:\n\n- exp = [2.72, 1.00]\n- sum = 3.72\n\nRow 2:\n\n- exp = [1.00, 7.39]\n"
    assert accused(f"{ATTENDED}{SCORES}{rows}- sum = {one}\n") == found


def test_queries_beside_weights_whose_inputs_are_unread_are_rounded() -> None:
    """1.94 * 3.14 + 1.37 * 4.06 makes 11.65, and 1.9 * 3.1 + 1.4 * 4.1 makes 11.63."""
    weights = "W_Q = [[1.3, 0.2], [1.5, 0.4]]\nW_K = [[1.1, 0.3], [0.2, 0.8]]\n\n"
    rows = "Q = X W_Q = [[1.9, 1.4]]\nK = X W_K = [[3.1, 4.1]]\n\n"
    assert accused(weights + rows + "scores[1,1] = Q[1] · K[1] = 1.9 × 3.1 + 1.4 × 4.1 = 11.7\n") == []


def test_queries_beside_inputs_whose_weights_are_unread_are_rounded() -> None:
    """So is an operand printed again: 1.25 may be 1.2 here and 1.3 there."""
    rows = "X = [[1.0, 0.5]]\n\nQ = [[1.9, 1.2]]\nK = [[3.1, 4.1]]\n\n"
    assert accused(rows + "scores[1,1] = Q[1] · K[1] = 1.9 × 3.1 + 1.3 × 4.1 = 11.3\n") == []


def test_scores_of_several_queries_are_not_those_of_the_only_one_that_was_read() -> None:
    text = "q_1 = [1, 0]\n\nk_1 = [1, 0]\nk_2 = [3, 1]\n\nscores = Q K^T = [[1, 3], [5, 2]]\n"
    assert accused(text) == []


MATRIX = "$$\nQ = \\begin{bmatrix}\n%s\n\\end{bmatrix}\n$$\n"


@pytest.mark.parametrize("cut", ["1? & 0?", "1 & 0"])
def test_a_first_row_of_signs_is_no_head_of_a_table(cut: str) -> None:
    rest = "K = [[1, 0], [0, 1]]\n\nscores = Q K^T = [[1, 0], [0, 2], [1, 1]]\n"
    assert accused(MATRIX % f"{cut} \\\\\n0 & 2 \\\\\n1 & 1" + rest) == []


def test_the_last_rows_of_a_matrix_are_not_its_first() -> None:
    given = "Q = [[1, 0], [0, 2], [1, 3]]\nK = [[1, 0], [0, 1], [2, 2]]\n\n"
    assert accused(given + "scores = [[0, 2, 4], [1, 3, 8]]\n") == []


def test_two_keys_make_no_three_scores() -> None:
    text = "Q = [[1, 0], [0, 2], [1, 1]]\nK = [[0, 1], [2, 2]]\n\n"
    scores = "scores = [[1, 0, 2], [0, 2, 4], [1, 1, 4]]\n\nexp = [[2.72, 1.00, 7.39]]\n"
    assert accused(text + "We do not scale.\n\n" + scores) == []


def test_a_numeral_before_an_unreadable_sign_is_not_what_a_sum_comes_to() -> None:
    row = "Row 1:\n\n- exp = [2.72, 1.00]\n- sum = 2.72? + 1.00? = 3.72?\n"
    assert accused(ATTENDED + SCORES + row) == []


def test_a_causal_mask_holds_where_not_all_queries_were_read() -> None:
    text = "S_1 = (3, 4, 3, 4)\n\nWe apply a causal mask: a token sees only itself and earlier tokens.\n\n"
    row = (
        "exp = (20.0855, 0.0000, 0.0000, 0.0000)\nsum = 20.0855\nsoftmax = (1.0000, 0.0000, 0.0000, 0.0000)\n"
    )
    assert accused(text + row) == []


def test_tokens_are_columns_without_their_inputs() -> None:
    """K^T Q holds a column for each query."""
    weights = "W_Q = [[1, 0, 1], [0, 2, 1]]\nW_K = [[1, 1, 0], [0, 1, 1]]\n\n"
    rows = "Q = W_Q X = [[1, 0, 2, 1], [2, 1, 0, 3]]\nK = W_K X = [[1, 2, 0, 1], [1, 0, 3, 1]]\n\n"
    scores = "S = K^T Q = [[3, 1, 2, 4], [2, 0, 4, 2], [6, 3, 0, 9], [3, 1, 2, 4]]\n"
    assert accused(weights + rows + scores) == []


@pytest.mark.parametrize(("scores", "found"), [("[[4.4, 8.6]]", []), ("[[4.4, 9.6]]", ["scores 9.6"])])
def test_a_step_that_was_not_read_was_rounded_as_the_others_are(scores: str, found: list[str]) -> None:
    """Q is [1.25, 0.64], to one decimal [1.3, 0.6]."""
    given = "X = [[2.5, 1.6]]\nW_Q = [[0.5, 0], [0, 0.4]]\n\nzorp [[1.3, 0.6]]\n\n"
    assert accused(given + f"K = [[2.4, 2.1], [5.2, 3.1]]\n\nscores = {scores}\n") == found


def test_the_only_line_with_an_index_is_of_the_row_that_its_numbers_are_of() -> None:
    weights = "A = [[0.73, 0.27], [0.12, 0.88]]\n\n"
    assert accused(ATTENDED + weights + "Z[1] = 0.12 * [10, 20] + 0.88 * [30, 10] = [27.60, 11.20]\n") == []


def test_weights_with_few_digits_are_of_the_row_that_rounds_to_them() -> None:
    """They are less than a unit off those of the row of the heading above."""
    given = "Q = [[1], [0.3]]\nK = [[0.2], [0.8], [0.7]]\nscores = [[0.2, 0.8, 0.7], [0.06, 0.24, 0.21]]\n\n"
    rows = "Row 1:\n\n- softmax = [0.2, 0.4, 0.4]\n\nZorp 7?:\n\n- softmax = [0.3, 0.4, 0.3]\n"
    assert accused(given + rows) == []


def test_rows_of_scores_are_not_counted_as_the_inputs_that_were_read() -> None:
    given = "x_2 = [1, 2]\nx_3 = [0, 1]\n\nW_Q = [[1, 0], [0, 1]]\nW_K = [[1, 0], [0, 1]]\n\n"
    scores = "scores = [[4, 2, 0], [2, 5, 2], [0, 2, 1]]\n\n"
    scaled = "scaled = [[2.83, 1.41, 0.00], [1.41, 3.54, 1.41], [0.00, 1.41, 0.71]]\n"
    assert accused(given + scores + scaled) == []


SHIFTED = """\
X = [[1, 0], [0, 1], [2, 1]]
W_Q = [[1, 2], [0, 1]]
W_K = [[1, 0], [1, 1]]
BIAS
Q = [[1, 2], [0, 1], [2, 5]]

K = [[1.5, 0.6], [1.5, 1.6], [3.5, 1.6]]
"""


def test_a_projection_that_is_off_by_the_same_in_every_row_has_a_bias_that_was_not_read() -> None:
    assert accused(SHIFTED.replace("BIAS", "")) == []
    assert len(accused(SHIFTED.replace("BIAS", "").replace("3.5, 1.6", "3.7, 1.9"))) > 4
    assert len(accused(SHIFTED.replace("BIAS", "b_K = [1, 1]"))) > 4
