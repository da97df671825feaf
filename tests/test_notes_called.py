"""What a matrix, a list or a number is, whatever it is called: by its formula, its numbers."""

from __future__ import annotations

import pytest

from symattn.reading.notes import read_notes
from tests.linked import ATTENDED, accused, links


def test_a_matrix_is_what_explains_most_of_it_and_not_the_first_whose_zeros_it_has() -> None:
    text = "Q = [[2, 0], [0, 0]]\nK = [[3, 0], [0, 0]]\nV = [[1], [2]]\n"
    text += "s = q @ k.T / np.sqrt(2)\n\nHere:\n\n[[4.243, 0.000], [0.000, 0.000]]\n"
    assert [claim[0] for claim in links(text)] == ["scaled"]


def test_scores_whose_numbers_are_all_the_scaled_ones_are_scaled() -> None:
    text = "q = [1, 0], K = [[1, 0], [0, 1], [2, 1]], divide by √2.\n\nScores: [0.707, 0, 1.414]\n"
    assert links(text) == [("scaled", 0, 0, (("0.707", "0", "1.414"),))]
    assert [name for name, *_ in links(text.replace("0.707", "0.9"))] == ["scores"]


def test_scores_less_the_greatest_of_their_row_are_no_scores() -> None:
    text = "q = [1, 0], K = [[1, 0], [0, 1], [3, 1]]\n\nscores: [1, 0, 3]\n\nlogits: [-2, -3, 0]\n"
    assert links(text) == [("scores", 0, 0, (("1", "0", "3"),))]


def test_a_divisor_that_is_chosen_is_no_wrong_root() -> None:
    text = "Q = [[1, 1]]\nK = [[1, 0], [1, 1]]\n\n（设除以 √d_k = 1.0）：\n\nsoftmax([1, 2]) = [0.27, 0.73]\n"
    assert accused(text) == []
    assert "sqrt(d_k) 1.0" in accused(text.replace("设除以", "除以"))


def test_a_sum_of_one_that_checks_a_row_is_no_sum_of_exponentials() -> None:
    text = "Q = [[1, 0]]\nK = [[1, 0], [0, 1]]\nscores = [[1, 0]]\n\n验证：每行求和 = 0.73 + 0.27 = 1.0\n"
    assert accused(text) == []


def test_the_root_in_words_scales_scores_that_are_given() -> None:
    text = "scores = [[1, 2]]\n\nV = [[1, 0], [0, 1]]\n\nWe divide by √2.\n\n"
    assert read_notes(text + "A = [[0.33, 0.67]]\n").cases[0].settings.scale == "1/sqrt(2)"
    bare = "A = [[0.269, 0.731]]\n\nZ = [[0.269, 0.731]]\n"
    assert read_notes(text + bare).cases[0].settings.scale == "1"


SCALED = "[[0.71, 0.00], [0.00, 1.41]]"


@pytest.mark.parametrize(
    "text",
    [
        f"We compute scores = Q K^T / √2.\n\nscores = {SCALED}\n\nThe scores are\n\n{SCALED}\n",
        "We compute scores = Q K^T / √2.\n\nScores:\n\n| 0.71 | 0.00 |\n|---|---|\n| 0.00 | 1.41 |\n",
        f"```python\nscores = Q @ K.T / math.sqrt(2)\nprint(scores)\n```\n\n```\n{SCALED}\n```\n\n"
        f"```python\nscores\n```\n\n```\n{SCALED}\n```\n",
        f"The scores are\n\n{SCALED}\n",
    ],
)
def test_what_is_called_scores_may_be_scaled_by_its_formula_or_by_its_numbers(text: str) -> None:
    assert {name for name, *_ in links(ATTENDED + text)} == {"scaled"}
    assert accused(ATTENDED + text.replace("1.41 ", "1.51 ").replace("1.41]", "1.51]"))[:1] == ["scaled 1.51"]


