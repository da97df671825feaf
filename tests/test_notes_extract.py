"""The case that is extracted from a note: its audit is that of the note, number for number."""

from __future__ import annotations

import pytest

from symattn.auditor.audit import audit
from symattn.auditor.report import Report
from symattn.casefile.case_file import parse_case
from symattn.notes.documents import read_notes
from symattn.notes.extract import extract


def verdicts(report: Report) -> list[tuple[str, str]]:
    return [(one.printed.numeral.text, one.verdict) for one in report.judgements]


@pytest.mark.parametrize(
    "note",
    [
        "X = [[1, 2], [3, 4]]\nW_K = [[1, 1], [0, 1]]\n\nK = X W_K = [[1, 3], [3, 8]]",
        "x_1 = [1.25, 2.50]\n\nx_1 = [1.25, 2.50]\n\nThe embedding is x_1 = [1.25, 2.50].",
        "Z = [[1.25, 2.50], [0.75, 3.25]]\n\nSo Z = [[1.25, 2.50], [0.75, 3.25]] again.",
    ],
)
def test_the_audit_of_an_extracted_case_is_the_audit_of_the_note(note: str) -> None:
    reading = read_notes(note, None, "markdown")
    assert reading.cases
    for number, case in enumerate(reading.cases):
        assert verdicts(audit(parse_case(extract(reading, number)))) == verdicts(audit(case))
