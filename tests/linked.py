"""What notes are read as: which numbers are tied to which entries, what is given, and what is accused."""

from __future__ import annotations

from symattn.reading.documents import document_reports
from symattn.reading.notes import read_notes
from symattn.reading.notes.result import Kind

ATTENDED = """\
Q = [[1, 0], [0, 2]]
K = [[1, 0], [0, 1]]
V = [[1, 2], [3, 4]]
"""


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
