"""The two walks behind the verdicts, and how they go on from what was printed.

`seen` goes on from what was printed, as the reader of the notes would; `honest` from what was printed
except the slips. They are the same objects as long as there is no slip. Beside each goes its range, in
which every printed decimal moves through its own preimage.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from symattn.auditor.dependencies import Entry, dependencies
from symattn.auditor.numeral import Numeral
from symattn.auditor.ranges import Interval, Table, between, points, through
from symattn.auditor.report import Judgement, Printed
from symattn.derive import Values
from symattn.errors import SymattnError
from symattn.exact.enclosure import HasSymbols
from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.ops.normalise import Normalise
from symattn.plan import Line, Plan

Cell = tuple[int, int]
Cells = Mapping[str, Mapping[Cell, Sequence[Printed]]]
"""The printed numbers of each quantity by entry, the first print first."""


@dataclass(frozen=True, slots=True)
class Walked:
    """One step on both walks: its values and their ranges (None where nothing before it was printed)."""

    seen: Matrix
    honest: Matrix
    seen_range: Table | None = None
    honest_range: Table | None = None


@dataclass
class Walks:
    """The state of the two walks: what stands for each quantity now, and the slip behind each entry.

    `local` keeps what the step gave before the printed numbers took its place. `fixed` says of a printed
    quantity whether its digits are all there are, so that it does not move.
    """

    plan: Plan
    exact: Values
    cells: Cells
    truncates: bool = False
    now: dict[str, Walked] = field(default_factory=dict)
    local: dict[str, Walked] = field(default_factory=dict)
    roots: dict[Entry, int | None] = field(default_factory=dict)
    fixed: dict[str, bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.lines = {line.name: line for line in self.plan}

    @property
    def seen(self) -> Mapping[str, Matrix]:
        """What a reader goes on from, by name."""
        return {name: walked.seen for name, walked in self.now.items()}

    def step(self, line: Line) -> Walked:
        """A line over what was printed, and over what should have been."""
        arguments = [self.now[name] for name in line.args]
        seen = self._exact(line, [a.seen for a in arguments])
        low = self._range(line, [a.seen_range for a in arguments], [a.seen for a in arguments])
        if all(a.seen is a.honest for a in arguments):
            return Walked(seen, seen, low, low)
        honest = self._exact(line, [a.honest for a in arguments])
        high = self._range(line, [a.honest_range for a in arguments], [a.honest for a in arguments])
        return Walked(seen, honest, low, high)

    def _exact(self, line: Line, arguments: Sequence[Matrix]) -> Matrix:
        try:
            return line.op.exact(*arguments)
        except SymattnError:
            return self.exact[line.name]

    def _range(self, line: Line, tables: Sequence[Table | None], values: Sequence[Matrix]) -> Table | None:
        if not any(self._printed_before(name) for name in line.args):
            return None
        try:
            known = [points(v) if t is None else t for t, v in zip(tables, values, strict=True)]
        except (HasSymbols, ValueError):
            return None
        joint: list[bool] = []
        if isinstance(line.op, Normalise):
            sums = self.cells.get(line.args[1], {})
            joint = [(i, 0) not in sums for i in range(len(known[0]))]
        return through(line.op, known, joint=joint)

    def _printed_before(self, name: str) -> bool:
        if name in self.cells:
            return True
        line = self.lines.get(name)
        return line is not None and any(self._printed_before(argument) for argument in line.args)

    def root(self, line: Line, i: int, j: int) -> int | None:
        """The first slip that entry (i, j) of the line depends on, through numbers that were not printed."""
        shapes = tuple(self.exact[name].shape for name in line.args)
        for entry in dependencies(line, i, j, shapes):
            if entry not in self.roots:
                before = self.lines.get(entry[0])
                self.roots[entry] = self.root(before, entry[1], entry[2]) if before is not None else None
            root = self.roots[entry]
            if root is not None:
                return root
        return None

    def go_on(self, name: str, walked: Walked, firsts: Mapping[Cell, Judgement]) -> None:
        """Put what was printed in place of what was computed, for the lines that use it."""
        fixed = self.fixed[name] = self._is_fixed(name, firsts)
        taken = {cell: judged.printed.numeral for cell, judged in firsts.items()}
        kept = dict(taken)
        for (i, j), judged in firsts.items():
            self.roots[name, i, j] = None
            if judged.verdict in ("slip", "carried"):
                self.roots[name, i, j] = judged.printed.index if judged.verdict == "slip" else judged.root
                del kept[i, j]
        seen = _patched(walked.seen, taken)
        seen_range = self._moved(walked.seen, walked.seen_range, taken, fixed)
        if len(kept) == len(taken) and walked.seen is walked.honest:
            self.now[name] = Walked(seen, seen, seen_range, seen_range)
        else:
            honest_range = self._moved(walked.honest, walked.honest_range, kept, fixed)
            self.now[name] = Walked(seen, _patched(walked.honest, kept), seen_range, honest_range)

    def _is_fixed(self, name: str, firsts: Mapping[Cell, Judgement]) -> bool:
        """Whether every exact entry of the quantity ends within the printed decimals: no digit is hidden."""
        places = min(judged.printed.numeral.places for judged in firsts.values())
        if all(judged.printed.numeral.exact for judged in firsts.values()):
            return True
        for row in self.exact[name].rows():
            for entry in row:
                q = entry.rational
                if q is None or (q * 10 ** max(places, 0)).q != 1:
                    return False
        return True

    def _moved(
        self, matrix: Matrix, table: Table | None, taken: Mapping[Cell, Numeral], fixed: bool
    ) -> Table | None:
        """The range of the matrix with the printed entries moving through their preimages."""
        n, m = matrix.shape
        if table is None and len(taken) < n * m:
            try:
                table = points(matrix)
            except (HasSymbols, ValueError):
                return None

        def cell(i: int, j: int) -> Interval:
            numeral = taken.get((i, j))
            if numeral is None:
                assert table is not None
                return table[i][j]
            if fixed:
                return between(numeral.value, numeral.value)
            return between(*numeral.preimage(self.truncates))

        return [[cell(i, j) for j in range(m)] for i in range(n)]


def _patched(matrix: Matrix, taken: Mapping[Cell, Numeral]) -> Matrix:
    if not taken:
        return matrix
    n, m = matrix.shape
    if len(taken) == n * m:
        return Matrix.rational([[taken[i, j].value for j in range(m)] for i in range(n)])
    return Matrix.of(
        [
            [Exact.of(taken[i, j].value) if (i, j) in taken else matrix[i, j] for j in range(m)]
            for i in range(n)
        ]
    )
