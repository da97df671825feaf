"""Which entry a number is tied to: what is only inferred is held against the numbers before it."""

from __future__ import annotations

import pytest

from symattn.reading.notes import read_notes
from symattn.reading.notes.formulas.comments import without_comments
from symattn.reading.notes.formulas.tokens import tokens
from tests.linked import ATTENDED, accused, links

PROJECTED = ATTENDED + "W_O = [[1, 1], [0, 1]]\n"


def test_a_variable_called_scaled_declares_no_scaling() -> None:
    text = ATTENDED + "A = softmax(scaled) = [[0.73, 0.27], [0.12, 0.88]]\n"
    assert read_notes(text).cases[0].settings.scale == "1"
    assert accused(text) == []


ROOTED = """\
Q = [[1, 2, 3]]
K = [[5.4, 1, 1], [2.1, 0, 3]]
scores = [[10.4, 11.1]]
We divide by √d_k = √3 ≈ 1.7.
"""


def test_a_division_by_the_root_may_use_the_number_announced_for_it() -> None:
    """10.4/1.7 = 6.118, while 10.4/√3 = 6.004."""
    text = ROOTED + "scaled = [10.4, 11.1] / sqrt(3) = [6.118, 6.529]\n"
    assert accused(text) == []


def test_a_quotient_of_a_score_and_the_root_is_that_scaled_score() -> None:
    text = ROOTED + "10.4 / sqrt(3) = 6.118\n11.1 / 1.7 = 6.529\n"
    scaled = [claim for claim in links(text) if claim[0] == "scaled"]
    assert scaled == [("scaled", 0, 0, (("6.118",),)), ("scaled", 0, 1, (("6.529",),))]
    assert read_notes(text).equations == ()


def test_an_exponential_without_printed_scaled_scores_is_tied_to_what_they_should_be() -> None:
    """0.65 is a score of its own, and also 1.3/2, the scaled score that the exponential is of."""
    text = (
        "Q = [[1, 0, 0, 0]]\nK = [[1.3, 0, 0, 0], [0.65, 0, 0, 0]]\nscores = [[1.3, 0.65]]\n"
        "softmax of scores / sqrt(d_k):\ne^0.65 = 1.92\n"
    )
    assert links(text)[-1] == ("exp", 0, 0, (("1.92",),))


def test_a_word_for_z_or_its_projection_is_settled_by_the_formula_beside_it() -> None:
    text = PROJECTED + "A = [[0.67, 0.33], [0.2, 0.8]]\nO = A V = [[1.66, 2.66], [2.6, 3.6]]\n"
    assert links(text)[-1] == ("Z", 0, 0, (("1.66", "2.66"), ("2.6", "3.6")))


def test_a_word_for_z_or_its_projection_is_settled_by_its_numbers() -> None:
    """Output is A V here, and o_1, o_2 are its rows times W_O."""
    text = PROJECTED + (
        "A = [[0.67, 0.33], [0.2, 0.8]]\n"
        "Output = [[1.66, 2.66], [2.6, 3.6]]\n"
        "o_1 = [1.66, 4.32]\n"
        "o_2 = [2.6, 6.2]\n"
    )
    assert [claim[:2] for claim in links(text)[1:]] == [("Z", 0), ("output", 0), ("output", 1)]


def test_positional_encodings_start_where_most_of_them_are_right() -> None:
    """Position 0 with sine and cosine exchanged: the other rows say that it is position 0."""
    text = "PE = [[1, 0], [0.8415, 0.5403], [0.9093, -0.4161]]\n"
    assert accused(text) == ["PE 1", "PE 0"]


def test_of_two_starts_that_explain_as_many_entries_the_closer_one_counts() -> None:
    # from 1: sin 1, cos 1, sin 0.01, cos 0.01; from 0 the -0.01 and the 0.02 are a unit off
    text = "d_model = 4\n\nPE = [[0.84, 1.00, -0.01, 1.00], [0.91, 0.98, 0.02, 1.00]]\n"
    assert accused(text) == ["PE 1.00", "PE -0.01", "PE 0.98"]


def test_the_side_of_w_o_is_read_off_the_output_where_no_other_weights_are_given() -> None:
    text = PROJECTED + "A = [[0.67, 0.33], [0.2, 0.8]]\nMultiHead = [[4.32, 2.66], [6.2, 3.6]]\n"
    assert read_notes(text).cases[0].settings.weights == "transposed"


def test_a_position_in_brackets_is_said() -> None:
    text = "PE(1,0) = sin(1) = 0.8415\n\nPE = [[0.8415, 0.5403], [0.0000, 1.0000]]\n"
    assert accused(text) == ["PE 0.0000", "PE 1.0000"]
    assert accused(text.replace("[[0.8415, 0.5403], [0.0000, 1.0000]]", "[[0, 1], [0.8415, 0.5403]]")) == []


