"""What the rules of withholding look at: the claims of a report, and what of the document was not read."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass

from symattn.auditor.claims import entry_name
from symattn.auditor.findings.codes import Finding
from symattn.auditor.report import WRONG, Judgement, Report, Unread
from symattn.case import Claim, Place
from symattn.reading.notes.result import Unread as NotRead

BY_THE_WALK = frozenset({Finding.SLIP, Finding.SLIP_WITH_CAUSE})
"""Slips that nothing but the walk tells, the second with a cause that may be no more than possible."""
AGAINST = frozenset({Finding.TYPO, Finding.DIFFERING_COPY})
"""What follows a number uses the right one, or it was printed otherwise before."""

Judged = Mapping[tuple[str, Place | None], Judgement]
"""The judgements of a report by the quantity and the place of their number."""


@dataclass(frozen=True)
class Surroundings:
    """What the document tells of the numbers of an example, beside the report on them.

    `explained` are the places of numbers that agree with their own formulas, `lists` where the lists and
    matrices stand that nobody could read, `torn` is the first place of anything unread; `masked` says that
    scores are hidden, and nothing which. `numbers` is all that is unread, `elsewhere` where the
    numbers stand of which the document says that they are of something else, or wrong. `rounded` gives the
    report where steps that are not shown were rounded, None unless that explains more. `withheld` is what
    was taken out before, `apart` where the numbers stand that follow from what stands
    beside them and are none of a walk, `blank` which lines are empty.
    """

    explained: Container[Place | None]
    lists: Sequence[Place]
    torn: Place | None
    masked: bool
    numbers: Sequence[NotRead] = ()
    elsewhere: Container[Place | None] = ()
    rounded: Callable[[], Report | None] = lambda: None
    withheld: Sequence[Unread] = ()
    apart: Sequence[Place] = ()
    blank: Sequence[int] = ()

    def unread(self) -> Iterator[tuple[str, Place]]:
        """What has no verdict, or was taken out before."""
        for each in self.numbers:
            yield each.text, each.place
        for lost in self.withheld:
            if lost.place is not None:
                yield lost.text, lost.place

    def paragraph(self, line: int) -> int:
        """Which paragraph a line is in, counted by the blank lines above it."""
        return bisect_left(self.blank, line)


def judged_at(report: Report) -> Judged:
    """The judgements by quantity and place."""
    return {(judged.printed.name, judged.printed.place): judged for judged in report.judgements}


def judged_of(claim: Claim, at: Judged) -> list[Judgement]:
    """The judgements on the numbers of a claim."""
    name = entry_name(claim)
    return [at[name, place] for row in claim.places for place in row if (name, place) in at]


def claims_of(report: Report, names: Collection[str]) -> tuple[Claim, ...]:
    """The claims of these quantities."""
    return tuple(claim for claim in report.case.stated if entry_name(claim) in names)


def without_reason(judged: Judgement) -> bool:
    """Whether neither the working on its line nor a known mistake tells that a number is a slip."""
    return judged.code == Finding.SLIP and (judged.cause is None or not judged.cause.certain)


def is_doubtful(judged: Judgement) -> bool:
    """Whether nothing but its link to the walk tells that a number is wrong."""
    sure = judged.cause is not None and judged.cause.certain
    return not sure and (judged.verdict == "carried" or judged.code in BY_THE_WALK | AGAINST)


def tells(judged: Judgement) -> bool:
    """Whether a number can speak for its list: a zero that is right may be one of anything."""
    return bool(judged.printed.numeral.value) or judged.verdict in WRONG


def is_below(judged: Judgement, place: Place | None) -> bool:
    """Whether a number stands below a place of the document."""
    here = judged.printed.place
    return place is not None and here is not None and place < here


def is_above(judged: Judgement, place: Place) -> bool:
    """Whether a number stands above a place of the document."""
    here = judged.printed.place
    return here is not None and here < place
