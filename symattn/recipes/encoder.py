"""An encoder layer around attention: residuals, norms and a feed-forward layer, once or several times.

Vaswani et al. 2017, sections 3.1 and 3.3 (the norm after each residual); Xiong et al. 2020, figure 1
(the norm before each part).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from symattn.case import Case
from symattn.errors import MissingGiven, UnusableValue
from symattn.exact.number import Exact
from symattn.operation import Operation
from symattn.ops.activation import Gelu, Relu
from symattn.ops.add import Add
from symattn.ops.layer_norm import LayerNorm
from symattn.ops.rms_norm import RMSNorm
from symattn.plan import Line, Plan
from symattn.recipes.expressions import positive
from symattn.recipes.positions import embedded
from symattn.recipes.projections import projection

ACTIVATIONS: Mapping[str, Operation] = {"relu": Relu(), "gelu": Gelu()}


def before(case: Case) -> Plan:
    """What stands before the projections: the first norm, where it comes first."""
    return (_norm(case, "norm_1", embedded(case)),) if case.settings.layer == "pre-norm" else ()


def after(case: Case, made: str) -> Plan:
    """What follows the attention, whose output is `made`: residual, norm and feed-forward."""
    x = embedded(case)
    match case.settings.layer:
        case "residual":
            return (Line("residual_1", Add(), (x, made)),)
        case "post-norm":
            return (
                Line("residual_1", Add(), (x, made)),
                _norm(case, "norm_1", "residual_1"),
                *_feed_forward(case, "norm_1"),
                Line("residual_2", Add(), ("norm_1", "ffn")),
                _norm(case, "norm_2", "residual_2"),
            )
        case "pre-norm":
            return (
                Line("residual_1", Add(), (x, made)),
                _norm(case, "norm_2", "residual_1"),
                *_feed_forward(case, "norm_2"),
                Line("residual_2", Add(), ("residual_1", "ffn")),
            )
    return ()


def _feed_forward(case: Case, source: str) -> Plan:
    """act(x W_1 + b_1) W_2 + b_2, with the biases that are given."""
    one, two = ((name,) if name in case.given else () for name in ("b_1", "b_2"))
    return (
        Line("widened", projection(case, len(one)), (source, "W_1", *one)),
        Line("active", ACTIVATIONS[case.settings.activation], ("widened",)),
        Line("ffn", projection(case, len(two)), ("active", "W_2", *two)),
    )


def _norm(case: Case, name: str, source: str) -> Line:
    """LayerNorm or RMSNorm, with gain and shift where they are given."""
    number = name.removeprefix("norm_")
    text = case.settings.epsilon
    epsilon = Exact.of(0) if text is None else positive(case, "epsilon", text)
    gain, shift = f"gamma_{number}", f"beta_{number}"
    if case.settings.norm == "rms":
        return Line(name, RMSNorm(epsilon), (source, gain) if gain in case.given else (source,))
    if (gain in case.given) != (shift in case.given):
        raise MissingGiven(
            f"one of {gain} and {shift}", "LayerNorm takes both, or neither for a gain of 1 and a shift of 0"
        ).at(file=case.file, key="given")
    scales = (gain, shift) if gain in case.given else ()
    return Line(name, LayerNorm(epsilon), (source, *scales))


def stacked(plan: Plan, layers: int, x: str) -> Plan:
    """The plan `layers` times with the same weights; the last line of a layer is the `x` of the next.

    Dehghani et al. 2018 (Universal Transformer) and Lan et al. 2019 (ALBERT) share weights like this.
    """
    if layers == 1:
        return plan
    if any(isinstance(line.op, LayerNorm | RMSNorm) for line in plan):
        raise UnusableValue(
            f"{layers} layers with norms",
            'one layer with norms, or several with layer = "residual": the closed form of a norm of '
            "norms does not fit on any page",
        ).at(key="attention.layers")
    made = {line.name for line in plan}
    lines: list[Line] = []
    source = x
    for layer in range(1, layers + 1):
        tag = f"layer{layer}."
        for line in plan:
            args = tuple(tag + name if name in made else source if name == x else name for name in line.args)
            lines.append(replace(line, name=tag + line.name, args=args))
        source = tag + plan[-1].name
    return tuple(lines)
