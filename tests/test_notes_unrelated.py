"""Arithmetic, tables and code of documents about other things are not called wrong."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace

from symattn.auditor.findings.codes import Finding
from symattn.auditor.report import Remark
from symattn.casefile.file_kinds import Kind
from symattn.notes.claims.doubt import Said, gated
from symattn.notes.documents import document_reports


def accused(text: str, kind: Kind = "markdown") -> list[str]:
    """The numerals that are called slips, in order."""
    return [
        one.printed.numeral.text
        for report in document_reports(text, "notes.md", kind)
        for one in report.judgements
        if one.verdict == "slip"
    ]


def test_what_follows_an_arrow_to_another_equation_is_not_the_value_before_it() -> None:
    assert accused("df = 12 - 1 = 11 → p-value = 0.02\n") == []
    assert accused("$12 - 1$ → $11 = 10$\n") == ["10"]


def test_a_comma_between_thousands_does_not_begin_a_working() -> None:
    assert accused("a mean of 2,800 × 0.5 = 1400 students\n") == []
    assert accused("a mean of 2800 × 0.5 = 1300 students\n") == ["1300"]


def test_an_html_entity_is_its_sign() -> None:
    assert accused("a chance of 0.6 &times; (1 - 0.6) = 0.24 in all\n") == []
    assert accused("a chance of 0.6 &times; (1 - 0.6) = 0.25 in all\n") == ["0.25"]


def test_a_minus_at_the_end_of_a_line_leaves_its_member_unknown() -> None:
    text = r"""
\begin{align*}
\begin{bmatrix} 1 & 6 & 4 \\ 10 & -6 & 2 \end{bmatrix}
&=
3\begin{bmatrix} 1 & 2 & 2 \\ 4 & 0 & 2 \end{bmatrix} -
2\begin{bmatrix} 1 & 0 & 1 \\ 1 & 3 & y \end{bmatrix}
=
\begin{bmatrix} 1 & 6 & 4 \\ 10 & -6 & 6 - 2y \end{bmatrix}
\end{align*}
"""
    assert accused(text, "latex") == []


def test_an_entry_that_code_sets_is_no_slip_of_an_activation() -> None:
    cells = [
        ("x2", "array([[3, 8, 2, 9],\n       [7, 6, 8, 8],\n       [4, 6, 7, 7]])"),
        (
            "x2[0, 0] = 15\nx2",
            "array([[15,  8,  2,  9],\n       [ 7,  6,  8,  8],\n       [ 4,  6,  7,  7]])",
        ),
    ]
    assert accused(_notebook(cells), "notebook") == []


def test_what_an_unknown_method_prints_is_not_the_value_of_its_object() -> None:
    before = "".join(f"{k} {k / 37}\n" for k in range(7, 18))
    after = "".join(f"{k - 3} {k / 37}\n" for k in range(7, 18))
    cells = [
        ("sums = die + die\nsums.Show()", before),
        ("rest = sums - 3\nrest.Show()", after),
    ]
    assert accused(_notebook(cells), "notebook") == []


def test_a_power_of_what_cannot_be_read_is_unknown() -> None:
    assert accused("in all $3^{\\vert \\mathcal{X} \\vert} = 3^2 = 9$ functions\n") == []


def test_a_congruence_is_no_equation() -> None:
    assert accused("$4 \\cdot 5 \\equiv 0 \\pmod{10}$ and 4 × 5 ≡ 6 (mod 7)\n") == []


def test_a_parameter_of_an_unknown_function_is_no_quantity_of_the_page() -> None:
    text = """
seasonal = (0, D, 0, s) with D = 1 and s = 12, as in fit(data, seasonal=(0, 1, 0, 12)).

fit(data, order=(2, 0, 0), seasonal=(1, 0, 0, 12))
"""
    assert accused(text) == []


def _notebook(cells: list[tuple[str, str]]) -> str:
    """A notebook of these cells of code, each with what it prints."""

    def cell(source: str, output: str) -> dict[str, object]:
        printed = {"output_type": "stream", "name": "stdout", "text": output.splitlines(keepends=True)}
        return {"cell_type": "code", "source": source.splitlines(keepends=True), "outputs": [printed]}

    return json.dumps({"nbformat": 4, "cells": [cell(*each) for each in cells]}, indent=1)


@pytest.mark.parametrize(
    "text",
    [
        "a = 2.5\n\nb = 3.5\n\nW = a b\n\nW_1 = [[4.25], [3.75]]\n",
        "m = 22\n\nexp(m) = 40E8\n",
    ],
)
def test_a_document_about_other_things_is_audited_to_its_end(text: str) -> None:
    assert document_reports(text, "notes.md", "markdown")


def test_a_remark_on_numbers_that_only_some_readings_accuse_is_withheld() -> None:
    text = "S = [[1.0, 2.0]]\n\nA = softmax(S) = [[0.2689, 0.8311]]\n"
    (report,) = document_reports(text, "notes.md", "markdown")
    wrong = next(one.printed for one in report.judgements if one.verdict == "slip")
    assert wrong.place is not None
    remark = Remark(Finding.WRONG_WORD, "claim", {}, numbers=(wrong.index,), place=wrong.place)
    doubted = {wrong.place: Said("undecided", 0.0)}
    assert gated(replace(report, remarks=(remark,)), doubted).remarks == ()
    assert len(gated(replace(report, remarks=(remark,)), {wrong.place: Said("slip", 30.0)}).remarks) == 1
