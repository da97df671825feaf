"""From inputs to Q, K and V, and from the heads to the output. Vaswani et al. 2017, section 3.2.2."""

from __future__ import annotations

from collections.abc import Sequence

from symattn.attention.case import Case
from symattn.attention.projection import projection
from symattn.attention.quantities import QUANTITIES
from symattn.attention.recipes.positions import inputs
from symattn.attention.variant import Variant
from symattn.plans.ops.blocks import Stack
from symattn.plans.plan import Line, Plan
from symattn.text.bilingual import Bilingual
from symattn.text.errors import MissingGiven, UnusableValue


def projections(case: Case, variants: Sequence[Variant]) -> Plan:
    """Q, K and V, each with its bias where one is given.

    K and V come from a memory if there is one, and V from inputs given for it alone (`X_V`).
    Keys and values of earlier tokens (`past_K`, `past_V`) stand before the new ones, as in ONNX Attention.
    Raises MissingGiven for the one without the other.
    """
    cached = [name for name, quantity in QUANTITIES.items() if quantity.shape[:1] == ("n_past",)]
    absent = [name for name in cached if name not in case.given]
    if len(absent) == 1:
        (other,) = absent
        raise MissingGiven(
            Bilingual(f"a cache without {other}", f"缓存中缺少 {other}"),
            Bilingual("give both past_K and past_V", "past_K 和 past_V 要同时给出"),
        ).at(file=case.file, key="given")
    x = inputs(case)
    memory = _memory(case)
    for variant in variants:
        lines = variant.projections(case, x, memory)
        if lines is not None:
            return lines
    made_lines: list[Line] = []
    for name in (each.name for each in QUANTITIES.projected):
        source = projected(case, name)
        bias = (f"b_{name}",) if f"b_{name}" in case.given else ()
        past = f"past_{name}"
        made = f"new_{name}" if past in case.given else name
        made_lines.append(Line(made, projection(case.settings, len(bias)), (source, f"W_{name}", *bias)))
        if past in case.given:
            made_lines.append(Line(name, Stack(), (past, made)))
    return tuple(made_lines)


def _memory(case: Case) -> str:
    return "memory" if "memory" in case.given else inputs(case)


def projected(case: Case, name: str) -> str:
    """What Q, K or V is a projection of."""
    own = f"X_{name}"
    return own if own in case.given else _memory(case) if QUANTITIES[name].per_key else inputs(case)


def of_head(case: Case, name: str, tag: str) -> Plan:
    """Q, K or V of one head from weights that it has of its own (`head1.W_Q`); () where it has none.

    Raises UnusableValue beside what is given for all heads and cannot be divided among them: a bias, a past.
    """
    weights, bias = f"{tag}W_{name}", f"{tag}b_{name}"
    if weights not in case.given:
        return ()
    shared = next((each for each in (f"b_{name}", f"past_{name}") if each in case.given), None)
    if shared is not None:
        raise UnusableValue(
            Bilingual(
                f"{weights} is of one head, and {shared} of all heads together",
                f"{weights} 属于一个头，而 {shared} 属于所有的头",
            ),
            Bilingual(f"give {bias}", f"请给出 {bias}")
            if shared.startswith("b_")
            else Bilingual(
                f"give W_{name} of all heads side by side", f"请把各头的 W_{name} 并排写成一个矩阵"
            ),
        ).at(**case.at(f"given.{shared}"))
    biases = (bias,) if bias in case.given else ()
    return (
        Line(tag + name, projection(case.settings, len(biases)), (projected(case, name), weights, *biases)),
    )


def output(case: Case, source: str) -> Plan:
    """The output projection, where W_O is given."""
    if "W_O" not in case.given:
        return ()
    bias = ("b_O",) if "b_O" in case.given else ()
    return (Line("output", projection(case.settings, len(bias)), (source, "W_O", *bias)),)
