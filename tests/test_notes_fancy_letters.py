"""Letters of mathematics that Unicode has for themselves, and formulas in corners, names of sums."""

from __future__ import annotations

import pytest

from symattn.reading.documents import document_reports
from symattn.reading.kinds import Kind


def judged(text: str, kind: Kind) -> list[tuple[str, str]]:
    """The characters of every number that has a verdict, with this."""
    reports = document_reports(text, "notes", kind)
    return [(one.printed.numeral.text, one.verdict) for each in reports for one in each.judgements]


def slips(text: str, kind: Kind) -> list[str]:
    return [said for said, verdict in judged(text, kind) if verdict == "slip"]


BOLD = """\
The queries, keys and values are

𝐐 = [[1, 0], [0, 2]]
𝐊 = [[1, 1], [0, 1]]
𝑉 = [[1, 2], [3, 4]]

𝐐𝐊ᵀ = [[1, 0], [2, 2]]
𝐀 = softmax(𝐐𝐊ᵀ/√dₖ) = [[0.67, 0.33], [WEIGHT, 0.50]]
𝐙 = 𝐀𝐕 = [[1.66, 2.66], [2.00, 3.00]]
"""


@pytest.mark.parametrize(("weight", "found"), [("0.50", []), ("0.05", ["0.05"])])
def test_bold_and_italic_letters_are_the_letters_that_they_are(weight: str, found: list[str]) -> None:
    text = BOLD.replace("WEIGHT", weight)
    assert len(judged(text, "text")) == 12
    assert slips(text, "text") == found


HEADED = r"""$Q = [[1, 0], [0, 2]]$, $K = [[1, 1], [0, 1]]$
The scores:
\[ \begin{array}{l|rr} QK^\top & \text{le} & \text{chat} \\ \hline
\text{le} & 1 & 0 \\ \text{chat} & LAST & 2 \end{array} \]
"""


@pytest.mark.parametrize(("last", "found"), [("2", []), ("3", ["3"])])
def test_an_array_may_have_a_formula_in_its_corner(last: str, found: list[str]) -> None:
    text = HEADED.replace("LAST", last)
    assert [said for said, _ in judged(text, "latex")] == ["1", "0", last, "2"]
    assert slips(text, "latex") == found


NORMALISED = """\
q = [1, 0], k_1 = [1, 0], k_2 = [0, 2]

| Step | Computation | Result |
|---|---|---|
| Exponential | exp(0.71) | 2.03 |
| Exponential | exp(0) | 1.00 |
| {} | 2.03 + 1.00 | 3.30 |
| Weight a_1 | 2.03/3.30 | 0.62 |
| Weight a_2 | 1.00/3.30 | 0.30 |
"""


@pytest.mark.parametrize("word", ["Normaliser", "Normalization constant", "Nenner", "归一化因子"])
def test_weights_go_on_from_the_sum_whatever_it_is_called(word: str) -> None:
    found = judged(NORMALISED.format(word), "markdown")
    assert {("3.30", "slip"), ("0.62", "carried"), ("0.30", "carried")} <= {*found}
