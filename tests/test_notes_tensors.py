"""Tensors of several matrices are as many walks: a batch, or heads."""

from __future__ import annotations

from symattn.reading.documents import document_reports
from symattn.reading.notes import read_notes

TOLD = """```
Q = [[[1, 2], [0, 2]],
 [[2, 1], [1, 1]]]
K = [[[2, 1], [1, 1]],
 [[0, 1], [1, 2]]]
V = [[[1, 2], [1, 1]],
 [[2, 0], [0, 1]]]
```

`Q @ K.transpose(-2, -1)`:

```
[[[4, 3], [2, 2]],
 [[1, 4], [1, 3]]]
```
"""


def test_each_matrix_of_a_tensor_is_of_a_walk_of_its_own() -> None:
    cases = read_notes(TOLD).cases
    assert [case.given["K"].typed for case in cases] == [(("2", "1"), ("1", "1")), (("0", "1"), ("1", "2"))]
    stated = [(claim.name, claim.values) for case in cases for claim in case.stated]
    assert stated == [("scores", (("4", "3"), ("2", "2"))), ("scores", (("1", "4"), ("1", "3")))]


def test_a_wrong_number_in_the_second_matrix_is_accused() -> None:
    reports = document_reports(TOLD.replace("[1, 3]]]", "[1, 5]]]"), "notes.md", "markdown")
    wrong = [one.printed.numeral.text for each in reports for one in each.judgements if one.verdict == "slip"]
    assert wrong == ["5"]


def test_weights_are_shared_by_the_walks_of_a_tensor() -> None:
    text = "X = [[[1, 2], [0, 2]], [[2, 1], [1, 1]]]\n\nW_Q = [[1, 1], [0, 1]]\n\n"
    cases = read_notes(text + "Q = X W_Q = [[[1, 3], [0, 2]], [[2, 3], [1, 2]]]\n").cases
    assert [case.given["W_Q"].typed for case in cases] == [(("1", "1"), ("0", "1"))] * 2
    assert [claim.values[1] for case in cases for claim in case.stated] == [("0", "2"), ("1", "2")]
