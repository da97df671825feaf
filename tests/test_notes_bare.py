"""Numbers without brackets: lists up to the end of a line, rows below a name, one number a line."""

from __future__ import annotations

import pytest

from symattn.case import Case
from symattn.reading.notes import read_notes

Claim = tuple[str, int, int, tuple[tuple[str, ...], ...]]


def only_case(text: str) -> Case:
    (case,) = read_notes(text).cases
    return case


def claims(text: str) -> list[Claim]:
    return [(claim.name, claim.row, claim.col, claim.values) for claim in only_case(text).stated]


PLAIN = """\
查询向量 q₁ = 1, 2
查询向量 q₂ = 0, 1
键向量 k₁ = 1, 0
键向量 k₂ = 1, 1
"""


def test_a_list_ends_with_its_line() -> None:
    case = only_case(PLAIN + "\nq₁·k₂ = 1×1 + 2×1 = 3\n")
    assert [case.given[name].typed for name in ("Q", "K")] == [
        (("1", "2"), ("0", "1")),
        (("1", "0"), ("1", "1")),
    ]


def test_numbers_that_are_followed_by_a_name_are_no_list() -> None:
    text = "Q = [[1, 2]]\nK = [[3, 4], [1, 0]]\nq_1 · k_1 = 11, q_1 · k_2 = 1\n"
    assert claims(text) == [("scores", 0, 0, (("11",),)), ("scores", 0, 1, (("1",),))]


def test_a_list_behind_a_label_is_a_row() -> None:
    text = PLAIN + "scores = [[1, 3], [0, 1]]\n第一行：0.71，2.12\n"
    assert claims(text)[-1] == ("scaled", 0, 0, (("0.71", "2.12"),))


ROWS = """\
X = [[1, 2], [3, 4]]

W_Q：
0.1  0.2
0.5  0.5

Q = X W_Q:

```
1.1  1.2
2.3  2.6
```
"""


def test_rows_below_a_name_and_its_sign_are_its_matrix() -> None:
    case = only_case(ROWS)
    assert case.given["W_Q"].typed == (("0.1", "0.2"), ("0.5", "0.5"))
    assert claims(ROWS) == [("Q", 0, 0, (("1.1", "1.2"), ("2.3", "2.6")))]


COLUMN = """\
Q = [[1, 0, 2], [0, 1, 1]]
K = [[1, 1, 1], [2, 0, 1]]
得分矩阵 ({shape}):
S =
[
3
4
2
1
]
"""


def test_a_number_a_line_is_a_matrix_of_the_shape_above_it() -> None:
    assert claims(COLUMN.format(shape="2×2")) == [("scores", 0, 0, (("3", "4"), ("2", "1")))]


def test_a_number_a_line_is_no_matrix_of_another_shape() -> None:
    assert claims(COLUMN.format(shape="3×2")) == []


def test_brackets_drawn_over_several_lines_are_brackets() -> None:
    text = "Q =\n⎡ 1 0 ⎤\n⎣ 0 2 ⎦\nK =\n⎡ 1 1 ⎤\n⎣ 0 1 ⎦\nQKᵀ =\n⎡ 1 0 ⎤\n⎣ 2 2 ⎦\n"
    assert claims(text) == [("scores", 0, 0, (("1", "0"), ("2", "2")))]


def test_rows_above_the_name_of_a_drawing_are_no_matrix_of_the_words_above_it() -> None:
    """The words end with the keys, and two whole rows stand between them and the name."""
    text = "X = [[1, 0], [0, 1], [1, 1]]\nW_Q = [[1, 2], [0, 1]]\n\nQueries and keys:\n\n"
    text += "        [1  2]\n        [0  1]\n  XWᵀ = [1  3]\n"
    assert claims(text.replace("XWᵀ", "Q = X · W_Qᵀ")) == [("Q", 0, 0, (("1", "2"), ("0", "1"), ("1", "3")))]


def test_a_sum_that_goes_on_below_its_line_is_no_list() -> None:
    text = "scores = [[1, 2]]\n\nRow 1:\n\n```\nexp = [2.7, 7.4]\ntotal = 2.7 + 7.4\n      = 10.1\n```\n"
    assert claims(text) == [("exp", 0, 0, (("2.7", "7.4"),)), ("sum", 0, 0, (("10.1",),))]
    assert only_case("q_1 = 2 -3\nk_1 = 1 0\nq_1 · k_1 = 2\n").given["Q"].typed == (("2", "-3"),)


def test_numbers_in_round_brackets_need_no_commas() -> None:
    text = "q_1 = (1.5  2.5)\nq_2 = (0.5  1.0)\nK = [[1, 0], [0, 1]]\nS = [[1.5, 2.5], [0.5, 1.0]]\n"
    assert claims(text) == [("scores", 0, 0, (("1.5", "2.5"), ("0.5", "1.0")))]


@pytest.mark.parametrize("huge", ["-inf", "-∞", "-1e9", "-10000", "-9999", "-1e+09"])
def test_a_huge_negative_score_hides_a_key_and_claims_nothing(huge: str) -> None:
    text = (
        "Q = [[1, 0], [0, 2]]\nK = [[1, 0], [0, 1]]\nscores = [[1, 0], [0, 2]]\nCausal mask:\n"
        f"masked = [[1, {huge}], [0, 2]]\n"
    )
    case = only_case(text)
    assert [number for claim in case.stated for row in claim.values for number in row][4:] == ["1", "0", "2"]


def test_scores_below_words_on_scaling_are_scaled_by_whatever_name() -> None:
    """Only one number tells, so that the numbers alone could not."""
    walk = "Q = [[1, 0], [0, 0]]\nK = [[2, 0], [0, 1]]\nS = [[2, 0], [0, 0]]\n"
    scaled = "缩放后（除以 √2）：\n\n$$\nS = [[1.41, 0], [0, 0]]\n$$\n"
    assert [claim[0] for claim in claims(f"{walk}\n{scaled}")] == ["scores", "scaled"]


def test_the_number_of_a_display_below_a_matrix_is_no_row_of_it() -> None:
    text = "Q = [[1, 2], [0, 1]]\nK = [[1, 0], [1, 1]]\n\nA =\n0.33 0.67\n0.33 0.67\n(7.14)\nand so on\n"
    assert claims(text) == [("A", 0, 0, (("0.33", "0.67"), ("0.33", "0.67")))]


def test_a_fraction_that_fell_apart_is_what_the_rows_below_it_are() -> None:
    text = "Q = [[1, 2], [0, 1]]\nK = [[1, 0], [1, 1]]\n\nWe get\nQK⊤\n√\ndk\n=\n0.71 2.12\n0.00 0.71\n"
    assert claims(text) == [("scaled", 0, 0, (("0.71", "2.12"), ("0.00", "0.71")))]


def test_a_short_line_between_blanks_is_the_head_of_rows_that_stand_by_themselves() -> None:
    text = (
        "Queries\n\n  0.4  0.4\n  0.6 -0.4\n\nKeys\n\n  0.1  0.5\n -0.6  0.5\n\n"
        "Values\n\n  0.6  0.6\n  0.3 -0.7\n\n"
        "Scores = Queries * Keys^T\n\n  0.24 -0.04\n -0.14 -0.56\n\n"
        "Softmax (rowwise)\n\n  0.57  0.43\n  0.60  0.40\n\n"
        "Result = Softmax * Values\n\n  0.47  0.04\n  0.48  0.08\n"
    )
    assert [name for name, *_ in claims(text)] == ["scores", "A", "Z"]