def test_numbers_above_the_rule_of_a_table_are_its_first_row() -> None:
    text = ATTENDED + "A =\n\n| 0.67 | 0.33 |\n|---|---|\n| 0.20 | 0.80 |\n"
    assert links(text) == [("A", 0, 0, (("0.67", "0.33"), ("0.20", "0.80")))]
    counted = ATTENDED + "A =\n\n| 1 | 2 |\n|---|---|\n| 0.67 | 0.33 |\n| 0.20 | 0.80 |\n"
    assert links(counted) == [("A", 0, 0, (("0.67", "0.33"), ("0.20", "0.80")))]


def test_one_index_of_a_score_is_that_of_its_key_where_there_is_one_query() -> None:
    text = "q = (1, 2)\n\nk_1 = (2, 0), k_2 = (1, 0)\n\ns_1 = q·k_1 = 2, s_2 = q·k_2 = 1\n\nα_2 = 0.33\n"
    assert [link[:3] for link in links(text)] == [("scores", 0, 0), ("scores", 0, 1), ("A", 0, 1)]


def test_a_matrix_with_minus_infinities_by_a_letter_of_its_own_is_masked_scores() -> None:
    text = ATTENDED + "L = Q K^T = [[1, 0], [0, 2]]\n\n$$\\tilde L = [[1, -inf], [0, 3]]$$\n"
    assert links(text)[-1] == ("masked", 1, 1, (("3",),))
    assert accused(text) == ["masked 3"]


def test_a_matrix_that_shares_no_more_than_zeros_with_the_scores_is_not_these() -> None:
    """Q' and K' are turned: nothing says what their product should be."""
    text = "Q = [[0, 0], [-1, 2]]\nK = [[0, 1], [2, 0]]\nV = [[1], [2]]\n\n"
    assert links(text + "Q' K'^T = [[0.000, 0.000], [0.239, -2.000]]\n\nZ = [[1.5], [1.5]]\n") == [
        ("Z", 0, 0, (("1.5",), ("1.5",)))
    ]


def test_states_that_stand_above_all_weights_are_no_scores() -> None:
    text = "S = [[0, 1], [2, 0]]\n\nW_Q = [[0, 1], [2, 0]]\n\nQ = [[2, 0], [0, 2]]\n"
    assert links(text) == [("Q", 0, 0, (("2", "0"), ("0", "2")))]


@pytest.mark.parametrize(
    "formula", ["Σ_j a_j v_j", "∑ a₁ⱼ vⱼ", "Σⱼ α_{1j} v_j", r"$\sum_{j=1}^2 a_{1,j} v_j$"]
)
def test_the_sign_of_a_sum_is_that_of_tex(formula: str) -> None:
    text = ATTENDED + f"A = [[0.67, 0.33], [0.2, 0.8]]\n\nz_1 = {formula} = (1.66, 2.66)\n"
    assert links(text)[-1] == ("Z", 0, 0, (("1.66", "2.66"),))


def test_a_sum_of_values_that_a_row_weighs_is_that_row_by_whatever_letter() -> None:
    text = ATTENDED + "A = [[0.67, 0.33], [0.2, 0.8]]\n\n$y_2=\\sum_j a_{2j}v_j=(9.6,0.6)$\n"
    assert links(text)[-1] == ("Z", 1, 0, (("9.6", "0.6"),))


def test_rounded_scores_some_of_which_might_be_scaled_are_what_they_are_nearest_to() -> None:
    """The products of the printed numbers are 0.02, 0.44, 0.16 and 3.26; scaled they are half of that."""
    text = "Q = [[-0.2, 0.1, 0.0, -0.1], [-1.1, 1.4, 0.3, -0.2]]\n"
    text += "K = [[0.0, 0.1, 0.0, -0.1], [-0.7, 1.3, 1.1, -1.7]]\nV = [[1], [2]]\n"
    assert links(f"{text}QK^T = [[0.0, 0.3], [0.1, 3.1]]\n")[0][0] == "scores"


