"""Labels and their numbers in columns of blanks: vectors of tokens, and the steps of one query."""

from __future__ import annotations

from symattn.reading.notes import read_notes
from tests.linked import accused, linked

ALIGNED = """query   [2.0, 0.8]
key 1   [1.9, 0.8]   value 1   [1.3, 1.8]
key 2   [0.7, 0.8]   value 2   [0.4, 1.4]

raw scores       4.44  2.04
/ sqrt(2)        3.140  1.442
softmax          0.845  0.155
context vector   [1.161, 1.738]
"""


def test_labels_and_numbers_in_columns_of_blanks_are_told_of_each_other() -> None:
    (case,) = read_notes(ALIGNED).cases
    assert case.given["V"].typed == (("1.3", "1.8"), ("0.4", "1.4"))
    assert [name for name, *_ in linked(ALIGNED)] == ["scores", "scaled", "A", "Z"]
    assert accused(ALIGNED) == []
    assert accused(ALIGNED.replace("0.155", "0.515")) == ["A 0.515"]


def test_lists_beside_labels_without_a_number_may_be_shapes() -> None:
    assert read_notes("query   [2, 4]   key   [2, 4]\nvalue   [2, 4]   scores   [2, 2]\n").cases == ()
