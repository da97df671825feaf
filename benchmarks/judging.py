"""The reader and the auditor on one document, and what they said about each numeral, by its place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from benchmarks.injection.score import certain, together
from symattn.casefile.file_kinds import Kind
from symattn.notes.documents import document_reports

Spot = tuple[int, int]


@dataclass(frozen=True)
class Said:
    """The verdict on the numeral at a place, and the entry that it was taken for."""

    verdict: str
    name: str
    row: int
    col: int
    text: str
    together: bool = False  # whether a finding about a convention counts for it


@dataclass(frozen=True)
class Audited:
    """`remarks` are findings about no single number; `unread` says why a numeral has no verdict."""

    said: Mapping[Spot, Said]
    remarks: tuple[str, ...]
    unread: Mapping[Spot, str]
    failures: tuple[str, ...] = ()
    causes: tuple[frozenset[str], ...] = ()
    """What is named without a doubt as a cause, each with its rivals."""


def judged(text: str, name: str, kind: Kind) -> Audited:
    """Read and judge a document as `symattn audit` does; an error of the package is counted, not raised."""
    try:
        reports = document_reports(text, name, kind)
    except Exception as error:  # the reader promises never to raise for notes: this document is unread
        return Audited({}, (), {}, (f"CRASH {type(error).__name__}: {error}",))
    said: dict[Spot, Said] = {}
    unread: dict[Spot, str] = {}
    remarks: list[str] = []
    causes: list[frozenset[str]] = []
    for report in reports:
        causes += [
            frozenset((cause.slip, *(rival[0] for rival in cause.rivals))) for cause in certain(report)
        ]
        found_together = together(report)
        for number in report.judgements:
            printed = number.printed
            if printed.place is not None:
                spot = printed.place.line, printed.place.column
                text_of = printed.numeral.text
                one = Said(
                    number.verdict,
                    printed.name,
                    printed.row,
                    printed.col,
                    text_of,
                    printed.index in found_together,
                )
                said.setdefault(spot, one)
        for left in report.unread:
            if left.place is not None:
                unread[left.place.line, left.place.column] = f"{left.code} {left.why.en}"
        remarks += [
            f"{m.code} {m.verdict}" for m in report.remarks if m.verdict in ("claim", "shape", "slip")
        ]
    return Audited(said, tuple(remarks), unread, causes=tuple(causes))
