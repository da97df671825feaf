"""Jacobians of one row of attention: of its weights by its logits, of its output by all that made it.

J = diag(a) - a^T a; then J_S = V^T J is the derivative of z by the logits, and J_Q = J_S K, over the
divisor of the scale, that by the query; J_K = a_j (v_j - z)^T q over the divisor that by a key, J_V = a_j I
that by a value. Bridle 1990, eq. (8), and the chain rule.
"""

from __future__ import annotations

from collections.abc import Iterator

from symattn.attention.case import Case
from symattn.attention.recipes.gradients import for_derivatives
from symattn.attention.runnable import runnable
from symattn.exact.number import Exact
from symattn.plans.derive import Values, shapes
from symattn.plans.kinds import Masking, Powers, Scaling
from symattn.plans.ops.jacobians import KeyJacobian, SoftmaxJacobian, ValueJacobian
from symattn.plans.ops.products import TransposedProduct, WeightedSum
from symattn.plans.plan import Line, Plan, base_name
from symattn.text.bilingual import Bilingual
from symattn.text.errors import SymattnError, UnusableValue


def jacobians(case: Case, plan: Plan, given: Values) -> Plan:
    """The Jacobians of every row of every head, where the case asks for them.

    J_Q and J_K are made where the logits are the scaled scores, masked or not. Raises UnusableValue for
    tokens as columns and for a softmax to another base than e.
    """
    if case.settings.jacobians == "none":
        return ()
    computed = runnable(for_derivatives(plan), given)
    powers = [line for line in computed if isinstance(line.op, Powers)]
    if not powers or any(isinstance(line.op, Powers) and not line.op.base.is_e for line in powers):
        raise UnusableValue(
            Bilingual(
                "Jacobians of a computation without a softmax to the base e",
                "没有以 e 为底的 softmax，求不出这些雅可比矩阵",
            ),
            Bilingual('evaluation = "direct", and no base', '请写 evaluation = "direct"，且不写 base'),
        ).at(**case.at("attention.jacobians"))
    try:
        sizes = shapes(computed, given)
    except SymattnError:
        return ()  # the forward computation itself is refused, with its own words
    lines = {line.name: line for line in computed}
    found: list[Line] = []
    for power in powers:
        tag, logits = power.name.removesuffix("exp"), power.args[0]
        rows, keys = sizes[power.name]
        width = sizes[f"{tag}V"][1] if f"{tag}V" in sizes else 0
        for row in range(rows):
            found += _of_row(lines, logits, tag, row)
            for key in range(keys if case.settings.jacobians == "all" and width else 0):
                found += _of_key(lines, logits, tag, (row, key), width)
    return runnable(tuple(found), {*given, *lines})


def _of_row(lines: dict[str, Line], logits: str, tag: str, row: int) -> Iterator[Line]:
    own = f"{tag}row{row + 1}."
    yield Line(f"{own}J", SoftmaxJacobian(row), (f"{tag}A",))
    yield Line(f"{own}J_S", TransposedProduct(), (f"{tag}V", f"{own}J"))
    scored = _scored(lines, logits)
    if scored is not None:
        scale, _, k = scored
        scaled = scale.divisor != Exact.of(1)
        yield Line(f"{own}J_SK" if scaled else f"{own}J_Q", WeightedSum(), (f"{own}J_S", k))
        if scaled:
            yield Line(f"{own}J_Q", scale, (f"{own}J_SK",))


def _of_key(lines: dict[str, Line], logits: str, tag: str, at: tuple[int, int], width: int) -> Iterator[Line]:
    row, key = at
    own = f"{tag}row{row + 1}.key{key + 1}."
    scored = _scored(lines, logits)
    if scored is not None:
        scale, q, _ = scored
        op = KeyJacobian(row, key, scale.divisor, scale.spelled)
        yield Line(f"{own}J_K", op, (f"{tag}A", f"{tag}V", f"{tag}Z", q))
    yield Line(f"{own}J_V", ValueJacobian(row, key, width), (f"{tag}A",))


def _scored(lines: dict[str, Line], logits: str) -> tuple[Scaling, str, str] | None:
    """The scale and the names of Q and K, where the logits are their scaled scores, masked or not."""
    last = lines.get(logits)
    if last is not None and isinstance(last.op, Masking):
        last = lines.get(last.args[0])
    if last is None or not isinstance(last.op, Scaling) or last.args[0] not in lines:
        return None
    q, k = lines[last.args[0]].args
    return (last.op, q, k) if base_name(q) == "Q" and base_name(k) == "K" else None
