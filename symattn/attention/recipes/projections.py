"""From inputs to Q, K and V, and from the heads to the output. Vaswani et al. 2017, section 3.2.2."""

from __future__ import annotations

from symattn.attention.case import Case
from symattn.attention.projection import projection
from symattn.attention.quantities import QUANTITIES
from symattn.attention.recipes.positions import inputs
from symattn.attention.registry import applying
from symattn.plans.operation import Slip
from symattn.plans.ops.project import Project
from symattn.plans.ops.rows import Stack
from symattn.plans.plan import Line, Plan
from symattn.text.bilingual import Bilingual
from symattn.text.errors import MissingGiven


def transposed_weights(declared: bool) -> Slip:
    """The mistake of W^T for W, or of W for W^T where that was declared."""
    return Project(transposed=declared).slips()[0]


def projections(case: Case) -> Plan:
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
    memory = "memory" if "memory" in case.given else x
    for variant in applying(case):
        lines = variant.projections(case, x, memory)
        if lines is not None:
            return lines
    made_lines: list[Line] = []
    for name, quantity in ((each.name, each) for each in QUANTITIES.projected):
        own = f"X_{name}"
        source = own if own in case.given else memory if quantity.per_key else x
        bias = (f"b_{name}",) if f"b_{name}" in case.given else ()
        past = f"past_{name}"
        made = f"new_{name}" if past in case.given else name
        made_lines.append(Line(made, projection(case.settings, len(bias)), (source, f"W_{name}", *bias)))
        if past in case.given:
            made_lines.append(Line(name, Stack(), (past, made)))
    return tuple(made_lines)


def output(case: Case, source: str) -> Plan:
    """The output projection, where W_O is given."""
    if "W_O" not in case.given:
        return ()
    bias = ("b_O",) if "b_O" in case.given else ()
    return (Line("output", projection(case.settings, len(bias)), (source, "W_O", *bias)),)
