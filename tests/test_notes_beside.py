"""Sums that go on in the next display, letters in bold, a query and a key with a point between them."""

from __future__ import annotations

from symattn.reading.notes import read_notes
from tests.linked import linked


def test_a_sum_may_go_on_in_the_next_display() -> None:
    text = "$$0.39 \\times [1,0] + 0.22 \\times [0,1]$$\n$$+ \\ 0.39 \\times [1,1] = [0.78,\\ 0.61]$$\n"
    made = [(each.work, each.printed) for each in read_notes(text).equations]
    assert made == [("0.39*1 + 0.22*0 + 0.39*1", "0.78"), ("0.39*0 + 0.22*1 + 0.39*1", "0.61")]


def test_what_begins_with_a_plus_is_the_end_of_a_sum_and_no_equation() -> None:
    assert read_notes("The first term is long, and then\n\n$$+\\ 0.25 \\times 2 = 1.5$$\n").equations == ()


def test_a_greek_letter_in_bold_is_that_letter() -> None:
    text = "Q = [[1, 0], [0, 1]]\nK = [[1, 1], [0, 1]]\nV = [[2, 4], [6, 8]]\n\n"
    text += "$$\\boldsymbol{\\alpha} = \\begin{bmatrix} 0.67 & 0.33 \\\\ 0.50 & 0.50 \\end{bmatrix}$$\n"
    assert [name for name, _, _ in linked(text)] == ["A"]


def test_a_query_without_an_index_and_a_key_with_a_point_between_them_are_a_product() -> None:
    text = "q = [1, 0], keys k1 = [2, 0] and k2 = [0, 1]\n\n`q.k1 = 2, q.k2 = 0`\n"
    assert [link for link in linked(text) if link[0] == "scores"] == [
        ("scores", 0, (("2",),)),
        ("scores", 0, (("0",),)),
    ]
