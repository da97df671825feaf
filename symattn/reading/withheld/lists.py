"""Lists that were taken for a quantity, and which the rest of what is printed speaks against."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from symattn.auditor.claims import entry_name
from symattn.auditor.report import WRONG, Judgement, Printed, Report
from symattn.case import Claim
from symattn.plan import base_name
from symattn.reading.withheld.surroundings import (
    AGAINST,
    Surroundings,
    judged_at,
    judged_of,
    tells,
    without_reason,
)

WORKED = frozenset({"exp", "Z", "output"})
"""What is computed from numbers that stand above it, and seldom just put down."""
LARGEST = 1_000
"""More decimals than a number has."""


def told_elsewhere(report: Report, around: Surroundings) -> tuple[Claim, ...]:
    """The wrong numbers that are of something else by what the text says, and those beside them."""
    here = [each for each in report.judgements if each.printed.place in around.elsewhere]
    lines = {each.printed.place.line for each in here if each.verdict in WRONG and each.printed.place}
    places = {each.printed.place for each in here if each.printed.place and each.printed.place.line in lines}
    return tuple(
        claim for claim in report.case.stated if any(place in places for row in claim.places for place in row)
    )


def misplaced(report: Report, _: Surroundings) -> tuple[Claim, ...]:
    """The lists of which no number is right, and which the rest of what is printed speaks against.

    Who slips does not slip in all of a list and then go on from the right numbers, or print it right
    elsewhere; nor in everything that is computed from numbers that stand there, without a cause. Such a list
    is probably one of something else, unless other numbers follow from it. A row of a matrix stands in its
    line with other rows, and is what they are where most of theirs is right.
    """
    return tuple(
        claim
        for claim, judged, slips in _wrong_lists(report)
        if len(slips) == sum(map(tells, judged)) > (entry_name(claim) not in report.case.given)
        and _speaks_against(report, entry_name(claim), slips)
        and not _is_row_of_matrix(claim, judged, report)
    )


def _is_row_of_matrix(claim: Claim, row: Sequence[Judgement], report: Report) -> bool:
    """Whether a list with hidden entries behind it stands in one line with right rows of its quantity."""
    number = row[0].printed
    if base_name(number.name) != "masked" or number.place is None or len(claim.values) > 1:
        return False
    others = [
        each
        for each in report.judgements
        if each.printed.name == number.name
        and each.printed.place is not None
        and each.printed.place.line == number.place.line
        and each.printed.row != number.row
    ]
    return 2 * sum(each.verdict not in WRONG for each in others) > len(others)


def finer(report: Report, _: Surroundings) -> tuple[Claim, ...]:
    """The wrong lists all of which has more decimals than what stands there already: who copies adds none."""
    right = {
        each.printed.at: each.printed for each in reversed(report.judgements) if each.verdict == "correct"
    }
    return tuple(claim for claim, judged, _ in _wrong_lists(report) if _is_finer(report, judged, right))


def _wrong_lists(report: Report) -> Iterator[tuple[Claim, list[Judgement], list[Judgement]]]:
    """The claims of several numbers with slips from which nothing follows, their judgements, the slips."""
    built_on = {judged.root for judged in report.judgements if judged.verdict == "carried"}
    at = judged_at(report)
    for claim in report.case.stated:
        judged = judged_of(claim, at)
        slips = [each for each in judged if each.verdict == "slip" and each.printed.index not in built_on]
        if len(judged) > 1 and slips:
            yield claim, judged, slips


def _speaks_against(report: Report, name: str, slips: Sequence[Judgement]) -> bool:
    """Whether a list that is wrong throughout is known otherwise, or would have to be computed so.

    It is a slip beside others where most of its quantity is wrong in the other rows as well.
    """
    if name in report.case.given or all(each.code in AGAINST for each in slips):
        return True
    rows = {each.printed.row for each in slips}
    others = [
        each for each in report.judgements if each.printed.name == name and each.printed.row not in rows
    ]
    throughout = 2 * sum(each.verdict in WRONG for each in others) > len(others)
    return base_name(name) in WORKED and not throughout and all(map(without_reason, slips))


def _is_finer(
    report: Report, judged: Sequence[Judgement], right: Mapping[tuple[str, int, int, int | None], Printed]
) -> bool:
    """Whether each number has more decimals than what was printed right, or given, of its entry above."""
    name, above = judged[0].printed.name, judged[0].printed.index
    given = report.case.given[name].typed if name in report.case.given else ()

    def places(number: Printed) -> int:
        earlier = right.get(number.at)
        if earlier is not None and earlier.index < above:
            return earlier.numeral.places
        is_given = number.key is None and number.row < len(given) and number.col < len(given[number.row])
        return len(given[number.row][number.col].partition(".")[2]) if is_given else LARGEST

    return all(places(each.printed) < each.printed.numeral.places for each in judged)
