"""Stray equations put right together: a corrected result goes on into the workings that use it.

`1/3 = 0.36` and further down `0.36*4 = 1.44` become `1/3 = 0.33` and `0.33*4 = 1.32`. An operand is taken for
the nearest result before it that shows the same digits, or for the vector of a walk that shows most of them.
Where a result changes its sign, a working that uses it stays, for nobody can tell whose the minus is, unless
it stands there alone in brackets: `exp(-6.04)`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from symattn.auditor.fixing.edits import Edit
from symattn.auditor.judging.printing import spelled
from symattn.auditor.judging.rules import contains
from symattn.auditor.numeral import read_numeral
from symattn.auditor.ranges.working import Operand, evaluated, operands
from symattn.auditor.report import EQUATION, Judgement, Report
from symattn.case import Place
from symattn.recipes.columns import as_columns

Becomes = Mapping[str, str]
"""Decimals as they are printed, and what becomes of each."""


@dataclass(frozen=True, slots=True)
class Vector:
    """What is printed for one token of a quantity, and where its first decimal stands."""

    line: int
    column: int
    becomes: Becomes


def vectors(report: Report, then: Mapping[int, str]) -> list[Vector]:
    """The vectors that a walk prints; `then` says by index what becomes of a number."""
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


def equation_edits(
    report: Report, changed: Callable[[Judgement], bool], walked: Sequence[Vector] = ()
) -> Iterator[Edit]:
    """What becomes of results and operands once the equations that `changed` picks are put right.

    `walked` are the vectors that the walks of the document print.
    """
    then: dict[str, str] = {}
    for judgement in report.judgements:
        number = judgement.printed
        if number.name != EQUATION or number.place is None:
            continue
        old = number.numeral.text
        work, moved = _with(judgement, {**_linked(judgement, walked), **then})
        yield from moved
        new = _result(judgement, work) if moved else judgement.expected if changed(judgement) else None
        then = {told: becomes for told, becomes in then.items() if _size(told) != _size(old)}
        if new is not None and read_numeral(new).value != number.numeral.value:
            yield Edit(number.place.line, number.place.column, old, new)
            then[_plain(old)] = _plain(new)


def _linked(judgement: Judgement, walked: Sequence[Vector]) -> Becomes:
    """What becomes of the operands that a walk prints: of the vector before them that has most of them."""
    number = judgement.printed
    shown = {_size(operand.text) for operand in operands(number.work or "")}
    before = [each for each in walked if number.place and each.line <= number.place.line]
    nearest = max(
        before,
        key=lambda each: (len(shown & set(map(_size, each.becomes))), each.line, each.column),
        default=Vector(0, 0, {}),
    )
    return {old: new for old, new in nearest.becomes.items() if _size(old) in shown}


def _with(judgement: Judgement, then: Mapping[str, str]) -> tuple[str, list[Edit]]:
    """The working with its operands as they will be, and the edits that make them so."""
    number = judgement.printed
    work = number.work or ""
    shown = operands(work)
    if len(shown) != len(number.work_places):
        return work, []
    edits: list[Edit] = []
    for operand, place in reversed(list(zip(shown, number.work_places, strict=True))):
        new = _becomes(work, operand, then)
        if new != operand.text:
            start = operand.column - 1
            work = work[:start] + new + work[start + len(operand.text) :]
            edits.append(Edit(place.line, place.column, operand.text, new))
    return work, edits


def _becomes(work: str, operand: Operand, then: Becomes) -> str:
    """What becomes of one operand of a working: of the number with its sign, or else of its digits alone."""
    plain, size = _plain(operand.text), _size(operand.text)
    stop = operand.column - 1 + len(operand.text)
    alone = work[: operand.column - 1].endswith("(") and work[stop:].startswith(")")
    if plain in then and (alone or _signs_agree(plain, then[plain])):
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
