"""What a plan leaves over: a result that it does not reach and what that needs, and givens without a use."""

from __future__ import annotations

from collections.abc import Collection

from msgspec import Struct

from symattn.attention.case import Case
from symattn.attention.recipes.attention import forward
from symattn.plans.ops.project import Project
from symattn.plans.plan import Line, Plan, base_name, head_of


class Leftover(Struct, frozen=True):
    """`result` is the last value of the forward computation where the plan does not reach it, else None.

    `needs` are names that would have to be given for it; `unused` are given names that no line uses.
    """

    result: str | None = None
    needs: tuple[str, ...] = ()
    unused: tuple[str, ...] = ()


def leftover(case: Case, plan: Plan) -> Leftover:
    """What is left over of a case by its plan."""
    used = {name for line in plan for name in line.args}
    made = {line.name for line in plan}
    unused = tuple(name for name in case.given if name not in used)
    if case.program is not None:
        return Leftover(unused=unused)
    whole = forward(case)
    result = whole[-1].name
    if result in made or result in case.given:
        return Leftover(unused=tuple(name for name in unused if name != result))
    needs = _needs({line.name: line for line in whole}, case.given, {*made, *case.given}, result)
    return Leftover(result, needs, unused)


def _needs(
    lines: dict[str, Line], given: Collection[str], known: Collection[str], result: str
) -> tuple[str, ...]:
    """What is missing on the way to a result, as late as it can be given: Q rather than X and W_Q."""
    wanted: dict[str, None] = {}
    seen: set[str] = set()

    def visit(name: str) -> None:
        if name in known or name in seen:
            return
        seen.add(name)
        line = lines.get(name)
        if line is None or (isinstance(line.op, Project) and absent(line)) or apart(line):
            wanted[name] = None
            return
        for argument in line.args:
            visit(argument)

    def absent(line: Line) -> bool:
        """Whether neither the inputs nor the weights of a projection are there."""
        return not any(name in known or name in lines for name in line.args)

    def apart(line: Line) -> bool:
        """Whether a head has its part of something of which another head is given its own."""
        return base_name(line.name) in line.args and any(
            base_name(name) == base_name(line.name) and head_of(name) for name in given
        )

    visit(result)
    return tuple(wanted)
