"""Judging: every printed number of a case, quantity by quantity in the order of the walk.

Two walks go on side by side over the extended plan: `seen` goes on from what was printed, as the reader
of the notes would, and `honest` from what was printed except the slips. They differ only behind a slip.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from flint import fmpq

from symattn.auditor.claims import Ways
from symattn.auditor.numeral import Numeral, spell_like
from symattn.auditor.ranges import Interval, Table, between, points, through
from symattn.auditor.report import Judgement, Printed
from symattn.auditor.rules import Reference, Ruling, contains, rule
from symattn.auditor.working import Working, read_working
from symattn.derive import Values
from symattn.errors import SymattnError
from symattn.exact.decimal import Undecided, rounded
from symattn.exact.enclosure import HasSymbols
from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.notation import (
    Call,
    Chain,
    Formula,
    Grid,
    Negative,
    Power,
    Product,
    Quotient,
    Series,
    Sum,
    Symbol,
)
from symattn.operation import Operation
from symattn.ops.normalise import Normalise
from symattn.plan import Line, Plan

Cell = tuple[int, int]


@dataclass
class Walks:
    """The state of the two walks: matrices and ranges by name, and the slip behind each entry."""

    seen: dict[str, Matrix] = field(default_factory=dict)
    honest: dict[str, Matrix] = field(default_factory=dict)
    seen_range: dict[str, Table | None] = field(default_factory=dict)
    honest_range: dict[str, Table | None] = field(default_factory=dict)
    local: dict[str, Matrix] = field(default_factory=dict)
    local_range: dict[str, Table | None] = field(default_factory=dict)
    roots: dict[tuple[str, int, int], int | None] = field(default_factory=dict)
    fixed: dict[str, bool] = field(default_factory=dict)
    """For each printed quantity: whether its digits are all there are, so that it does not move."""


@dataclass(frozen=True, slots=True)
class Judged:
    """The judgements in the order of the printed numbers, and the walks that they rest on."""

    judgements: tuple[Judgement, ...]
    walks: Walks


def judge(
    plan: Plan, ways: Ways, given: Values, exact: Values, printed: Sequence[Printed], *, truncates: bool = False
) -> Judged:
    """Judge `printed` against the extended plan; `exact` holds g for every name, given or computed."""
    return _Judge(plan, ways, given, exact, printed, truncates).run()


class _Judge:
    def __init__(
        self, plan: Plan, ways: Ways, given: Values, exact: Values, printed: Sequence[Printed], truncates: bool
    ) -> None:
        self.plan, self.ways, self.given, self.exact = plan, ways, given, exact
        self.printed, self.truncates = printed, truncates
        self.lines = {line.name: line for line in plan}
        self.walks = Walks()
        self.verdicts: dict[int, Judgement] = {}
        self.cells: dict[str, dict[Cell, list[Printed]]] = defaultdict(lambda: defaultdict(list))
        for number in printed:
            self.cells[number.name][number.row, number.col].append(number)

    def run(self) -> Judged:
        for name, matrix in self.given.items():
            self._settle(name, matrix, matrix, None, None, [])
        for line in self.plan:
            self._walk(line)
        self._find_typos()
        return Judged(tuple(self.verdicts[number.index] for number in self.printed), self.walks)

    def _walk(self, line: Line) -> None:
        routes = [line, *([self.ways[line.name]] if line.name in self.ways else [])]
        walked = [self._route(route) for route in routes]
        first = walked[0]
        self._settle(line.name, first[0], first[1], first[2], first[3], list(zip(routes, walked, strict=True)))

    def _route(self, line: Line) -> tuple[Matrix, Matrix, Table | None, Table | None]:
        """The step over what was printed, and over what should have been; the same object without a slip."""
        walks = self.walks
        seen = self._exact(line, walks.seen)
        low = self._range(line, walks.seen_range, walks.seen)
        if all(walks.seen[name] is walks.honest[name] for name in line.args):
            return seen, seen, low, low
        return seen, self._exact(line, walks.honest), low, self._range(line, walks.honest_range, walks.honest)

    def _exact(self, line: Line, values: Mapping[str, Matrix]) -> Matrix:
        try:
            return line.op.exact(*(values[name] for name in line.args))
        except SymattnError:
            return self.exact[line.name]

    def _range(
        self, line: Line, tables: Mapping[str, Table | None], values: Mapping[str, Matrix]
    ) -> Table | None:
        if not any(self._printed_before(name) for name in line.args):
            return None
        arguments = []
        for name in line.args:
            table = tables.get(name)
            if table is None:
                try:
                    table = points(values[name])
                except (HasSymbols, ValueError):
                    return None
            arguments.append(table)
        joint: list[bool] = []
        if isinstance(line.op, Normalise):
            sums = self.cells.get(line.args[1], {})
            joint = [(i, 0) not in sums for i in range(len(arguments[0]))]
        return through(line.op, arguments, joint=joint)

    def _printed_before(self, name: str) -> bool:
        if name in self.cells:
            return True
        line = self.lines.get(name)
        return line is not None and any(self._printed_before(argument) for argument in line.args)

    def _settle(
        self,
        name: str,
        seen: Matrix,
        honest: Matrix,
        seen_range: Table | None,
        honest_range: Table | None,
        routes: list[tuple[Line, tuple[Matrix, Matrix, Table | None, Table | None]]],
    ) -> None:
        """Judge the printed entries of one quantity, then go on from them."""
        walks, cells = self.walks, self.cells.get(name, {})
        walks.local[name], walks.local_range[name] = seen, seen_range
        if not cells:
            walks.seen[name], walks.honest[name] = seen, honest
            walks.seen_range[name], walks.honest_range[name] = seen_range, honest_range
            return
        for (i, j), numbers in cells.items():
            references = [
                Reference(
                    values[0][i, j],
                    values[2][i][j] if values[2] else None,
                    values[1][i, j],
                    values[3][i][j] if values[3] else None,
                    self._root(route, i, j),
                )
                for route, values in routes
            ]
            self._judge_first(numbers[0], references)
            for copy in numbers[1:]:
                self._judge_copy(copy, numbers[0])
        self._convene(name, cells)
        self._go_on(name, cells, seen, honest, seen_range, honest_range)

    def _judge_first(self, number: Printed, references: Sequence[Reference]) -> None:
        exact = self.exact[number.name][number.row, number.col]
        working = self._working(number)
        try:
            ruling = rule(number.numeral, exact, references, working, truncates=self.truncates)
        except (HasSymbols, Undecided):
            ruling = Ruling("undecided", "SA904")
        if ruling.verdict == "slip" and _symbolic(exact):
            ruling = Ruling("undecided", "SA904")
        self.verdicts[number.index] = self._judgement(number, ruling, exact, references)

    def _judgement(
        self, number: Printed, ruling: Ruling, exact: Exact, references: Sequence[Reference] = ()
    ) -> Judgement:
        expected = _spelled(exact, number.numeral)
        local = references[0].seen if references else None
        return Judgement(
            number,
            ruling.verdict,
            ruling.code,
            exact,
            expected,
            _spelled(local, number.numeral) if local is not None else None,
            _ulps(number.numeral, exact),
            ruling.root,
            None,
            ruling.note,
        )

    def _judge_copy(self, copy: Printed, first: Printed) -> None:
        """A number printed again: the first one's verdict where it says the same, else its own."""
        judged = self.verdicts[first.index]
        exact = self.exact[copy.name][copy.row, copy.col]
        if _same(copy.numeral, first.numeral):
            root = judged.root if judged.verdict != "slip" else first.index
            self.verdicts[copy.index] = replace(
                judged,
                printed=copy,
                expected=_spelled(exact, copy.numeral),
                ulps=_ulps(copy.numeral, exact),
                root=root,
                note="copy",
            )
            return
        low, high = copy.numeral.truncated() if self.truncates else copy.numeral.nearest()
        if contains(low, high, exact) or contains(low, high, self.walks.local[copy.name][copy.row, copy.col]):
            self.verdicts[copy.index] = self._judgement(copy, Ruling("correct"), exact)
        else:
            self.verdicts[copy.index] = self._judgement(
                copy, Ruling("slip", "SA206", "copy", first.index), exact
            )

    def _working(self, number: Printed) -> Working | None:
        if number.work is None:
            return None
        return read_working(number.work, lambda text: self._moves(number, text))

    def _moves(self, number: Printed, text: str) -> bool:
        """Whether a numeral of a working stands for more digits than it shows.

        It is looked up among the numbers printed for the quantities that the step uses, then among the
        givens; a decimal found nowhere may stand for anything that rounds to it.
        """
        line = self.lines.get(number.name)
        names = list(line.args) if line else []
        if number.name in self.ways:
            names += self.ways[number.name].args
        for name in names:
            for numbers in self.cells.get(name, {}).values():
                if any(_plain(other.numeral.text) == _plain(text) for other in numbers):
                    return not self.walks.fixed.get(name, True)
        if any(self._given_value(name, text) for name in names):
            return False
        return "." in text

    def _given_value(self, name: str, text: str) -> bool:
        if name not in self.given or "." not in text:
            return False
        from symattn.auditor.numeral import read_numeral

        value = read_numeral(text).value
        return any(entry.rational == value for row in self.given[name].rows() for entry in row)

    def _convene(self, name: str, cells: Mapping[Cell, Sequence[Printed]]) -> None:
        """Where all but one number of a matrix keep one convention, judge the odd one by it."""
        firsts = [self.verdicts[numbers[0].index] for numbers in cells.values()]
        odd = [judged for judged in firsts if judged.code == "SA102"]
        if len(firsts) < 6 or len(odd) != 1 or any(judged.root is not None for judged in firsts):
            return
        if any(judged.verdict == "slip" for judged in firsts):
            return
        (one,) = odd
        others = [judged for judged in firsts if judged is not one]
        for values in (self.exact[name], self.walks.local[name]):
            if all(_kept(judged, values) for judged in others) and self._far(one):
                self.verdicts[one.printed.index] = replace(one, verdict="slip", code="SA207", note="")
                return

    def _far(self, judged: Judgement) -> bool:
        """Whether the number is further from g and l than an author with one spare digit could be."""
        number = judged.printed
        bounds = self.walks_range(number)
        if bounds is None:
            return False
        low, high = number.numeral.nearest()
        spare = fmpq(int((bounds.width() * 2**40).upper().ceil().unique_fmpz() or 0), 2**40) / 10
        exact = self.exact[number.name][number.row, number.col]
        local = self.walks.local[number.name][number.row, number.col]
        return not contains(low - spare, high + spare, exact) and not contains(low - spare, high + spare, local)

    def walks_range(self, number: Printed) -> Interval | None:
        """The range I of a number, once its step was walked."""
        table = self.walks.local_range.get(number.name)
        return table[number.row][number.col] if table else None

    def _go_on(
        self,
        name: str,
        cells: Mapping[Cell, Sequence[Printed]],
        seen: Matrix,
        honest: Matrix,
        seen_range: Table | None,
        honest_range: Table | None,
    ) -> None:
        """Put what was printed in place of what was computed, for the lines that use it."""
        walks = self.walks
        firsts = {cell: self.verdicts[numbers[0].index] for cell, numbers in cells.items()}
        fixed = walks.fixed[name] = self._is_fixed(name, firsts)
        taken = {cell: judged.printed.numeral for cell, judged in firsts.items()}
        wrong = {cell for cell, judged in firsts.items() if judged.verdict in ("slip", "carried")}
        for (i, j), judged in firsts.items():
            if judged.verdict == "slip":
                walks.roots[name, i, j] = judged.printed.index
            elif judged.verdict == "carried":
                walks.roots[name, i, j] = judged.root
            else:
                walks.roots[name, i, j] = None
        walks.seen[name] = _patched(seen, taken)
        walks.seen_range[name] = _patched_range(seen, seen_range, taken, fixed)
        kept = {cell: numeral for cell, numeral in taken.items() if cell not in wrong}
        if not wrong and seen is honest:
            walks.honest[name], walks.honest_range[name] = walks.seen[name], walks.seen_range[name]
        else:
            walks.honest[name] = _patched(honest, kept)
            walks.honest_range[name] = _patched_range(honest, honest_range, kept, fixed)

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

    def _root(self, line: Line, i: int, j: int) -> int | None:
        """The first slip that entry (i, j) of the line depends on, through numbers that were not printed."""
        for name, row, col in dependencies(line, i, j, self._shapes(line)):
            key = (name, row, col)
            if key not in self.walks.roots:
                before = self.lines.get(name)
                self.walks.roots[key] = self._root(before, row, col) if before is not None else None
            root = self.walks.roots[key]
            if root is not None:
                return root
        return None

    def _shapes(self, line: Line) -> tuple[tuple[int, int], ...]:
        return tuple(self.exact[name].shape for name in line.args)

    def _find_typos(self) -> None:
        """A slip after which every consumer goes on from the right value is a typo."""
        resumed: dict[int, list[bool]] = defaultdict(list)
        for judged in self.verdicts.values():
            if judged.root is not None and judged.note != "copy":
                resumed[judged.root].append(judged.note == "resumed")
        for index, consumers in resumed.items():
            judged = self.verdicts[index]
            if judged.verdict == "slip" and all(consumers):
                self.verdicts[index] = replace(judged, code="SA204", note="typo")


