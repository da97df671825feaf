"""Slips below something unread that are none where that was rounded."""

from __future__ import annotations

from symattn.auditor.report import WRONG, Judgement, Report
from symattn.case import Claim
from symattn.reading.withheld.surroundings import (
    BY_THE_WALK,
    Surroundings,
    is_below,
    judged_at,
    judged_of,
    without_reason,
)

NEAR = 2
"""How many units of its last place a number is off where what it is computed from may be rounded."""
FEWEST = 2
"""Of how many decimals numbers are that may be rounded."""


def loosened(report: Report, around: Surroundings) -> tuple[Claim, ...]:
    """The lists below something unread with a slip that is none where what is not shown was rounded.

    What could not be read may be such a step, and the numbers follow from it as it was printed.
    """
    if not any(each.code in BY_THE_WALK and is_below(each, around.torn) for each in report.judgements):
        return ()
    rounded = around.rounded()
    decimals = _decimals(report)
    at = judged_at(report)
    now = rounded.judgements if rounded is not None else report.judgements
    excused = {
        was.printed.place
        for was, now in zip(report.judgements, now, strict=True)
        if was.verdict in WRONG
        and (now.verdict not in WRONG or _is_near(was, decimals))
        and is_below(was, around.torn)
    }
    return tuple(
        claim
        for claim in report.case.stated
        if any(each.printed.place in excused for each in judged_of(claim, at))
    )


def _decimals(report: Report) -> int | None:
    """The decimals of what the walk begins at, where an unread step may make it: many of an input."""
    begun = "X" if "X" in report.case.given else "QKV"
    typed = (report.case.given[name].typed for name in begun if name in report.case.given)
    places = max((len(cell.partition(".")[2]) for rows in typed for row in rows for cell in row), default=0)
    return places if places >= FEWEST + (begun == "X") else None


def _is_near(judged: Judgement, decimals: int | None) -> bool:
    """Whether a number may be right where the queries, keys and values were rounded to these decimals."""
    near = judged.ulps is not None and judged.ulps <= NEAR and without_reason(judged)
    return near and decimals is not None and judged.printed.numeral.places >= decimals
