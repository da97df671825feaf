"""How weights and what stands around a matrix are linked: softmax, arrows, displays, columns."""

from __future__ import annotations

import pytest

from symattn.reading.notes import read_notes
from tests.linked import ATTENDED, accused, linked, links


def test_weights_below_their_letter_are_weights_however_wrong_they_are() -> None:
    """Nothing was divided by the sums; what is made of these numbers is carried and no slip."""
    table = "\n\n| | cat | sat |\n|---|---|---|\n| cat | 2.7 | 1.0 |\n| sat | 1.0 | 7.4 |\n\n"
    assert ("A", 0, 0, (("2.7", "1.0"), ("1.0", "7.4"))) in links(
        f"{ATTENDED}We do not scale.\n\n**A**:{table}"
    )


def test_what_stands_behind_the_root_and_a_colon_is_divided_by_it() -> None:
    text = ATTENDED + "Dividing by √2: 5/√2 = 3.54, and (÷ √2 = 1.41) for all.\n"
    assert accused(text) == []
    assert ("sqrt(d_k)", 0, 0, (("1.41",),)) in links(text)
    assert not any("3.54" in row for _, _, _, values in links(text) for row in values)


def test_an_exponential_of_what_a_misprinted_score_should_be_is_that_of_its_entry() -> None:
    # the scaled scores are 0.71, 0, 0 and 1.41; e^1.414 is 4.113, while e^1.41 is 4.096
    text = ATTENDED + "QK^T / √d_k = [[0.71, 0.00], [0.00, 1.14]]\n\nRow 2:\n\nexp(1.41) = 4.113\n"
    assert accused(text) == ["scaled 1.14"]


def test_percentages_behind_an_arrow_are_those_of_the_list_before_it() -> None:
    text = ATTENDED + "Row 1:\n\nexp: [0.94, 0.27]\n\nsoftmax: [0.94, 0.27] → [94%, 27%]\n"
    assert [name for name, *_ in links(text)] == ["exp", "A", "A"]


def test_a_matrix_printed_again_without_a_name_is_what_was_printed_last() -> None:
    matrix = "[[2.03, 1.00], [1.00, 4.11]]"
    text = ATTENDED + f"exp = {matrix}\n\nA = {matrix}\n\n{matrix}\n"
    assert [name for name, *_ in links(text)] == ["exp", "A", "A"]


def test_an_arrow_between_numbers_is_no_equality() -> None:
    text = ATTENDED + "Divide by sqrt(2) = 1.414 -> 0.707, 0 / 0, 1.414\n"
    assert [link for link in links(text) if link[0] == "sqrt(d_k)"] == [("sqrt(d_k)", 0, 0, (("1.414",),))]
    assert accused(text) == []


def test_a_softmax_of_a_matrix_is_of_the_scores_of_all_queries() -> None:
    text = ATTENDED + (
        r"$$\operatorname{softmax}\left(\frac{1}{\sqrt2}\begin{bmatrix}1&0\\0&2\end{bmatrix}\right)"
        r"=\operatorname{softmax}\begin{bmatrix}0.71&0\\0&1.41\end{bmatrix}"
        r"=\begin{bmatrix}0.67&0.33\\0.20&0.80\end{bmatrix}$$"
    )
    assert [link[0] for link in links(text)] == ["scores", "scaled", "A"]


def test_the_argument_of_a_softmax_that_nothing_is_said_of_is_a_row_again() -> None:
    text = ATTENDED + "scaled = [[0.707, 0], [0, 1.414]]\n\nRow 2: softmax([0, 1.414])\n"
    assert [link for link in linked(text) if link[2] == (("0", "1.414"),)] == [
        ("scaled", 1, (("0", "1.414"),))
    ]


def test_what_only_opens_a_display_does_not_part_it_from_its_caption() -> None:
    display = "$$\n\\approx\n\\begin{bmatrix}\n0.907 & 0\\\\\n0 & 1.414\n\\end{bmatrix}.\n$$\n"
    text = f"{ATTENDED}\n2. Scale: divide by $\\sqrt{{2}}$:\n\n{display}"
    assert ("scaled", 0, (("0.907", "0"), ("0", "1.414"))) in linked(text)


