"""A wrong number is not acquitted by a step that makes nothing, or by chance."""

from __future__ import annotations

import numpy as np

from symattn.notes.documents import document_reports
from symattn.notes.grammar.syntax import literal
from symattn.notes.grammar.tokens import Token
from symattn.notes.interpreter.match import UNDECIDED, WRONG, match
from symattn.notes.interpreter.values import Made, Value


def slips(text: str) -> list[str]:
    """The numbers of a text that are accused."""
    reports = document_reports(text, "notes.md", "markdown")
    return [o.printed.numeral.text for r in reports for o in r.judgements if o.verdict == "slip"]


UNNORMALISED = """
S = [[-1.1091, 0.7730, 1.9284], [-0.9953, -0.9757, 0.6632], [-0.3724, -1.7547, 1.1724]]

P = exp(S) = [[0.3299, 2.1663, 6.8785], [0.3696, 0.3769, 1.9410], [0.6891, 0.1730, 3.2297]]

A = softmax(S) = [[0.3299, 2.1663, 6.8785], [0.3696, 0.3769, 1.9410], [0.6891, 0.1730, 3.2297]]
"""


def test_relu_of_numbers_that_are_not_negative_acquits_no_more_than_a_copy():
    assert slips(UNNORMALISED) == [
        "0.3299",
        "2.1663",
        "6.8785",
        "0.3696",
        "0.3769",
        "1.9410",
        "0.6891",
        "0.1730",
        "3.2297",
    ]


def test_a_wide_range_decides_nothing_about_numbers_near_it_and_makes_far_ones_wrong():
    tokens = [
        Token("NUM", text, 1, k, value=float(text), unit=0.1) for k, text in enumerate(["222.9", "9.0"])
    ]
    row = literal(tokens, [1.0, 1.0], (2,))
    middle, away = np.array([2440.6, 20.0]), np.array([12.2, 8.0])
    found = match(row, Value(middle, middle - away, middle + away, Made("exp")))
    assert found is not None
    assert found.status.tolist() == [WRONG, UNDECIDED]
