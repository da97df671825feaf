"""Tables with a step of one query in each row, with the vectors of the keys among them."""

from __future__ import annotations

import pytest

from tests.linked import linked

STEPS = """\
| Step | "I" | "love" | "cats" |
|---|---|---|---|
| {scores} | 1 | 4 | 2 |
| ÷ √4 | 0.5 | 2.0 | 1.0 |
| softmax | 0.140 | 0.629 | 0.231 |
| value | (1, 0) | (0, 1) | (2, 2) |
| {weighted} | (0.140, 0) | (0, 0.629) | (0.462, 0.462) |
"""


@pytest.mark.parametrize(
    ("scores", "weighted"),
    [
        ('Query·Key (query = "love")', "weighted value"),
        ("dot product q·k", "weight × value"),
        ("score (q · k_j)", "α v"),
        ("点积 q·k", "加权值"),
    ],
)
def test_vectors_stand_among_the_steps_of_a_query(scores: str, weighted: str) -> None:
    said = [
        (name, row, values) for name, row, values in linked(STEPS.format(scores=scores, weighted=weighted))
    ]
    assert [name for name, _, _ in said] == ["scaled", "A", "Z.term", "Z.term", "Z.term"]
    assert {row for _, row, _ in said} == {0}
    assert said[-1][2] == (("0.462", "0.462"),)
