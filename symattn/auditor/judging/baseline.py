"""What a judgement stands on whatever is supposed of the source: its plan, the exact values, its prints."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property

from flint import fmpq
from msgspec import Struct
from msgspec.structs import replace

from symattn.auditor.claims import Ways
from symattn.auditor.dependencies import Entry, dependencies
from symattn.auditor.numeral import Numeral
from symattn.auditor.ranges.moving import Cell
from symattn.auditor.ranges.roots import is_result
from symattn.auditor.report import Printed
from symattn.plans.derive import Values
from symattn.plans.plan import Line, Plan, base_name

SPARE = 2
"""How many digits more than it prints a source keeps of what it does not print, unless more is known."""
WRITTEN_DOWN = frozenset({"A"})
"""What hardly anybody keeps in mind."""

Cells = Mapping[str, Mapping[Cell, Sequence[Printed]]]
"""The printed numbers of each quantity by entry, the first print first."""


class Baseline(Struct, frozen=True, eq=False, dict=True):
    """The extended plan with its second ways to a quantity, the exact value of every name, and the prints.

    What is looked up again and again for one judgement after another is found out once.
    """

    plan: Plan
    ways: Ways
    given: Values
    exact: Values
    printed: Sequence[Printed]
    cells: Cells

    @staticmethod
    def of(
        plan: Plan,
        ways: Ways,
        given: Values,
        exact: Values,
        printed: Sequence[Printed],
    ) -> Baseline:
        """Where every entry has its prints in the order of the source."""
        return Baseline(plan, ways, given, exact, printed, _by_entry(printed))

    @cached_property
    def again(self) -> Baseline | None:
        """The same with the last other print of an entry before its first, where entries have such."""
        again: dict[str, dict[Cell, Sequence[Printed]]] = {}
        for name, entries in self.cells.items():
            for cell, prints in entries.items():
                others = [each for each in prints if each.numeral.value != prints[0].numeral.value]
                if others:
                    rest = (each for each in prints if each is not others[-1])
                    again.setdefault(name, {**entries})[cell] = [others[-1], *rest]
        return replace(self, cells={**self.cells, **again}) if again else None

    @cached_property
    def lines(self) -> Mapping[str, Line]:
        """The line of each computed quantity."""
        return {line.name: line for line in self.plan}

    @cached_property
    def held(self) -> int:
        """How many decimals a source keeps of what it does not print."""
        decimals = (number.numeral.places for number in self.printed if not number.numeral.closed)
        return max(decimals, default=0) + SPARE

    def held_of(self, name: str) -> int:
        """How many decimals it keeps of a quantity: weights are written down in those of the others."""
        return self.held - SPARE if base_name(name) in WRITTEN_DOWN else self.held

    def unit(self, numeral: Numeral) -> fmpq:
        """The unit of the last place; of a closed form that of the decimal that its author works it out to.

        The root and the quotient are held to so many digits: 13/1.4142 is a unit off 13/sqrt(2).
        """
        held: fmpq = max(abs(numeral.value), fmpq(1)) / fmpq(10) ** self.held
        return held if numeral.closed else numeral.unit

    def is_result(self, name: str) -> bool:
        """Whether a given quantity was worked out by the source."""
        return name in self.given and is_result(name, self.given)

    def routes(self, name: str) -> tuple[Line, ...]:
        """The lines that compute a quantity, none for a given."""
        found = (lines.get(name) for lines in (self.lines, self.ways))
        return tuple(line for line in found if line is not None)

    def used(self, line: Line, i: int, j: int) -> Sequence[Entry]:
        """The entries of its arguments that entry (i, j) of a line uses."""
        known = self._used[id(line)]
        if (i, j) not in known:
            known[i, j] = dependencies(line, i, j, tuple(self.exact[name].shape for name in line.args))
        return known[i, j]

    @cached_property
    def _used(self) -> dict[int, dict[Cell, Sequence[Entry]]]:
        return defaultdict(dict)

    def given_rationals(self, name: str) -> frozenset[fmpq | None]:
        """The values of the entries of a given, as operands of a working are looked up among them."""
        if name not in self._rationals:
            self._rationals[name] = frozenset(x.rational for row in self.exact[name].rows() for x in row)
        return self._rationals[name]

    @cached_property
    def _rationals(self) -> dict[str, frozenset[fmpq | None]]:
        return {}

    def common_measure(self, name: str) -> fmpq | None:
        """The largest number that all exact entries of a quantity are multiples of, if they are rational."""
        if name not in self._measures:
            measure: fmpq | None = fmpq(0)
            for q in (entry.rational for row in self.exact[name].rows() for entry in row):
                measure = None if measure is None or q is None else measure.gcd(q)
            self._measures[name] = measure
        return self._measures[name]

    @cached_property
    def _measures(self) -> dict[str, fmpq | None]:
        return {}

    def printed_as(self, name: str, text: str) -> Sequence[Cell]:
        """The entries of a quantity that were printed with these characters, whatever their sign."""
        if name not in self._texts:
            found: dict[str, dict[Cell, None]] = {}
            for cell, numbers in self.cells.get(name, {}).items():
                for number in numbers:
                    found.setdefault(_unsigned(number.numeral.text), {})[cell] = None
            self._texts[name] = {plain: tuple(entries) for plain, entries in found.items()}
        return self._texts[name].get(_unsigned(text), ())

    @cached_property
    def _texts(self) -> dict[str, Mapping[str, Sequence[Cell]]]:
        return {}

    def printed_before(self, name: str, i: int, j: int) -> frozenset[int]:
        """The printed numbers that an entry was worked out from, through what was not printed."""
        if (name, i, j) not in self._sources:
            self._sources[name, i, j] = self._sources_of(name, i, j)
        return self._sources[name, i, j]

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

    @cached_property
    def _sources(self) -> dict[Entry, frozenset[int]]:
        return {}


def _by_entry(printed: Sequence[Printed]) -> Cells:
    cells: dict[str, dict[Cell, list[Printed]]] = defaultdict(lambda: defaultdict(list))
    for number in printed:
        cells[number.name][number.row, number.col].append(number)
    return {name: dict(entries) for name, entries in cells.items()}


def _unsigned(text: str) -> str:
    return text.strip().lstrip("+-−")
