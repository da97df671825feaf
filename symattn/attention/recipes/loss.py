"""A scalar loss of what the computation makes last, and its gradient, from which the backward pass starts."""

from __future__ import annotations

from symattn.attention.case import Case
from symattn.plans.gradient import gradient_of
from symattn.plans.ops.add import PassOn
from symattn.plans.ops.loss import CrossEntropy, Difference, HalfSquares, Ones, Probabilities
from symattn.plans.ops.row_sums import RowSums
from symattn.plans.plan import Line, Plan
from symattn.text.bilingual import Bilingual
from symattn.text.errors import MissingGiven

COMPARED = ("squared", "cross-entropy")
"""The losses that compare with a target."""


def loss(case: Case, made: str) -> Plan:
    """The loss of `made`, (1, 1), and the gradient of `made`; nothing without a loss.

    Raises MissingGiven for a loss that compares with a target, without one.
    """
    d = gradient_of(made)
    if case.settings.loss in COMPARED and "target" not in case.given:
        raise MissingGiven(
            Bilingual(
                f'loss = "{case.settings.loss}" compares {made} with a target, and none is given',
                f'loss = "{case.settings.loss}" 要把 {made} 与目标比较，而没有给出目标',
            ),
            Bilingual(
                f'give target under [given], in the shape of {made}; or loss = "sum", which needs none',
                f'请在 [given] 中给出 target，形状与 {made} 相同；或写 loss = "sum"，它不需要目标',
            ),
        ).at(**case.at("attention.loss"))
    match case.settings.loss:
        case "sum":
            return Line("loss", RowSums(axis=None), (made,)), Line(d, Ones(), (made,))
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
