"""Exact evaluation of a plan: givens in, an immutable derivation out."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from types import MappingProxyType

from msgspec import Struct
from msgspec.structs import replace

from symattn.exact.matrix import Matrix
from symattn.exact.names import Names, has_symbols, with_zeros
from symattn.exact.work import LINE, TooMuchWork, at_most, spend
from symattn.plans.plan import Line, Plan, distinct
from symattn.text.bilingual import Bilingual
from symattn.text.errors import MissingGiven, OutOfBounds, SymattnError, UndefinedValue
from symattn.text.suggest import listed

Values = Mapping[str, Matrix]
EMPTY: Values = MappingProxyType({})


class Derivation(Struct, frozen=True):
    """What a computation made: the givens, the plan that was computed, and every value by name, in order."""

    given: Values
    plan: Plan
    values: Values

    def __getitem__(self, name: str) -> Matrix:
        """The exact matrix of that name, given or computed."""
        return self.values[name] if name in self.values else self.given[name]

    def __contains__(self, name: object) -> bool:
        return name in self.values or name in self.given

    def __iter__(self) -> Iterator[Line]:
        """The lines, in the order of the computation."""
        return iter(self.plan)

    def items(self) -> Iterator[tuple[str, Matrix]]:
        """Every value by name, given or computed; a computed one where a name is both."""
        return iter({**self.given, **self.values}.items())

    def line(self, name: str) -> Line | None:
        """The line that computes `name`, or None for a given."""
        return next((line for line in self.plan if line.name == name), None)


Watch = Callable[[Plan], Iterable[Line]]
"""What hands the lines of a plan on, one by one, as they are computed: for progress."""


def derive(plan: Plan, given: Values, assume: Values = EMPTY, watch: Watch = iter) -> Derivation:
    """Every value of a plan, exactly, from the givens.

    From an assumed value the computation goes on as its reader would: the line itself is still computed (and
    kept in the derivation), but the lines that use it see the assumed value. A value assumed for a
    given name replaces the given. Raises the errors of the operations, with the name of the step,
    MissingGiven for a line whose arguments are not there (`symattn.attention.runnable` leaves such
    lines out), and ValueError for a plan with two lines of one name.
    """
    seen: dict[str, Matrix] = {**given, **assume}
    names = Names()
    values: dict[str, Matrix] = {}
    made: list[Line] = []
    for line in watch(distinct(plan)):
        line, values[line.name] = _made(line, seen, names)
        made.append(line)
        seen.setdefault(line.name, values[line.name])
    return Derivation(MappingProxyType(dict(given)), tuple(made), MappingProxyType(values))


def defined(plan: Plan, given: Values) -> tuple[Derivation, Mapping[str, Bilingual]]:
    """The computation over the lines that have a value, and of the others why mathematics has none for them.

    What is computed from an undefined value is undefined for the same reason. Raises as `derive` does, but
    not UndefinedValue.
    """
    seen, names = dict(given), Names()
    values: dict[str, Matrix] = {}
    undefined: dict[str, Bilingual] = {}
    made: list[Line] = []
    for line in plan:
        because = next((undefined[name] for name in line.args if name in undefined), None)
        try:
            if because is None:
                line, values[line.name] = _made(line, seen, names)
                made.append(line)
                seen.setdefault(line.name, values[line.name])
        except UndefinedValue as error:
            because = error.reason
        if because is not None:
            undefined[line.name] = because
    return Derivation(MappingProxyType(dict(given)), tuple(made), MappingProxyType(values)), undefined


def _made(line: Line, seen: Values, names: Names) -> tuple[Line, Matrix]:
    """The line as it was computed, and what it makes; an error of its operation names the step."""
    _needed(line, seen)
    try:
        line, made = computed(line, seen, names)
        return line, made if line.most_nodes is None else with_zeros(made)
    except SymattnError as error:
        raise error.at(step=line.name) from None


def computed(line: Line, seen: Values, names: Names) -> tuple[Line, Matrix]:
    """The line as it was computed, and what it makes.

    Where closed forms would be too long to multiply out, the line sees all its arguments by name, and where
    they are beyond the budget, what it makes is carried.
    """
    try:
        with at_most(0 if type(line.op) in names.carried else LINE):
            return line, line.value(seen, names)
    except OutOfBounds:
        line = replace(line, most_nodes=0)
    except TooMuchWork:
        spend(0)  # what is computed for a proof ends with it
        if not any(has_symbols(seen[name]) for name in line.args):  # those are wanted at any length
            names.carried.add(type(line.op))
            line = replace(line, most_nodes=0, carries=True)
    return line, line.value(seen, names)


def shapes(plan: Plan, given: Values) -> Mapping[str, tuple[int, int]]:
    """The shape of every value, without computing one. Raises ShapeMismatch with the step's name."""
    known = {name: matrix.shape for name, matrix in given.items()}
    for line in plan:
        _needed(line, known)
        try:
            known[line.name] = line.op.shape(*(known[name] for name in line.args))
        except SymattnError as error:
            raise error.at(step=line.name) from None
    return MappingProxyType(known)


def _needed(line: Line, known: Container[str]) -> None:
    absent = [name for name in line.args if name not in known]
    if absent:
        raise MissingGiven(
            Bilingual(
                "{name} needs {absent}, neither given nor computed before it",
                "{name} 需要 {absent}，而它既未给出，也未在此前算出",
            ).format(name=line.name, absent=listed(absent)),
            Bilingual("give {absent}", "请给出 {absent}").format(absent=listed(absent)),
        ).at(step=line.name)
