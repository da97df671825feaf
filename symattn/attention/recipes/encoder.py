"""An encoder layer around attention: residuals, norms and a feed-forward layer, once or several times.

Vaswani et al. 2017, sections 3.1 and 3.3 (the norm after each residual); Xiong et al. 2020, figure 1
(the norm before each part).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from symattn.attention.case import Case
from symattn.attention.expressions import epsilons
from symattn.attention.projection import projection
from symattn.attention.quantities import QUANTITIES
from symattn.attention.recipes.positions import embedded
from symattn.exact.work import LONGEST
from symattn.plans.operation import Operation
from symattn.plans.ops.activation import Gelu, Relu
from symattn.plans.ops.add import Add
from symattn.plans.ops.layer_norm import LayerNorm
from symattn.plans.ops.rms_norm import RMSNorm
from symattn.plans.plan import Line, Plan
from symattn.text.bilingual import Bilingual
from symattn.text.errors import MissingGiven, UnusableValue

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
    one = ("b_1",) if "b_1" in case.given else ()
    two = ("b_2",) if "b_2" in case.given else ()
    return (
        Line("widened", projection(case.settings, len(one)), (source, "W_1", *one)),
        Line("active", ACTIVATIONS[case.settings.activation], ("widened",)),
        Line("ffn", projection(case.settings, len(two)), ("active", "W_2", *two)),
    )


def _norm(case: Case, name: str, source: str) -> Line:
    """LayerNorm or RMSNorm, with gain and shift where they are given."""
    number = name.removeprefix("norm_")
    gain, shift = f"gamma_{number}", f"beta_{number}"
    if case.settings.norm == "rms":
        return Line(name, RMSNorm(*epsilons(case)), (source, gain) if gain in case.given else (source,))
    if (gain in case.given) != (shift in case.given):
        raise MissingGiven(
            Bilingual(f"one of {gain} and {shift}", f"只给出了 {gain} 和 {shift} 中的一个"),
            Bilingual(
                "LayerNorm takes both, or neither for a gain of 1 and a shift of 0",
                "LayerNorm 需要两个都给出，或都不给出（增益为 1，平移为 0）",
            ),
        ).at(file=case.file, key="given")
    scales = (gain, shift) if gain in case.given else ()
    return Line(name, LayerNorm(*epsilons(case)), (source, *scales))


def layer_tag(case: Case, number: int) -> str:
    """What stands before the names of layer `number`, from 1: nothing where there is only one layer."""
    return f"layer{number}." if case.settings.layers > 1 else ""


def stacked(case: Case, layer: Callable[[Case], Plan]) -> Plan:
    """The plan that `layer` makes of a case, once for each of its layers, each from the one before.

    A matrix given as `layer2.W_Q` is that of layer 2 alone, one without a tag that of every layer
    (Dehghani et al. 2018, Universal Transformer, and Lan et al. 2019, ALBERT, share all of them). Around a
    single attention nothing grows; after a norm or a layer, long entries go by their names.
    """
    if case.settings.layer in ("none", "residual") and case.settings.layers == 1:
        return layer(case)
    _of_one_layer(case)
    x = source = embedded(case)
    lines: list[Line] = []
    for number in range(1, case.settings.layers + 1):
        tag = layer_tag(case, number)
        own = _of_layer(case, tag)
        plan = tuple(line for line in layer(own) if line.name not in own.given)
        tagged = {line.name for line in plan} | {name for name in own.given if tag + name in case.given}
        names = {name: tag + name for name in tagged} | {x: source}
        for line in plan:
            args = tuple(names.get(name, name) for name in line.args)
            most_nodes = LONGEST if line.most_nodes is None else line.most_nodes
            lines.append(Line(tag + line.name, line.op, args, most_nodes))
        source = lines[-1].name
    return tuple(lines)


def _of_one_layer(case: Case) -> None:
    """Refuses exponentials and their sums that are given for all layers alike."""
    for name in QUANTITIES.softmax:
        if name != "A" and name in case.given and case.settings.layers > 1:
            key = f"given.{name}"
            raise UnusableValue(
                Bilingual(f"{name} is given for all layers alike", f"各层共用了同一个 {name}"),
                Bilingual(f"give layer1.{name}", f"请给出 layer1.{name}"),
            ).at(**case.at(key))


def _of_layer(case: Case, tag: str) -> Case:
    """The case of one layer: what is given for it under its plain name, what is given for others gone."""
    shared = {name: given for name, given in case.given.items() if not name.startswith("layer")}
    own = {name.removeprefix(tag): given for name, given in case.given.items() if name.startswith(tag)}
    return replace(case, given={**shared, **own}) if tag else case
