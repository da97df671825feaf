"""A scalar loss of what the walk makes last, and its gradient, from which the backward pass starts."""

from __future__ import annotations

from symattn.case import Case
from symattn.errors import UnusableValue
from symattn.ops.loss import CrossEntropy, Difference, HalfSquares, Ones, Probabilities
from symattn.ops.pass_on import PassOn
from symattn.ops.row_sums import RowSums
from symattn.plan import Line, Plan
from symattn.recipes.gradients import slope
from symattn.recipes.sizes import place


def loss(case: Case, made: str) -> Plan:
    """The loss of `made`, (1, 1), and the gradient of `made`; nothing without a loss.

    Raises UnusableValue where the gradient is given as well.
    """
    d = slope(made)
    if case.settings.loss != "none" and d in case.given:
        raise UnusableValue(
            f"a loss, and {d} beside it, which follows from the loss", f"leave one of them out: loss or {d}"
        ).at(file=case.file, key="attention.loss", **place(case, "attention.loss"))
    match case.settings.loss:
        case "sum":
            return Line("loss", RowSums(over="all"), (made,)), Line(d, Ones(), (made,))
        case "squared":
            return (
                Line("error", Difference(), (made, "target")),
                Line("loss", HalfSquares(), ("error",)),
                Line(d, PassOn(), ("error",)),
            )
        case "cross-entropy":
            return (
                Line("prediction", Probabilities(), (made,)),
                Line("loss", CrossEntropy(), ("prediction", "target")),
                Line(d, Difference(), ("prediction", "target")),
            )
    return ()
