"""What is said of the numbers of small notes: right, wrong, or nothing."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from command import symattn

from symattn.auditor.report import WRONG
from symattn.casefile.file_kinds import Kind
from symattn.notes.documents import document_reports


def judged(text: str, kind: Kind = "markdown") -> list[tuple[str, str]]:
    """(numeral, verdict) of every number that is judged, in the order of the text."""
    found = [
        (one.printed.place, one.printed.numeral.text, one.verdict)
        for report in document_reports(text, None, kind)
        for one in report.judgements
        if one.printed.place is not None
    ]
    return [(numeral, verdict) for place, numeral, verdict in sorted(found)]


def wrong(text: str, kind: Kind = "markdown") -> list[str]:
    return [numeral for numeral, verdict in judged(text, kind) if verdict in WRONG]


@pytest.mark.parametrize("form", ["text", "json", "sarif", "github", "markdown", "latex", "html"])
def test_a_slip_with_a_decimal_comma_is_reported_in_every_form(form: str, tmp_path: Path) -> None:
    path = tmp_path / "note.md"
    path.write_text("0,5·0,25 + 0,25 = 0,385 und 0,125 + 0,5 = 0,625", encoding="utf-8")
    report = tmp_path / "report"
    assert symattn("audit", str(path), "--format", form, "-o", str(report)).returncode == 1
    assert "0,375" in report.read_text(encoding="utf-8")


def test_a_matrix_of_inputs_is_not_accused_of_a_wrong_result_that_has_its_digits() -> None:
    note = (
        "X = [[1, 2], [3, 0]]\nW_K = [[1, 0], [0, 0.8]]\nW_V = [[1, 1], [0, 2]]\nK = X W_K = [[1, 1], [3, 0]]"
    )
    assert wrong(note) == ["1"]


@pytest.mark.parametrize(
    ("note", "accused"),
    [
        (r"$\frac{1}{\sqrt{1^2 + 1^2}} = \frac{\sqrt{2}}{2} = 0.707$", []),
        (r"$\frac{1 \cdot 3}{2 \cdot 2} = \frac{4}{4} = 1$", ["4"]),
    ],
)
def test_the_operands_of_an_equal_expression_need_not_agree(note: str, accused: Sequence[str]) -> None:
    assert wrong(note) == accused


@pytest.mark.parametrize(
    "note",
    [
        r"$L = \frac{\ln(2)}{\frac{1}{2}} = 2 \ln(2) \approx 1.3863$",
        r"$k = 2 \cos(2) - 0 \cdot \sin(2) = 2 \cos(2) \approx -0.8323$",
        "row  sum                  entropy\n1    ln(D₁) = ln(3) ≈ 1.0986  H₁ ≈ 0.6365",
        "x = (2√(2)/(5√(3))\n       + (2/3) e^(-2))/(1\n       + e^(-2/5)) ≈ 0.2496",
        "S = [√6/4  -1/2 + √3/2  √2/2] + [-∞  0  0] ≈ [-∞  0.3660  0.7071]",
        "\\[ Z = \\begin{bmatrix} \\frac{7}{9} & \\frac{1}{2} \\end{bmatrix}\n"
        "  \\left[\\begin{array}{@{}rr@{}} 1 & 2 \\\\ 3 & -1 \\end{array}\\right] =\n"
        "  \\begin{bmatrix} \\frac{41}{18} & \\frac{19}{18} \\end{bmatrix} \\]",
        "r = [[0.5], [0.25]]\nO = [[1, 0], [1, 2]]\n"
        "U = r O + [[1], [1]] [[0, 1]] = [[0.5], [0.25]] [[1, 0], [1, 2]] + [[1], [1]] [[0, 1]] "
        "= [[0.5, 1], [0.25, 1.5]]",
    ],
)
def test_what_is_right_as_it_is_meant_is_not_accused(note: str) -> None:
    assert not wrong(note, "text" if "√" in note or "₁" in note else "markdown")


@pytest.mark.parametrize(
    ("note", "kind", "expected"),
    [
        (r"$\frac13 \cdot 3 + \tfrac{1}3 \cdot 6 = 4$ and $\tfrac12 = 0.6$", "latex", ["4", "0.6"]),
        ("(3×2)·(2×3) = 3×3 and 2×3 = 7", "markdown", ["7"]),
        (
            "1. 0.5 + 0.25 = 0.75\n2. By [3], 0.1 + 0.2 = 0.3 (2)\n\n$q_{11} = 0.5 + 0.5 = 2$",
            "markdown",
            ["2"],
        ),
        ("// symattn: off quoted\n0.5 + 0.25 = 0.85\n// symattn: on\n\n0.5 + 0.25 = 0.95", "typst", ["0.95"]),
        (
            "// symattn: off quoted\n0.5 + 0.25 = 0.85\n// symattn: on\n\n0.5 + 0.25 = 0.95",
            "asciidoc",
            ["0.95"],
        ),
        (
            ".. symattn: off quoted\n\n0.5 + 0.25 = 0.85\n\n.. symattn: on\n\n0.5 + 0.25 = 0.95",
            "rst",
            ["0.95"],
        ),
    ],
)
def test_numbers_of_every_kind_are_read_as_people_mean_them(
    note: str, kind: Kind, expected: Sequence[str]
) -> None:
    assert wrong(note, kind) == expected
