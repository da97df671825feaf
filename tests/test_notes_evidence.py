"""What an accusation must rest on: a declared scale, a name that means that, a print of this example."""

from __future__ import annotations

import pytest

from symattn.reading.documents import document_reports
from symattn.reading.notes import read_notes
from tests.linked import ATTENDED, accused, given, links

THREE = """\
q0 = [1, 1], q1 = [0, 1], q2 = [1, 2]
k0 = [1, 0], k1 = [0, 1], k2 = [2, 0]
v0 = [2, 0], v1 = [0, 3], v2 = [1, 1]
"""


def test_the_index_before_an_equation_is_no_score() -> None:
    text = THREE + "\nFor token 2:\n- j=0: `q2·k0 = 1*1 + 2*0 = 1`\n- j=1: `q2·k1 = 1*0 + 2*1 = 2`\n"
    assert accused(text) == []
    assert [link[3] for link in links(text) if link[0] == "scores"] == [(("1",),), (("2",),)]


def test_a_letter_with_the_index_0_is_that_row_where_counting_begins_at_0() -> None:
    text = (
        THREE
        + "\nrow 2: A = [0.3, 0.3, 0.4]\n\n"
        + "z0 = 0.4*v0 + 0.4*v1 + 0.2*v2 = 0.4*[2, 0] + 0.4*[0, 3] + 0.2*[1, 1] = [1.0, 1.4]\n"
    )
    assert {link[1] for link in links(text) if link[0] == "Z"} == {0}


def test_a_score_that_is_printed_divided_is_the_scaled_one() -> None:
    text = (
        "Q = [[3, 0], [0, 1]]\nK = [[3, 1], [1, 2]]\nV = [[1, 2], [3, 4]]\n"
        "score01 = q0·k1 = 3 → 3/1.414 = 2.12\nscore10 = q1·k0 = 0.71\n"
    )
    assert accused(text) == []
    assert ("scaled", 1, 0, (("0.71",),)) in links(text)


def test_a_pair_that_stands_there_with_a_blank_too_is_no_decimal() -> None:
    text = "v1 = [1, 2]\nout = 0,804*v1 = 0,804*[1,2] = [0,804 , 1,608]\nsum = 0,33 + 0,67 = 1,00\n"
    assert "0.804*[1,2]" in _pointed(text)
    assert "[0.804 , 1.608]" in _pointed(text)


def _pointed(text: str) -> str:
    from symattn.reading.notes.formulas.commas import with_points

    return with_points(text)


def test_what_would_be_without_the_scale_is_no_step() -> None:
    text = (
        ATTENDED
        + "Row 1:\n\n$s = [1/1.414, 0/1.414] = [0.707, 0]$\n\nIf you omit the scaling you get $s = [1, 0]$.\n"
    )
    assert accused(text) == []


def test_a_softmax_of_one_number_is_not_worked_out() -> None:
    assert accused("softmax(50) ≈ 1.0, softmax(-50) ≈ 0.0\n") == []


def test_zeros_above_the_diagonal_of_the_printed_rows_are_a_causal_mask_where_one_is_spoken_of() -> None:
    text = (
        THREE
        + "q3 = [0, 2], k3 = [1, 1], v3 = [3, 0]\n\nScores are not scaled; the future is masked.\n\n"
        + "Token 0: `[1.0, 0.0, 0.0]`\nToken 1: `[0.269, 0.731, 0.0]`\n\n"
        + "A = [[1.0, 0.0, 0.0], [0.269, 0.731, 0.0], [0.155, 0.422, 0.422]]\n"
    )
    (case,) = read_notes(text).cases
    assert case.settings.mask == "causal"
    assert accused(text) == []


def test_a_scale_that_is_said_to_be_omitted_is_left_out() -> None:
    text = ATTENDED + "Tiny values (scale omitted for clarity).\n\nA = [[0.73, 0.27], [0.12, 0.88]]\n"
    (conventions,) = read_notes(text).conventions
    assert ("scale", "1", "1") in [(each.key, each.value, each.declared) for each in conventions]


def test_a_root_that_stands_below_the_whole_example_does_not_scale_it() -> None:
    text = (
        "query q = (1, 0)\nkeys k1 = (1, 0), k2 = (0, 1), k3 = (1, 1)\n"
        "weights softmax(1, 0, 1) = (0.422, 0.155, 0.422)\n\n"
    )
    assert accused(text + "The paper writes softmax(Q K^T / sqrt(d_k)) V.\n") == []


def test_numbers_that_were_all_printed_otherwise_before_are_of_another_example() -> None:
    first = "q1·k1 = 1, q1·k2 = 0\n\n"
    text = ATTENDED + first + "After training:\n\nq1·k1 = 0.8\nq1·k2 = 0.3\n"
    assert accused(text) == []
    reports = document_reports(text, "notes.md", "markdown")
    assert {"0.8", "0.3"} <= {each.text for report in reports for each in report.unread}
    assert accused(ATTENDED + first + "again: q1·k1 = 1, q1·k2 = 0.3\n") != []


def test_inputs_in_decimal_commas_stay_pairs() -> None:
    text = (
        "q1 = [2, 0]\nk1 = [1, 0]\nk2 = [0, 1]\nv1 = [1, 2]\nv2 = [3, 0]\n\n"
        "q1·k1 = 2 -> 2 / 1,414 = 1,414\nq1·k2 = 0\n\nbobot = [0,804 , 0,196]\n\n"
        "out1 = 0,804*[1,2] + 0,196*[3,0] = [1,392 , 1,608]\n"
    )
    assert accused(text) == []
    assert given(text, "V") == (("1", "2"), ("3", "0"))