def dependencies(
    line: Line, i: int, j: int, shapes: Sequence[tuple[int, int]]
) -> Sequence[tuple[str, int, int]]:
    """The entries of its arguments that entry (i, j) of a line uses, read off its own working."""
    grids = [_marked(k, shape) for k, shape in enumerate(shapes)]
    found: list[tuple[str, int, int]] = []
    _collect(line.op.entry(i, j, *grids), line, found)
    return found


def _marked(argument: int, shape: tuple[int, int]) -> Grid:
    return Grid(
        tuple(tuple(Symbol(f"@{argument}:{i}:{j}") for j in range(shape[1])) for i in range(shape[0]))
    )


def _collect(formula: Formula, line: Line, found: list[tuple[str, int, int]]) -> None:
    match formula:
        case Symbol(name=name) if name.startswith("@"):
            argument, i, j = name[1:].split(":")
            found.append((line.args[int(argument)], int(i), int(j)))
        case Sum(terms=parts) | Product(factors=parts) | Call(arguments=parts):
            for part in parts:
                _collect(part, line, found)
        case Quotient(over=a, under=b) | Power(base=a, exponent=b):
            _collect(a, line, found)
            _collect(b, line, found)
        case Negative(term=term):
            _collect(term, line, found)
        case Series(body=body):
            _collect(body, line, found)
        case Chain(first=first, links=links):
            _collect(first, line, found)
            for _, part in links:
                _collect(part, line, found)


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


