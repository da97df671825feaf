"""Decimal commas: read where a document writes its numbers so, and kept where one is mended."""

from __future__ import annotations

import pytest

from symattn.auditor.fixing.edits import applied
from symattn.auditor.fixing.rewriting import edits
from symattn.reading.documents import document_reports
from symattn.reading.notes import read_notes
from symattn.reading.notes.formulas.commas import with_points

GERMAN = """\
Q = [[1,50; 0,25]; [0,10; 1,20]]

K = [[1,00; 2,00]; [0,50; 1,00]]

QK^T = [[2,00; 1,00]; [2,50; 1,25]]
"""


def test_a_comma_between_digits_is_a_point_where_the_document_writes_decimals_so() -> None:
    assert with_points("12,55 = 0,67 + 11,88; also x = 3,4") == "12.55 = 0.67 + 11.88; also x = 3.4"


def test_a_comma_in_braces_is_a_point_at_the_same_offset() -> None:
    assert with_points(r"0{,}67 & 0{,}33 \\ 1{,}5 & 2{,}25") == r"0{.}67 & 0{.}33 \\ 1{.}5 & 2{.}25"


@pytest.mark.parametrize(
    "text",
    [
        "q = [1,0], k = [0,1] and [12,10], [10,12], (11,12), (20,21)",  # pairs in brackets
        "x = 1,20,33 and y = 5,66,70 and z = 10,20,30 and w = 7,88,99",  # lists without blanks
        "1,000 + 2,000 = 3,000 and 4,500 are thousands",
        "0,67; 0,33; 0,12 beside 0.5, 1.5 and 2.5",  # a document that writes points
        "0,67 and 0,33",  # two are not enough
    ],
)
def test_a_comma_stays_a_separator_where_a_document_leaves_a_doubt(text: str) -> None:
    assert with_points(text) == text


def test_an_index_keeps_its_comma_among_decimals() -> None:
    assert with_points("s_{1,20} = 0,67 + 0,33 + 0,10, Q[0,1]") == "s_{1,20} = 0.67 + 0.33 + 0.10, Q[0,1]"


def test_matrices_with_decimal_commas_and_semicolons_are_read() -> None:
    (case,) = read_notes(GERMAN).cases
    assert [(claim.name, claim.values) for claim in case.stated] == [
        ("scores", (("2.00", "1.00"), ("2.50", "1.25")))
    ]


@pytest.mark.parametrize(("wrong", "right"), [("2,05; 1,25", "2,50; 1,25"), ("2{,}05; 1,25", "2{,}50; 1,25")])
def test_a_fix_writes_the_comma_of_the_document(wrong: str, right: str) -> None:
    text = GERMAN.replace("2,50; 1,25", wrong)
    wanted = edits(document_reports(text, "note.md", "markdown"))
    assert applied(text, wanted) == (GERMAN.replace("2,50; 1,25", right), 1)


def test_semicolons_part_rows_that_have_commas_and_else_the_numbers() -> None:
    (case,) = read_notes("Q = [1, 2; 3, 4]\nK = [1 0; 0 1]\nQ K^T = [1, 2; 3, 4]\n").cases
    assert [(claim.name, claim.values) for claim in case.stated] == [("scores", (("1", "2"), ("3", "4")))]
