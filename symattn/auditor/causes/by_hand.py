"""What goes wrong by hand where no operation is another one: a summand left out, the sum of another row.

Each is a line carried out in a way that only a slip would; it is tried beside the slips of the operations.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from symattn.exact.matrix import Matrix
from symattn.plans.plan import Line, Plan
from symattn.plans.transposed import TransposedOperation, on_rows, transposed_operation
from symattn.plans.weights import Mistaken, SlipsByPlan, by_name


def by_hand(line: Line, plan: Plan, seen: Mapping[str, Matrix]) -> Iterator[Mistaken]:
    """The ways to carry a line out that are slips, with tokens as they stand in the plan."""
    op, columns = on_rows(line.op), isinstance(line.op, TransposedOperation)
    if not isinstance(op, SlipsByPlan):
        return
    shapes = {name: seen[name].shape[::-1] if columns else seen[name].shape for name in line.args}
    for code, because, told in op.mistaken(line, by_name(plan), shapes):
        if columns:
            because, told = because.transposed, replace(told, op=transposed_operation(told.op))
        yield code, because, told
