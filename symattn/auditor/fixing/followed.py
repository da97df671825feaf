"""Stray equations put right together: a corrected result goes on into the workings that use it.

`1/3 = 0.36` and further down `0.36*4 = 1.44` become `1/3 = 0.33` and `0.33*4 = 1.32`. An operand that is
itself a judged number becomes what that becomes. Any other is taken for the nearest result before it that
shows the same digits, two of them at least, or for the vector of an evaluation that shows most of them. Where
a result changes its sign, a working that uses it stays, for nobody can tell whose the minus is, unless it
stands there alone in brackets: `exp(-6.04)`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from symattn.auditor.fixing.edits import Edit
from symattn.auditor.judging.printing import spelled
from symattn.auditor.judging.rules import contains
from symattn.auditor.numeral import read_numeral
from symattn.auditor.ranges.working import Operand, evaluated, operands
from symattn.auditor.report import EQUATION, Judgement, Printed, Report
from symattn.case import Place
from symattn.recipes.columns import as_columns

Becomes = Mapping[str, str]
"""Decimals as they are printed, and what becomes of each."""
Known = Mapping[Place, tuple[str, str]]
"""What is printed at a place and what becomes of it, for judged numbers."""


@dataclass(frozen=True, slots=True)
class Vector:
    """What is printed for one token of a quantity, and where its first decimal stands."""

    line: int
    column: int
    becomes: Becomes


def vectors(report: Report, then: Mapping[int, str]) -> list[Vector]:
    """The vectors that an evaluation prints; `then` says by index what becomes of a number."""
    places: dict[tuple[str, int], Place] = {}
    found: dict[tuple[str, int], dict[str, str]] = {}
    for judgement in report.judgements:
        number = judgement.printed
        old, new = number.numeral.text, then.get(number.index, number.numeral.text)
        if number.name != EQUATION and number.place and "." in old:
            token = number.name, number.col if as_columns(report.case) else number.row
            places.setdefault(token, number.place)
            found.setdefault(token, {})[_plain(old)] = _plain(new)
    return [Vector(places[token].line, places[token].column, found[token]) for token in found]


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
    computed: Sequence[Vector] = (),
    known: Known = MappingProxyType({}),
) -> Iterator[Edit]:
    """What becomes of results and operands once the equations that `changed` picks are put right.

    `computed` are the vectors that the evaluations of the document print, `known` what their numbers become.
    """
    then: dict[str, tuple[Place, str]] = {}
    told = dict(known)
    nearest = _Nearest(computed, [judgement.printed for judgement in report.judgements])
    for judgement in sorted(report.judgements, key=_start):
        number = judgement.printed
        if number.name != EQUATION or number.place is None:
            continue
        old = number.numeral.text
        work, moved = _with(number, nearest.of(number), then, told)
        yield from moved
        new = judgement.expected if changed(judgement) else None
        if work != number.work:
            new = _result(judgement, work)
        elif judgement.misprint is not None and new is not None:
            yield _operand_edit(number, *judgement.misprint)
            new = None
        then = {said: becomes for said, becomes in then.items() if _size(said) != _size(old)}
        told[number.place] = (old, old)
        if new is not None and read_numeral(new).value != number.numeral.value:
            yield Edit(number.place.line, number.place.column, old, new)
            told[number.place] = (old, new)
            if ("." in old or len(_size(old)) > 1) and number.numeral.value:
                then[_plain(old)] = number.place, _plain(new)


def _operand_edit(number: Printed, at: int, text: str) -> Edit:
    """The operand of a working as it should be; its sign stays."""
    operand, place = operands(number.work or "")[at], number.work_places[at]
    return Edit(place.line, place.column, operand.text, operand.text.replace(_size(operand.text), text))


def beside_edits(reports: Sequence[Report], computed: Sequence[Vector], known: Known) -> Iterator[Edit]:
    """What becomes of the operands of workings beside numbers that are not judged by them."""
    numbers = [number for report in reports for number in report.beside]
    nearest = _Nearest(computed, numbers)
    for number in numbers:
        yield from _with(number, nearest.of(number), {}, known)[1]


def _start(judgement: Judgement) -> tuple[int, int]:
    place = judgement.printed.place
    return (place.line, place.column) if place else (0, 0)


class _Nearest:
    """Which printed vectors workings are of: the nearest of those that have most of their operands.

    Where several have the same digits, and as many lines have this working, it is one after the other.
    """

    def __init__(self, computed: Sequence[Vector], numbers: Sequence[Printed]) -> None:
        self.computed = computed
        lines: dict[str, set[int]] = {}
        for number in numbers:
            if number.place is not None and number.work is not None:
                lines.setdefault(number.work, set()).add(number.place.line)
        self.lines = {work: sorted(each) for work, each in lines.items()}

    def of(self, number: Printed) -> Vector:
        """The vector of a working, with the operands alone."""
        shown = {_size(operand.text) for operand in operands(number.work or "")}
        before = [each for each in self.computed if number.place and each.line <= number.place.line]
        most = max((len(shown & set(map(_size, each.becomes))) for each in before), default=0)
        if not most or number.place is None:
            return Vector(0, 0, {})
        likely = [each for each in before if len(shown & set(map(_size, each.becomes))) == most]
        nearest = max(likely, key=lambda each: (each.line, each.column))
        alike = [each for each in likely if each.becomes.keys() == nearest.becomes.keys()]
        lines = self.lines.get(number.work or "", [])
        if len(alike) == len(lines):
            nearest = alike[lines.index(number.place.line)]
        becomes = {old: new for old, new in nearest.becomes.items() if _size(old) in shown}
        return replace(nearest, becomes=becomes)


def _with(
    number: Printed, vector: Vector, then: Mapping[str, tuple[Place, str]], known: Known
) -> tuple[str, list[Edit]]:
    """The working with its operands as they will be, and the edits that make them so.

    A judged number is no operand to edit. Nothing follows from what stands behind it.
    """
    work = number.work or ""
    shown = operands(work)
    if len(shown) != len(number.work_places):
        return work, []
    edits: list[Edit] = []
    for operand, place in reversed(list(zip(shown, number.work_places, strict=True))):
        judged = known.get(place)
        if judged is not None:
            new = _becomes(work, operand, {_plain(judged[0]): _plain(judged[1])}, sure=True)
        else:
            before = vector.becomes if (vector.line, vector.column) < (place.line, place.column) else {}
            results = {old: new for old, (at, new) in then.items() if _comes(at, place)}
            new = _becomes(work, operand, {**before, **results})
        if new != operand.text:
            start = operand.column - 1
            said = f"({new})" if judged and new.startswith("-") else new
            work = work[:start] + said + work[start + len(operand.text) :]
            edits += [] if judged else [Edit(place.line, place.column, operand.text, new)]
    return work, edits


def _comes(at: Place, place: Place) -> bool:
    """Whether a place comes before another one."""
    return (at.line, at.column) < (place.line, place.column)


def _becomes(work: str, operand: Operand, then: Becomes, *, sure: bool = False) -> str:
    """What becomes of one operand of a working: of the number with its sign, or else of its digits alone.

    Where it is `sure` that the operand is that number, its sign goes with it.
    """
    plain, size = _plain(operand.text), _size(operand.text)
    stop = operand.column - 1 + len(operand.text)
    alone = work[: operand.column - 1].endswith("(") and work[stop:].startswith(")")
    if plain in then and (sure or alone or _signs_agree(plain, then[plain])):
        return then[plain]
    told = (old for old in (size, f"-{size}") if old in then and _signs_agree(old, then[old]))
    return operand.text.replace(size, next((_size(then[old]) for old in told), size))


def _result(judgement: Judgement, work: str) -> str | None:
    """The value of the new working in the notation of the number; None where the number may stay."""
    numeral = judgement.printed.numeral
    working = evaluated(work)
    if working is None or contains(*numeral.nearest(), working.value):
        return None
    return spelled(working.value, numeral)


def _signs_agree(old: str, new: str) -> bool:
    return (read_numeral(new).value < 0) == (read_numeral(old).value < 0)


def _plain(text: str) -> str:
    return text.strip().removeprefix("+").replace("−", "-")


def _size(text: str) -> str:
    return text.strip().lstrip("+-−")
