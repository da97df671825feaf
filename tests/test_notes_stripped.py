"""Matrices copied with one number a line: their shape and their order are those of the walk."""

from __future__ import annotations

import pytest

from symattn.reading.documents import document_reports
from symattn.reading.kinds import Kind


def judged(text: str, kind: Kind = "text") -> list[tuple[str, str]]:
    """The characters of every number that has a verdict, with this."""
    reports = document_reports(text, "notes.txt", kind)
    return [(one.printed.numeral.text, one.verdict) for each in reports for one in each.judgements]


def slips(text: str, kind: Kind = "text") -> list[str]:
    return [said for said, verdict in judged(text, kind) if verdict == "slip"]


def below(numbers: str) -> str:
    return "\n\n" + "\n".join(numbers.split()) + "\n\n"


BY_ROWS = {"X": "1 2 0 1 0 1", "Q": "3 0 1 2", "scaled": "6.36 SLIP 3.54 0.71", "A": "0.99 0.01 0.94 0.06"}
BY_COLUMNS = {"X": "1 1 2 0 0 1", "Q": "3 1 0 2", "scaled": "6.36 3.54 SLIP 0.71", "A": "0.99 0.94 0.01 0.06"}


def page(numbers: dict[str, str], slip: str) -> str:
    """A page with X (2 x 3) and weights that are 3 x 2, Q, scaled scores and their softmax."""
    weights = "1 0 1 0 0 2" if numbers is BY_ROWS else "1 1 0 0 0 2"
    return (
        f"Example 2.1. Let X be the matrix\nX ={below(numbers['X'])}and\nWQ ={below(weights)}.\n"
        f"Then we have\nQ = XWQ ={below(numbers['Q'])}, K ={below('3 1 1 0')}.\nThe scaled scores are\n"
        f"QKT\n√2\n={below(numbers['scaled'].replace('SLIP', slip))}and thus\nA = softmax\n(\nQKT\n√dk\n)\n="
        f"{below(numbers['A'])}.\n37\n"
    )


@pytest.mark.parametrize("numbers", [BY_ROWS, BY_COLUMNS], ids=["by rows", "by columns"])
@pytest.mark.parametrize(("slip", "found"), [("2.12", []), ("2.21", ["2.21"])])
def test_numbers_below_a_name_are_its_matrix(numbers: dict[str, str], slip: str, found: list[str]) -> None:
    text = page(numbers, slip)
    assert len(judged(text)) >= 12
    assert slips(text) == found


def test_a_root_above_a_matrix_is_not_what_its_first_number_comes_to() -> None:
    assert judged(f"The scores are\nQKT\n√2\n={below('3.536 3.536 3.536')}") == []
