"""Forms of worked examples that were read wrongly once: words for Z, drawings, captions, lists of tokens."""

from __future__ import annotations

import json

import pytest

from symattn.case import Case
from symattn.reading.documents import document_reports
from symattn.reading.kinds import Kind
from symattn.reading.notes import read_notes
from symattn.reading.notes.formulas.names import Bases
from symattn.reading.notes.layout.captions import named

QKV = "Q = [[1, 0], [0, 1]]\n\nK = [[1, 2], [2, 1]]\n\nV = [[1, 2], [3, 4]]\n\n"
W_O = "W_O = [[1, 2], [3, 4]]\n\n"


def read(text: str, kind: Kind = "markdown") -> Case:
    [case] = read_notes(text, "a.md", kind).cases
    return case


def typed(case: Case, name: str) -> tuple[tuple[str, ...], ...]:
    return tuple(case.given[name].typed)


def claimed(
    text: str, name: str, kind: Kind = "markdown"
) -> list[tuple[int, int, tuple[tuple[str, ...], ...]]]:
    return [(claim.row, claim.col, claim.values) for claim in read(text, kind).stated if claim.name == name]


def test_the_word_that_is_multiplied_by_w_o_is_z_and_the_result_is_the_output() -> None:
    text = QKV + W_O + "$\\text{Output} = A V = [[1, 2], [3, 5]]$\n\n"
    text += "$\\text{output} = \\text{Output} W_O = [[7, 10], [18, 26]]$\n"
    assert claimed(text, "Z") == [(0, 0, (("1", "2"), ("3", "5")))]
    assert claimed(text, "output") == [(0, 0, (("7", "10"), ("18", "26")))]


def test_what_is_weighted_by_a_printed_row_of_a_is_z_whatever_it_is_called() -> None:
    text = QKV + W_O + "A = [[0.34, 0.66], [0.67, 0.33]]\n\nOutput[0][0] = 0.34*1 + 0.66*3 = 2.32\n"
    assert claimed(text, "Z") == [(0, 0, (("2.32",),))]


def test_an_input_given_as_a_whole_matrix_takes_no_more_rows() -> None:
    text = QKV + W_O + "x\n\n- o_3 W_O = [9, 9]\n- W_O = [9, 9] for row 3\n"
    assert typed(read(text), "W_O") == (("1", "2"), ("3", "4"))


def test_matrices_drawn_side_by_side_with_names_on_the_middle_row() -> None:
    text = "      [0  1]        [1  2]        [0  1]\n"
    text += "  Q = [1  1]    K = [1  0]    V = [1  1]\n"
    text += "      [0  0]        [2  1]        [0  2]\n\n"
    text += "  Z = [0.0  1.0]\n"
    case = read(text, "text")
    assert typed(case, "Q") == (("0", "1"), ("1", "1"), ("0", "0"))
    assert typed(case, "K") == (("1", "2"), ("1", "0"), ("2", "1"))
    assert typed(case, "V") == (("0", "1"), ("1", "1"), ("0", "2"))


def test_nested_lists_side_by_side_stay_apart() -> None:
    text = "W_Q = [[ 0.5, 0.6],    W_K = [[-0.4, -0.3],    W_V = [[1.4, -0.1],\n"
    text += "       [ 1.4, 0.9]]           [ 0.7,  1.3]]           [0.5,  0.9]]\n"
    text += "X = [[1, 0], [0, 1]]\n\nQ = [[0.5, 0.6], [1.4, 0.9]]\n"
    case = read(text)
    assert typed(case, "W_V") == (("1.4", "-0.1"), ("0.5", "0.9"))
    assert typed(case, "W_K") == (("-0.4", "-0.3"), ("0.7", "1.3"))


def test_a_bias_drawn_on_one_line_is_given() -> None:
    text = "X = [1  0]\n    [0  1]\n\nW_Q = [1  2]\n      [3  4]\n\nb_Q = [0.5  -0.5]\n\n"
    text += "Q = [1.5  1.5]\n    [3.5  3.5]\n"
    assert typed(read(text, "text"), "b_Q") == (("0.5", "-0.5"),)


