"""Accounts, copies, conventions, stray equations and notebooks: what the reader of notes promises."""

from __future__ import annotations

import json
import sys
from time import process_time
from types import FrameType
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from placed import placed

from symattn.auditor.judging.equations import judge_equations
from symattn.auditor.report import Judgement
from symattn.case import Case, Place
from symattn.reading.documents import document_reports
from symattn.reading.notes import read_notes
from symattn.reading.notes.result import Equation

QKV = "Q = [[1, 0], [0, 2]]\nK = [[1, 1], [0, 1]]\nV = [[4, 0], [0, 8]]\n"


def check(equation: Equation) -> Judgement:
    """What the auditor says of one stray equation."""
    (judgement,) = judge_equations([equation], Case("stray", {})).judgements
    return judgement


@pytest.mark.parametrize(
    ("text", "verdict", "expected"),
    [
        ("so 3 + 4 = 7.", "correct", "7"),
        ("so 3 + 4 = 8.", "slip", "7"),
        (r"$e^{-1} \approx 0.37$", "correct", "0.37"),
        (r"$\sqrt{3^2 + 4^2} = 5$", "correct", "5"),
        (r"$\frac{1}{2} + \frac{1}{3} = 0.84$", "slip", "0.83"),
        ("0.5 × 3 = 1.6", "slip", "1.5"),
        ("2/3 = 0.66", "rounding", "0.67"),
        ("sin(1) = 0.84", "correct", "0.84"),
    ],
)
def test_what_stands_outside_a_walk_is_checked_on_its_own(text: str, verdict: str, expected: str) -> None:
    [equation] = read_notes(text).equations
    checked = check(equation)
    assert (checked.verdict, checked.expected) == (verdict, expected)


def test_a_softmax_of_a_list_is_checked_entry_by_entry() -> None:
    equations = read_notes("softmax([1, 2]) = [0.27, 0.74]").equations
    assert [(e.work, e.printed, check(e).verdict) for e in equations] == [
        ("exp(1)/(exp(1) + exp(2))", "0.27", "correct"),
        ("exp(2)/(exp(1) + exp(2))", "0.74", "slip"),
    ]


def test_a_list_without_a_name_is_a_copy_only_where_its_values_were_printed() -> None:
    text = (
        QKV + "scores = [[1, 0], [2, 2]]\n\nThe second row `[2, 2]` is a tie; `[7, 9]` is something else.\n"
    )
    assert placed(text)[4:] == [("scores", 1, 0, "2"), ("scores", 1, 1, "2")]
    assert [(u.text, u.code) for u in read_notes(text).unread] == [("7", "SA902"), ("9", "SA902")]


def test_a_weight_in_a_sentence_is_the_weight_of_that_row() -> None:
    text = (
        '["a", "b"]\n'
        + QKV
        + 'A = [[0.67, 0.33], [0.50, 0.50]]\n\n- "a" attends to "b" (0.33) and "a" (0.67)\n'
    )
    assert placed(text)[4:] == [("A", 0, 1, "0.33"), ("A", 0, 0, "0.67")]


def test_headings_sizes_and_list_numbers_compute_nothing() -> None:
    text = "# 3. Step 2\n\n1. d_k = 4, X is (3×4)\n2. see section 5\n"
    reading = read_notes(text)
    assert reading.printed == 0
    assert {n.text for n in reading.not_computed} >= {"3", "2", "4", "5"}


def test_every_numeral_is_in_exactly_one_account() -> None:
    text = QKV + "scores = [[1, 0], [2, 2]]\n0.5 + 0.5 = 1\n[9, 9, 8]\n# 3\n"
    reading = read_notes(text)
    assert (reading.linked, len(reading.equations), len(reading.unread)) == (4, 1, 3)
    assert reading.numerals == 4 + 1 + 3 + len(reading.not_computed) == 12 + 4 + 3 + 3 + 1


def test_places_are_lines_and_columns_of_the_document_in_characters() -> None:
    [case] = read_notes("分数：\n\n" + QKV + "  QK^T = [[1, 0], [2, ２]]\n").cases
    [scores] = [claim for claim in case.stated if claim.name == "scores"]
    assert scores.places == ((Place(6, 12), Place(6, 15)), (Place(6, 20), Place(6, 23)))


