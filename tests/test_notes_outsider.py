"""What a reader from outside met first: the order of runs, and whose verdict a wrong word has."""

from __future__ import annotations

import pytest

from symattn.reading.documents import document_reports
from symattn.reading.notes import read_notes
from tests.linked import accused, only_case

RUNS = """\
X=(202210)

W_Q=(1201)

Q = X W_Q = {product}
"""
FOLLOWED = """\
Q = [[1, 0], [0, 1]]
K = [[2, 0], [0, 2]]
V = [[1, 2], [3, 4]]
Scores (not scaled):
QK^T = {scores}
Softmax by rows:
A = {weights}
"""


def words(text: str) -> list[tuple[str, str]]:
    """Code and verdict of each finding on the largest weight of a row."""
    remarks = [r for report in document_reports(text, "notes.md", "markdown") for r in report.remarks]
    return [(remark.code, remark.verdict) for remark in remarks if remark.code == "SA508"]


def test_the_order_of_runs_is_the_one_that_makes_the_printed_product() -> None:
    by_rows = RUNS.format(product="[[2, 4], [2, 6], [1, 2]]")
    by_columns = RUNS.format(product="[[6, 2], [2, 1], [2, 0]]")
    assert only_case(read_notes(by_rows)).given["X"].typed == (("2", "0"), ("2", "2"), ("1", "0"))
    assert only_case(read_notes(by_columns)).given["X"].typed == (("2", "2"), ("0", "1"), ("2", "0"))
    assert accused(by_rows) == accused(by_columns) == []


def test_runs_that_are_multiplied_and_printed_as_runs_tell_their_order() -> None:
    text = "Tokens: a, b\n\nX=(2011)\n\nW_Q=(1201)\n\nQ=(2413)\n\nW_K=(1101)\n\nK=(2212)\n"
    assert only_case(read_notes(text)).given["X"].typed == (("2", "0"), ("1", "1"))
    assert accused(text) == []


def test_a_slip_in_the_product_does_not_turn_the_runs() -> None:
    assert accused(RUNS.format(product="[[2, 4], [2, 7], [1, 2]]")) == ["Q 7"]


def test_a_row_that_ends_on_another_word_only_follows_where_its_numbers_do() -> None:
    followed = FOLLOWED.format(scores="[[-2, 0], [0, 2]]", weights="[[0.12, 0.88], [0.12, 0.88]]")
    slipped = FOLLOWED.format(scores="[[2, 0], [0, 2]]", weights="[[0.12, 0.88], [0.12, 0.88]]")
    assert words(followed) == [("SA508", "carried")]
    assert words(slipped) == [("SA508", "slip")]


DRAWN = """\
{query}

[-0.7   0.3]   [  -1   0.3]   [ 0.61  -0.39]
[ 1.6  -0.6] * [-0.3  -0.6] = [-1.42   0.84]

{key}

[-0.7   0.3]   [-0.3  -0.7]   [-0.06   0.28]
[ 1.6  -0.6] * [-0.9  -0.7] = [ 0.06  -0.71]
"""


@pytest.mark.parametrize(
    ("query", "key"),
    [
        ("Q = X * WQ", "K = X * WK"),
        ("Step 2: Q = X W_Q:", "Step 3: K = X W_K:"),
        ("Compute the queries:", "Keys"),
    ],
)
def test_drawings_that_are_multiplied_below_a_line_that_says_what_they_make(query: str, key: str) -> None:
    text = DRAWN.format(query=query, key=key)
    case = only_case(read_notes(text))
    assert case.given["X"].typed == (("-0.7", "0.3"), ("1.6", "-0.6"))
    assert case.given["W_K"].typed == (("-0.3", "-0.7"), ("-0.9", "-0.7"))
    assert accused(text) == ["K -0.71"]


def test_drawings_below_a_sentence_that_names_nothing_are_no_product() -> None:
    assert not read_notes(DRAWN.format(query="A first product:", key="A second one:")).cases
