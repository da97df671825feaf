"""What is withheld from the walk says why, by the rule that withholds it."""

from __future__ import annotations

import pytest

from symattn.reading.documents import document_reports
from tests.linked import ATTENDED

TABLE = """\
* **eats** → `[0.0, 1.0]`
* **fish** → `[2.0, 1.0]`

| word | query | key | value |
|---|---|---|---|
| eats | 1, 1 | 4, 2 | 1, -3 |
| fish | 0, 1 | 4, 4 | 4, -2 |

Dot products of the query of *eats* with the keys: eats 6, fish 8.
"""
BIASED = """\
X = [[1, 0], [0, 1], [1, 1]]
W_Q = [[1, 2], [3, 4]]
Q = [[1.1, 2.3], [3.1, 4.3], [4.1, 6.3]]
"""
ROTATED = """\
The keys turn by 1.25 radians.

Q = [[1, 1]]
K = [[2.000, 0.000], [0.540, 0.841]]

scores = [[2.000, 1.382]]
"""


@pytest.mark.parametrize(
    ("text", "number", "why"),
    [
        (
            ATTENDED + "q1·k1 = 1, q1·k2 = 0\n\nTrained:\n\nq1·k1 = 0.8\nq1·k2 = 0.3\n",
            "0.8",
            "another example",
        ),
        (TABLE + "\nThe pooled value is [3.51, -3.00].\n", "3.51", "more decimals"),
        (BIASED, "2.3", "a bias"),
        (ROTATED, "1.382", "was rounded"),
    ],
)
def test_a_number_that_is_withheld_says_by_which_rule(text: str, number: str, why: str) -> None:
    reports = document_reports(text, "a.md", "markdown")
    assert [why in each.why.en for report in reports for each in report.unread if each.text == number] == [
        True
    ]
