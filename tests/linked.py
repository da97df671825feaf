"""What notes are read as: which numbers are tied to which entries, what is given, and what is accused."""

from __future__ import annotations

from symattn.case import Case
from symattn.reading.documents import document_reports
from symattn.reading.kinds import Kind
from symattn.reading.notes import Reading, read_notes
from symattn.reading.notes.result import Convention
from symattn.reading.overrides import NONE, Overrides

ATTENDED = """\
Q = [[1, 0], [0, 2]]
K = [[1, 0], [0, 1]]
V = [[1, 2], [3, 4]]
"""
SQUARE = """\
X = [[1, 2], [3, 4]]
W_Q = [[1, 1], [0, 1]]
W_K = [[1, 2], [0, 1]]
Q = X W_Q = [[3, 2], [7, 4]]
K = X W_K = [[5, 2], [11, 4]]
"""
UNSCALED = """\
We divide the scores by sqrt(d_k) before the softmax.
Q = [[1, 1], [2, 0]]
K = [[1, 0], [0, 2]]
V = [[1], [2]]
scores = [[1, 2], [2, 0]]
A = [[0.269, 0.731], [0.881, 0.119]]
"""

Entry = tuple[str, int, int, int | None, str, str | None, int | None]


def links(text: str) -> list[tuple[str, int, int, tuple[tuple[str, ...], ...]]]:
    """Every claim of the first walk: name, row, column and the numbers."""
    return [(claim.name, claim.row, claim.col, claim.values) for claim in read_notes(text).cases[0].stated]


def accused(text: str) -> list[str]:
    """The numbers that are called slips or carried, with their quantity."""
    return [
        f"{number.printed.name} {number.printed.numeral.text}"
        for report in document_reports(text, "notes.md", "markdown")
        for number in report.judgements
        if number.verdict in ("slip", "carried")
    ]


def given(text: str, name: str, kind: Kind = "markdown") -> tuple[tuple[str, ...], ...]:
    (case,) = read_notes(text, "a", kind).cases
    return tuple(case.given[name].typed)


def linked(text: str, kind: Kind = "markdown") -> list[tuple[str, int, tuple[tuple[str, ...], ...]]]:
    """Every claim of the only walk: its quantity, its first row, its numbers."""
    (case,) = read_notes(text, "a", kind).cases
    return [(claim.name, claim.row, tuple(claim.values)) for claim in case.stated]


def conventions(text: str, given: Overrides = NONE) -> dict[str, Convention]:
    return {each.key: each for each in read_notes(text, given=given).conventions[0]}


def remarks(text: str, given: Overrides = NONE) -> list[tuple[str, str]]:
    """The code of every remark on a document, and what it puts in."""
    return [
        (remark.code, "; ".join(remark.values.get(key, "") for key in ("conventions", "declared", "count")))
        for report in document_reports(text, "notes.md", "markdown", given)
        for remark in report.remarks
    ]


def verdicts(text: str, given: Overrides = NONE) -> set[str]:
    reports = document_reports(text, "notes.md", "markdown", given)
    return {judged.verdict for report in reports for judged in report.judgements}


def entries(case: Case) -> list[Entry]:
    """Every claim number by number: name, row, column, key, characters, working, line."""
    found = []
    for claim in case.stated:
        for i, (texts, places) in enumerate(zip(claim.values, claim.places, strict=True)):
            for j, (text, place) in enumerate(zip(texts, places, strict=True)):
                line = place.line if place else None
                found.append((claim.name, claim.row + i, claim.col + j, claim.key, text, claim.work, line))
    return found


def only_case(reading: Reading) -> Case:
    assert len(reading.cases) == 1
    return reading.cases[0]