def test_a_rule_between_the_columns_of_a_matrix_is_no_column() -> None:
    text = ATTENDED + "$$A = \\begin{bmatrix} 0.67 & | & 0.33 \\\\ 0.20 & | & 0.80 \\end{bmatrix}$$\n"
    assert ("A", 0, (("0.67", "0.33"), ("0.20", "0.80"))) in linked(text)


def test_one_key_that_is_shown_for_all_of_them_is_not_all_that_there_are() -> None:
    text = """\
The words are "sun", "moon" and "rain", d_k = 4 and v_sun = (1, 2), v_moon = (0, 1), v_rain = (3, 0).

For sun:

scores = (6, 2, 4), of which q_sun · k_sun = (1, 2, 0, 1) · (2, 2, 1, 0) = 6

scaled = (3, 1, 2)

A = (0.665, 0.090, 0.245)
"""
    (case,) = read_notes(text).cases
    assert "K" not in case.given
    assert accused(text) == []


def test_attention_as_wide_as_there_are_keys_is_its_weights() -> None:
    text = """\
Q = [[1, 0], [0, 2]]
K = [[1, 0], [0, 1]]
V = [[1, 2, 3], [3, 4, 5]]

With a mask:

attention = [[1.000, 0.000], [0.196, 0.804]]
"""
    assert ("A", 0, (("1.000", "0.000"), ("0.196", "0.804"))) in linked(text)
    assert accused(text) == []


UNDIVIDED = """\
Scores are divided by sqrt(d_k).

Q = [[1.4, 1.0], [0.9, 1.5]]

K = [[1.4, 0.8], [2.0, 1.7]]

V = [[1.5, 0.2], [1.3, 1.6]]

scaled = [[1.95, 3.18], [1.74, 3.08]]

**attention_weights**:

| | cat | sat |
|---|---|---|
| cat | 7.03 | 24.05 |
| sat | 5.70 | 21.76 |

**output**:

| token | output |
|---|---|
| cat | {output} |
| sat | {second} |
"""


@pytest.mark.parametrize(
    ("outputs", "name"),
    [(("(41.81, 39.89)", "(36.84, 35.96)"), "A"), (("(1.35, 1.28)", "(1.34, 1.31)"), "exp")],
)
def test_powers_that_are_called_weights_are_these_where_they_weigh_the_values(
    outputs: tuple[str, str], name: str
) -> None:
    found = links(UNDIVIDED.format(output=outputs[0], second=outputs[1]))
    assert (name, 0, 0, (("7.03", "24.05"), ("5.70", "21.76"))) in found


WARMED = """\
Q = [[1, 2], [2, 0]]
K = [[1, 1], [0, 2]]
scores = [[3, 4], [2, 0]]

The scores are divided by sqrt(4) = 2, and then by the temperature T = 0.5.

scaled = [[1.5, 2.0], [1.0, 0.0]]
tempered = [[3, 4], [2, 0]]
"""


def test_a_softmax_is_of_the_last_step_that_was_printed_with_its_numbers() -> None:
    text = WARMED + "softmax([3, 4]) = [0.269, 0.731]\n"
    assert [name for name, *_ in links(text)][-2:] == ["tempered", "A"]


def test_what_is_called_weights_and_weighs_the_values_are_these_whatever_it_follows_from() -> None:
    text = UNDIVIDED.format(output="(5.283, 4.856)", second="(4.217, 3.544)")
    text = text.replace("7.03 | 24.05", "1.00 | 2.91").replace("5.70 | 21.76", "1.00 | 2.09")
    assert ("A", 0, 0, (("1.00", "2.91"), ("1.00", "2.09"))) in links(text)


def test_scores_that_a_source_begins_with_may_be_printed_again_beside_a_working() -> None:
    text = "scores = [[1, 0], [2, 3]]\n\nA = [[0.73, 0.27], [0.27, 0.73]]\n\nq_1 · k_1 = 0*1 + 2*0 = 0\n"
    assert accused(text) == ["scores 0"]
