"""From inputs to Q, K and V, and from the heads to the output. Vaswani et al. 2017, section 3.2.2."""

from __future__ import annotations

from symattn.case import Case
from symattn.ops.project import Project, ProjectVectors
from symattn.plan import Line, Plan
from symattn.recipes.positions import inputs


def projections(case: Case) -> Plan:
    """Q, K and V, each with its bias where one is given; K and V come from a memory if there is one."""
    x = inputs(case)
    memory = "memory" if "memory" in case.given else x
    lines = []
    for name, source in (("Q", x), ("K", memory), ("V", memory)):
        bias = (f"b_{name}",) if f"b_{name}" in case.given else ()
        lines.append(Line(name, projection(case, len(bias)), (source, f"W_{name}", *bias)))
    return tuple(lines)


def output(case: Case, source: str) -> Plan:
    """The output projection, where W_O is given."""
    if "W_O" not in case.given:
        return ()
    bias = ("b_O",) if "b_O" in case.given else ()
    return (Line("output", projection(case, len(bias)), (source, "W_O", *bias)),)


def projection(case: Case, biases: int) -> Project:
    """X W, X W^T or W x for each token, as the case has it, plus the bias where there is one."""
    kind = ProjectVectors if case.settings.weights == "left" else Project
    return kind(case.settings.turns_weights, biases)
