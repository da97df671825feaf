"""Documents that cut their decimals off, or those of some quantities, where others are rounded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import replace
from typing import Literal

from symattn.auditor.judging.judge import GivenUp, Judged, judge, more_slips_than
from symattn.auditor.judging.rules import told
from symattn.auditor.judging.walks import Walks
from symattn.auditor.report import Judgement, Printed, Remark

LEAST = 3
"""How many numbers that are cut off are spoken of."""


def with_truncation(judged: Judged) -> tuple[Judged, tuple[Remark, ...]]:
    """Read the document as one that truncates, throughout or in some quantities, where that explains more."""
    again, remarks = _throughout(judged)
    return (_in_places(again) if again.slips else again), remarks


def _in_places(judged: Judged) -> Judged:
    """Read those quantities as cut off of which only that explains a number, and rounding alone none."""
    firsts = [j for j in judged.judgements if j.printed.first is None and j.verdict != "slip"]
    ways = [(j.printed.name, _told(j, judged)) for j in firsts]
    cut = frozenset(name for name, way in ways if way == "truncated" and (name, "nearest") not in ways)
    if not cut:
        return judged
    again = judge(judged.walks.ground, replace(judged.walks.supposed, truncates=False, cut=cut))
    return again if again.slips < judged.slips else judged


def _throughout(judged: Judged) -> tuple[Judged, tuple[Remark, ...]]:
    """Read the document as one that truncates, where that explains nine in ten of the numbers that tell.

    Those are the numbers that only truncation explains, and those that only rounding to nearest does. Where
    most of a quantity is wrong, what happens to be right in it tells nothing. Fewer than three numbers that
    are cut off are not spoken of, and count only where truncation then leaves nothing wrong.
    """
    firsts = [j for j in judged.judgements if j.printed.first is None]
    slips = Counter(j.printed.name for j in firsts if j.verdict == "slip")
    sizes = Counter(j.printed.name for j in firsts)
    firsts = [j for j in firsts if j.verdict != "slip" and 2 * slips[j.printed.name] <= sizes[j.printed.name]]
    cut = [j for j in firsts if _told(j, judged) == "truncated"]
    if not cut:
        return judged, ()
    nearest = [j.printed for j in firsts if _told(j, judged) == "nearest"]
    too_many = more_slips_than(judged.slips)
    rounded = 0

    def hopeless(name: str, found: Collection[Judgement], walks: Walks) -> bool:
        nonlocal rounded
        rounded += sum(number.name == name and not _may_be_cut(number, walks) for number in nearest)
        return len(cut) < 9 * rounded or too_many(name, found, walks)

    try:
        again = judge(judged.walks.ground, replace(judged.walks.supposed, truncates=True), hopeless)
    except GivenUp:
        return judged, ()
    if again.slips > judged.slips:
        return judged, ()
    if len(cut) < LEAST:
        return (again if not again.slips and judged.slips else judged), ()
    first = cut[0].printed
    remark = Remark(
        "SA104",
        "rounding",
        {"count": str(len(cut))},
        None,
        None,
        tuple(j.printed.index for j in cut),
        first.source_line,
        first.place,
    )
    return again, (remark,)


def _told(judgement: Judgement, judged: Judged) -> Literal["nearest", "truncated"] | None:
    number = judgement.printed
    local = judged.walks.settled[number.name].local.seen[number.row, number.col]
    return told(number.numeral, (judgement.exact, local))


def _may_be_cut(number: Printed, walks: Walks) -> bool:
    """Whether truncation reaches the number from what the printed digits may hide."""
    table = walks.settled[number.name].local.seen_range
    return table is not None and table[number.row][number.col].meets(*number.numeral.truncated())
