"""Lists that were taken for a quantity whose right numbers stand elsewhere, and were tied to nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import groupby

from symattn.auditor.findings.codes import Finding
from symattn.auditor.numeral import Numeral, read_numeral
from symattn.auditor.report import WRONG, Judgement, Report
from symattn.case import Claim
from symattn.errors import SymattnError
from symattn.exact.enclosure import HasSymbols
from symattn.floats import to_float
from symattn.reading.withheld.surroundings import Surroundings, judged_at, judged_of, tells

MOST = 30
"""So many rows are looked for."""
FEWEST = 2
"""How many decimals of a row must be found: one is there by chance."""


def of_a_variant(report: Report, around: Surroundings) -> tuple[Claim, ...]:
    """The lists with mostly wrong numbers where the right ones stand elsewhere and are tied to nothing.

    Who prints a step twice, without a scale and with it, or before and after something, has not slipped in
    the one; it is the other that is the step of the walk.
    """
    tables = [
        (claim, rows)
        for told in (report, _as_declared(report))
        if told is not None
        for at in (judged_at(told),)
        for claim in report.case.stated
        if (rows := _rows(judged_of(claim, at))) and any(map(_is_wrong, rows))
    ]
    if not 0 < sum(len(rows) for _, rows in tables) <= MOST:
        return ()
    printed = _Unread(around)
    return tuple(claim for claim, rows in tables if all(map(printed.have, rows)))


def _rows(numbers: Sequence[Judgement]) -> list[Sequence[Judgement]]:
    """The numbers of a list or a matrix by their rows."""
    rows: dict[int, list[Judgement]] = {}
    for judged in numbers:
        rows.setdefault(judged.printed.row, []).append(judged)
    return [sorted(row, key=lambda judged: judged.printed.col) for row in rows.values()]


def _as_declared(report: Report) -> Report | None:
    """The report by the scale that is declared, where the numbers follow another one."""
    return (
        report.declared
        if any(remark.code == Finding.STEP_NOT_AS_DECLARED for remark in report.remarks)
        else None
    )


def _is_wrong(numbers: Sequence[Judgement]) -> bool:
    """Whether most numbers of a row that tell something are wrong, for all that is known by its link."""
    wrong = [judged for judged in numbers if judged.verdict in WRONG]
    telling = sum(map(tells, numbers))
    return 2 * len(wrong) > telling


class _Unread:
    """The numbers of a document that are tied to nothing, list by list."""

    def __init__(self, around: Surroundings) -> None:
        numerals: list[tuple[int, Numeral]] = []
        for text, place in around.unread():
            with suppress(SymattnError):
                if "." in text:
                    numerals.append((place.line, read_numeral(text)))
        self.lines: list[list[tuple[float, float]]] = [
            [(float(numeral.value), float(numeral.unit)) for _, numeral in line]
            for _, line in groupby(numerals, key=lambda each: each[0])
        ]

    def have(self, row: Sequence[Judgement]) -> bool:
        """Whether the right numbers of a row stand somewhere, one after the other on a line."""
        made = list(_made(row))
        if len(made) < len(row) or sum(x not in (0.0, 1.0) for x in made) < FEWEST:
            return False
        return any(
            all(abs(x - value) <= unit for x, (value, unit) in zip(made, line[k:], strict=False))
            for line in self.lines
            for k in range(len(line) - len(made) + 1)
        )


def _made(row: Sequence[Judgement]) -> Iterator[float]:
    """What the numbers of a row should be."""
    for judged in row:
        if judged.exact is not None:
            with suppress(HasSymbols):
                yield to_float(judged.exact)
