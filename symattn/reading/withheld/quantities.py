"""Doubtful quantities: most numbers of one follow from something else than its walk.

Who slips in one step slips in some of its numbers, or in a way that has a name. The wrong numbers that are
computed from a doubtful quantity get no verdict by the walk either.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from symattn.auditor.report import WRONG, Judgement, Report
from symattn.case import Claim, Place
from symattn.plan import Plan, base_name, downstream
from symattn.reading.withheld.shifted import shifted
from symattn.reading.withheld.surroundings import (
    AGAINST,
    BY_THE_WALK,
    Surroundings,
    claims_of,
    is_below,
    tells,
    without_reason,
)

LEAST = 2
"""How many numbers of a quantity must be wrong at least."""
STEPS = frozenset({"scores", "scaled", "masked", "exp", "sum", "A"})
"""What follows from the quantity before it and from nothing else, whatever else was not read."""
WEIGHTS = frozenset({"exp", "A"})
"""What shows which scores are hidden, by its zeros or because there are none."""
FEWEST = 4
"""How many numbers must be wrong where none is right, and no walk is there."""
PROJECTED = frozenset({"Q", "K", "V"})
"""What weights make of one input."""


def of_another_walk(report: Report, around: Surroundings) -> tuple[Claim, ...]:
    """The quantities that agree with the formula beside them, and not with the walk.

    So do probably those of which most numbers are wrong for no known cause below a list or a matrix that
    nobody could read.
    """
    firsts = _firsts(report)
    numbers = Counter(judged.printed.name for judged in firsts)
    last = {judged.printed.name: judged.printed.place for judged in firsts}
    doubtful = Counter(
        judged.printed.name
        for judged in firsts
        if judged.verdict == "slip"
        and (
            judged.printed.place in around.explained
            or (
                is_below(judged, next(iter(around.lists), None))
                and without_reason(judged)
                and not _goes_on(report.derivation.plan, judged, last, around.lists)
            )
        )
    )
    roots = {name for name, count in doubtful.items() if count >= LEAST and 2 * count >= numbers[name]}
    return _with_what_follows(report, roots)


def behind_a_mask(report: Report, around: Surroundings) -> tuple[Claim, ...]:
    """The wrong quantities behind a mask that is spoken of and shown nowhere, not even by weights."""
    firsts = _firsts(report)
    if not around.masked or any(base_name(judged.printed.name) in WEIGHTS for judged in firsts):
        return ()
    weights = {line.name for line in report.derivation.plan if base_name(line.name) in WEIGHTS}
    wrong = {judged.printed.name for judged in firsts if judged.code in BY_THE_WALK}
    return _with_what_follows(report, wrong & downstream(report.derivation.plan, weights))


def of_another_input(report: Report, around: Surroundings) -> tuple[Claim, ...]:
    """The projections of one input where most numbers of two are wrong below something unread.

    That may be their input: who slips in every product does not leave it out.
    """
    firsts = [judged for judged in _firsts(report) if is_below(judged, next(iter(around.lists), None))]
    wrong: dict[str, set[str]] = {}
    for line in report.derivation.plan:
        if base_name(line.name) in PROJECTED:
            mine = [judged for judged in firsts if judged.printed.name == line.name]
            telling = [judged for judged in mine if judged.printed.numeral.value or judged.verdict in WRONG]
            slips = [judged for judged in telling if judged.code in BY_THE_WALK | AGAINST]
            if len(slips) >= LEAST and 2 * len(slips) > len(telling):
                wrong.setdefault(line.args[0], set()).add(line.name)
    several = [names for names in wrong.values() if len(set(map(base_name, names))) > 1]
    return _with_what_follows(report, {name for names in several for name in names})


def of_no_walk(report: Report, _: Surroundings) -> tuple[Claim, ...]:
    """All of an example that begins with scores, where no number is right, and no known mistake tells why.

    Zeros that are right tell nothing, nor does what is given, printed again. The letters mean something else
    then: `A` and `S` are matrices of many things.
    """
    telling = list(filter(tells, _firsts(report)))
    slips = [each for each in telling if each.verdict == "slip"]
    right = any(
        each.verdict not in (*WRONG, "undecided") and each.printed.name not in report.case.given
        for each in telling
    )
    if (
        "scores" not in report.case.given
        or right
        or len(slips) < FEWEST
        or not all(map(without_reason, slips))
    ):
        return ()
    return report.case.stated


def off_by_a_bias(report: Report, _: Surroundings) -> tuple[Claim, ...]:
    """The projections that are off by the same in every row."""
    return _with_what_follows(report, shifted(report))


def _firsts(report: Report) -> list[Judgement]:
    """The judgements on what is printed for the first time."""
    return [judged for judged in report.judgements if judged.printed.first is None]


def _with_what_follows(report: Report, roots: Collection[str]) -> tuple[Claim, ...]:
    """The claims of these quantities, and of those computed from them that have a wrong number."""
    if not roots:
        return ()
    accused = {judged.printed.name for judged in _firsts(report) if judged.verdict in WRONG}
    return claims_of(report, {*roots, *(downstream(report.derivation.plan, roots) & accused)})


def _goes_on(
    plan: Plan, judged: Judgement, printed: Mapping[str, Place | None], unread: Sequence[Place]
) -> bool:
    """Whether a quantity is steps from one that is printed, and nothing unread stands between them.

    `printed` is where the last number of each quantity stands.
    """
    lines = {line.name: line for line in plan}
    here = judged.printed.place

    def leads(arg: str) -> bool:
        there = printed.get(arg)
        between = there is not None and here is not None and any(there < place < here for place in unread)
        return arg in printed and not between

    made = [judged.printed.name]
    while made:
        line = lines.get(made.pop())
        if line is None or base_name(line.name) not in STEPS:
            continue
        if any(leads(arg) or (arg not in lines and base_name(arg) in STEPS) for arg in line.args):
            return True
        made += line.args
    return False
