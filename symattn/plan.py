"""A plan: a flat, named, ordered program. Heads are tags on names, not nesting."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from symattn.operation import Operation


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a plan: `name = op(args)`."""

    name: str
    op: Operation
    args: tuple[str, ...]


Plan = tuple[Line, ...]


def runnable(plan: Plan, given: Collection[str]) -> Plan:
    """The lines that can be walked from what is given; a given name is not computed again."""
    known = set(given)
    kept = []
    for line in plan:
        if line.name not in known and all(name in known for name in line.args):
            kept.append(line)
            known.add(line.name)
    return tuple(kept)


def missing(plan: Plan, given: Collection[str], target: str) -> tuple[str, ...]:
    """The names that would have to be given for the plan to reach `target`."""
    lines = {line.name: line for line in plan}
    wanted: list[str] = []

    def visit(name: str) -> None:
        if name in given or name in wanted:
            return
        if name in lines:
            for argument in lines[name].args:
                visit(argument)
        else:
            wanted.append(name)

    visit(target)
    return tuple(wanted)


def base_name(name: str) -> str:
    """The quantity of a name without its head: `head2.A` is A."""
    return name.rpartition(".")[2]


def head_of(name: str) -> str:
    """The tag of a name: `head2` for `head2.A`, empty without one."""
    return name.rpartition(".")[0]