def test_a_score_that_the_mask_keeps_is_that_score_again() -> None:
    """Row 2 has 3 for 2 before and after the mask: one slip, printed twice."""
    text = ATTENDED + (
        "We do not scale.\nscores = [[1, 0], [0, 3]]\nWith the causal mask:\nMasked = [[1, -inf], [0, 3]]\n"
    )
    assert accused(text) == ["scores 3", "scores 3"]


def test_a_position_that_is_said_is_no_question_of_numbers() -> None:
    """Position 1 with the numbers of position 0, and so on."""
    assert accused("PE(1) = [0.0000, 1.0000]\nPE(2) = [0.8415, 0.5403]\n") == [
        "PE 0.0000",
        "PE 1.0000",
        "PE 0.8415",
        "PE 0.5403",
    ]


def test_a_list_belongs_to_the_row_that_it_follows_and_not_to_the_one_named_above() -> None:
    text = ATTENDED + ("We do not scale.\nRow 1:\nsoftmax = [0.73, 0.27]\n\nsoftmax = [0.12, 0.88]\n")
    assert links(text) == [("A", 0, 0, (("0.73", "0.27"),)), ("A", 1, 0, (("0.12", "0.88"),))]


def test_a_list_that_no_row_explains_is_unread_where_its_row_was_printed_before() -> None:
    text = ATTENDED + ("We do not scale.\nRow 1:\nsoftmax = [0.73, 0.27]\n\nsoftmax = [0.51, 0.44]\n")
    assert links(text) == [("A", 0, 0, (("0.73", "0.27"),))]
    assert [unread.text for unread in read_notes(text).unread] == ["0.51", "0.44"]


def test_the_zeros_of_a_mask_do_not_make_a_list_the_row_that_was_printed_before() -> None:
    """The words of the second list are not known, so that the row named last is the first."""
    text = (
        "Q = [[1, 0], [0, 2], [1, 1], [1, 2]]\n\nK = [[1, 0], [0, 1], [1, 1], [2, 1]]\n\n"
        "V = [[1], [2], [3], [4]]\n\nWe use a causal mask.\n\n"
        "scores = [[1, 0, 1, 2], [0, 2, 2, 2], [1, 1, 2, 3], [1, 2, 3, 4]]\n\n"
        "Row 1:\n\nexp = [2.718, 0.000, 0.000, 0.000]\n\nHere:\n\nexp = [1.000, 7.389, 0.000, 0.000]\n"
    )
    rows = [(name, row) for name, row, *_ in links(text) if name == "exp"]
    assert rows == [("exp", 0), ("exp", 1)]


def test_the_scale_is_read_off_the_weights_whatever_stands_behind_them() -> None:
    """W_O fits on its other side only: the walk to the weights does not go there."""
    text = ATTENDED + (
        "W_O = [[1, 0], [2, 1], [0, 1]]\n"
        "A = [[0.7311, 0.2689], [0.1192, 0.8808]]\n"
        "Output = A V = [[1.5379, 2.5379], [2.7616, 3.7616]]\n"
    )
    assert read_notes(text).cases[0].settings.scale == "1"
    assert accused(text) == []


def test_a_printed_variable_is_the_one_of_z_and_its_projection_that_has_as_many_columns() -> None:
    """A V is 1×2 and A V W_O 1×3; the slip in the first number does not make it Z."""
    text = (
        "V = [[1, 2], [3, 4]]\nW_O = [[1, 0, 0], [0, 1, 1]]\nA = [[0.5, 0.5]]\n\n"
        "```\noutput = Z @ W_O\noutput\n```\n```\ntensor([[2.5, 3.0, 3.0]])\n```\n"
    )
    assert links(text)[-1] == ("output", 0, 0, (("2.5", "3.0", "3.0"),))


def test_how_wide_z_is_follows_from_weights_that_stand_as_rows() -> None:
    """X W_V^T has one column, and W_V itself as many as the output."""
    text = (
        "X = [[1, 2], [3, 4]]\n\nWe compute X W^T.\n\nW_V = [[1, 1]]\n\nW_O = [[1], [2]]\n\n"
        "A = [[0.5, 0.5], [0.25, 0.75]]\n\nO = [[5], [6]]\n\nOutput = [[5, 10], [6, 12]]\n"
    )
    assert [(name, values) for name, _, _, values in links(text)] == [
        ("Z", (("5",), ("6",))),
        ("output", (("5", "10"), ("6", "12"))),
    ]