@pytest.mark.parametrize(
    ("caption", "name"),
    [("**QK^T**：", "scores"), ("**QKᵀ**:", "scores"), ("**QK^T / √d_k**:", "scaled")],
)
def test_a_product_above_a_table_names_it(caption: str, name: str) -> None:
    text = QKV + caption + "\n\n| | a | b |\n|---|---|---|\n| a | 1 | 2 |\n| b | 2 | 1 |\n"
    assert claimed(text, name) == [(0, 0, (("1", "2"), ("2", "1")))]


def test_tokens_listed_in_quotation_marks_label_the_rows() -> None:
    text = "各词依次为 “甲”、“乙”。\n\n" + QKV + "对于“乙”：\n\n- exp = [4.11, 2.03]\n"
    assert read(text).tokens == ("甲", "乙")
    assert claimed(text, "exp") == [(1, 0, (("4.11", "2.03"),))]


def test_words_in_front_of_the_rows_of_a_display_are_their_labels() -> None:
    text = (
        QKV + "$$\nQK^T = \\begin{bmatrix} \\text{cat} & 1 & 2 \\\\ \\text{sat} & 2 & 1 \\end{bmatrix}\n$$\n"
    )
    assert claimed(text, "scores") == [(0, 0, (("1", "2"), ("2", "1")))]


def test_masked_scores_with_inf_as_a_word_are_read() -> None:
    text = QKV + "We apply a causal mask.\n\nmasked = [[0.71, -inf], [1.41, 0.71]]\n"
    assert claimed(text, "masked") == [(0, 0, (("0.71",),)), (1, 0, (("1.41", "0.71"),))]


def test_a_row_of_an_encoding_names_its_position_in_brackets() -> None:
    text = "- `PE(0) = [0.0, 1.0]`\n- `PE(1) = [0.84, 0.54]`\n"
    assert claimed(text, "PE") == [(0, 0, (("0.0", "1.0"),)), (1, 0, (("0.84", "0.54"),))]


def test_a_row_of_scores_printed_entry_by_entry_is_known_when_it_is_divided() -> None:
    text = QKV + "q_1·k_1 = 1*1 + 0*2 = 1\n\nq_1·k_2 = 1*2 + 0*1 = 2\n\n(1, 2) / sqrt(2) = (0.71, 1.41)\n"
    assert claimed(text, "scaled") == [(0, 0, (("0.71",),)), (0, 1, (("1.41",),))]


def test_the_root_of_a_number_beside_the_root_of_d_k_is_the_divisor() -> None:
    text = "QK^T = [[0, 1], [1, 2]]\n\n$\\sqrt{d_k} = \\sqrt{2} \\approx 1.414$\n\n"
    text += "scaled = [[0, 0.707], [0.707, 1.414]]\n\nV = [[1, 2], [3, 4]]\n"
    assert read(text).settings.scale == "1/sqrt(2)"


def test_the_convention_for_weights_is_settled_by_the_scores_too() -> None:
    text = "X = [[1, 2], [0, 1]]\n\nW_Q = [[1, 2], [0, 1]]\n\nW_K = [[1, 1], [0, 1]]\n\n"
    text += "W_V = [[1, 1], [0, 1]]\n\nV = [[3, 2], [1, 1]]\n\nscores = [[13, 4], [3, 1]]\n\n"
    text += "A = [[1, 0], [1, 0]]\n"
    assert read(text).settings.weights == "right"


def notebook(*lines: str) -> str:
    cell = {"cell_type": "markdown", "metadata": {}, "source": [line + "\n" for line in lines]}
    return json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1)


