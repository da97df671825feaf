"""What a plan differentiates, and which of its gradients lie behind weights that are given."""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace

from symattn.attention.quantities import QUANTITIES
from symattn.plans.gradient import gradient_of
from symattn.plans.ops.unchanged import Unchanged
from symattn.plans.plan import Line, Plan, base_name, downstream
from symattn.plans.transposed import on_rows


def differentiated(plan: Plan, given: Collection[str]) -> str | None:
    """The name of what is differentiated: the loss, or the value whose gradient is given."""
    starts = [line.name for line in plan if line.name == "loss" or gradient_of(line.name) in given]
    return starts[-1] if starts else None


def for_derivatives(plan: Plan) -> Plan:
    """The plan without the lines that no derivative depends on (`Operation.for_derivative`)."""
    same: dict[str, str] = {}
    lines: list[Line] = []
    for line in plan:
        args = tuple(same.get(name, name) for name in line.args)
        if line.op != Unchanged() and line.op.for_derivative() == Unchanged():
            same[line.name] = args[0]
        else:
            lines.append(line if args == line.args else replace(line, args=args))
    return tuple(lines)


def past_givens(plan: Plan, given: Collection[str]) -> frozenset[str]:
    """The gradients behind weights, exponentials or sums that are given and not computed from scores.

    The backward pass takes what is given for what the scores make; the forward computation does not.
    """
    starts = set()
    for line in plan:
        if on_rows(line.op).differentiates_weights:
            first = line.args[0]
            tag = first.removesuffix(base_name(first))
            if any(name in given for own in QUANTITIES.softmax for name in (own, tag + own)):
                starts.add(line.name)
    return downstream(plan, starts)
