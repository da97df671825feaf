"""Lists of labelled rows and tables are the matrix that the line before them announces."""

from __future__ import annotations

import pytest

from symattn.casefile.file_kinds import Kind
from symattn.notes.documents import document_reports
from tests.test_notes_grammar import said

LIST = "$K = X W_K$:\n\n- cat: [1.24, 0.99]\n- dog: [-0.78, -1.37]\n"
TABLE = "$K = X W_K$:\n\n| token | d0 | d1 |\n|---|---|---|\n| cat | 1.24 | 0.99 |\n| dog | -0.78 | -1.37 |\n"
TABULAR = r"""$K = X W_K$:

\begin{tabular}{l|cc}
 & $d_0$ & $d_1$ \\
\hline
cat & 1.24 & 0.99 \\
dog & -0.78 & -1.37 \\
\end{tabular}
"""
ITEMS = "$K = X W_K$:\n\\begin{itemize}\n\\item cat: $[1.24, 0.99]$\n"
ITEMS += "\\item dog: $[-0.78, -1.37]$\n\\end{itemize}\n"


@pytest.mark.parametrize(
    ("text", "kind"), [(LIST, "markdown"), (TABLE, "markdown"), (TABULAR, "latex"), (ITEMS, "latex")]
)
def test_rows_below_a_formula_are_its_result(text: str, kind: Kind) -> None:
    assert said(text, kind) == ["k = mul(x, w_k) : 1.24 0.99 -0.78 -1.37[2, 2]"]


@pytest.mark.parametrize(
    "text",
    ["For cat:\n\n- q: [1.2, 0.5]\n- k: [0.3, 0.1]\n", "Words:\n\n- cat: [1.2, 0.5]\n- dog: [0.3, 0.1]\n"],
)
def test_rows_of_their_own_names_stay_rows(text: str) -> None:
    assert all("[2]" in statement for statement in said(text))


def test_a_mistake_through_all_of_a_table_is_found_by_the_formula_above_it() -> None:
    text = "S = [[2.5, 2.0], [1.0, 1.5]]\n\n$A = softmax(S)$:\n\n|  | k1 | k2 |\n|---|---|---|\n"
    text += "| a1 | 12.182 | 7.389 |\n| a2 | 2.718 | 4.482 |\n"
    judged = [n for r in document_reports(text, "notes.md", "markdown") for n in r.judgements]
    assert [n.verdict for n in judged if n.printed.place and n.printed.place.line > 6] == ["slip"] * 4