def test_the_scale_is_the_one_that_explains_the_weights_where_the_text_is_silent() -> None:
    reading = read_notes(QKV + "QK^T = [[1, 0], [2, 2]]\nA = [[0.73, 0.27], [0.50, 0.50]]\n")
    assert reading.cases[0].settings.scale == "1"
    [scale] = [said for said in reading.conventions[0] if said.key == "scale"]
    assert (scale.declared, scale.inferred, scale.explains, scale.of) == (None, True, 4, 4)


def test_scaling_that_is_declared_left_out_stays_declared() -> None:
    reading = read_notes(QKV + "We skip the scaling.\nA = [[0.67, 0.33], [0.50, 0.50]]\n")
    assert reading.cases[0].settings.scale == "1"
    assert reading.conventions[0][-1].declared == "1"


def test_weights_without_their_scores_are_unread_and_never_right() -> None:
    reading = read_notes("A = [[0.25, 0.75]]\n")
    assert reading.cases == ()
    assert [(u.text, u.code) for u in reading.unread] == [("0.25", "SA905"), ("0.75", "SA905")]


def test_two_examples_are_two_walks() -> None:
    text = (
        "# One\nQ = [[1, 0], [0, 1]], K = [[1, 1], [0, 1]]\nQK^T = [[1, 0], [1, 1]]\n"
        "# Two\nQ = [[2, 2], [3, 5]], K = [[1, 2], [2, 1]]\nQK^T = [[6, 6], [13, 11]]\n"
    )
    first, second = read_notes(text).cases
    assert first.given["Q"].typed == (("1", "0"), ("0", "1"))
    assert second.given["Q"].typed == (("2", "2"), ("3", "5"))
    assert second.stated[0].values == (("6", "6"), ("13", "11"))


def test_a_working_that_names_only_an_exponential_is_not_a_weight() -> None:
    text = (
        QKV + "QK^T = [[1, 0], [2, 2]], scaled = [[0.71, 0], [1.41, 1.41]]\nRow 1: softmax: e^{0.71} = 2.03\n"
    )
    assert placed(text)[-1] == ("exp", 0, 0, "2.03")


def test_a_notebook_gives_its_outputs_to_the_line_that_printed_them() -> None:
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": ["Q = [[1, 0]], K = [[1, 1],\n", " [0, 1]]"]},
        {
            "cell_type": "code",
            "outputs": [{"data": {"text/plain": ["tensor([[1., 0.]])"]}, "output_type": "execute_result"}],
            "source": ["scores = Q @ K.T\n", "scores"],
        },
    ]
    raw = json.dumps({"cells": cells, "metadata": {}, "nbformat": 4})
    [case] = read_notes(raw, "a.ipynb", "notebook").cases
    [scores] = case.stated
    assert scores.values == (("1.", "0."),)
    place = scores.places[0][1]
    assert place is not None
    assert raw[place.column - 1 :].startswith("0.]])")


PIECES = st.sampled_from(
    [
        *"()[]{}$`\\&|*_^=≈:,.-+/×√#>~%\n \"'",
        "$$",
        "\\[",
        "\\]",
        "```\n",
        "\\frac",
        "\\sqrt",
        "\\begin{pmatrix}",
        "\\end{pmatrix}",
        "\\\\",
        "\\text{",
        "\\newcommand{\\a}{\\a 1}",
        "\\a",
        "Q",
        "q_1",
        "W_Q",
        "X",
        "scores",
        "softmax",
        "A",
        "z_2",
        "[1, 2]",
        "[[1, 2], [3, 4]]",
        "0.5",
        "33%",
        "12",
        "1e999",
        "１",
        "第1行",
        "总和",
        "e^",
        "tensor(",
        "|---|---|",
        "d_k = 2",
        "PE_{1,0}",
        "head_1",
        "…",
        "ᵀ",
        "₁",
        "−∞",
        "\x00",
        "\ud83d",
    ]
)


@settings(max_examples=150, deadline=None)
@example(["0.5", "1e999"], "markdown")
@given(st.lists(PIECES, max_size=60), st.sampled_from(["markdown", "latex", "text", "notebook"]))
def test_no_text_makes_the_reader_fall_over(pieces: list[str], kind: str) -> None:
    text = "".join(pieces)
    reading = read_notes(text, None, kind)  # type: ignore[arg-type]
    assert reading.numerals >= reading.printed >= 0
    judged = judge_equations(reading.equations, Case("stray", {}))
    assert judged.printed == len(reading.equations)


