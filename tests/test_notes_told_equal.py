"""What is said to be another quantity has all its numbers, in each example of a document."""

from __future__ import annotations

from symattn.reading.notes import read_notes
from tests.linked import accused

TWO = """\
Two examples without any projection (Q = K = V = X, d_k = 2).

Example A

x1: [1.0, 0.0]
x2: [0.0, 2.0]

Weights:

row 1: [0.670, 0.330]
row 2: [0.056, 0.944]

Example B

x1: [0.5, 0.5]
x2: [1.0, -1.0]

Weights:

row 1: [0.587, 0.413]
row 2: [0.196, 0.804]
"""


def test_queries_are_all_rows_of_the_inputs_that_they_are_said_to_be() -> None:
    cases = read_notes(TWO).cases
    assert [case.given["Q"].typed for case in cases] == [case.given["X"].typed for case in cases]
    assert [len(case.given["X"].typed) for case in cases] == [2, 2]
    assert not accused(TWO)
    assert not read_notes(TWO).unread


def test_a_wrong_weight_of_the_second_example_is_accused() -> None:
    assert accused(TWO.replace("0.804", "0.904")) == ["A 0.904"]
