"""Attention, from a case to its plan. Vaswani et al. 2017, section 3.2, and what came after.

The table of contents of the computation: positions, projections, heads (each from Q, K, V to Z), output.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from msgspec.structs import replace

from symattn.attention.case import Case
from symattn.attention.compatibility import refuse_together
from symattn.attention.quantities import QUANTITIES
from symattn.attention.recipes.backward import backward
from symattn.attention.recipes.columns import as_columns, in_rows
from symattn.attention.recipes.encoder import after, before, layer_tag, stacked
from symattn.attention.recipes.heads import heads, with_variants
from symattn.attention.recipes.jacobians import jacobians
from symattn.attention.recipes.limits import within_limits
from symattn.attention.recipes.loss import loss
from symattn.attention.recipes.misfits import fitting
from symattn.attention.recipes.positions import added, inputs
from symattn.attention.recipes.projections import output, projections
from symattn.attention.registry import applying
from symattn.attention.runnable import runnable
from symattn.attention.sizes import sizes_of
from symattn.attention.variant import most_nodes_after
from symattn.exact.matrix import Matrix
from symattn.exact.work import LONGEST
from symattn.plans.plan import Line, Plan, base_name, missing, needed
from symattn.plans.transposed import transposed_plan
from symattn.text.bilingual import Bilingual
from symattn.text.errors import MissingGiven, OutOfBounds, ShapeMismatch, UnusableValue


def attention(case: Case) -> Plan:
    """The plan of a case: every line that can be computed from its givens, in the order of the computation.

    Raises MissingGiven where nothing can be computed, UnusableValue for a scale of zero, ShapeMismatch
    where heads do not divide a width, OutOfBounds for a case that is too large
    (`symattn.attention.recipes.limits`).
    """
    if case.program is not None:
        return runnable(case.program, values(case))
    if case.settings.evaluation != "direct":
        _fitting(case)
    if not as_columns(case):
        return _on_rows(case)
    rows = in_rows(case)
    try:
        return transposed_plan(_on_rows(rows))
    except ShapeMismatch as problem:  # the columns of others are those of an expression
        problem.reason, problem.advice = problem.reason.transposed, problem.advice.transposed
        raise


def _fitting(case: Case) -> None:
    """Refuses matrices that do not fit together at once: steps and blocks would leave rows of them out."""
    direct, given = (
        attention(replace(case, settings=replace(case.settings, evaluation="direct"))),
        values(case),
    )
    fitting(case, direct, given, attention)


def _on_rows(case: Case) -> Plan:
    given = values(case)
    try:
        within_limits(case.settings, sizes_of(case, given))
    except OutOfBounds as error:
        raise error.at(**case.at(error.key)) from None
    forward = direct = _forward(case)
    most_nodes = forward[-1].most_nodes
    if case.settings.loss == "cross-entropy" and not case.symbols:
        most_nodes = LONGEST  # a softmax of quotients of exponential sums is an expression in SymPy
    last = tuple(replace(line, most_nodes=most_nodes) for line in loss(case, forward[-1].name))
    if case.settings.evaluation != "direct":  # an equal function has an equal gradient
        direct = _forward(replace(case, settings=replace(case.settings, evaluation="direct")))
        _starting_alike(case, forward, direct)
    back = backward(case, direct, given, [line.name for line in last])
    again = needed(direct, back, {line.name for line in forward})
    whole = (*forward, *jacobians(case, forward, given), *last, *again, *back)
    plan = runnable(whole, given)
    if not plan:
        joined = "Z" if case.settings.heads == 1 else "concat"
        wanted = missing(whole, given, layer_tag(case, case.settings.layers) + joined)
        weights = [name for name in wanted if base_name(name) in QUANTITIES.weights]
        weight = f'{weights[0]} = "identity"' if weights else ""
        raise MissingGiven(
            Bilingual(
                "nothing can be computed from what is given ({names})", "由所给的量（{names}）什么也算不出"
            ).format(names=", ".join(given))
            if given
            else Bilingual(
                "nothing can be computed from what is given (the table is empty)", "什么也没有给出"
            ),
            Bilingual(
                f"add {', '.join(wanted)} under [given]{weight and f' ({weight} leaves X as it is)'}, "
                "or start later: Q, K and V, or scores and V, or A and V",
                f"请在 [given] 中补上 {'、'.join(wanted)}{weight and f'（{weight} 使 X 保持不变）'}，"
                "或者从后面的量开始：Q、K 和 V，或 scores 和 V，或 A 和 V",
            ),
        ).at(**case.at("given"))
    return plan


def _starting_alike(case: Case, forward: Plan, direct: Plan) -> None:
    """Refuses a given that takes the place of a step of the direct evaluation and of none of this one."""
    used = {name for line in runnable(forward, case.given) for name in line.args}
    for name in (name for line in runnable(direct, case.given) for name in line.args):
        if name in case.given and name not in used:
            raise UnusableValue(
                Bilingual(
                    f'{name} is given, which evaluation = "{case.settings.evaluation}" does not start from',
                    f'给出了 {name}，而 evaluation = "{case.settings.evaluation}" 不从它开始计算',
                ),
                Bilingual(
                    f'leave out {name}, or evaluate directly: evaluation = "direct"',
                    f'请去掉 {name}，或直接计算：evaluation = "direct"',
                ),
            ).at(**case.at(f"given.{name}"))


def forward(case: Case) -> Plan:
    """Every line of the forward computation, whether or not its arguments are given; tokens are rows here."""
    return _forward(in_rows(case))


def _forward(case: Case) -> Plan:
    return (*added(case, sizes_of(case, values(case))), *stacked(case, _layer))


def _layer(case: Case) -> Plan:
    """Attention and what stands around it, once."""
    variants, given = applying(case), values(case)
    refuse_together(case, variants)
    core, joined = heads(case, given, variants)
    sizes = with_variants(variants, case, given, sizes_of(case, given))
    between: list[Line] = []
    for variant in variants:
        between += variant.before_projection(case, between[-1].name if between else joined, inputs(case))
    joined = between[-1].name if between else joined
    most_nodes = most_nodes_after(between[-1], given["W_O"].shape[0]) if between and "W_O" in given else None
    projected = tuple(replace(line, most_nodes=most_nodes) for line in output(case, joined))
    made = projected[-1].name if projected else joined
    return (
        *before(case),
        *projections(case, variants),
        *(line for variant in variants for line in variant.shared(case, sizes)),
        *core,
        *between,
        *projected,
        *after(case, made),
    )


def values(case: Case) -> Mapping[str, Matrix]:
    """The exact matrices of a case by name."""
    return MappingProxyType({name: given.values for name, given in case.given.items()})