def test_behind_a_score_too_large_for_a_float_the_exponentials_are_judged() -> None:
    rows = ("Q = [[1, 0], [0, 1]]", "K = [[1, 0], [0, 1]]", "scores = [[427600, 0], [0, 1]]")
    text = "\n".join((*rows, "exp = [[3, 2], [1, 2.718]]", "A = [[0.5, 0.5], [0.3, 0.7]]"))
    (report,) = document_reports(text, None, "markdown")
    verdicts = [each.verdict for each in report.judgements if each.printed.name == "exp"]
    assert verdicts == ["correct", "slip", "correct", "correct"]


def test_a_value_of_more_digits_than_are_read_is_not_spelled_out() -> None:
    (report,) = document_reports("e^(440) ≈ 54.5", None, "markdown")
    assert [(each.verdict, each.expected, each.ulps) for each in report.judgements] == [("slip", None, None)]


@pytest.mark.parametrize(
    "unit",
    [
        "q_1 = [1, 2]\n",
        "[1,",
        "\\begin{pmatrix} 1 & ",
        "1+",
        "![](",
        "a = ",
        "分数 0.5 ",
        "e^",
        "\\sqrt",
        "exp(",
        "x = 1\n",
        "Q = K = ",
        "[1, 2] ",
    ],
)
@pytest.mark.parametrize("count", [100, pytest.param(200, marks=pytest.mark.slow)])
def test_the_work_grows_in_proportion_to_the_length(unit: str, count: int) -> None:
    """Lines that run are counted, since they are the same on every machine."""
    few, many = (_steps(unit * times) for times in (count, 4 * count))
    assert many < 5 * few


@pytest.mark.parametrize(
    ("unit", "most"), [("exp(", 1200), ("[1, 2] ", 5000), ("token 1 → token 2: 0.3, ", 12_000)]
)
def test_what_leads_to_nothing_is_tried_once(unit: str, most: int) -> None:
    """A function that is never closed is not read anew from every level, nor a list held against its like,
    nor all the words of a line tried from each of them on."""
    assert _steps(unit * 200) < most * 200


@pytest.mark.parametrize("entry", ["0.5, ", "1 2; "])
def test_the_work_on_a_list_grows_in_proportion_to_its_length(entry: str) -> None:
    few, many = (_steps(f"A = [{entry * count}1]") for count in (200, 800))
    assert many < 5 * few


def test_a_softmax_of_a_thousand_numbers_is_too_long_to_be_worked_out() -> None:
    given, printed = ", ".join(["1", "2"] * 500), ", ".join(["0.001"] * 1_000)
    assert read_notes(f"softmax([{given}]) = [{printed}]\n").equations == ()


def test_the_numbers_of_a_long_softmax_are_not_gone_through_for_each_weight() -> None:
    def written(count: int) -> str:
        given, printed = ", ".join(["1", "2"] * count), ", ".join(["0.001"] * 2 * count)
        return f"softmax([{given}]) = [{printed}]\n"

    assert _steps(written(400)) < 4.4 * _steps(written(100))


def test_softmaxes_are_not_each_held_against_all_others() -> None:
    def written(count: int) -> str:
        lists = (f"softmax([{k / 100}, {(k + 1) / 100}]) = [0.5, 0.5]\n\n" for k in range(count))
        return "".join(lists)

    assert _steps(written(320)) < 4.4 * _steps(written(80))


def test_a_long_run_of_digits_is_searched_once_and_not_from_each_of_them() -> None:
    begun = process_time()
    read_notes("1234567890" * 4_000)
    assert process_time() - begun < 5  # half a minute, where a pattern begins anew at every digit


def _steps(text: str) -> int:
    """How many lines of the package are run to read a text."""
    count = 0

    def step(frame: FrameType, event: str, _: object) -> Any:
        nonlocal count
        count += event == "line"
        return step

    before = sys.gettrace()
    sys.settrace(step)
    try:
        read_notes(text)
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize(
    "text",
    [
        "## 3.2 An example\n\n2 + 3 = 5\n",
        "Homework 5 - Attention\n\n2 + 3 = 5\n",
        "With $\\epsilon = 10^{-5}$ we have 2 + 3 = 5\n",
    ],
)
def test_numbers_of_sections_and_the_smallest_divisor_are_no_results(text: str) -> None:
    assert [unread.text for unread in read_notes(text).unread] == []
