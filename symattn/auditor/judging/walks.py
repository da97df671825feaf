"""The two walks behind the verdicts, and how they go on from what was printed.

`seen` goes on from what was printed, as the reader of the notes would; `honest` from what was printed
except the slips. They are the same objects as long as there is no slip. Beside each goes its range, in
which every printed decimal moves through its own preimage.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import prod

from flint import fmpq

from symattn.auditor.dependencies import Entry, dependencies
from symattn.auditor.judging.printing import spelled
from symattn.auditor.judging.supposed import NOTHING, Supposed
from symattn.auditor.numeral import Numeral, read_numeral
from symattn.auditor.ranges.moving import Cell, end, ends_within, moved, shows_all, with_room
from symattn.auditor.ranges.roots import held_divisor, may_hide_digits
from symattn.auditor.ranges.steps import Table, points, through
from symattn.auditor.report import Judgement, Printed
from symattn.derive import Values
from symattn.errors import SymattnError
from symattn.exact.enclosure import HasSymbols
from symattn.exact.matrix import Matrix
from symattn.exact.names import Names
from symattn.exact.number import Exact
from symattn.ops.normalise import Normalise
from symattn.ops.scale import Scale
from symattn.plan import Line, Plan
from symattn.turned import on_rows

SPARE = 2
"""How many digits more than it prints a source keeps of what it does not print, unless more is known."""

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
    quantity whether its digits are all there are, and `still` holds the entries that therefore do not move.
    `known` are the decimals that the source keeps of what is not printed, where that is known.
    """

    plan: Plan
    exact: Values
    cells: Cells
    supposed: Supposed = NOTHING
    known: int | None = None
    now: dict[str, Walked] = field(default_factory=dict)
    local: dict[str, Walked] = field(default_factory=dict)
    roots: dict[Entry, int | None] = field(default_factory=dict)
    fixed: dict[str, bool] = field(default_factory=dict)
    still: set[Entry] = field(default_factory=set)
    rationals: dict[str, frozenset[fmpq | None]] = field(default_factory=dict)
    measures: dict[str, fmpq | None] = field(default_factory=dict)
    printed: dict[str, Mapping[str, Sequence[Cell]]] = field(default_factory=dict)
    rooted: dict[str, bool] = field(default_factory=dict)
    follows_print: dict[str, bool] = field(default_factory=dict)
    sources: dict[Entry, frozenset[int]] = field(default_factory=dict)
    names: Names = field(default_factory=Names)

    def __post_init__(self) -> None:
        self.lines = {line.name: line for line in self.plan}
        prints = (each for cells in self.cells.values() for numbers in cells.values() for each in numbers)
        decimals = (each.numeral.places for each in prints if not each.numeral.closed)
        self.held = max(decimals, default=0) + SPARE if self.known is None else self.known

    @property
    def seen(self) -> Mapping[str, Matrix]:
        """What a reader goes on from, by name."""
        return {name: walked.seen for name, walked in self.now.items()}

    def given_rationals(self, name: str) -> frozenset[fmpq | None]:
        """The values of the entries of a given, as operands of a working are looked up among them."""
        if name not in self.rationals:
            self.rationals[name] = frozenset(x.rational for row in self.exact[name].rows() for x in row)
        return self.rationals[name]

    def common_measure(self, name: str) -> fmpq | None:
        """The largest number that all exact entries of a quantity are multiples of, if they are rational."""
        if name not in self.measures:
            measure: fmpq | None = fmpq(0)
            for q in (entry.rational for row in self.exact[name].rows() for entry in row):
                measure = None if measure is None or q is None else measure.gcd(q)
            self.measures[name] = measure
        return self.measures[name]

    def printed_as(self, name: str, text: str) -> Sequence[Cell]:
        """The entries of a quantity that were printed with these characters, whatever their sign."""
        if name not in self.printed:
            found: dict[str, dict[Cell, None]] = {}
            for cell, numbers in self.cells.get(name, {}).items():
                for number in numbers:
                    found.setdefault(_unsigned(number.numeral.text), {})[cell] = None
            self.printed[name] = {plain: tuple(entries) for plain, entries in found.items()}
        return self.printed[name].get(_unsigned(text), ())

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
            pairs = zip(line.args, arguments, strict=True)
            return line.op.exact(*(line.seen(name, matrix, self.names) for name, matrix in pairs))
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
        op = on_rows(line.op)
        if isinstance(op, Scale) and len(line.args) == 1:
            known += held_divisor(op, self.held)
        if isinstance(op, Normalise):
            sums = {max(cell) for cell in self.cells.get(line.args[1], {})}
            joint = [i not in sums for i in range(max(self.exact[line.args[1]].shape))]
        return through(line.op, known, joint=joint)

    def _printed_before(self, name: str) -> bool:
        """Whether a quantity was printed, or something that it was worked out from."""
        if name not in self.follows_print:
            line = self.lines.get(name)
            self.follows_print[name] = (
                name in self.cells
                or (name in self.now and self.now[name].seen_range is not None)
                or (line is not None and any(self._printed_before(argument) for argument in line.args))
            )
        return self.follows_print[name]

    def _may_have_roots(self, name: str) -> bool:
        """Whether an entry of a quantity that was walked may go back to a slip."""
        if name not in self.rooted:
            line = self.lines.get(name)
            self.rooted[name] = line is not None and any(self._may_have_roots(each) for each in line.args)
        return self.rooted[name]

    def root(self, line: Line, i: int, j: int) -> int | None:
        """The first slip that entry (i, j) of the line depends on, through numbers that were not printed."""
        if not any(self._may_have_roots(name) for name in line.args):
            return None
        for entry in self.used(line, i, j):
            if entry not in self.roots:
                before = self.lines.get(entry[0])
                self.roots[entry] = self.root(before, entry[1], entry[2]) if before is not None else None
            root = self.roots[entry]
            if root is not None:
                return root
        return None

    def used(self, line: Line, i: int, j: int) -> Sequence[Entry]:
        """The entries of its arguments that entry (i, j) of a line uses."""
        return dependencies(line, i, j, tuple(self.exact[name].shape for name in line.args))

    def hold(self, name: str, walked: Walked) -> None:
        """Give what was not printed the room of a result that its author rounded to the digits `held`."""
        unit = fmpq(1, 10**self.held)

        def room(matrix: Matrix, table: Table | None) -> Table | None:
            n, m = matrix.shape
            units = {
                (i, j): unit
                for i in range(n)
                for j in range(m)
                if (q := matrix[i, j].rational) is None or not ends_within(q, self.held)
            }
            return with_room(matrix, table, units, self.supposed.truncates)

        seen_range = room(walked.seen, walked.seen_range)
        if walked.seen is walked.honest:
            self.now[name] = Walked(walked.seen, walked.seen, seen_range, seen_range)
        else:
            honest_range = room(walked.honest, walked.honest_range)
            self.now[name] = Walked(walked.seen, walked.honest, seen_range, honest_range)

    def go_on(self, name: str, walked: Walked, firsts: Mapping[Cell, Judgement]) -> None:
        """Put what was printed in place of what was computed, for the lines that use it."""
        ends = self.fixed[name] = end(
            self.exact[name], [judged.printed.numeral for judged in firsts.values()]
        )
        taken: dict[Cell, Numeral] = {}
        kept: dict[Cell, Numeral] = {}
        still: set[Cell] = set()
        loose: dict[Cell, fmpq] = {}
        for (i, j), judged in firsts.items():
            numeral, entry = judged.printed.numeral, (name, i, j)
            taken[i, j], self.roots[entry] = numeral, None
            if numeral.closed:
                loose[i, j] = self._unit(numeral)
            if judged.printed.index in self.supposed.typos and judged.verdict == "slip":
                meant = self.supposed.typos[judged.printed.index]
                q = (walked.seen[i, j] if meant is None else meant).rational
                if q is None or not ends_within(q, numeral.places):
                    loose[i, j] = self._unit(numeral)
                if meant is not None:
                    taken[i, j] = _right(meant, numeral)
                    self.roots[entry] = judged.printed.index
                    continue
                taken[i, j] = _right(walked.seen[i, j], numeral)
                kept[i, j] = _right(walked.honest[i, j], numeral)
                self.roots[entry] = self.root(self.lines[name], i, j) if name in self.lines else None
            elif judged.verdict == "slip" and judged.code != "SA203":
                self.roots[entry] = judged.printed.index
            elif judged.verdict == "carried":
                self.roots[entry] = judged.root
            else:
                kept[i, j] = numeral
            hides = name not in self.lines and may_hide_digits(name, numeral.value, numeral.places)
            bounds = walked.seen_range[i][j] if walked.seen_range else None
            if not ends or hides:
                continue
            loosely = judged.verdict == "rounding" or (bounds is not None and bounds.exceeds(numeral.unit))
            shows = (i, j) in kept and not loosely and not self._hides_slip(walked, entry, numeral)
            if shows or shows_all(numeral, self.lines.get(name), walked.seen[i, j].rational, bounds):
                still.add((i, j))
        self.rooted[name] = any(self.roots[name, i, j] is not None for i, j in firsts) or (
            len(firsts) < prod(self.exact[name].shape) and self._may_have_roots(name)
        )
        self.still |= {(name, i, j) for i, j in still}
        seen = _patched(walked.seen, taken)
        room: dict[Cell, fmpq] = {} if ends else self._left_out(name, taken)
        table = with_room(walked.seen, walked.seen_range, room, self.supposed.truncates)
        seen_range = moved(walked.seen, table, taken, still, loose, self.supposed.truncates)
        if kept == taken and walked.seen is walked.honest:
            self.now[name] = Walked(seen, seen, seen_range, seen_range)
        else:
            wrong = {} if ends else {cell: self._unit(taken[cell]) for cell in taken.keys() - kept.keys()}
            table = with_room(walked.honest, walked.honest_range, wrong | room, self.supposed.truncates)
            honest_range = moved(walked.honest, table, kept, still, loose, self.supposed.truncates)
            self.now[name] = Walked(seen, _patched(walked.honest, kept), seen_range, honest_range)

    def _unit(self, numeral: Numeral) -> fmpq:
        """The unit of the last place; of a closed form that of the decimal that its author works it out to.

        The root and the quotient are held to so many digits: 13/1.4142 is a unit off 13/sqrt(2).
        """
        held: fmpq = max(abs(numeral.value), fmpq(1)) / 10**self.held
        return held if numeral.closed else numeral.unit

    def _left_out(self, name: str, taken: Mapping[Cell, Numeral]) -> dict[Cell, fmpq]:
        """The entries that dots leave out, with the unit that they too will have been rounded to."""
        m = self.exact[name].shape[1]
        unit = max(self._unit(numeral) for numeral in taken.values())
        rows = range(min(i for i, _ in taken), max(i for i, _ in taken) + 1)
        return {(i, j): unit for i in rows for j in range(m) if (i, j) not in taken}

    def _hides_slip(self, walked: Walked, entry: Entry, numeral: Numeral) -> bool:
        """Whether a right number may have been rounded from one that goes back to a slip and does not end."""
        line = self.lines.get(entry[0])
        if line is None or self.root(line, *entry[1:]) is None:
            return False
        q = walked.seen[entry[1], entry[2]].rational
        return q is None or not ends_within(q, numeral.places)

    def printed_before(self, name: str, i: int, j: int) -> frozenset[int]:
        """The printed numbers that an entry was worked out from, through what was not printed."""
        if (name, i, j) not in self.sources:
            self.sources[name, i, j] = self._sources_of(name, i, j)
        return self.sources[name, i, j]

    def _sources_of(self, name: str, i: int, j: int) -> frozenset[int]:
        line = self.lines.get(name)
        found: set[int] = set()
        for argument, row, col in self.used(line, i, j) if line else ():
            numbers = self.cells.get(argument, {}).get((row, col))
            if numbers:
                found.add(numbers[0].index)
            else:
                found |= self.printed_before(argument, row, col)
        return frozenset(found)


def _right(value: Exact, like: Numeral) -> Numeral:
    """What should have been printed for the value."""
    text = spelled(value, like)
    return like if text is None else read_numeral(text)


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


def _unsigned(text: str) -> str:
    return text.strip().lstrip("+-−")
