"""A program of mpmath matrices: named steps, run once, and again from the first that a small change reaches.

Derivatives are central differences: at 400 digits a step of 10^-133 leaves more than 200 right ones.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field

import mpmath
from mpmath import mpf

Rows = list[list[mpf]]
Function = Callable[..., Rows]
DIGITS = 400


@dataclass(frozen=True)
class Step:
    """`name = function(args)`."""

    name: str
    function: Function
    args: tuple[str, ...]


@dataclass(frozen=True)
class Entry:
    """One entry of a value, as all its users see it, or only some of them."""

    name: str
    row: int
    col: int
    users: tuple[str, ...] | None = None


@dataclass
class Program:
    """Values by name: those given, and those of the steps in their order."""

    values: dict[str, Rows] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)

    def add(self, name: str, function: Function, *args: str) -> str:
        """A further step, run at once; a value that is given is not computed."""
        if name not in self.values:
            self.values[name] = function(*(self.values[arg] for arg in args))
            self.steps.append(Step(name, function, args))
        return name

    def users(self, name: str) -> list[str]:
        """The steps that see a value, in their order."""
        return [step.name for step in self.steps if name in step.args]

    def changed(self, entry: Entry, by: mpf) -> dict[str, Rows]:
        """The values that differ where `by` is added to one entry."""
        shifted = [list(row) for row in self.values[entry.name]]
        shifted[entry.row][entry.col] += by
        found = {entry.name: shifted} if entry.users is None else {}
        for step in self.steps:
            if step.name == entry.name:
                continue
            own = {entry.name: shifted} if entry.users and step.name in entry.users else {}
            seen = {**found, **own}
            if any(arg in seen for arg in step.args):
                found[step.name] = step.function(*(seen.get(arg, self.values[arg]) for arg in step.args))
        return found

    def slopes(self, of: Collection[str], entry: Entry) -> dict[str, Rows]:
        """The derivatives of all entries of some values with respect to one entry."""
        h = mpf(10) ** -(mpmath.mp.dps // 3)
        up, down = self.changed(entry, h), self.changed(entry, -h)
        found = {}
        for name in of:
            here = self.values[name]
            above, below = up.get(name, here), down.get(name, here)
            found[name] = [
                [mpf(0) if mpmath.isinf(a) else (a - b) / (2 * h) for a, b in zip(*rows, strict=True)]
                for rows in zip(above, below, strict=True)
            ]
        return found


def product(a: Rows, b: Rows) -> Rows:
    columns = list(zip(*b, strict=True))
    return [[mpmath.fdot(zip(row, column, strict=True)) for column in columns] for row in a]


def transposed(a: Rows) -> Rows:
    return [list(column) for column in zip(*a, strict=True)]


def plus(a: Rows, b: Rows) -> Rows:
    return [[x + y for x, y in zip(*rows, strict=True)] for rows in zip(a, b, strict=True)]


def each(function: Callable[[mpf], mpf]) -> Function:
    """A function of every entry."""
    return lambda a: [[function(x) for x in row] for row in a]


def columns(start: int, stop: int) -> Function:
    return lambda a: [row[start:stop] for row in a]


def beside(*parts: Rows) -> Rows:
    return [[x for row in rows for x in row] for rows in zip(*parts, strict=True)]


def below(*parts: Rows) -> Rows:
    return [row for part in parts for row in part]


def row_sums(a: Rows) -> Rows:
    return [[mpmath.fsum(row)] for row in a]


def divided(a: Rows, by: Rows) -> Rows:
    """Every row over its number; a row without a visible key is zero."""
    return [[x / d if d else mpf(0) for x in row] for row, (d,) in zip(a, by, strict=True)]