def test_weights_by_a_letter_of_their_own_are_those_of_the_projections() -> None:
    text = (
        "u1 = (1, 1), u2 = (2, 0)\n\nM_Q = [[2, 2], [1, 1]]\n\nM_K = [[1, 0], [2, 2]]\n\n"
        "Queries: u1 M_Q = (3, 3), u2 M_Q = (4, 5)\n\nKeys: u1 M_K = (3, 2), u2 M_K = (2, 0)\n"
    )
    assert [(name, row) for name, row, *_ in links(text)] == [("Q", 0), ("Q", 1), ("K", 0), ("K", 1)]
    assert accused(text) == ["Q 5"]


def test_entries_side_by_side_are_of_the_letter_that_the_text_defines() -> None:
    text = (
        "q1 = (2, 4)   q2 = (0, 2)\n\nk1 = (1, 0)   k2 = (1, 1)\n\n"
        "Compute the logits e_ij = q_i . k_j / sqrt(2).\n\n"
        "e11 = 2/sqrt(2) = 1.414    e12 = 6/sqrt(2) = 4.243\n\n"
        "e21 = 0/sqrt(2) = 0.000 e22 = 2/sqrt(2) = 1.414\n"
    )
    found = [(name, row, col) for name, row, col, _ in links(text) if name == "scaled"]
    assert found == [("scaled", 0, 0), ("scaled", 0, 1), ("scaled", 1, 0), ("scaled", 1, 1)]


def test_a_row_and_a_matrix_without_a_sign_between_them_are_two_names() -> None:
    text = (
        "$q_1 = (1, 2)$, $q_2 = (0, 1)$, $K = [[2, 2], [2, 0]]$\n\n$q_1K^T = (6, 2)$ and $q_2K^T = (2, 0)$\n"
    )
    assert [claim[:2] for claim in links(text)] == [("scores", 0), ("scores", 1)]


def test_z_is_a_score_where_its_formula_says_so() -> None:
    text = (
        "$Q = [[1, 2], [0, 1]]$, $K = [[1, 0], [1, 1]]$, $V = [[1, 0], [0, 1]]$\n\n"
        "$$Z = \\frac{QK^T}{\\sqrt{2}} = [[0.71, 2.12], [0.00, 0.71]]$$\n\n"
        "$$P = [[0.20, 0.50], [0.33, 0.67]]$$\n\n$$O = PV = [[0.20, 0.80], [0.43, 0.67]]$$\n"
    )
    (case,) = read_notes(text).cases
    assert [claim.name for claim in case.stated] == ["scaled", "A", "Z"]


def test_keys_above_a_brace_may_be_turned() -> None:
    text = (
        "$$\\frac{1}{\\sqrt{2}} \\underbrace{\\begin{bmatrix}1 & 2\\\\0 & 1\\end{bmatrix}}_{Q}"
        " \\underbrace{\\begin{bmatrix}1 & 1\\\\0 & 1\\end{bmatrix}}_{K^\\top} = \\frac{1}{\\sqrt{2}}"
        "\\begin{bmatrix}1 & 3\\\\0 & 1\\end{bmatrix}"
        " \\approx \\begin{bmatrix}0.71 & 2.12\\\\0.00 & 0.71\\end{bmatrix}$$\n"
    )
    (case,) = read_notes(text).cases
    assert case.given["K"].typed == (("1", "0"), ("1", "1"))
    assert [claim.name for claim in case.stated] == ["scores", "scaled"]


def test_products_of_the_inputs_are_scores_where_nobody_speaks_of_queries() -> None:
    """The rows are told one by one, and each is one of Q, K and V as well."""
    text = (
        "$x_1 = [1, 0]$ and $x_2 = [1, 1]$. The weights are unscaled, $w_{ij} = x_i^T x_j$.\n\n"
        "Scores:\n\n$$[[1, 1], [1, 2]]$$\n\n$$A = [[0.50, 0.50], [0.27, 0.73]]$$\n\n"
        "$y_1 = 0.50 x_1 + 0.50 x_2 = [1.00, 0.50]$\n\n$y_2 = 0.27 x_1 + 0.73 x_2 = [1.00, 0.73]$\n"
    )
    (case,) = read_notes(text).cases
    assert {name: len(case.given[name].typed) for name in "XQKV"} == dict.fromkeys("XQKV", 2)
    assert "Z" in [claim.name for claim in case.stated]
