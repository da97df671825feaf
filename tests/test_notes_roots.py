"""The number of a root may stand behind it in words, and is what scores were divided by."""

from __future__ import annotations

import pytest

from symattn.reading.documents import document_reports
from symattn.reading.notes.formulas.roots import told_roots
from symattn.reading.notes.formulas.tokens import tokens
from tests.linked import accused, linked

NOTES = """# Example

Q = [[3, 1], [0, 2]]

K = [[1, 2], [2, 1]]

V = [[1, 0], [0, 1]]

QK^T = [[5, 7], [4, 2]]

{}

- the: 3.536, 4.950
- cat: 2.829, 1.414
"""
DIVISIONS = [
    "Divide by √2 (≈ 1.414):",
    "Divide by √2, which is about 1.414:",
    "Divide by sqrt(2) (1.414):",
    r"Divide by $\sqrt{2}$ ($\approx 1.414$):",
    r"Divide by $\sqrt 2$, i.e. $1.414$:",
    "除以 √2，即约 1.414，得到：",
    "除以根号2（约等于1.414），得到：",
]


@pytest.mark.parametrize("division", DIVISIONS)
def test_what_is_divided_by_a_rounded_root_is_no_slip(division: str) -> None:
    """4 / 1.414 is 2.829, where 4 / √2 would be 2.828."""
    (report,) = document_reports(NOTES.format(division), "notes.md", "markdown")
    verdicts = {(j.printed.name, j.printed.numeral.text): j.verdict for j in report.judgements}
    assert verdicts["sqrt(d_k)", "1.414"] == "correct"
    assert verdicts["scaled", "2.829"] == "rounding"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", ""),
        ("√2 (≈ 1.414):", "√ 2 ≈ 1.414 :"),
        ("√2, about 1.732", "√ 2 , about 1.732"),  # not its root
        ("√2 and then 3 times 1.414", "√ 2 and then 3 times 1.414"),  # another number between them
        ("sqrt(2 + 1), 1.414", "sqrt ( 2 + 1 ) , 1.414"),
        ("√2 = 1.414", "√ 2 = 1.414"),
        ("(2, 0) / √2 = (1.41, 0.00)", "( 2 , 0 ) / √ 2 = ( 1.41 , 0.00 )"),
        ("除以根号3（约 1.732）", "除以 √ 3 ≈ 1.732"),
    ],
)
def test_a_root_and_its_number_become_one_relation(text: str, told: str) -> None:
    found = [token.text for token in told_roots(tokens(text, "markdown")) if token.kind != "nl"]
    assert " ".join(found) == told


@pytest.mark.parametrize(
    "said",
    [
        r"$\frac{1}{\sqrt 2}\begin{pmatrix} 2 & 1 \\ 4 & 1 \end{pmatrix} = SCALED$",
        r"$\begin{bmatrix} 2 & 1 \\ 4 & 1 \end{bmatrix}/\sqrt{2} = SCALED$",
        r"$\frac{QK^\top}{\sqrt 2} = \begin{pmatrix} \frac{2}{\sqrt 2} & \frac{1}{\sqrt 2} \\ "
        r"\frac{4}{\sqrt 2} & \frac{1}{\sqrt 2} \end{pmatrix} = SCALED$",
    ],
)
def test_a_matrix_divided_by_the_root_of_d_k_is_that_of_the_scores(said: str) -> None:
    text = "$q_1 = (1, 0)$, $q_2 = (1, 2)$, $k_1 = (2, 1)$, $k_2 = (1, 0)$\n\n"
    text += said.replace("SCALED", r"\begin{pmatrix}1.41 & 0.71 \\ 2.83 & 0.71\end{pmatrix}") + "\n"
    assert {name for name, *_ in linked(text)} == {"scores", "scaled"}
    assert not accused(text)


def test_a_printed_root_says_what_the_scores_are_divided_by() -> None:
    scores = "内积 $q_1 \\cdot k_1 = 112$，$q_1 \\cdot k_2 = 96$。\n\n"
    weights = "注意力权重 $a_1 = 0.88$，$a_2 = 0.12$。\n\n$z_1 = 0.88 \\times v_1 + 0.12 \\times v_2$\n"
    assert set(accused(scores + weights)) == {"A 0.88", "A 0.12"}
    assert accused(scores + "除以 $\\sqrt{d_k}$（$\\sqrt{d_k}=8$）。\n\n" + weights) == []


def test_a_whole_number_that_scores_are_divided_by_is_the_root_of_d_k() -> None:
    text = (
        "We have $q_1 k_1 = 64$ and $q_1 k_2 = 56$, and divide the scores by 8.\n\n"
        "softmax: [0.73, 0.27]\n\nWith v1 = [3, 0] and v2 = [4, 3] we get z1 = [3.27, 0.18].\n"
    )
    assert accused(text) == ["Z 0.18"]
