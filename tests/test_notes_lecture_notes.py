"""What lecturers print around a walk: encodings of some positions, no weights at all, sums of weights."""

from __future__ import annotations

import json

import pytest

from symattn.reading.documents import document_reports
from symattn.reading.kinds import Kind
from tests.linked import links


def judged(text: str, kind: Kind = "latex") -> list[tuple[str, str]]:
    """The characters of every number that has a verdict, with this."""
    reports = document_reports(text, "notes", kind)
    return [(one.printed.numeral.text, one.verdict) for each in reports for one in each.judgements]


def slips(text: str, kind: Kind = "latex") -> list[str]:
    return [said for said, verdict in judged(text, kind) if verdict == "slip"]


ENCODED = r"""Word embeddings:
\[ E = \begin{bmatrix} 1 & 1 \\ -0.4 & 0.2 \end{bmatrix} \]
\begin{itemize}
\item $PE_{(1,0)} = \sin(1) = 0.841$, $PE_{(1,1)} = \cos(1) = 0.540$
\end{itemize}
\[ PE = \begin{bmatrix} 0.000 & 1.000 \\ 0.841 & 0.540 \end{bmatrix}, \qquad
X = E + PE = \begin{bmatrix} 1.000 & 2.000 \\ SUM & 0.740 \end{bmatrix} \]
Let $W_Q = W_K = W_V = I$, i.e.\ $Q = K = V = X$. Then
\[ XX^\top = \begin{bmatrix} 5.000 & 1.921 \\ 1.921 & 0.742 \end{bmatrix}, \qquad
\frac{XX^\top}{\sqrt 2} = \begin{bmatrix} 3.536 & 1.358 \\ 1.358 & 0.525 \end{bmatrix} \]
\[ A = \begin{bmatrix} 0.898 & 0.102 \\ 0.697 & 0.303 \end{bmatrix}, \qquad
Z = AX = \begin{bmatrix} 0.943 & 1.872 \\ 0.831 & 1.618 \end{bmatrix} \]
"""


@pytest.mark.parametrize(("total", "found"), [("0.441", []), ("0.414", ["0.414"])])
def test_an_input_with_positions_is_attended_to_without_weights(total: str, found: list[str]) -> None:
    text = ENCODED.replace("SUM", total)
    assert len(judged(text)) == 26
    assert slips(text) == found


def test_a_matrix_of_encodings_that_begins_with_position_0_counts_from_there() -> None:
    text = ENCODED.replace("SUM", "0.441")
    assert ("X+PE", 0, 0, (("1.000", "2.000"), ("0.441", "0.740"))) in links(text)


SCORES = "Q = [[1, 0], [0, 1], [1, 1]]\n\nK = [[0, 1], [3, 1], [0, 2]]\n\nV = [[1, 2], [3, 4], [0, 1]]"
SHOWN = (
    "tensor([[0.0000, 3.0000, 0.0000],\n        [1.0000, 1.0000, 2.0000],\n        [1.0000, 4.0000, 2.0000]])"
)


def test_the_sums_of_weights_that_a_program_printed_are_no_exponentials() -> None:
    def cell(source: str, output: str) -> dict[str, object]:
        shown = {"output_type": "execute_result", "data": {"text/plain": [output]}, "metadata": {}}
        return {
            "cell_type": "code",
            "source": [source],
            "outputs": [{**shown, "execution_count": 1}],
            "metadata": {},
        }

    cells = [
        {"cell_type": "markdown", "source": [SCORES], "metadata": {}},
        cell("scores = Q @ K.T\nscores", SHOWN),
        cell(
            "weights = torch.softmax(scores / 2**0.5, dim=-1)\nweights.sum(dim=-1)",
            "tensor([1.0000, 1.0000, 1.0000])",
        ),
    ]
    text = json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    assert slips(text, "notebook") == []


@pytest.mark.parametrize(("second", "found"), [("0.71", []), ("0.17", ["0.17"])])
def test_a_query_without_a_number_stands_in_inner_products(second: str, found: list[str]) -> None:
    text = (
        r"Let $\vec q = \begin{pmatrix} 1 \\ 0 \end{pmatrix}$,"
        r" $\vec k_1 = \begin{pmatrix} 2 \\ 0 \end{pmatrix}$ and"
        r" $\vec k_2 = \begin{pmatrix} 1 \\ 1 \end{pmatrix}$. \begin{gather}"
        r"\langle \vec q, \vec k_1 \rangle = 2, \quad"
        r" \frac{\langle \vec q, \vec k_1 \rangle}{\sqrt{2}} = 1.41 \\"
        r"\langle \vec q, \vec k_2 \rangle = 1, \qquad \frac{\langle \vec q, \vec k_2 \rangle}{\sqrt{2}} = "
        rf"{second} \end{{gather}}"
    )
    assert len(judged(text)) == 4
    assert slips(text) == found
