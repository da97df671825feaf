"""What names a quantity of the walk and is no step of it: the smallest document of each form."""

from __future__ import annotations

import pytest

from symattn.reading.notes import read_notes
from tests.linked import accused

Link = tuple[str, int, int, tuple[tuple[str, ...], ...]]

GIVEN = (
    "Scores are divided by sqrt(d_k).\n\n"
    "Q = [[1, 0], [0, 2]]\n\nK = [[1, 1], [0, 1]]\n\nV = [[1, 3], [2, 0]]\n\n"
)
SCORES = "scores = [[1, 0], [2, 2]]\n\n"
SCALED = "scaled = [[0.71, 0.00], [1.41, 1.41]]\n\n"
A = "A = [[0.67, 0.33], [0.50, 0.50]]\n\n"
DRAWN = r"""
$$S = \begin{bmatrix} 1 & 0 \\ 0 & 2 \end{bmatrix} \begin{bmatrix} 1 & 0 \\ 1 & 1 \end{bmatrix}
= \begin{bmatrix} 1 & 0 \\ 2 & 2 \end{bmatrix}$$

$$S_{scaled} = \frac{1}{1.41} \begin{bmatrix} 1 & 0 \\ 2 & 2 \end{bmatrix}
= \begin{bmatrix} 0.71 & 0.00 \\ 1.41 & 1.41 \end{bmatrix}$$

"""


def links(text: str) -> list[Link]:
    """Every claim of every walk: name, row, column and the numbers."""
    return [
        (claim.name, claim.row, claim.col, claim.values)
        for case in read_notes(text).cases
        for claim in case.stated
    ]


def added(before: str, text: str) -> list[Link]:
    """What is claimed of a text, and not yet of what stands before it."""
    known = links(before)
    return [link for link in links(before + text) if link not in known]


def test_weights_made_of_an_earlier_step_are_a_contrast_and_checked_on_their_own() -> None:
    text = GIVEN + SCORES + SCALED + A
    contrast = "softmax([1, 0]) = [0.73, 0.27]\n"
    assert added(text, contrast) == []
    assert [each.printed for each in read_notes(text + contrast).equations][-2:] == ["0.73", "0.27"]
    assert added(text, "softmax([0.71, 0.00]) = [0.66, 0.34]\n")[-1][0] == "A"


@pytest.mark.parametrize("words", ["Without scaling", "Sin escalar", "Ohne Skalierung", "不缩放"])
def test_words_say_that_a_softmax_leaves_out_what_the_walk_does(words: str) -> None:
    assert added(GIVEN + SCALED, f"{words}: softmax([1, 0]) = [0.73, 0.27]\n") == []


def test_the_inputs_of_a_step_are_a_printed_row_and_no_embedding() -> None:
    (case,) = read_notes(DRAWN + "1. **Softmax of row 0**:\n   - Inputs: $[0.71, 0.00]$\n").cases
    assert list(case.given) == ["Q", "K"]
    assert "X" in read_notes("Inputs: [[1, 0]]\n\nW_Q = [[1, 0], [0, 2]]\n\nQ = [[1, 0]]\n").cases[0].given


def test_an_entry_made_of_another_angle_is_checked_by_that_and_the_angle_by_the_formula() -> None:
    text = "PE(1,0) = sin(1) = 0.84\n\nPE(1,2) = sin(1/100^(2/4)) = sin(0.2) = 0.20\n"
    assert links(text) == [("PE", 0, 0, (("0.84",),))]
    checked = [(each.work, each.printed) for each in read_notes(text).equations]
    assert checked == [("1/100^(2/4)", "0.2"), ("sin(0.2)", "0.20")]


def test_what_goes_on_from_another_angle_is_no_second_slip() -> None:
    text = "PE(1,0) = sin(1) = 0.84\n\nPE(1,2) = sin(1/100^(2/4)) = sin(0.2) = 0.20\n\n"
    again = "PE(2,2) = sin(2*0.2) = 0.39\n"
    assert added(text, again) == []
    assert [name for name, *_ in added(text, again.replace("0.39", "0.19"))] == ["PE"]


def test_exponentials_of_scores_less_their_greatest_are_exponentials_by_another_convention() -> None:
    text = GIVEN + SCORES + SCALED
    for row in ("Row 1: exp: [1.00, 0.49]; sum: 1.49\n", "Row 1: exp: [2.04, 1.00]; sum: 3.04\n"):
        assert [name for name, *_ in added(text, row)] == ["exp", "sum"]
        assert accused(text + row) == []
    assert accused(text + "Row 1: exp: [1.00, 0.49]; sum: 1.94\n") == ["sum 1.94"]


