"""Documents in which a line could not be read: what stands beside it is right, and nothing is accused."""

from __future__ import annotations

import pytest

from tests.linked import accused, linked

WEIGHTS = "W_Q = [[1, 0], [1, 1]]\nW_K = [[1, 1], [1, 0]]\nW_V = [[1, 1], [2, 1]]\n"
LABELLED = f"hello = [2, 0]\nworld = [1, 2]\n\n{WEIGHTS}\n"


def test_below_the_branch_of_a_token_begins_that_of_another() -> None:
    text = f"""\
- Inputs
  - birds:: (1, 0)
  - fly:: (2, 0)
- {WEIGHTS.replace(chr(10), chr(10) + "- ")}Projections
  - dogs
    - query:: (1, 4)
  - fly
    - query:: (2, 0)
"""
    assert accused(text) == []


def test_a_line_with_one_word_ends_what_stands_below_another_word() -> None:
    text = f"{LABELLED}**hello**\n\nk = [2, 2]\n\n**world**\n\nk = [3, 1]\n\n**dogs**\n\nscores = [2, 9]\n"
    assert accused(text) == []


def test_a_line_that_begins_with_another_word_than_its_neighbours_is_of_no_row_above() -> None:
    text = f"{LABELLED}* dogs: q = [7, 3], k = [4, 4]\n* world: q = [3, 2], k = [3, 1]\n"
    assert accused(text) == []


def test_the_last_row_of_a_table_says_nothing_of_what_stands_below_it() -> None:
    text = f"{LABELLED}| token | q·k |\n|---|---|\n| hello | 4 |\n| world | 6 |\n\nscores: [7, 9]\n"
    assert accused(text) == []


def test_the_output_of_a_token_that_nobody_knows_is_of_no_row() -> None:
    text = f"{LABELLED}world·hello: 10\nworld·world: 11\n\nout(dogs) = [0.00, 2.78]\n"
    assert not any(name == "Z" for name, _, _ in linked(text))


def test_a_whole_matrix_stands_for_the_row_that_was_taken_for_it() -> None:
    text = f"""\
The queries come from the decoder, the keys and values from the encoder output $E$.

$D = \\begin{{bmatrix}} 0 & 1 \\end{{bmatrix}}$

$E = \\begin{{bmatrix}} 2 & 0 \\\\ 1 & 1 \\end{{bmatrix}}$

{WEIGHTS}
$V = E W_V = \\begin{{bmatrix}} 2 & 2 \\\\ 3 & 2 \\end{{bmatrix}}$
"""
    assert accused(text) == []
    assert ("V", 0, (("2", "2"), ("3", "2"))) in linked(text)


@pytest.mark.parametrize(
    "rows",
    [
        "Q = [[2?, 0?],\n     [3, 2],\n     [1, 1]]\n",
        "Q =\n⎡ 2? 0? ⎤\n⎢ 3  2 ⎥\n⎣ 1  1 ⎦\n",
        "$$Q = \\begin{bmatrix} 2? & 0? \\\\ 3 & 2 \\\\ 1 & 1 \\end{bmatrix}$$\n",
    ],
)
def test_a_matrix_without_its_first_row_is_none(rows: str) -> None:
    text = f"X = [[2, 0], [1, 2], [0, 1]]\n\n{WEIGHTS}\n{rows}"
    assert accused(text) == []
    assert linked(text) == []


def test_inputs_with_fewer_rows_than_there_are_keys_make_no_keys() -> None:
    text = f"X = [[2, 0]]\n\n{WEIGHTS}\nscaled_1 = [2.83, 7.07]\n\nA_1 = [0.01, 0.99]\n"
    assert accused(text) == []


def test_keys_that_nobody_saw_made_hide_digits_where_queries_are_made() -> None:
    text = "X = [[1.0, 0.5]]\nW_Q = [[2, 0], [0, 4]]\nK = [[0.33, 0.67]]\n\n"
    assert accused(text + "q_1 = [2, 2]\n\nscores = [[2.01]]\n") == []


def test_weights_in_a_sum_are_of_the_row_that_has_them() -> None:
    text = (
        "Q = [[1, 0], [0, 2]]\nK = [[1, 0], [0, 1]]\nV = [[10, 20], [30, 10]]\nWe do not scale.\n\n"
        "q_2 · k_1 = 0\n\nq_2 · k_2 = 2\n\n"
    )
    assert accused(text + "It is\n\nz = 0.73 [10, 20] + 0.27 [30, 10] = [15.40, 17.30]\n") == []


def test_steps_that_begin_with_a_plus_sign_are_one_sum() -> None:
    text = (
        "### Score\n\n= (0.04 × 0.08)\n+ (0.12 × 0.04)\n+ (0.12 × 0.06)\n\n= 0.0032\n+ 0.0048\n+ 0.0072\n\n"
    )
    assert accused(f"{text}= 0.0152\n") == []
    assert accused(f"{text}= 0.0172\n") == ["= 0.0172"]


def test_what_goes_on_behind_a_sign_that_nobody_can_read_is_no_result() -> None:
    text = "Q = [[1, 0], [0, 2]]\nK = [[2, 0], [0, 1]]\n\n"
    assert accused(f"{text}q_1 · k_1 = 1? × 2? + 0? × 0? = 2\n") == []


def test_a_word_before_formulas_of_several_quantities_means_none_of_them() -> None:
    text = "V = [[10, 20], [30, 10]]\n\n**Back:** q₁ = [1, 0]\n\n**Back:** k₁ = [1, 0]\n\n"
    text += "**Back:** k₂ = [1, 5]\n\n"
    text += "**Back:** softmax([0.71, 0.71]) = [0.50, 0.50]\n\n**Back:** 0.50·v₁ + 0.50·v₂ = [20.00, 15.00]\n"
    assert not any(name == "Z" and ("0.50", "0.50") in rows for name, _, rows in linked(text))


def test_what_comes_out_where_something_is_forgotten_is_no_claim() -> None:
    text = "Q = [[1, 0], [0, 2]]\n\nK = [[2, 0], [0, 1]]\n\nscaled = [[1.41, 0.00], [0.00, 1.41]]\n\n"
    text += "If you forget to divide by √2, the first row of the weights comes out as [0.88, 0.12] instead.\n"
    assert accused(text) == []


def test_where_two_projections_below_something_unread_are_wrong_neither_is() -> None:
    made = "Q = [[3, 2], [2.38, 1.54]]\n\nK = [[3, 1], [2.38, 0.84]]\n\nV = [[{}]]\n"
    text = f"X = [[1, 1], [0, 1]]\n\n{WEIGHTS}\n"
    other = f"{text}zorp: [[1.19, 0.77], [1.19, 0.84]]\n\n"
    assert accused(other + made.format("5, 3], [3.92, 2.38")) == []
    assert accused(other + made.format("3, 2], [2, 1")) == []
    # who slips in every product leaves nothing unread
    assert len(accused(text + made.format("3, 2], [2, 1"))) > 6