def test_an_o_alone_is_the_one_of_z_and_its_projection_that_has_as_many_columns() -> None:
    text = PROJECTED.replace("[[1, 1], [0, 1]]", "[[1, 1, 0], [0, 1, 1]]").replace(
        "[[1, 0], [0, 2]]", "[[1, 0]]"
    )
    assert links(text + "A = [[0.5, 0.5]]\n\no = [2, 5, 3]\n")[-1] == ("output", 0, 0, (("2", "5", "3"),))


def test_weights_with_a_single_row_may_be_drawn_as_a_list() -> None:
    text = "x_1 = [1]\nx_2 = [2]\n\nWe look at row 2.\n\n  W_V = [2  1]\n"
    assert read_notes(text).cases[0].given["W_V"].typed == (("2", "1"),)


def test_a_causal_mask_is_heard_where_the_walk_starts_at_the_scores() -> None:
    text = (
        "We use a causal mask and no scaling.\n"
        "scores = [[0.5, 2.0], [0.0, 0.0]]\nA = [[1.0, 0.0], [0.5, 0.5]]\n"
    )
    assert read_notes(text).cases[0].settings.mask == "causal"
    assert accused(text) == []


def test_enumerated_tokens_are_the_labels_of_rows_where_no_input_says_how_many_there_are() -> None:
    text = (
        "- Token 1: cat\n- Token 2: mat\n\nscores = [[0.0, 0.0], [0.0, 2.0]]\nNo scaling.\n\n"
        'Row 1:\n\nsoftmax = [0.5, 0.5]\n\nFor "mat":\n\nsoftmax = [0.51, 0.44]\n'
    )
    assert links(text)[-1] == ("A", 1, 0, (("0.51", "0.44"),))


def test_a_token_in_brackets_of_its_own_may_have_a_digit() -> None:
    text = (
        'The tokens are "cat", "[PAD]" and "[PAD1]".\n\n'
        "scores = [[0, 1, 1], [0, 1, 1], [2, 0, 0]]\nNo scaling.\n\n"
        'For "[PAD1]":\n\nsum = 9.39\n'
    )
    assert links(text)[-1] == ("sum", 2, 0, (("9.39",),))


def test_a_share_in_latex_may_lack_the_backslash_before_its_sign() -> None:
    text = without_comments(r"We see 84.5%. And 20.3\%, too. % not 3.1")
    shares = [token.text for token in tokens(text, "latex")]
    assert [shares[i : i + 2] for i, text in enumerate(shares) if text in ("84.5", "20.3", "3.1")] == [
        ["84.5", "%"],
        ["20.3", "%"],
    ]


def test_scores_over_a_root_are_scaled_whatever_letter_they_have() -> None:
    text = "Q = [[3, 0], [0, 1]]\n\nK = [[1, 0], [0, 1]]\n\nV = [[1, 0], [0, 1]]\n\n"
    text += "$q_1 k_1 = 3$, so $s_{11} = 3/\\sqrt{2} \\approx 2.12$.\n\nA = [[0.89, 0.11], [0.33, 0.67]]\n"
    assert ("scaled", 0, 0, (("2.12",),)) in links(text)


def test_a_sum_over_an_index_is_the_weighted_sum() -> None:
    text = "A = [[0.5, 0.5]]\n\nV = [[1, 2], [3, 4]]\n\n"
    text += r"$\mathbf{z}_1 = \sum_j a_{1j} \mathbf{v}_j = [2, 3]$" + "\n"
    assert links(text) == [("Z", 0, 0, (("2", "3"),))]


def test_an_entry_is_meant_by_two_indices_in_brackets() -> None:
    text = "Q = [[1, 2], [0, 1]]\n\nK = [[1, 0], [0, 1]]\n\ns[0][1] = 2, s[1][1] = 1\n"
    assert links(text) == [("scores", 0, 1, (("2",),)), ("scores", 1, 1, (("1",),))]


def test_a_letter_with_a_list_needs_no_index() -> None:
    text = (
        "q_1 = [1, 0]\n\nk_1 = [1, 2]\n\nk_2 = [2, 0]\n\nv_1 = [1, 0]\n\nv_2 = [0, 1]\n\nWe do not scale.\n\n"
    )
    assert links(text + "$\\alpha = [0.27, 0.73]$\n")[-1] == ("A", 0, 0, (("0.27", "0.73"),))


def test_a_minus_belongs_to_the_number_that_is_divided() -> None:
    text = "Q = [[-2, 0], [0, 1]]\n\nK = [[1, 0], [0, 1]]\n\n"
    text += "scores = [[-2, 0], [0, 1]]\n\nRow 1: $-2 / \\sqrt{2} = -1.41$\n"
    assert links(text)[-1] == ("scaled", 0, 0, (("-1.41",),))


