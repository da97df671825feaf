"""Numbers that stand among others which are of something else: on one line, or in one paragraph."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection

from symattn.auditor.claims import entry_name
from symattn.auditor.findings.codes import Finding
from symattn.auditor.report import WRONG, Report
from symattn.case import Claim
from symattn.reading.withheld.surroundings import (
    Surroundings,
    is_doubtful,
    judged_at,
    judged_of,
    tells,
)

LINES_ABOVE = 4
"""So many lines with numbers tell what a list follows from."""
FEWEST = 2
"""How many numbers beside it that are of something else it takes: one may be anything."""


def among_others(report: Report, around: Surroundings) -> tuple[Claim, ...]:
    """The slips of lines most numbers of which are none of the walk; of inputs, those of such paragraphs.

    A line tells of one thing: where its query, its scores and its weights are of another example, so are
    its outputs, even if the one or the other is what it would be here. For a list half of which was printed
    otherwise before it is enough that something else stands beside it; and for one of which no number is
    right, that most of what stands above it could not be read.
    """
    at = judged_at(report)
    doubtful = [
        (claim, numbers, wrong)
        for claim in report.case.stated
        for numbers in (judged_of(claim, at),)
        if (wrong := [judged for judged in numbers if judged.verdict in WRONG])
        and all(map(is_doubtful, wrong))
    ]
    if not doubtful:
        return ()
    beside, found = _Beside(report, around), []
    for claim, numbers, wrong in doubtful:
        again = 2 * len(wrong) >= len(numbers) and all(
            judged.code == Finding.DIFFERING_COPY for judged in wrong
        )
        lines = {judged.printed.place.line for judged in wrong if judged.printed.place is not None}
        given = entry_name(claim) in report.case.given
        alone = len(numbers) > 1 and len(wrong) == sum(map(tells, numbers))
        if (alone and beside.is_unread_above(lines)) or beside.speaks_against(
            lines, again=again, given=given
        ):
            found.append(claim)
    return tuple(found)


class _Beside:
    """How many numbers of each line, and of each paragraph, have a verdict by the walk."""

    def __init__(self, report: Report, around: Surroundings) -> None:
        self.paragraph = around.paragraph
        self.walked = Counter(
            judged.printed.place.line for judged in report.judgements if judged.printed.place is not None
        )
        known = _decimals(report)  # who says a number of the walk again speaks of it
        self.new = Counter(place.line for text, place in around.unread() if text not in known)
        self.others = Counter(place.line for _, place in around.unread())
        self.others += Counter(each.place.line for each in report.unread if each.place is not None)
        self.apart = self.others + Counter(place.line for place in around.apart)
        self.begun = sorted({*self.walked, *self.others})
        self.others_around = _summed(self.others, self.paragraph)
        self.right = Counter(
            judged.printed.place.line
            for judged in report.judgements
            if judged.verdict not in WRONG and judged.printed.place is not None
        )
        self.right_around = _summed(self.right, self.paragraph)
        changed = {
            (self.paragraph(judged.printed.place.line), judged.printed.name)
            for judged in report.judgements
            if judged.verdict in WRONG
            and judged.printed.name in report.case.given
            and judged.printed.place is not None
        }
        self.changed = Counter(at for at, _ in changed)

    def speaks_against(self, lines: Collection[int], *, again: bool, given: bool) -> bool:
        """Whether everything that stands on lines is of something else."""
        return all(
            self.others[line] >= max(FEWEST, self.walked[line] + 1)
            or (again and self.apart[line] >= FEWEST)
            or (given and self._other_inputs(self.paragraph(line)))
            for line in lines
        )

    def is_unread_above(self, lines: Collection[int]) -> bool:
        """Whether most numbers of the few lines that end in the first of these are of nothing here."""
        end = bisect_right(self.begun, min(lines, default=0))
        above = self.begun[max(end - LINES_ABOVE, 0) : end]
        others = sum(self.new[line] for line in above)
        return others >= max(FEWEST, sum(self.right[line] for line in above) + 1)

    def _other_inputs(self, paragraph: int) -> bool:
        """Whether a paragraph gives other inputs: two are not what they were before, or few numbers are."""
        others, right = self.others_around[paragraph], self.right_around[paragraph]
        return others >= max(FEWEST, right + 1) or self.changed[paragraph] >= FEWEST


def _decimals(report: Report) -> Collection[str]:
    """The decimals that are given, or printed for a quantity."""
    given = (text for each in report.case.given.values() for row in each.typed for text in row)
    printed = (judged.printed.numeral.text for judged in report.judgements)
    return {text for text in (*given, *printed) if "." in text}


def _summed(lines: Counter[int], part: Callable[[int], int]) -> Counter[int]:
    summed = Counter[int]()
    for line, count in lines.items():
        summed[part(line)] += count
    return summed
