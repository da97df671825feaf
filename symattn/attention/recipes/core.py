"""One head, from Q, K and V to Z: at once, with a cache token by token, or block by block."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from symattn.attention.masks import mask as mask_of
from symattn.attention.quantities import QUANTITIES
from symattn.attention.recipes import positions
from symattn.attention.recipes.cached import cached
from symattn.attention.recipes.logits import logits, weights
from symattn.attention.recipes.online import online
from symattn.attention.recipes.scaling import scale
from symattn.attention.sizes import offset
from symattn.attention.variant import Head, valued
from symattn.exact.number import Exact
from symattn.plans.operation import Operation
from symattn.plans.ops.products import Scores
from symattn.plans.ops.rms_norm import RMSNorm, UnitRows
from symattn.plans.ops.scale import Scale
from symattn.plans.plan import Line, Plan
from symattn.text.bilingual import Bilingual
from symattn.text.errors import UnusableValue

NORMS: Mapping[str, Operation] = {"unit": UnitRows(), "rms": RMSNorm()}


def core(head: Head) -> Plan:
    """From one head's Q, K, V to its Z."""
    if head.case.settings.evaluation != "direct":
        return _attended(head)
    maps = (variant.maps(head, _attended) for variant in head.variants)
    return next((made for made in maps if made is not None), None) or valued(head, _attended(head), "Z")


def _attended(head: Head) -> Plan:
    """From queries and keys to the weights A of one map; to Z where it is evaluated another way."""
    case, sizes, tag = head.case, head.sizes, head.tag
    prepared, q, k = _prepared(head)
    own = (variant.attended(head, q, k) for variant in head.variants)
    whole = next((made for made in own if made is not None), None)
    if whole is not None:
        return (*prepared, *whole)
    if case.settings.evaluation == "linear":
        raise UnusableValue(
            Bilingual("a linear evaluation of a softmax, which has none", "softmax 没有线性的算法"),
            Bilingual(
                'kernel = "relu", or evaluation = "direct"', '请写 kernel = "relu"，或 evaluation = "direct"'
            ),
        ).at(**case.at("attention.evaluation"))
    # without scores the line is not computed, and only says what would have to be given
    factor = scale(case, sizes) if scored(head) else Scale(Exact.of(1))
    if case.settings.evaluation == "cached":
        return (*prepared, *cached(head, factor, q, k))
    mask = mask_of(case, sizes) if case.settings.masked else None
    before = (
        offset(case, sizes, Bilingual("a position bias", "位置偏置"))
        if case.settings.positions in positions.BIASES
        else 0
    )
    scaled = Line(f"{tag}scaled", factor, (f"{tag}scores",))
    between = logits(replace(head, before=before), scaled, mask)
    rest = online(head, between[-1]) if case.settings.evaluation == "online" else weights(head, between[-1])
    return (*prepared, Line(f"{tag}scores", Scores(), (q, k)), *between, *rest)


def _prepared(head: Head) -> tuple[Plan, str, str]:
    """Queries and keys normalised and turned, where asked for, and the names of what is multiplied."""
    case, tag = head.case, head.tag
    lines: list[Line] = []
    q, k = f"{tag}Q", f"{tag}K"
    if case.settings.qk_norm != "none":
        norm = NORMS[case.settings.qk_norm]
        lines += [Line(f"{tag}Q_N", norm, (q,)), Line(f"{tag}K_N", norm, (k,))]
        q, k = f"{tag}Q_N", f"{tag}K_N"
    for variant in head.variants:
        made = variant.queries_and_keys(head, q, k)
        if made:
            lines += made
            q, k = (line.name for line in made)
    return tuple(lines), q, k


def scored(head: Head) -> bool:
    """Whether the computation comes by the scores; where it starts later, no scale is needed."""
    given = head.given
    embedded = any(quantity.source and name in given for name, quantity in QUANTITIES.items())
    return (
        "scores" in given
        or any(variant.sizes(head.case, given) for variant in head.variants)
        or all(name in given or (embedded and f"W_{name}" in given) for name in QUANTITIES["scores"].made_of)
    )
