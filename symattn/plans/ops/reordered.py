"""Steps carried out in another order than the right one: lines that are one operation, as a mistake."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from symattn.exact.matrix import Matrix
from symattn.exact.shapes import Shape
from symattn.floats.arrays import Floats
from symattn.plans.operation import Mistake, Operation
from symattn.plans.ops.add import Add
from symattn.plans.plan import Line, Plan, leading_to
from symattn.text.notation import Formula


def chain(plan: Plan, start: str, end: str, instead: str) -> Plan:
    """The lines from `start` to `end`, from another value `instead`."""
    lines = leading_to(plan, {end}, {start})
    return tuple(
        replace(line, args=tuple(instead if name == start else name for name in line.args)) for line in lines
    )


def instead(name: str, *parts: Plan) -> Line:
    """The line `name`, made by these lines."""
    plan = tuple(line for part in parts for line in part)
    made = {line.name for line in plan}
    inputs = tuple(dict.fromkeys(name for line in plan for name in line.args if name not in made))
    return Line(name, Instead(plan, inputs), inputs)


class Instead(Mistake, Operation, frozen=True):
    """The result of some lines, on rows and in another order than the right one, from their `inputs`."""

    plan: Plan
    inputs: tuple[str, ...]

    def _run(self, arguments: tuple[Any, ...], how: Callable[[Operation], Callable[..., Any]]) -> Any:
        values = dict(zip(self.inputs, arguments, strict=True))
        for line in self.plan:
            values[line.name] = how(line.op)(*(values[name] for name in line.args))
        return values[self.plan[-1].name]

    def shape(self, *shapes: Shape) -> Shape:
        found: Shape = self._run(shapes, lambda op: op.shape)
        return found

    def exact(self, *arguments: Matrix) -> Matrix:
        found: Matrix = self._run(arguments, lambda op: op.for_comparing().exact)
        return found

    def floats(self, *arguments: Floats) -> Floats:
        found: Floats = self._run(arguments, lambda op: op.floats)
        return found

    def formula(self, *arguments: Formula) -> Formula:
        found: Formula = self._run(arguments, lambda op: op.formula)
        return found

    @classmethod
    def example(cls) -> tuple[Operation, tuple[Matrix, ...]]:
        line = instead("C", (Line("C", Add(), ("A", "B")),))
        return line.op, Add.example()[1]
