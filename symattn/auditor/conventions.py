"""Conventions that a source declares one way and whose numbers follow another: one finding, not many."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from symattn.auditor.bases import near
from symattn.auditor.judge import Judged
from symattn.auditor.report import WRONG, Judgement, Remark
from symattn.auditor.rows import scale_bounds
from symattn.exact.number import Exact
from symattn.operation import Slip
from symattn.ops.exponential import Exponential
from symattn.ops.scale import ROOT_D_K, Scale
from symattn.plan import Line, Plan
from symattn.turned import on_rows

Judging = Callable[[Plan], Judged]


@dataclass(frozen=True, slots=True)
class Reading:
    """The plan that the numbers follow, the judgements under it, and what to say about it."""

    plan: Plan
    judged: Judged
    remarks: tuple[Remark, ...] = ()


def settle(plan: Plan, judged: Judged, judging: Judging) -> Reading:
    """The declared plan, or the one that the numbers follow although scaling was declared omitted.

    Another reading is taken only where the declared one leaves two or more numbers wrong and the other
    leaves none.
    """
    wrong = _wrong(judged)
    declared = [line for line in plan if isinstance(line.op, Scale) and _omitted(line.op)]
    if len(wrong) < 2 or not declared or not _all_behind(wrong, declared[0], plan):
        return Reading(plan, judged)
    options: list[tuple[Slip, Plan]] = []
    for slip in _options(plan):
        told = tuple(
            replace(line, op=slip.instead) if type(on_rows(line.op)) is type(on_rows(slip.instead)) else line
            for line in plan
        )
        verdicts = judging(tuple(replace(line, op=near(line.op)) for line in told))
        if not _wrong(verdicts):
            options.append((slip, told))
    if not options:
        return Reading(plan, judged)
    best = options[0]
    bounds = scale_bounds(judged, plan)
    values = {
        "declared": "the scale 1",
        "declared_zh": "缩放因子 1",
        "followed": best[0].because,
        "followed_zh": best[0].zh,
        "rivals": "; ".join(slip.because for slip, _ in options[1:]),
        "rivals_zh": "；".join(slip.zh for slip, _ in options[1:]),
        "count": str(len(wrong)),
        "low": bounds[0] if bounds else "",
        "high": bounds[1] if bounds else "",
    }
    first = wrong[0].printed
    remark = Remark(
        "SA601",
        "claim",
        values,
        declared[0].name,
        None,
        tuple(judgement.printed.index for judgement in wrong),
        first.source_line,
        first.place,
    )
    return Reading(best[1], judging(best[1]), (remark,))


def _omitted(scale: Scale) -> bool:
    """Whether no scaling is declared; a root of d_k that happens to be 1 is one."""
    return scale.divisor == Exact.of(1) and scale.spelled != ROOT_D_K


def _all_behind(wrong: Sequence[Judgement], first: Line, plan: Plan) -> bool:
    """Whether every wrong number may come from the step: what stands before it cannot."""
    order = {line.name: at for at, line in enumerate(plan)}
    return all(order.get(judgement.printed.name, -1) >= order[first.name] for judgement in wrong)


def _wrong(judged: Judged) -> list[Judgement]:
    return [judgement for judgement in judged.judgements if judgement.verdict in WRONG]


def _options(plan: Plan) -> list[Slip]:
    """Other scales, then other bases of the softmax, in the order in which they are likely."""
    scale = next(line.op for line in plan if isinstance(line.op, Scale))
    options = list(scale.slips())
    exponential = next((line.op for line in plan if isinstance(on_rows(line.op), Exponential)), None)
    if exponential is not None:
        options += [slip for slip in exponential.slips() if slip.code.startswith("base")]
    return options
