"""Rows that follow from numbers which nobody could read: if something slipped, it was these."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from symattn.auditor.numeral import Numeral, read_numeral
from symattn.auditor.report import WRONG, Judgement, Report
from symattn.case import Claim
from symattn.errors import SymattnError
from symattn.exact.enclosure import HasSymbols
from symattn.floats import matrix_to_floats
from symattn.plan import base_name, downstream, leading_to
from symattn.reading.notes.result import Unread as NotRead
from symattn.reading.withheld.surroundings import BY_THE_WALK, Surroundings, judged_at, judged_of

if TYPE_CHECKING:
    from symattn.operation import Floats

STEPS = frozenset({"scores", "scaled", "masked", "tempered", "exp", "sum", "A"})
"""What a row of the next step is made of, and no other row."""
FOLLOWING = STEPS - {"scores"} | {"Z"}
LEAST = 2
"""How many numbers of a row must follow: one does by chance."""
NEAREST, FURTHEST = 0.0005, 0.01
"""By which part of it a number may be off at least and at most, for the rounding of those before it."""
MOST = 30
"""So many unread numbers above a row are tried, and so many rows."""

Row = tuple[str, int]


def of_unread_steps(report: Report, around: Surroundings) -> tuple[Claim, ...]:
    """The rows with slips all of whose numbers follow, by the walk, from numbers above that are unread.

    What follows from them in turn is no more wrong than they are.
    """
    if not around.numbers or report.case.settings.tokens_as == "columns":
        return ()
    rows: dict[Row, list[Judgement]] = {}
    for judged in report.judgements:
        printed = judged.printed
        if printed.first is None and printed.key is None and base_name(printed.name) in FOLLOWING:
            rows.setdefault((judged.printed.name, judged.printed.row), []).append(judged)
    slips = {
        row: numbers
        for row, numbers in rows.items()
        if len(numbers) >= LEAST and any(judged.code in BY_THE_WALK for judged in numbers)
    }
    if not 0 < len(slips) <= MOST:
        return ()
    walk = _Walk(report)
    found = {row for row, numbers in slips.items() if walk.follow(row, numbers, around.numbers)}
    behind = {row: downstream(report.derivation.plan, {row[0]}) for row in found}
    at = judged_at(report)

    def follows(judged: Judgement) -> bool:
        name, row = judged.printed.name, judged.printed.row
        wrong = judged.verdict in WRONG
        return (name, row) in found or any(
            wrong and root[1] == row and name in behind[root] for root in found
        )

    return tuple(claim for claim in report.case.stated if any(map(follows, judged_of(claim, at))))


class _Walk:
    """The walk of a report in floats, on what was printed, with other numbers in a row of it."""

    def __init__(self, report: Report) -> None:
        self.lines = {line.name: line for line in report.derivation.plan}
        self.seen = report.seen
        self.floats: dict[str, Floats] = {}
        self.printed = {judged.printed.at[:3] for judged in report.judgements}

    def follow(self, row: Row, numbers: Sequence[Judgement], unread: Sequence[NotRead]) -> bool:
        """Whether all numbers of a row follow from some that are unread, in place of what is not printed."""
        place = numbers[0].printed.place
        above = [each for each in unread if place is not None and each.place < place][-MOST:]
        return any(
            self._explains(row, numbers, source, cols, window)
            for source, cols in self._open(row)
            if above
            for window in _windows(above, len(cols))
        )

    def _open(self, row: Row) -> Iterator[tuple[str, list[int]]]:
        """What a row is made of, the nearest first, with the columns that are not printed of it."""
        made = [row[0]]
        while made:
            line = self.lines.get(made.pop(0))
            for arg in line.args if line is not None else ():
                if base_name(arg) in STEPS and arg in self.seen:
                    cols = [j for j in range(self.seen[arg].shape[1]) if (arg, row[1], j) not in self.printed]
                    if cols:
                        yield arg, cols
                        made.append(arg)

    def _explains(
        self,
        row: Row,
        numbers: Sequence[Judgement],
        source: str,
        cols: Sequence[int],
        window: Sequence[Numeral],
    ) -> bool:
        made = self._made(row, source, cols, window)
        return made is not None and all(
            _is_near(each.printed.numeral, made[each.printed.col], _room(window)) for each in numbers
        )

    def _made(
        self, row: Row, source: str, cols: Sequence[int], window: Sequence[Numeral]
    ) -> Sequence[float] | None:
        """The row as it is made of other numbers in the same row of its source; None where it is of none."""
        import numpy as np

        name, at = row
        try:
            known = {source: self._seen(source).copy()}
            known[source][at, cols] = [float(numeral.value) for numeral in window]
            reached = downstream(tuple(self.lines.values()), {source})
            with np.errstate(all="ignore"):
                for line in leading_to(tuple(self.lines.values()), {name}):
                    if line.name in reached and line.name != source:
                        args = (known[arg] if arg in known else self._seen(arg) for arg in line.args)
                        known[line.name] = line.op.floats(*args)
            return [float(x) for x in known[name][at]]
        except (SymattnError, HasSymbols, IndexError):
            return None

    def _seen(self, name: str) -> Floats:
        if name not in self.floats:
            self.floats[name] = matrix_to_floats(self.seen[name])
        return self.floats[name]


def _windows(unread: Sequence[NotRead], count: int) -> Iterator[list[Numeral]]:
    """So many unread numbers that follow one another on a line, the last ones first."""
    for end in range(len(unread), count - 1, -1):
        window = unread[end - count : end]
        with suppress(SymattnError):
            if len({each.place.line for each in window}) == 1:
                yield [read_numeral(each.text) for each in window]


def _room(window: Sequence[Numeral]) -> float:
    """By which part of it a number may be off that was made of these before they were rounded."""
    parts = (float(numeral.unit / abs(numeral.value)) for numeral in window if numeral.value)
    return min(max(parts, default=0.0), FURTHEST)


def _is_near(printed: Numeral, x: float, room: float) -> bool:
    """Whether a printed number is what its row comes to, but for the rounding of what it is made of."""
    value = float(printed.value)
    return abs(value - x) <= max(float(printed.unit), max(room, NEAREST) * abs(value))
