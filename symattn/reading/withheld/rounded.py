"""Slips below something unread that are none where that was rounded."""

from __future__ import annotations

from symattn.auditor.report import WRONG, Report
from symattn.case import Claim
from symattn.reading.withheld.surroundings import BY_THE_WALK, Surroundings, is_below, judged_at, judged_of


def loosened(report: Report, around: Surroundings) -> tuple[Claim, ...]:
    """The lists below something unread with a slip that is none where what is not shown was rounded.

    What could not be read may be such a step, and the numbers follow from it as it was printed.
    """
    if not any(each.code in BY_THE_WALK and is_below(each, around.torn) for each in report.judgements):
        return ()
    rounded = around.rounded()
    if rounded is None:
        return ()
    at = judged_at(report)
    excused = {
        was.printed.place
        for was, now in zip(report.judgements, rounded.judgements, strict=True)
        if was.verdict in WRONG and now.verdict not in WRONG and is_below(was, around.torn)
    }
    return tuple(
        claim
        for claim in report.case.stated
        if any(each.printed.place in excused for each in judged_of(claim, at))
    )
