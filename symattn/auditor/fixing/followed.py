"""Stray equations put right together: a corrected result goes on into the workings that use it.

`1/3 = 0.36` and further down `0.36*4 = 1.44` become `1/3 = 0.33` and `0.33*4 = 1.32`. An operand that is
itself a judged number, or repeats one, becomes what that becomes. Where a number changes its sign, a working
that repeats it stays, for nobody can tell whose the minus is, unless it is alone in brackets: `exp(-6.04)`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping

from msgspec import Struct

from symattn.attention.case import Place
from symattn.auditor.fixing.edits import Edit
from symattn.auditor.judging.printing import spelled
from symattn.auditor.judging.rules import contains
from symattn.auditor.numeral import Numeral, read_numeral
from symattn.auditor.ranges.working import Operand, evaluated, operands
from symattn.auditor.report import EQUATION, Judgement, Printed, Report
from symattn.exact.number import Exact

Told = MutableMapping[Place, tuple[str, str]]
"""What is printed at a place and what becomes of it, for judged numbers."""


class Repeat(Struct, frozen=True):
    """A number that repeats the one at `first`, in characters of its own."""

    numeral: Numeral
    first: Place

    def becomes(self, told: Mapping[Place, tuple[str, str]]) -> tuple[str, str] | None:
        """What stands there and what becomes of it, where the first one changes."""
        was, new = told.get(self.first, ("", ""))
        said = spelled(Exact.of(read_numeral(new).value), self.numeral) if was != new else None
        return None if said is None else (self.numeral.text, said)


def repeats(reports: Iterable[Report]) -> dict[Place, Repeat]:
    """The numbers of a document that repeat others, by where they stand."""
    found: dict[Place, Repeat] = {}
    for report in reports:
        for number in (judgement.printed for judgement in report.judgements):
            first = None if number.first is None else report.judgements[number.first].printed.place
            if number.place is not None and first is not None and first != number.place:
                found[number.place] = Repeat(number.numeral, first)
    return found


def places(report: Report, then: Mapping[int, str]) -> dict[Place, tuple[str, str]]:
    """What the numbers of an evaluation become, by where they stand; `then` says it by index."""
    numbers = (judgement.printed for judgement in report.judgements)
    return {
        number.place: (number.numeral.text, then.get(number.index, number.numeral.text))
        for number in numbers
        if number.place and number.name != EQUATION
    }


def equation_edits(
    report: Report,
    changed: Callable[[Judgement], bool],
    told: Told,
    again: Mapping[Place, Repeat],
) -> Iterator[Edit]:
    """What becomes of results and operands once the equations that `changed` picks are put right.

    `told` says what the numbers of the evaluations become, and gets what those of the equations do; `again`
    holds the numbers that repeat others.
    """
    withheld = (Judgement(each.printed, "undecided") for each in report.withheld)
    equations = [each for each in (*report.judgements, *withheld) if each.printed.name == EQUATION]
    for judgement in sorted(equations, key=_start):
        number = judgement.printed
        if number.place is None or number.place in again:
            continue
        old = number.numeral.text
        work, moved = _with(number, told, again)
        yield from moved
        new = judgement.expected if changed(judgement) else None
        if work != number.work:
            new = _result(judgement, work)
        elif judgement.misprint is not None and new is not None:
            yield _operand_edit(number, *judgement.misprint)
            new = None
        told[number.place] = (old, old)
        if new is not None and read_numeral(new).value != number.numeral.value:
            yield Edit(number.place.line, number.place.column, old, new)
            told[number.place] = (old, new)
    for judgement in equations:
        place = judgement.printed.place
        become = again[place].becomes(told) if place is not None and place in again else None
        if place is not None and become is not None:
            yield Edit(place.line, place.column, *become)


def _operand_edit(number: Printed, at: int, text: str) -> Edit:
    """The operand of a working as it should be; its sign stays."""
    operand, place = operands(number.work or "")[at], number.work_places[at]
    return Edit(place.line, place.column, operand.text, operand.text.replace(_size(operand.text), text))


def _start(judgement: Judgement) -> tuple[int, int]:
    place = judgement.printed.place
    return (place.line, place.column) if place else (0, 0)


def _with(
    number: Printed, told: Mapping[Place, tuple[str, str]], again: Mapping[Place, Repeat]
) -> tuple[str, list[Edit]]:
    """The working with its operands as they will be, and the edits that make them so.

    A judged number has an edit elsewhere.
    """
    work = number.work or ""
    shown = operands(work)
    if len(shown) != len(number.work_places):
        return work, []
    edits: list[Edit] = []
    for operand, place in reversed(list(zip(shown, number.work_places, strict=True))):
        itself = place in told or place not in again
        become = told.get(place) if itself else again[place].becomes(told)
        new = operand.text if become is None else _becomes(work, operand, *become, itself=itself)
        if new != operand.text:
            start = operand.column - 1
            said = f"({new})" if itself and new.startswith("-") else new
            work = work[:start] + said + work[start + len(operand.text) :]
            edits += [] if itself else [Edit(place.line, place.column, operand.text, new)]
    return work, edits


def _becomes(work: str, operand: Operand, old: str, new: str, *, itself: bool) -> str:
    """What becomes of one operand: of the number with its sign, or else of its digits alone.

    Where the operand is `itself` that number, or alone in brackets, its sign goes with it.
    """
    plain, size = _plain(operand.text), _size(operand.text)
    stop = operand.column - 1 + len(operand.text)
    alone = work[: operand.column - 1].endswith("(") and work[stop:].startswith(")")
    agree = (read_numeral(new).value < 0) == (read_numeral(old).value < 0)
    if plain == _plain(old) and (itself or alone or agree):
        return _plain(new)
    return operand.text.replace(size, _size(new)) if agree and size == _size(old) else operand.text


def _result(judgement: Judgement, work: str) -> str | None:
    """The value of the new working in the notation of the number; None where the number may stay."""
    numeral = judgement.printed.numeral
    working = evaluated(work)
    if working is None or contains(*numeral.nearest(), working.value):
        return None
    return spelled(working.value, numeral)


def _plain(text: str) -> str:
    return text.strip().removeprefix("+").replace("−", "-")


def _size(text: str) -> str:
    return text.strip().lstrip("+-−")
