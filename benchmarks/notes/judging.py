"""The reader and the auditor on one document, and what they said about each numeral, by its place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from benchmarks.injection.documents import _case
from benchmarks.notes.documents import Written
from symattn.auditor.audit import audit
from symattn.case import Claim, Place
from symattn.errors import SymattnError
from symattn.reading.notes import Reading, read_notes

Spot = tuple[int, int]


@dataclass(frozen=True)
class Said:
    """The verdict on the numeral at a place, and the entry that it was taken for."""

    verdict: str
    name: str
    row: int
    col: int
    text: str


@dataclass(frozen=True)
class Audited:
    """`remarks` are findings about no single number; `unread` and `idle` say why one has no verdict."""

    said: Mapping[Spot, Said]
    remarks: tuple[str, ...]
    unread: Mapping[Spot, str]
    idle: Mapping[Spot, str]
    failures: tuple[str, ...]
    reading: Reading


def judged(text: str, name: str, kind: str) -> Audited:
    """Read a document and judge it; an error of the package is a failure of that case, not of the run."""
    try:
        reading = read_notes(text, name, kind)  # type: ignore[arg-type]
    except Exception as error:  # the reader promises never to raise: counted, and the document is unread
        return Audited({}, (), {}, {}, (f"CRASH {type(error).__name__}: {error}",), Reading(()))
    said: dict[Spot, Said] = {}
    unread: dict[Spot, str] = {}
    remarks: list[str] = []
    failures: list[str] = []
    for case in reading.cases:
        try:
            report = audit(case)
        except SymattnError as error:
            failures.append(f"{type(error).__name__}: {str(error).splitlines()[0].partition(': ')[2]}")
            continue
        except Exception as error:
            failures.append(f"CRASH {type(error).__name__}: {error}")
            continue
        for number in report.judgements:
            printed = number.printed
            if printed.place is not None:
                spot = printed.place.line, printed.place.column
                said[spot] = Said(
                    number.verdict, printed.name, printed.row, printed.col, printed.numeral.text
                )
        for left in report.unread:
            if left.place is not None:
                unread[left.place.line, left.place.column] = f"{left.code} {left.why}"
        remarks += [
            f"{m.code} {m.verdict}" for m in report.remarks if m.verdict in ("claim", "shape", "slip")
        ]
    for gone in reading.unread:
        unread[gone.place.line, gone.place.column] = f"{gone.code} {gone.why}"
    idle = {(n.place.line, n.place.column): n.why for n in reading.not_computed}
    _alone(reading, said)
    return Audited(said, tuple(remarks), unread, idle, tuple(failures), reading)


def judged_by_oracle(document: Written) -> Audited:
    """The same numerals, tied to their entries by the renderer: what the auditor alone makes of them."""
    claims = []
    for mark in document.marks:
        num, (name, i, j) = mark.num, mark.num.entry
        if num.truth is None:
            continue
        key = int(name.partition("[")[2][:-1]) if name.startswith("Z.term") else None
        place = Place(mark.line, mark.column)
        claims.append(
            Claim(name.partition("[")[0], ((num.text,),), i, j, key=key, place=place, places=((place,),))
        )
    report = audit(_case(document.draft.world, tuple(claims)))
    said = {}
    for number in report.judgements:
        place = number.printed.place
        assert place is not None
        p = number.printed
        said[place.line, place.column] = Said(number.verdict, p.name, p.row, p.col, p.numeral.text)
    remarks = tuple(
        f"{m.code} {m.verdict}" for m in report.remarks if m.verdict in ("claim", "shape", "slip")
    )
    return Audited(said, remarks, {}, {}, (), Reading(()))


def _alone(reading: Reading, said: dict[Spot, Said]) -> None:
    """Equations that stand outside every walk."""
    for equation in reading.equations:
        spot = equation.place.line, equation.place.column
        said.setdefault(spot, Said("undecided", "equation", 0, 0, equation.printed))
