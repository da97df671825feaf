"""LaTeX as lecturers write it: matrices in cells of a table, nicematrix, weights shown by a product only."""

from __future__ import annotations

import pytest

from symattn.reading.documents import document_reports
from symattn.reading.kinds import Kind
from symattn.reading.notes import read_notes


def judged(text: str, kind: Kind = "latex") -> list[tuple[str, str]]:
    """The characters of every number that has a verdict, with this."""
    reports = document_reports(text, "notes.tex", kind)
    return [(one.printed.numeral.text, one.verdict) for each in reports for one in each.judgements]


def slips(text: str, kind: Kind = "latex") -> list[str]:
    return [said for said, verdict in judged(text, kind) if verdict == "slip"]


OF_ONE_QUERY = r"""\section{One query}
The query is $q = \begin{pmatrix} 1 & 0 \end{pmatrix}$ and $d_k = 2$.
\begin{tabular}{@{}clccccc@{}}
\toprule
$j$ & token & $k_j$ & $q\cdot k_j$ & $q\cdot k_j/\sqrt{d_k}$ & $\exp$ & $\alpha_j$ \\
\midrule
1 & the & $\begin{pmatrix} 1 & 0 \end{pmatrix}$ & $1$ & $0.71$ & $2.03$ & WEIGHT \\
2 & cat & $\begin{pmatrix} 0 & 2 \end{pmatrix}$ & $0$ & $0.00$ & $1.00$ & $0.33$ \\
\midrule
 & & & & sum & $3.03$ & $1$ \\
\bottomrule
\end{tabular}
"""


@pytest.mark.parametrize(("weight", "found"), [("0.67", []), ("0.76", ["0.76"])])
def test_the_signs_in_a_matrix_in_a_cell_are_none_of_the_table(weight: str, found: list[str]) -> None:
    text = OF_ONE_QUERY.replace("WEIGHT", f"${weight}$")
    assert len(judged(text)) == 10
    assert slips(text) == found


STEPS = r"""Given: $q = \begin{pmatrix} 1 & 0 \end{pmatrix}$, $k_1 = \begin{pmatrix} 1 & 0 \end{pmatrix}$,
$k_2 = \begin{pmatrix} 0 & 2 \end{pmatrix}$, $v_1 = \begin{pmatrix} 1 & 0 \end{pmatrix}$,
$v_2 = \begin{pmatrix} 1 & 2 \end{pmatrix}$.

\begin{tabularx}{\textwidth}{|l|X|r|}
\hline
\textbf{Step} & \textbf{Computation} & \textbf{Result} \\ \hline
Dot product $q \cdot k_1$ & $1\cdot 1 + 0\cdot 0$ & $1$ \\
Dot product $q \cdot k_2$ & $1\cdot 0 + 0\cdot 2$ & $0$ \\
Scaling & $1/\sqrt{2}$ & $0.71$ \\
Exponential & $\exp(0.71)$ & $2.03$ \\
Normaliser & $2.03 + 1.00$ & $3.03$ \\
Weight $\alpha_1$ & $2.03/3.03$ & $0.67$ \\
Output & $0.67\,v_1 + 0.33\,v_2$ & $\begin{pmatrix} 1.00 & OUT \end{pmatrix}$ \\ \hline
\end{tabularx}
"""


@pytest.mark.parametrize(("out", "found"), [("0.66", []), ("0.96", ["0.96"])])
def test_rows_of_a_tabularx_are_steps(out: str, found: list[str]) -> None:
    text = STEPS.replace("OUT", out)
    assert len(judged(text)) >= 8
    assert slips(text) == found


NICE = r"""\[ Q = \begin{bNiceMatrix} 1 & 0 \\ 0 & 2 \end{bNiceMatrix}, \quad
K = \begin{pNiceArray}{cc} 1 & 1 \\ 0 & 1 \end{pNiceArray} \]
\[ S = QK^\top = \begin{bNiceMatrix}[first-row,first-col]
    & \text{the} & \text{cat} \\
\text{the} & 1 & 0 \\
\text{cat} & 2 & LAST
\end{bNiceMatrix} \]
"""


@pytest.mark.parametrize(("last", "found"), [("2", []), ("3", ["3"])])
def test_nicematrix_has_matrices_with_heads(last: str, found: list[str]) -> None:
    text = NICE.replace("LAST", last)
    assert [said for said, _ in judged(text)] == ["1", "0", "2", last]
    assert slips(text) == found


def test_what_an_array_is_told_is_none_of_its_cells() -> None:
    matrix = r"\begin{array}[t]{cc} 1 & -2 \\ 0 & 1 \end{array}"
    (case,) = read_notes(
        f"$X = {matrix}$, $W_Q = [[1, 0], [0, 1]]$, $Q = [[1, -2], [0, 1]]$", "a", "latex"
    ).cases
    assert case.given["X"].typed == (("1", "-2"), ("0", "1"))


CROSS = r"""The decoder states are $Y = \begin{pmatrix} 1 & 0 \\ 0 & -1 \end{pmatrix}$, the encoder states
$H = \begin{pmatrix} 1 & 2 \\ 1 & 0 \\ 2 & 1 \end{pmatrix}$.
\begin{align}
Q &= Y W_Q = \begin{pmatrix} 1 & 0 \\ 0 & -1 \end{pmatrix}\begin{pmatrix} -1 & 1 \\ -1 & 0 \end{pmatrix}
 = \begin{pmatrix} -1 & 1 \\ 1 & 0 \end{pmatrix} \\
K &= H W_K = \begin{pmatrix} 1 & 2 \\ 1 & 0 \\ 2 & 1 \end{pmatrix}\begin{pmatrix} 1 & 0 \\ 0 & 2 \end{pmatrix}
 = \begin{pmatrix} 1 & 4 \\ 1 & 0 \\ 2 & 3 \end{pmatrix} \\
S &= QK^\top = \begin{pmatrix} 3 & -1 & 0 \\ 1 & 1 & 2 \end{pmatrix}
\end{align}
"""


def test_weights_that_only_a_product_shows_are_those_of_a_memory_too() -> None:
    (case,) = read_notes(CROSS, "a", "latex").cases
    assert {"X", "memory", "W_Q", "W_K"} <= case.given.keys()


def test_a_key_that_was_misprinted_accuses_none_of_the_scores_that_are_right() -> None:
    assert slips(CROSS) == ["3"]