@pytest.mark.parametrize(
    "lines",
    [
        ("3 + 4 = 8 <!-- symattn: ignore[SA2] quoted -->",),
        ("<!-- symattn: off quoted -->", "3 + 4 = 8", "<!-- symattn: on -->", "", "1 + 1 = 2"),
        ("<!-- symattn: off quoted to the end -->", "3 + 4 = 8"),
    ],
)
def test_a_comment_in_a_notebook_keeps_findings_quiet(lines: tuple[str, ...]) -> None:
    reports = document_reports(notebook(*lines), "a.ipynb", "notebook")
    assert not [finding for report in reports for finding in report.findings()]
    assert sum(report.suppressed for report in reports) == 1


def test_a_finding_in_a_notebook_stands_at_its_place_in_the_file() -> None:
    raw = notebook("3 + 4 = 8")
    [report] = document_reports(raw, "a.ipynb", "notebook")
    [finding] = report.findings()
    place = finding.printed.place  # type: ignore[union-attr]
    assert place is not None
    assert raw.split("\n")[place.line - 1][place.column - 1] == "8"


@pytest.mark.parametrize(
    "said",
    [
        "Every query meets every key (that is Q times K transposed):",
        "We multiply Q by K transposed:",
        "*S* — the queries with the keys",
    ],
)
def test_the_words_for_a_product_of_queries_and_keys_name_the_scores(said: str) -> None:
    text = QKV + f"{said}\n\n```\n[1 2]\n[2 1]\n```\n"
    assert claimed(text, "scores") == [(0, 0, (("1", "2"), ("2", "1")))]


def test_the_letter_before_an_aside_is_what_a_caption_is_about() -> None:
    text = (
        "X = [[1, 0], [0, 1]]\n\n*Wq* — the query matrix\n\n```\n[1 2]\n[3 4]\n```\n\nQ = [[1, 2], [3, 4]]\n"
    )
    assert typed(read(text), "W_Q") == (("1", "2"), ("3", "4"))


def test_rows_called_by_their_letter_are_rows_of_that_quantity() -> None:
    text = "Key dimension: 2\n\n- x_1 (cat): [1, 0]\n- x_2 (sat): [0, 1]\n\n"
    text += "W_K = [[1, 2], [3, 4]]\n\nK = [[1, 2], [3, 4]]\n"
    assert typed(read(text), "X") == (("1", "0"), ("0", "1"))


def test_scores_called_unscaled_may_be_divided_all_the_same() -> None:
    text = (
        QKV + "The unscaled scores:\n\n```\n[1 2]\n[2 1]\n```\n\nNow divide by √2 and take the softmax:\n\n"
    )
    text += "A = [[0.33, 0.67], [0.67, 0.33]]\n"
    assert read(text).settings.scale == "1/sqrt(d_k)"


def test_rows_below_the_name_of_a_product_are_one_matrix() -> None:
    assert claimed(QKV + "```\nQK^T =\n[1  2]\n[2  1]\n```\n", "scores") == [(0, 0, (("1", "2"), ("2", "1")))]


@pytest.mark.parametrize(
    "said",
    [
        "权重是 0.196 和 0.804。",
        "重みは 0.196 と 0.804 です。",
        "Los pesos son 0.196 y 0.804.",
        "Веса равны 0.196 и 0.804.",
        "가중치는 0.196과 0.804입니다.",
    ],
)
def test_two_numbers_are_joined_by_the_and_of_any_language(said: str) -> None:
    assert claimed(f"q = [2, 1]\n\nK = [[1, 0], [1, 2]]\n\n{said}\n", "A") == [(0, 0, (("0.196", "0.804"),))]


def test_slides_that_begin_with_a_rule_have_no_header() -> None:
    text = "---\n# Attention\n\n- q = [2, 1]\n- K = [[1, 0], [1, 2]]\n\n---\n\n- q·K^T = [2, 4]\n"
    assert claimed(text, "scores") == [(0, 0, (("2", "4"),))]


def test_a_caption_ends_with_the_letter_of_what_it_speaks_of() -> None:
    for said, name in (("Sum of the two, X:", "X"), ("Scores X Xᵀ:", "scores")):
        assert named(said, Bases()) == name
