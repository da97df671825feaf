"""Documents that cut their decimals off, or those of some quantities, where others are rounded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Literal

from msgspec.structs import replace

from symattn.auditor.findings.codes import Finding
from symattn.auditor.judging.evaluations import Evaluations
from symattn.auditor.judging.judge import GivenUp, Judged, MoreSlips, judge
from symattn.auditor.judging.rules import shortened_by
from symattn.auditor.report import Judgement, Printed, Remark
from symattn.exact.number import Exact
from symattn.plans.plan import downstream

LEAST = 3
"""How many numbers that are cut off are spoken of."""


def with_truncation(judged: Judged) -> tuple[Judged, tuple[Remark, ...]]:
    """Read the document as one that truncates, throughout or in some quantities, where that explains more."""
    told = _evidence(judged)
    again, remarks = _throughout(judged, told)
    if again.slips:
        again = _in_places(again, told if again is judged else _evidence(again))
    return again, remarks


Evidence = Sequence[tuple[Judgement, Literal["nearest", "truncated"]]]
"""First prints that tell how they were made of their values, and how; slips of these are integers cut off."""


def _in_places(judged: Judged, ways: Evidence) -> Judged:
    """Read those quantities as cut off of which only that explains a number, and rounding alone none."""
    found = {(j.printed.name, way) for j, way in ways if j.verdict != "slip"}
    cut = frozenset(name for name, way in found if way == "truncated" and (name, "nearest") not in found)
    if not cut or not _reaches_slips(cut, judged):
        return judged
    supposed = replace(judged.evaluations.supposed, truncates=False, cut=cut)
    try:
        again = judge(judged.evaluations.baseline, supposed, MoreSlips(judged.slips - 1), judged)
    except GivenUp:
        return judged
    return again if again.slips < judged.slips else judged


def _reaches_slips(cut: frozenset[str], judged: Judged) -> bool:
    """Whether a slip stands in one of the quantities, or in what follows from them: no other is put right.

    What is odd (SA207) is so beside all the rest.
    """
    baseline = judged.evaluations.baseline
    reached = downstream(tuple(route for line in baseline.plan for route in baseline.routes(line.name)), cut)
    slips = [j for j in judged.judgements if j.verdict == "slip"]
    return any(j.printed.name in reached or j.code == Finding.ODD_ONE_OUT for j in slips)


def _throughout(judged: Judged, ways: Evidence) -> tuple[Judged, tuple[Remark, ...]]:
    """Read the document as one that truncates, where that explains nine in ten of the numbers that tell.

    Those are the numbers that only truncation explains, and those that only rounding to nearest does. Where
    most of a quantity is wrong, what happens to be right in it tells nothing. Fewer than three numbers that
    are cut off are not spoken of, and count only where truncation then leaves nothing wrong, and for decimals
    alone. Integers count where nine in ten of the slips are integers that were cut off.
    """
    firsts = [j for j in judged.judgements if j.printed.first is None]
    whole = {j.printed.index for j, _ in ways if j.verdict == "slip"}
    slips = Counter(j.printed.name for j in firsts if j.verdict == "slip" and j.printed.index not in whole)
    if 9 * sum(slips.values()) > len(whole):
        ways = [(j, way) for j, way in ways if j.verdict != "slip"]
    sizes = Counter(j.printed.name for j in firsts)
    ways = [(j, way) for j, way in ways if 2 * slips[j.printed.name] <= sizes[j.printed.name]]
    cut = [j for j, way in ways if way == "truncated"]
    few = len(cut) < LEAST
    if not cut or (few and not judged.slips):
        return judged, ()
    nearest = [j.printed for j, way in ways if way == "nearest"]
    too_many = MoreSlips(0 if few else judged.slips)
    rounded = 0

    def hopeless(name: str, found: Collection[Judgement], evaluations: Evaluations) -> bool:
        nonlocal rounded
        rounded += sum(number.name == name and not _may_be_cut(number, evaluations) for number in nearest)
        return len(cut) < 9 * rounded or too_many(name, found, evaluations)

    before = judged.evaluations.supposed
    supposed = replace(before, cut=frozenset(sizes)) if few else replace(before, truncates=True)
    try:
        again = judge(judged.evaluations.baseline, supposed, hopeless)
    except GivenUp:
        return judged, ()
    if again.slips > judged.slips:
        return judged, ()
    if few:
        return (judged if again.slips else again), ()
    first = cut[0].printed
    remark = Remark(
        Finding.DOCUMENT_TRUNCATES,
        "rounding",
        {"count": str(len(cut))},
        None,
        None,
        tuple(j.printed.index for j in cut),
        first.source_line,
        first.place,
    )
    return again, (remark,)


def _values(judgement: Judgement, judged: Judged) -> Iterator[Exact | None]:
    """The exact value of a number, and that of its step, which nobody may ask for."""
    yield judgement.exact
    number = judgement.printed
    yield judged.evaluations.settled[number.name].local.seen[number.row, number.col]


def _evidence(judged: Judged) -> Evidence:
    """What tells; nothing where no number tells that it was cut off, as most documents have none."""
    cuts_off = judged.evaluations.supposed.cuts_off
    rounded, others = list[Judgement](), list[Judgement]()
    for each in judged.judgements:
        number = each.printed
        if number.first is None:
            right = each.verdict == "correct" and not cuts_off(number.name, number.numeral)
            (rounded if right else others).append(each)
    found = _telling(others, judged)
    return [*found, *_telling(rounded, judged)] if any(way == "truncated" for _, way in found) else ()


def _telling(judgements: Sequence[Judgement], judged: Judged) -> Evidence:
    found = []
    for judgement in judgements:
        numeral, wrong = judgement.printed.numeral, judgement.verdict == "slip"
        if numeral.whole or not wrong:
            way = shortened_by(numeral, _values(judgement, judged))
            if way is not None and (way == "truncated" or not wrong):
                found.append((judgement, way))
    return found


def _may_be_cut(number: Printed, evaluations: Evaluations) -> bool:
    """Whether truncation reaches the number from what the printed digits may hide."""
    table = evaluations.settled[number.name].local.seen_range
    return table is not None and table[number.row][number.col].meets(*number.numeral.truncated())
