"""What was printed otherwise before, and is rather that of another row or of another example."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symattn.auditor.findings.codes import Finding
from symattn.auditor.judging.rules import contains
from symattn.auditor.numeral import Numeral
from symattn.auditor.report import Judgement, Report
from symattn.case import Claim, Place
from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.reading.withheld.surroundings import Surroundings, judged_at, judged_of

LEAST = 2
"""How many numbers that are printed otherwise again are those of another example."""
TOP = Place(0, 0)
"""Above everything: where a number stands that has no place."""
NEAR = 500
"""A number is about another one within this part of it."""


def of_another_row(report: Report, _: Surroundings) -> tuple[Claim, ...]:
    """The lists of another row than they were taken for, and what stands beside them.

    Half of such a list is wrong, all of it right for the other row, and for its own other numbers were
    printed before. So is a single number whose row was told by nothing but what stands above it; of a
    matrix the order of its rows tells. What else its line prints of the row was taken for it with no
    better reason.
    """
    at = judged_at(report)
    of = [(claim, judged_of(claim, at)) for claim in report.case.stated]
    lists: dict[object, list[Judgement]] = {}
    loose: set[object] = set()
    for claim, judged in of:
        for each in judged if claim.key is None and len(claim.values) == 1 else ():
            lists.setdefault((each.printed.name, _line_of(each)), []).append(each)
            loose |= {(each.printed.name, _line_of(each))} if claim.loose else set()
    codes = {key: {each.code for each in judged if each.verdict == "slip"} for key, judged in lists.items()}
    lines = {
        _line_of(judged[0])
        for key, judged in lists.items()
        if 2 * sum(each.verdict == "slip" for each in judged) >= len(judged)
        and (len(judged) > 1 or key in loose)
        and codes[key] == {Finding.DIFFERING_COPY}
        and (matrix := report.derivation.values.get(judged[0].printed.name)) is not None
        and _is_another(judged, matrix)
    }
    return tuple(
        claim
        for claim, judged in of
        if any(_line_of(each) in lines for each in judged if each.printed.place is not None)
    )


def of_another_example(report: Report, _: Surroundings) -> tuple[Claim, ...]:
    """The single numbers printed again one after the other of which most are not those printed before.

    They are probably of another example with the same names, which says nothing of its inputs.
    """
    alone = {claim.places[0][0] for claim in report.case.stated if sum(map(len, claim.places)) == 1}
    again = [
        judged
        for judged in report.judgements
        if judged.printed.first is not None and judged.printed.place in alone
    ]
    again.sort(key=lambda judged: (judged.printed.name, _place(judged)))
    found: set[Place | None] = set()
    for group in _runs(again):
        other = [judged for judged in group if judged.code == Finding.DIFFERING_COPY]
        if len(other) >= LEAST and 2 * len(other) >= len(group):
            found |= {judged.printed.place for judged in group}
    return tuple(
        claim for claim in report.case.stated if any(place in found for row in claim.places for place in row)
    )


def of_a_count(report: Report, _: Surroundings) -> tuple[Claim, ...]:
    """The single whole numbers where a decimal was printed before: they count something, `3. exp: 2.7`."""
    whole = {
        judged.printed.place
        for judged in report.judgements
        if judged.code == Finding.DIFFERING_COPY
        and not judged.printed.numeral.places
        and judged.printed.first is not None
        if report.judgements[judged.printed.first].printed.numeral.places
    }
    return tuple(
        claim
        for claim in report.case.stated
        if sum(map(len, claim.places)) == 1 and claim.places[0][0] in whole
    )


def _runs(judged: Sequence[Judgement]) -> Iterator[list[Judgement]]:
    """Judgements of one quantity that stand on the same line or on the next."""
    run: list[Judgement] = []
    for each in judged:
        beside = run and run[-1].printed.name == each.printed.name
        if not (beside and _place(each).line - _place(run[-1]).line <= 1):
            if run:
                yield run
            run = []
        run.append(each)
    if run:
        yield run


def _place(judged: Judgement) -> Place:
    return judged.printed.place or TOP


def _line_of(judged: Judgement) -> tuple[int, int] | None:
    """The row that a number was taken for, and the line in which it stands."""
    number = judged.printed
    return (number.row, number.place.line) if number.place is not None else None


def _is_another(judged: Sequence[Judgement], matrix: Matrix) -> bool:
    """Whether all numbers of a list are about those that another row should have."""
    here = judged[0].printed.row
    return any(
        all(_is_about(each.printed.numeral, matrix[row, each.printed.col]) for each in judged)
        for row in range(matrix.shape[0])
        if row != here
    )


def _is_about(numeral: Numeral, x: Exact) -> bool:
    """Whether a number is x to the digits that who rounds before has right."""
    room = max(numeral.unit, abs(numeral.value) / NEAR)
    return contains(numeral.value - room, numeral.value + room, x)
