"""A plan: a flat, named, ordered program. Heads are tags on names, not nesting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping

from msgspec import Struct
from msgspec.structs import replace

from symattn.exact.matrix import Matrix
from symattn.exact.names import Names
from symattn.plans.operation import Operation


class Line(Struct, frozen=True):
    """One line of a plan: `name = op(args)`.

    It sees the entries of its arguments that have more than `most_nodes` nodes by name and not in closed form
    (`symattn.exact.named`), so that expressions stay short however deep the computation is.
    """

    name: str
    op: Operation
    args: tuple[str, ...]
    most_nodes: int | None = None
    carries: bool = False
    """Whether its closed forms are beyond the budget, so that what it makes is carried."""

    def value(self, values: Mapping[str, Matrix], names: Names) -> Matrix:
        """The exact result. Raises ShapeMismatch where the arguments do not fit."""
        arguments = self.arguments(values, names)
        self.op.shape(*(matrix.shape for matrix in arguments))
        return self.op.exact(*arguments)

    def for_comparing(self) -> Line:
        """The line as it is computed where its result is compared with printed numbers."""
        return replace(self, op=self.op.for_comparing())

    def arguments(self, values: Mapping[str, Matrix], names: Names) -> tuple[Matrix, ...]:
        """The arguments as the line sees them."""
        return tuple(self.seen(name, values[name], names) for name in self.args)

    def seen(self, name: str, matrix: Matrix, names: Names) -> Matrix:
        """One argument as the line sees it."""
        most_nodes = 0 if self.carries else self.most_nodes
        return matrix if most_nodes is None else names.seen(name, matrix, most_nodes, self.carries)


Plan = tuple[Line, ...]


def distinct(plan: Plan) -> Plan:
    """The plan itself. Raises ValueError where two of its lines have one name.

    The second would take the place of the first, and what uses it would see one of the two twice.
    """
    if len({line.name for line in plan}) < len(plan):
        repeated = [name for name, count in Counter(line.name for line in plan).items() if count > 1]
        raise ValueError(f"two lines of a plan are named {', '.join(repeated)}")
    return plan


def needed(plan: Plan, target: Plan, made: Collection[str]) -> Plan:
    """The lines of `plan` that the lines of `target` need and that are not `made` already."""
    wanted = {name for line in target for name in line.args}
    for line in reversed(plan):
        if line.name in wanted and line.name not in made:
            wanted |= set(line.args)
    return tuple(line for line in plan if line.name in wanted and line.name not in made)


def missing(plan: Plan, given: Collection[str], target: str) -> tuple[str, ...]:
    """The names that would have to be given for the plan to reach `target`."""
    lines = {line.name: line for line in plan}
    wanted: list[str] = []
    seen = set(given)  # a value of a deep plan is reached in many ways

    def visit(name: str) -> None:
        if name in seen:
            return
        seen.add(name)
        if name in lines:
            for argument in lines[name].args:
                visit(argument)
        else:
            wanted.append(name)

    visit(target)
    return tuple(wanted)


def leading_to(plan: Plan, wanted: Collection[str], known: Collection[str] = ()) -> Plan:
    """The lines that make the wanted names from what is known, in order; known ones are not made again."""
    needed = set(wanted)
    kept = []
    for line in reversed(plan):
        if line.name in needed:
            needed.update(name for name in line.args if name not in known)
            kept.append(line)
    return tuple(reversed(kept))


def downstream(plan: Plan, start: Collection[str]) -> frozenset[str]:
    """The names in `start`, and every name that is computed from one of them."""
    reached = set(start)
    for line in plan:
        if any(argument in reached for argument in line.args):
            reached.add(line.name)
    return frozenset(reached)


def base_name(name: str) -> str:
    """The quantity of a name without its head: `head2.A` is A."""
    return name.rpartition(".")[2]


def head_of(name: str) -> str:
    """The tag of a name: `head2` for `head2.A`, empty without one."""
    return name.rpartition(".")[0]
