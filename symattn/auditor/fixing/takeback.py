"""What fixes are taken back: those that bring a finding to a place that had none.

First the lines of such findings stand as they stood, then the examples that these lines are of, then the
whole text: each is audited again, so that what is left is known and not supposed.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from functools import cached_property

from msgspec import Struct

from symattn.attention.case import Place
from symattn.auditor.report import EQUATION, Judgement, Remark, Report

_NUMERAL = re.compile(r"[0-9０-９]+(?:[.．][0-9０-９]+)?")


class Audited(Struct, frozen=True, dict=True):
    """A text with the reports on it, and those of their findings that count."""

    text: str
    reports: Sequence[Report]
    findings: Sequence[Judgement | Remark]

    @cached_property
    def left(self) -> int:
        """The numbers of the findings; a sentence counts for one."""
        return sum(
            len(finding.numbers) or 1 if isinstance(finding, Remark) else 1 for finding in self.findings
        )

    @cached_property
    def lines(self) -> Sequence[str]:
        """The lines of the text, without the mark that no line counts."""
        return self.text.removeprefix("\ufeff").split("\n")

    @cached_property
    def found(self) -> dict[Hashable, int]:
        """The findings by what stays the same when numbers are written anew, each with its line, or 0."""
        return dict(map(self._known_by, self.findings))

    def _known_by(self, finding: Judgement | Remark) -> tuple[Hashable, int]:
        if isinstance(finding, Remark):
            line = finding.place.line if finding.place else 0
            return (finding.code, finding.name, finding.row, line), line
        number = finding.printed
        if number.place is None or not 1 <= number.place.line <= len(self.lines):
            return number.at, 0
        return self._at(number.place), number.place.line

    def _at(self, place: Place) -> tuple[int, int]:
        """The line of a number, and which numeral of it the number is."""
        starts = [found.start() for found in _NUMERAL.finditer(self.lines[place.line - 1])]
        return place.line, bisect_left(starts, place.column - 1)

    def examples(self) -> Iterator[range]:
        """The lines that each worked example reaches over."""
        for report in self.reports:
            numbers = (judged.printed for judged in report.judgements)
            lines = [number.place.line for number in numbers if number.place and number.name != EQUATION]
            yield range(min(lines, default=1), max(lines, default=0) + 1)


def without_new(before: Audited, after: Audited, audited: Callable[[str], Audited]) -> Audited:
    """The audited text after its fixes, without those that bring findings where there were none."""
    for taken_back in (_the_lines, _the_examples):
        new = {line for known, line in after.found.items() if known not in before.found}
        if not new:
            return after if after.left < before.left else before
        back = taken_back(before, new)
        lines = (
            old if line in back else said
            for line, (old, said) in enumerate(zip(before.lines, after.lines, strict=True), 1)
        )
        mark = "\ufeff" if before.text.startswith("\ufeff") else ""
        after = audited(mark + "\n".join(lines))
    clean = after.left < before.left and after.found.keys() <= before.found.keys()
    return after if clean else before


def _the_lines(before: Audited, new: Collection[int]) -> Collection[int]:
    return new


def _the_examples(before: Audited, new: Collection[int]) -> Collection[int]:
    found = set(new)
    for example in before.examples():
        if any(line in example for line in new):
            found |= set(example)
    return found