@pytest.mark.parametrize("outputs", ["[1.30, 2.10]", "[1.33, 2.01]"])
def test_outputs_may_follow_weights_printed_again_with_fewer_digits(outputs: str) -> None:
    rounded = GIVEN + SCORES + SCALED + A + "A = [[0.7, 0.3], [0.5, 0.5]]\n\n"
    assert [name for name, *_ in added(rounded, f"Z[0] = {outputs}\n")] == ["Z"]
    assert accused(rounded + f"Z[0] = {outputs}\n") == []


def test_an_output_that_is_one_row_of_the_values_is_no_copy_of_that() -> None:
    """The weight is misprinted, and what it weighs goes on from the right one."""
    text = (
        "The mask is causal; scores are divided by sqrt(d_k).\n\n"
        "Q = [[1, 0], [0, 2]]\n\nK = [[1, 1], [0, 1]]\n\nV = [[1.5, 3.1], [2.2, 0.4]]\n\n"
        "Row 1: softmax: [1.00, -0.48]\n\nRow 2: softmax: [0.50, 0.50]\n\n"
        "Z[0] = 1.00*[1.5, 3.1] + 0.00*[2.2, 0.4] = [1.50, 3.10]\n"
    )
    assert [values for name, _, _, values in links(text) if name == "Z"] == [(("1.50",),), (("3.10",),)]


def test_a_quotient_by_a_sum_is_no_sum() -> None:
    text = DRAWN + "Row 0:\n- Sum: $2.03 + 1.00 = 3.03$\n- Divide each by sum: $\\frac{2.03}{3.03} = 0.67$\n"
    assert [values for name, _, _, values in links(text) if name == "sum"] == [(("3.03",),)]


def test_a_row_longer_than_those_of_a_projection_is_none_of_them() -> None:
    text = "X = [[1, 0, 0], [0, 1, 0]]\n\nW_Q = [[3, 1], [2, 4], [5, 5]]\n\nq_1 = [1, 0, 0]\n\n"
    assert links(text + "Q = [[3, 1], [2, 4]]\n") == [("Q", 0, 0, (("3", "1"), ("2", "4")))]


def test_a_list_that_words_name_is_as_wide_as_what_they_name() -> None:
    text = GIVEN + "For token 1 the output is:\n\n"
    assert links(text + "[0.3, 0.2, 0.5]\n") == []
    assert links(text + "[1.3, 1.4]\n") == [("Z", 0, 0, (("1.3", "1.4"),))]


def test_rows_of_which_only_some_are_numbered_are_no_matrix() -> None:
    text = GIVEN + SCORES + SCALED + "Softmax:\n\n"
    rows = "Row 2: [1.41, 1.41]\n\nAll are equal: [0.50, 0.50]\n\nRow 1: [0.71, 0.00]\n"
    assert added(text, rows) == [
        ("scaled", 1, 0, (("1.41", "1.41"),)),
        ("A", 1, 0, (("0.50", "0.50"),)),
        ("scaled", 0, 0, (("0.71", "0.00"),)),
    ]


def test_weights_of_scores_left_unscaled_are_no_step_of_the_walk_that_scales() -> None:
    text = (
        "Take $d_k = 4$, $q = (1, 0, 1, 0)$ and the keys $k_1 = (1, 1, 0, 0)$, $k_2 = (2, 0, 1, 2)$, "
        "$k_3 = (1, 2, 2, 1)$.\n\n"
        "The dot products are $q \\cdot k_1 = 1$, $q \\cdot k_2 = 3$, $q \\cdot k_3 = 3$.\n\n"
        "**Without scaling:**\n\n$$\\text{softmax}((1, 3, 3)) = (0.06, 0.47, 0.47)$$\n\n"
        "**With scaling** by $\\sqrt{4} = 2$ the scores become $(0.50, 1.50, 1.50)$, and\n\n"
        "$$\\text{softmax}((0.50, 1.50, 1.50)) = (0.16, 0.42, 0.42)$$\n"
    )
    assert [values for name, *_, values in links(text) if name == "A"] == [(("0.16", "0.42", "0.42"),)]