@pytest.mark.parametrize(
    "words",
    [
        ", geteilt durch √2",
        ", divided by √2",
        ", divisé par √2",
        ", dividido entre √2",
        ". After dividing by √2",
        ". Après division par √2",
        "。除以 √2",
        "，缩放（√2）",
    ],
)
def test_what_a_division_by_a_root_gives_is_not_the_root(words: str) -> None:
    text = "q_1 = (2, 0), k_1 = (1, 1), k_2 = (0.5, 1), v_1 = (2, -1), v_2 = (1, 0)\n\n"
    text += f"q_1 · k_1 = 2{words}: 1.41\nq_1 · k_2 = 1{words}: 0.71\n"
    assert accused(text) == []
    assert [name for name, *_ in links(text)].count("scaled") == 2


def test_a_total_of_exponentials_less_the_greatest_is_not_the_sum_of_the_walk() -> None:
    text = "q = [1, 0]\n\n"
    text += "| j | key | value |\n|---|---|---|\n| 1 | [1, 1] | [0, 1] |\n| 2 | [0, 1] | [1, 2] |\n\n"
    text += "s1 = 1, s2 = 0\n\nscaled by √2: s1' = 0.707, s2' = 0.000\n\n"
    text += "exp(0.000) = 1.000, exp(-0.707) = 0.493\n\n求和：1.000 + 0.493 = 1.493\n"
    assert accused(text) == []


def test_a_total_that_follows_a_wrong_exponential_is_not_accused_beside_it() -> None:
    text = "q_1 = [1, 1], k_1 = [1, 0], k_2 = [0, 1], v_1 = [0, 1], v_2 = [1, 2]\n\n"
    text += "exp(1/√2) ≈ 2.028\nexp(1/√2) ≈ 3.028\n\n两者相加，总和为5.056。\n"
    assert accused(text) == ["= 3.028"]


def test_an_exponential_of_minus_infinity_is_zero_and_no_entry() -> None:
    text = (
        "Q = [[1, 0], [0, 1], [1, 1]]\n\nK = [[0, 1], [1, 0], [1, 1]]\n\n√2 ≈ 1.41\n\n```\nAfter the mask:\n"
    )
    text += "[0, -∞, -∞]\n[0.71, 0, -∞]\n[0.71, 0.71, 1.41]\n```\n\nRow 2: softmax([0.71, 0, -∞])\n\n"
    assert accused(f"{text}e^0.71 ≈ 2.03, e^0 = 1.00, e^(-∞) = 0\n") == []


def test_a_sum_of_powers_of_scores_less_the_greatest_is_none_of_the_walk() -> None:
    text = "Q = [1.0, 0.5]\n\nK = [[0.1, 0.9], [0.8, 0.4], [0.3, 0.7]]\n\n```\n√2 ≈ 1.414\n"
    text += "Scaled scores: [0.389, 0.707, 0.460]\n"
    text += "Exponentiate: [e^(-0.318), e^(0.000), e^(-0.247)] = [0.728, 1.000, 0.781]\n"
    text += "Sum: 0.728 + 1.000 + 0.781 = 2.509\n```\n"
    assert accused(text) == []


def test_scores_wider_than_whole_matrices_allow_are_wrong_and_no_inputs() -> None:
    rows = "[[1, 2, 3], [4, 5, 6]]"
    text = f"Q = {rows}\n\nK = {rows}\n\nV = {rows}\n\nQ K^T = [[10, 20, 30], [40, 77, 60]]\n\n"
    text += "A = [[0.1, 0.2, 0.7], [0.3, 0.3, 0.4]]\n"
    assert accused(text)[:3] == ["scores 10", "scores 20", "scores 40"]


def test_a_total_of_the_powers_on_its_line_is_not_the_sum_of_another_row() -> None:
    text = "x_1 = [1, 0], x_2 = [0, 1], x_3 = [1, 1], √d_k = 1.414\n\n```\nscaled:              masked:\n"
    text += "[0.707  0     0.707]  [0.707  -inf   -inf ]\n[0      0.707 0.707]  [0      0.707  -inf ]\n"
    text += "[0.707  0.707 1.414]  [0.707  0.707  1.414]\n```\n\nRow 1 — only one live entry.\n\n"
    assert accused(f"{text}Row 2 — `e^0 = 1.000`, `e^0.707 = 2.028`, sum = 3.028.\n") == []


def test_words_just_above_one_display_say_its_row() -> None:
    text = "$$\nQ=K=V=\n\\begin{bmatrix}\n0.1 & 0.2 \\\\\n0.5 & 0.6 \\\\\n0.9 & 1.0\n\\end{bmatrix}\n$$\n\n"
    text += "2. 取第2行作为query,与K的转置做点积,并除以$\\sqrt{d_k}=1.41$\n\n$$\n\\frac{QK^T}{\\sqrt{2}}=\n"
    text += "\\begin{bmatrix}\n1.30 & 3.25 & 4.60\n\\end{bmatrix}\n$$\n"
    assert accused(text) == ["scaled 1.30", "scaled 3.25", "scaled 4.60"]
