"""Stray equations put right together: a corrected result goes on into the workings that use it.

`1/3 = 0.36` and further down `0.36*4 = 1.44` become `1/3 = 0.33` and `0.33*4 = 1.32`. An operand is taken for
the nearest result before it that shows the same digits. Where a result changes its sign, the workings that
use it stay as they are: nobody can tell whose the minus is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from symattn.auditor.fixing.edits import Edit
from symattn.auditor.judging.printing import spelled
from symattn.auditor.judging.rules import contains
from symattn.auditor.numeral import read_numeral
from symattn.auditor.ranges.working import operands, read_working
from symattn.auditor.report import EQUATION, Judgement, Report


def equation_edits(report: Report, changed: Callable[[Judgement], bool]) -> Iterator[Edit]:
    """What becomes of results and operands once the equations that `changed` picks are put right."""
    then: dict[str, str] = {}
    for judgement in report.judgements:
        number = judgement.printed
        if number.name != EQUATION or number.place is None:
            continue
        old = number.numeral.text
        work, moved = _with(judgement, then)
        yield from moved
        new = _result(judgement, work) if moved else judgement.expected if changed(judgement) else None
        then.pop(_size(old), None)
        if new is not None and read_numeral(new).value != number.numeral.value:
            yield Edit(number.place.line, number.place.column, old, new)
            if (read_numeral(new).value < 0) == (number.numeral.value < 0):
                then[_size(old)] = _size(new)


def _with(judgement: Judgement, then: Mapping[str, str]) -> tuple[str, list[Edit]]:
    """The working with its operands as they will be, and the edits that make them so."""
    number = judgement.printed
    work = number.work or ""
    shown = operands(work)
    if len(shown) != len(number.work_places):
        return work, []
    edits: list[Edit] = []
    for operand, place in reversed(list(zip(shown, number.work_places, strict=True))):
        if _size(operand.text) not in then:
            continue
        new = operand.text.replace(_size(operand.text), then[_size(operand.text)])
        start = operand.column - 1
        work = work[:start] + new + work[start + len(operand.text) :]
        edits.append(Edit(place.line, place.column, operand.text, new))
    return work, edits


def _result(judgement: Judgement, work: str) -> str | None:
    """The value of the new working in the notation of the number; None where the number may stay."""
    numeral = judgement.printed.numeral
    working = read_working(work, lambda _: False)
    if working is None or contains(*numeral.nearest(), working.value):
        return None
    return spelled(working.value, numeral)


def _size(text: str) -> str:
    return text.strip().lstrip("+-−")
