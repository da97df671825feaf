"""Prints of another example: numbers that were printed otherwise before, one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symattn.auditor.report import Judgement, Report
from symattn.case import Claim, Place

LEAST = 2
"""How many numbers that are printed otherwise again are those of another example."""
ANOTHER = "most of these numbers were printed otherwise before, so they are probably of another example"


def of_another(report: Report) -> tuple[Claim, ...]:
    """The single numbers printed again one after the other of which most are not those printed before.

    They are probably of another example with the same names, which says nothing of its inputs.
    """
    alone = {claim.places[0][0] for claim in report.case.stated if sum(map(len, claim.places)) == 1}
    again = [
        judged
        for judged in report.judgements
        if judged.printed.first is not None and judged.printed.place in alone
    ]
    again.sort(key=lambda judged: _at(judged.printed.place))
    found: set[Place | None] = set()
    for group in _runs(again):
        other = [judged for judged in group if judged.code == "SA206"]
        if len(other) >= LEAST and 2 * len(other) >= len(group):
            found |= {judged.printed.place for judged in group}
    return tuple(
        claim for claim in report.case.stated if any(place in found for row in claim.places for place in row)
    )


def _runs(judged: Sequence[Judgement]) -> Iterator[list[Judgement]]:
    """Judgements of one quantity that stand on the same line or on the next."""
    run: list[Judgement] = []
    for each in judged:
        beside = run and run[-1].printed.name == each.printed.name
        if not (beside and _at(each.printed.place)[0] - _at(run[-1].printed.place)[0] <= 1):
            if run:
                yield run
            run = []
        run.append(each)
    if run:
        yield run


def _at(place: Place | None) -> tuple[int, int]:
    return (place.line, place.column) if place is not None else (0, 0)