def _patched_range(
    matrix: Matrix, table: Table | None, taken: Mapping[Cell, Numeral], fixed: bool
) -> Table | None:
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
        return between(numeral.value, numeral.value) if fixed else between(*numeral.nearest())

    return [[cell(i, j) for j in range(m)] for i in range(n)]


def _kept(judged: Judgement, values: Matrix) -> bool:
    number = judged.printed
    return contains(*number.numeral.nearest(), values[number.row, number.col])


def _same(copy: Numeral, first: Numeral) -> bool:
    """Whether a number printed again says the same: equal, or the same to fewer digits."""
    if copy.value == first.value:
        return True
    if copy.places < first.places:
        return contains(*copy.nearest(), Exact.of(first.value))
    return False


def _spelled(x: Exact, like: Numeral) -> str | None:
    if like.exact and x.rational is not None:
        return str(x.rational)
    try:
        places = like.places
        if like.text.strip().endswith(("%", "％")):
            return rounded(x * Exact.of(100), max(places - 2, 0)).digits + "%"
        return rounded(x, max(places, 0)).digits
    except (HasSymbols, Undecided, ValueError):
        return None


def _ulps(numeral: Numeral, exact: Exact) -> int | None:
    """The distance from the correctly rounded value, in units of the last place."""
    if numeral.exact:
        return None
    try:
        right = rounded(exact, max(numeral.places, 0)).digits
    except (HasSymbols, Undecided, ValueError):
        return None
    from symattn.auditor.numeral import read_numeral

    return int(abs(read_numeral(right).value - numeral.value) / numeral.unit)


def _plain(text: str) -> str:
    return text.strip().lstrip("+-−")


def _symbolic(x: Exact) -> bool:
    from symattn.exact.substitution import free_symbols

    return bool(x.symbolic and free_symbols(x))


__all__ = ["Judged", "Operation", "Walks", "dependencies", "judge", "spell_like"]
