"""The two evaluations behind the verdicts, and how they go on from what was printed.

`seen` goes on from what was printed, as the reader of the notes would; `honest` from what was printed
except the slips. They are the same objects as long as there is no slip. Beside each goes its range, in
which every printed decimal moves through its own preimage.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod

from flint import fmpq
from msgspec import Struct, field
from msgspec.structs import replace

from symattn.auditor.dependencies import Entry
from symattn.auditor.findings.codes import Finding
from symattn.auditor.judging.baseline import WRITTEN_DOWN, Baseline
from symattn.auditor.judging.printing import spelled
from symattn.auditor.judging.settled import Evaluated, Settled, Taken
from symattn.auditor.judging.supposed import NOTHING, Supposed
from symattn.auditor.numeral import Numeral, read_numeral
from symattn.auditor.ranges.moving import Cell, end, ends_within, moved, shows_all, with_room
from symattn.auditor.ranges.roots import held_divisor, may_hide_digits
from symattn.auditor.ranges.single import loosened
from symattn.auditor.ranges.steps import through
from symattn.auditor.report import ADJUSTED, Judgement
from symattn.exact.enclosure import HasSymbols
from symattn.exact.matrix import Matrix
from symattn.exact.names import Names
from symattn.exact.number import Exact
from symattn.floats.tables import Table, points
from symattn.plans.derive import computed
from symattn.plans.kinds import Denominators, Dividing, Scaling
from symattn.plans.plan import Line, base_name
from symattn.plans.transposed import on_rows
from symattn.text.errors import SymattnError


class Evaluations(Struct, dict=True):
    """The state of the two evaluations: the quantities that are settled, in their order."""

    baseline: Baseline
    supposed: Supposed = NOTHING
    settled: dict[str, Settled] = field(default_factory=dict)
    names: Names = field(default_factory=Names)
    _roots: dict[Entry, int | None] = field(default_factory=dict)
    _follows_print: dict[str, bool] = field(default_factory=dict)

    @property
    def seen(self) -> Mapping[str, Matrix]:
        """What a reader goes on from, by name."""
        return {name: settled.now.seen for name, settled in self.settled.items()}

    def step(self, line: Line) -> Evaluated:
        """A line over what was printed, and over what should have been."""
        line = self.divided(line)
        arguments = [self.settled[name].now for name in line.args]
        seen = self._exact(line, [a.seen for a in arguments])
        low = self._range(line, [a.seen_range for a in arguments], [a.seen for a in arguments])
        if all(a.seen is a.honest for a in arguments):
            return Evaluated(seen, seen, low, low)
        honest = self._exact(line, [a.honest for a in arguments])
        high = self._range(line, [a.honest_range for a in arguments], [a.honest for a in arguments])
        return Evaluated(seen, honest, low, high)

    def divided(self, line: Line) -> Line:
        """The line, or where it divides by a root that was rounded first one that divides by that number."""
        op, divisor = on_rows(line.op), self.supposed.divisor
        if divisor is None or not isinstance(op, Scaling) or op.divisor.rational is not None:
            return line
        return replace(line, op=op.by(Exact.of(divisor)), args=line.args[:1])

    def _exact(self, line: Line, arguments: Sequence[Matrix]) -> Matrix:
        try:
            return computed(line, dict(zip(line.args, arguments, strict=True)), self.names)[1]
        except SymattnError:
            return self.baseline.exact[line.name]

    def _range(self, line: Line, tables: Sequence[Table | None], values: Sequence[Matrix]) -> Table | None:
        if not self.supposed.single and not any(self._printed_before(name) for name in line.args):
            return None
        try:
            known = [points(v) if t is None else t for t, v in zip(tables, values, strict=True)]
        except (HasSymbols, ValueError):
            return None
        joint: list[bool] = []
        loose = fmpq(0)
        op = on_rows(line.op)
        moving = line.op
        if isinstance(op, Scaling) and len(line.args) == 1:
            held = held_divisor(op, self.supposed.held_room() or fmpq(1, 2 * 10**self.baseline.held))
            known, moving = [*known, *held], op.by_printed() if held else moving
        plain = True
        if isinstance(op, Dividing):
            sums = {max(cell) for cell in self.baseline.cells.get(line.args[1], {})}
            if self.supposed.sums is None:
                joint = [i not in sums for i in range(max(self.baseline.exact[line.args[1]].shape))]
            loose, made = self.supposed.held_room(), self.baseline.lines.get(line.args[1])
            plain = made is None or not isinstance(of := on_rows(made.op), Denominators) or of.plain
        found = through(moving, known, joint=joint, loose=loose, plain=plain)
        return loosened(moving, known, found) if self.supposed.single and found is not None else found

    def _printed_before(self, name: str) -> bool:
        """Whether a quantity was printed, or something that it was worked out from."""
        if name not in self._follows_print:
            line = self.baseline.lines.get(name)
            self._follows_print[name] = (
                name in self.baseline.cells
                or (name in self.settled and self.settled[name].now.seen_range is not None)
                or (line is not None and any(self._printed_before(argument) for argument in line.args))
            )
        return self._follows_print[name]

    def _may_have_roots(self, line: Line | None) -> bool:
        """Whether an entry of what a line gives may go back to a slip."""
        return line is not None and self.may_be_rooted((line,))

    def may_be_rooted(self, lines: Sequence[Line]) -> bool:
        """Whether an entry of what one of the lines gives may go back to a slip."""
        for line in lines:  # asked for every printed number
            for name in line.args:
                if self.settled[name].rooted:
                    return True
        return False

    def root(self, line: Line, i: int, j: int) -> int | None:
        """The first slip that entry (i, j) of the line depends on, through numbers that were not printed."""
        if not self._may_have_roots(line):
            return None
        roots = (self._root_of(entry) for entry in self.baseline.used(line, i, j))
        return next((root for root in roots if root is not None), None)

    def _root_of(self, entry: Entry) -> int | None:
        name, i, j = entry
        taken = self.settled[name].taken.get((i, j))
        if taken is not None:
            return taken.root
        if entry not in self._roots:
            line = self.baseline.lines.get(name)
            self._roots[entry] = self.root(line, i, j) if line is not None else None
        return self._roots[entry]

    def stands_still(self, entry: Entry) -> bool:
        """Whether an entry was printed with all its digits."""
        name, i, j = entry
        taken = self.settled[name].taken.get((i, j))
        return taken is not None and taken.still

    def hold(self, name: str, routes: Sequence[Evaluated]) -> Settled:
        """What was not printed, with the room of a result that its author rounded to what is held of it."""
        line = self.baseline.lines.get(name)
        computed = routes[0]
        if line is None:
            return Settled(tuple(routes), computed)
        held = min(self.baseline.held_of(name), self.supposed.held or self.baseline.held)
        unit = fmpq(1, 10**held)

        def room(matrix: Matrix, table: Table | None) -> Table | None:
            n, m = matrix.shape
            units = {
                (i, j): unit
                for i in range(n)
                for j in range(m)
                if (q := matrix.rational_at(i, j)) is None or not ends_within(q, held)
            }
            return with_room(matrix, table, units, self.supposed.cuts(name) or self.supposed.held_cut)

        sums = self.supposed.sums if isinstance(on_rows(line.op), Denominators) else None
        places = self.supposed.held if sums is None else sums
        seen = computed.seen if places is None else self.supposed.kept(computed.seen, places)
        now = seen_range = room(computed.seen, computed.seen_range) if sums is None else None
        honest = seen
        if computed.seen is not computed.honest:
            honest = computed.honest if places is None else self.supposed.kept(computed.honest, places)
            now = room(computed.honest, computed.honest_range) if sums is None else None
        return Settled(
            tuple(routes), Evaluated(seen, honest, seen_range, now), rooted=self._may_have_roots(line)
        )

    def take(self, name: str, computed: Evaluated, judged: Judgement, *, ends: bool) -> Taken:
        """How to go on from a printed entry; `ends` says whether its quantity hides no digits."""
        numeral, line = judged.printed.numeral, self.baseline.lines.get(name)
        i, j = judged.printed.row, judged.printed.col
        seen, honest, root = numeral, None, None
        spare = self.baseline.unit(numeral) if numeral.closed or judged.note == ADJUSTED else None
        if numeral.closed and judged.verdict != "slip" and (q := computed.seen[i, j].rational) is not None:
            seen = numeral = replace(numeral, value=q)  # 3/sqrt(2), worked out with the root that was rounded
            spare = None
        typos = self.supposed.typos
        if judged.printed.index in typos and judged.verdict == "slip":
            meant = typos[judged.printed.index]
            q = (computed.seen[i, j] if meant is None else meant).rational
            if q is None or not ends_within(q, numeral.places):
                spare = self.baseline.unit(numeral)
            if meant is not None:
                return Taken(_right(meant, numeral), None, judged.printed.index, still=False, spare=spare)
            seen, honest = _right(computed.seen[i, j], numeral), _right(computed.honest[i, j], numeral)
            root = self.root(line, i, j) if line is not None else None
        elif judged.verdict == "slip" and judged.code != Finding.WRONG_WORKING:
            root = judged.printed.index
        else:
            behind = judged.verdict in ("carried", "undecided")
            root = judged.root if behind else None
            if root is None or judged.note == "resumed":
                honest = numeral
        hides = line is None and may_hide_digits(name, numeral.value, numeral.places)
        if ends:
            shows = self._shows(line, computed, judged, right=honest is not None)
        else:
            shows = line is not None and honest is numeral and self._is_all(computed, judged)
        undecided = honest is None and judged.verdict == "undecided"
        return Taken(seen, honest, root, shows and not hides, spare, undecided)

    @staticmethod
    def _is_all(computed: Evaluated, judged: Judgement) -> bool:
        """Whether its step gives a number as it was printed, whatever digits those before it hide."""
        i, j = judged.printed.row, judged.printed.col
        bounds = computed.seen_range[i][j] if computed.seen_range else None
        settled = computed.seen is computed.honest and (bounds is None or bounds.width() == 0)
        return settled and computed.seen[i, j].rational == judged.printed.numeral.value

    def _shows(self, line: Line | None, computed: Evaluated, judged: Judgement, *, right: bool) -> bool:
        """Whether a number hides no digit, where all its quantity ends in print."""
        numeral, i, j = judged.printed.numeral, judged.printed.row, judged.printed.col
        bounds = computed.seen_range[i][j] if computed.seen_range else None
        loosely = judged.verdict == "rounding" or (bounds is not None and bounds.exceeds(numeral.unit))
        shows = right and not loosely and not self._hides_slip(line, computed, judged)
        return shows or shows_all(numeral, line, computed.seen[i, j].rational, bounds)

    def _hides_slip(self, line: Line | None, computed: Evaluated, judged: Judgement) -> bool:
        """Whether a right number may have been rounded from one that goes back to a slip and does not end."""
        i, j = judged.printed.row, judged.printed.col
        if line is None or self.root(line, i, j) is None:
            return False
        q = computed.seen[i, j].rational
        return q is None or not ends_within(q, judged.printed.numeral.places)

    def go_on(
        self,
        name: str,
        routes: Sequence[Evaluated],
        firsts: Mapping[Cell, Judgement],
        standing: Mapping[Cell, Taken],
    ) -> Settled:
        """Put what was printed in place of what was computed, for the lines that use it.

        What is `standing` is taken as it is.
        """
        computed, exact = routes[0], self.baseline.exact[name]
        ends = end(exact, [judged.printed.numeral for judged in firsts.values()])
        taken = {
            cell: standing.get(cell) or self.take(name, computed, judged, ends=ends)
            for cell, judged in firsts.items()
        }
        seen = {cell: each.seen for cell, each in taken.items()}
        honest = {cell: each.honest for cell, each in taken.items() if each.honest is not None}
        still = {cell for cell, each in taken.items() if each.still}
        loose = {cell: each.spare for cell, each in taken.items() if each.spare is not None}
        truncates = self.supposed.cuts(name)
        values = _patched(computed.seen, seen)
        room: dict[Cell, fmpq] = {} if ends else self._left_out(name, seen)
        if self.supposed.held is not None:
            n, m = exact.shape
            left = ((i, j) for i in range(n) for j in range(m) if (i, j) not in seen)
            room = dict.fromkeys(left, fmpq(1, 10**self.supposed.held)) | room
        table = with_room(computed.seen, computed.seen_range, room, truncates)
        seen_range = moved(computed.seen, table, seen, still, loose, truncates)
        if honest == seen and computed.seen is computed.honest:
            now = Evaluated(values, values, seen_range, seen_range)
        else:
            wrong = () if ends else seen.keys() - honest.keys()
            room |= {cell: self.baseline.unit(seen[cell]) for cell in wrong}
            table = with_room(computed.honest, computed.honest_range, room, truncates)
            near = honest | {cell: each.seen for cell, each in taken.items() if each.undecided}
            honest_range = moved(computed.honest, table, near, still, loose, truncates)
            now = Evaluated(values, _patched(computed.honest, honest), seen_range, honest_range)
        rooted = any(each.root is not None for each in taken.values()) or (
            len(taken) < prod(exact.shape) and self._may_have_roots(self.baseline.lines.get(name))
        )
        return Settled(tuple(routes), now, taken, firsts, fixed=ends, rooted=rooted)

    def _left_out(self, name: str, seen: Mapping[Cell, Numeral]) -> dict[Cell, fmpq]:
        """The entries that dots leave out, and rows that nobody could read: they too will have been rounded.

        They were as the others, to the unit of these.
        """
        n, m = self.baseline.exact[name].shape
        unit = max(self.baseline.unit(numeral) for numeral in seen.values())
        printed = {i for i, _ in seen}
        rows = [i for i in range(n) if min(printed) <= i <= max(printed) or base_name(name) in WRITTEN_DOWN]
        return {(i, j): unit for i in rows for j in range(m) if (i, j) not in seen}


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
