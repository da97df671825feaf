"""Sums behind exponentials, exponents in closed form, and variances of few digits."""

from __future__ import annotations

from symattn.reading.notes import read_notes
from symattn.reading.notes.formulas.chains import items
from symattn.reading.notes.formulas.formula import Call, Chain, Dots
from symattn.reading.notes.formulas.tokens import tokens
from tests.linked import accused, linked

SUMS = """\
W_Q = [[0.8, 0.4, 0], [0.7, 0.4, 0.1]]
W_K = [[0.5, 1, 1], [0, 0.7, 0]]
x_1 = (1.1, 1.1)
x_2 = (1.8, 0.4)

q_1·k_1 = 1.65·0.55 + 0.88·1.87 + 0.11·1.10 = 2.67 → 2.67/√3 = 1.54
q_1·k_2 = 1.65·0.90 + 0.88·2.08 + 0.11·1.80 = 3.51 → 3.51/√3 = 2.03
q_2·k_1 = 1.72·0.55 + 0.88·1.87 + 0.04·1.10 = 2.64 → 2.64/√3 = 1.52
q_2·k_2 = 1.72·0.90 + 0.88·2.08 + 0.04·1.80 = 3.45 → 3.45/√3 = 1.99

**Softmax**

exp(1.54) ≈ 4.66 ; exp(2.03) ≈ 7.61
Σ = 12.27
exp(1.52) ≈ 4.57 ; exp(1.99) ≈ 7.32
Σ = 11.89
"""
CLOSED = """\
Q = [[1, 0], [0, 2]]
K = [[1, 1], [1, 0]]
V = [[1, 2], [3, 4]]
d_k = 3
Q K^T = [[1, 1], [2, 0]]
The scaled scores are [[1/√3, 1/√3], [2/√3, 0]].

Row 2: e^{2/√3} ≈ 4.17, e^0 ≈ 1.00, sum = 5.17, weights [0.81, 0.19]
Z = AV = [[2, 3], [1.38, 2.38]]
"""
NORM = """\
## LayerNorm

[0, 1] + [1.20, 0.40] = [1.20, 1.40]

mean = 1.30, variance = {variance}, normalized = [-{norm}, {norm}]
"""


def test_a_sum_behind_exponentials_is_of_their_row_and_not_of_the_line_above_them() -> None:
    assert accused(SUMS) == []
    assert [entry for entry in linked(SUMS) if entry[0] == "sum"] == [
        ("sum", 0, (("12.27",),)),
        ("sum", 1, (("11.89",),)),
    ]


def test_a_power_of_a_closed_form_is_the_exponential_of_that_entry() -> None:
    assert ("exp", 1, (("4.17",),)) in linked(CLOSED)
    assert "exp 4.17" in accused(CLOSED)
    right = CLOSED.replace("4.17", "3.17").replace("5.17", "4.17").replace("[0.81, 0.19]", "[0.76, 0.24]")
    assert accused(right.replace("[1.38, 2.38]", "[1.48, 2.48]")) == []


def test_a_variance_is_that_over_one_less_only_where_the_usual_one_is_not_what_stands_there() -> None:
    assert _unlike(NORM.format(variance="0.01", norm="1.00")) == []
    assert _unlike(NORM.format(variance="0.02", norm="0.71")) == []
    assert _unlike(NORM.format(variance="0.05", norm="0.45")) == ["0.05"]


def _unlike(text: str) -> list[str]:
    from symattn.reading.documents import document_reports

    assert read_notes(text).equations
    return [
        judgement.printed.numeral.text
        for report in document_reports(text, "notes.md", "markdown")
        for judgement in report.judgements
        if judgement.verdict == "slip"
    ]


MASKED = """\
Q = [[2, 0], [0, 2], [1, 1]]
K = [[1, 0], [0, 1], [2, 2]]
V = [[1, 2], [3, 4], [5, 6]]
$$QK^T = [[2, 0, 4], [0, 2, 4], [1, 1, 4]]$$
The upper triangle is masked.
$$
\\frac{{QK^T}}{{\\sqrt{{d_k}}}} + M =
\\begin{{bmatrix}} 1.41 & -\\infty & -\\infty \\\\ 0 & 1.41 & -\\infty \\\\ {row} \\end{{bmatrix}}
$$
$$
A = \\text{{softmax}}(\\cdot) =
\\begin{{bmatrix}} 1 & 0 & 0 \\\\ 0.20 & 0.80 & 0 \\\\ 0.10 & 0.10 & {last} \\end{{bmatrix}}
$$
"""


def test_a_dot_stands_for_what_goes_into_a_softmax() -> None:
    (item,) = items(tokens("$A = \\text{softmax}(\\cdot) = 1$", "markdown"))
    assert isinstance(item.node, Chain)
    assert item.node.members[1] == Call("softmax", Dots())


def test_a_masked_row_that_nobody_divided_is_wrong_beside_others_that_are_right() -> None:
    text = MASKED.format(row="1.00 & 1.00 & 4.00", last="0.81")
    assert accused(text) == ["masked 1.00", "masked 1.00", "masked 4.00"]
