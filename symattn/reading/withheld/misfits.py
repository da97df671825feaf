"""Lists that cannot be of the walk: they have more numbers than entries, or stand above their inputs."""

from __future__ import annotations

from collections.abc import Mapping

from symattn.auditor.claims import entry_name
from symattn.auditor.findings.codes import Finding
from symattn.auditor.report import WRONG, Report
from symattn.case import Case, Claim, Place
from symattn.plan import base_name, leading_to
from symattn.reading.notes.linking.denote import ROOT
from symattn.reading.withheld.surroundings import (
    BY_THE_WALK,
    Surroundings,
    is_above,
    is_doubtful,
    judged_at,
    judged_of,
    tells,
)


def of_another_size(report: Report, _: Surroundings) -> tuple[Claim, ...]:
    """The lists of one row with slips that have more numbers than their quantity has entries."""
    beyond = {each.place for each in report.unread if each.code == Finding.OUT_OF_RANGE}
    at = judged_at(report)
    return tuple(
        claim
        for claim in report.case.stated
        if beyond and any(place in beyond for row in claim.places for place in row)
        if len(claim.values) == 1 and any(is_doubtful(judged) for judged in judged_of(claim, at))
    )


def above_its_inputs(report: Report, around: Surroundings) -> tuple[Claim, ...]:
    """The claims with slips in a paragraph above an input of theirs, or above rows of their own.

    What is worked out stands below what it is worked out from, so that input is of something else; a single
    slip beside right numbers there is one.
    """
    plan, last = report.derivation.plan, _last_rows(report.case)
    at = judged_at(report)
    found, above = list[Claim](), list[Claim]()
    wrong_above = right_above = 0
    for claim in report.case.stated:
        numbers = judged_of(claim, at)
        wrong = [judged for judged in numbers if judged.verdict in WRONG]
        name = entry_name(claim)
        if not all(map(is_doubtful, wrong)):
            continue
        if name in last:
            found += [claim] if any(is_above(judged, last[name]) for judged in wrong) else []
            continue
        sources = {arg for line in leading_to(plan, {name}) for arg in line.args if arg in last}
        lowest = max((around.paragraph(last[source].line) for source in sources), default=0)
        places = [(judged, judged.printed.place) for judged in numbers if tells(judged)]
        there = [judged for judged, place in places if place and around.paragraph(place.line) < lowest]
        count = sum(judged.verdict in WRONG for judged in there)
        wrong_above, right_above = wrong_above + count, right_above + len(there) - count
        above += [claim] if count else []
    found += above if wrong_above > 1 or not right_above else []
    return tuple(found)


def of_other_inputs(report: Report, _: Surroundings) -> tuple[Claim, ...]:
    """The inputs half of which are printed otherwise again: who copies them does not change so many."""
    at = judged_at(report)
    found = []
    for claim in report.case.stated:
        numbers = judged_of(claim, at) if entry_name(claim) in report.case.given else []
        wrong = [judged for judged in numbers if judged.verdict in WRONG]
        telling = sum(map(tells, numbers))
        if len(wrong) > 1 and 2 * len(wrong) >= telling and all(map(is_doubtful, wrong)):
            found.append(claim)
    return tuple(found)


def of_another_root(report: Report, _: Surroundings) -> tuple[Claim, ...]:
    """The roots that are right, and of another number than the length of the keys: `√64 = 8`."""
    places = {
        judged.printed.place
        for judged in report.judgements
        if base_name(judged.printed.name) == ROOT and judged.code in BY_THE_WALK and judged.printed.work
    }
    return tuple(claim for claim in report.case.stated if claim.place in places)


def _last_rows(case: Case) -> Mapping[str, Place]:
    """Where the last row of each input stands."""
    last: dict[str, Place] = {}
    for key, place in case.places.items():
        name = key.removeprefix("given.").partition("[")[0]
        last[name] = max(place, last.get(name, place))
    return last