def test_the_only_term_of_a_sum_is_its_working() -> None:
    """The first query of a causal mask sees one key: 2.72 is what is added up, and 3.27 what was written."""
    text = (
        ATTENDED + "We use a causal mask and do not scale.\nRow 1:\nexp = [2.72, 0.00]\nsum = 2.72 = 3.27\n"
    )
    assert [claim for claim in links(text) if claim[0] == "sum"] == [("sum", 0, 0, (("3.27",),))]


def test_a_single_number_in_brackets_is_a_row() -> None:
    text = "q_1 = (2)\nk_1 = (3)\nk_2 = (1)\n\nscores = [[6, 2]]\n"
    assert {name: given.typed for name, given in read_notes(text).cases[0].given.items()} == {
        "Q": (("2",),),
        "K": (("3",), ("1",)),
    }


def test_dots_leave_out_columns_of_as_many_as_the_weights_have() -> None:
    text = (
        "X = [[1, 0], [0, 1]]\nW_Q = [[1, 2, 3], [4, 5, 6]]\n\n"
        r"$Q = \begin{bmatrix} 1 & \cdots & 3 \\ 4 & \cdots & 6 \end{bmatrix}$" + "\n"
    )
    assert links(text) == [
        ("Q", 0, 0, (("1",),)),
        ("Q", 0, 2, (("3",),)),
        ("Q", 1, 0, (("4",),)),
        ("Q", 1, 2, (("6",),)),
    ]


def test_of_two_scales_that_explain_all_numbers_the_closer_one_is_followed() -> None:
    """e^0.3 = 1.35 and e^(0.3/√2) = 1.24: 1.3 is less than a unit off both, half a unit off one."""
    text = "Q = [[0.3, 0]]\nK = [[1, 0], [0, 1]]\nscores = [[0.3, 0.0]]\nexp = [1.3, 1.0]\n"
    other = text.replace("1.3,", "1.2,")
    assert [read_notes(each).cases[0].settings.scale for each in (text, other)] == ["1", "1/sqrt(d_k)"]


def test_a_sum_of_one_before_the_weights_is_that_of_the_exponentials() -> None:
    """The first exponential was forgotten: 0.00 + 1.00 for 7.39 + 1.00, and the weights go back to it."""
    text = ATTENDED + "We do not scale.\nRow 1:\nexp = [2.72, 1.00]\nsum = 1.00\nsoftmax = [2.72, 1.00]\n"
    assert ("sum", 0, 0, (("1.00",),)) in links(text)


def test_an_exponential_is_no_second_one_of_an_entry_where_another_score_was_printed_so() -> None:
    """1 is the second score, and also half the first, whose exponential is there already."""
    text = (
        "Q = [[1, 0, 0, 0]]\nK = [[2, 0, 0, 0], [1, 0, 0, 0]]\nscores = [[2, 1]]\n\n"
        "- e^2 = 7.39\n- e^1 = 2.72\n"
    )
    assert [claim[:3] for claim in links(text) if claim[0] == "exp"] == [("exp", 0, 0), ("exp", 0, 1)]


def test_an_arrow_may_say_above_it_what_is_done() -> None:
    text = (
        r"$$Q=\begin{bmatrix}3 & 1 \\ 2 & 0\end{bmatrix},K=\begin{bmatrix}1 & 1 \\ 0 & 2\end{bmatrix}$$"
        "\n\n"
        r"$$\text{得分}=\begin{bmatrix}4 & 2 \\ 2 & 0\end{bmatrix}\xrightarrow{\div\sqrt{2}}"
        r"\begin{bmatrix}2.83 & 1.41 \\ 1.41 & 0.00\end{bmatrix}\xrightarrow{\text{softmax}}"
        r"\begin{bmatrix}0.80 & 0.20 \\ 0.80 & 0.20\end{bmatrix}$$"
    )
    assert [name for name, *_ in links(text)] == ["scores", "scaled", "A"]
    assert accused(text.replace("2.83", "2.38")) == ["scaled 2.38"]


@pytest.mark.parametrize(
    ("chain", "found"),
    [
        ("score(q1, k2) = 4", ["scores 4"]),
        ("$\\operatorname{score}(q_1, k_2) = 4$", ["scores 4"]),
        ("similarity(q1, k2) = 5", []),
        ("score(q1, k2) = q1 · k2 / sqrt(2) = 3.54", []),
        ("score(q1, k2) = 5/sqrt(2) = 3.45", ["scaled 3.45"]),
    ],
)
def test_a_score_of_a_query_and_a_key_in_brackets_is_their_product(chain: str, found: list[str]) -> None:
    assert accused(f"q1 = [1, 2]\n\nk1 = [2, 0], k2 = [1, 2]\n\n{chain}\n") == found
