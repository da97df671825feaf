"""One head, from Q, K and V to Z: scores, scaling, softcap, bias, mask, temperature, softmax, output.

The order is that of ONNX Attention (opset 23 and later): the softcap stands before bias and mask, so
that a hidden score stays minus infinity.
"""

from __future__ import annotations

from collections.abc import Mapping

from symattn.case import Case
from symattn.errors import UnusableValue
from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.exact.spell import spell
from symattn.operation import Operation
from symattn.ops.exponential import EULER, Exponential
from symattn.ops.normalise import Normalise
from symattn.ops.rms_norm import RMSNorm
from symattn.ops.row_sums import RowSums
from symattn.ops.scale import Scale
from symattn.ops.scores import Scores
from symattn.ops.sink import SinkSums
from symattn.ops.softcap import Softcap
from symattn.ops.temper import Temper
from symattn.ops.unit_rows import UnitRows
from symattn.ops.weigh import Weigh
from symattn.plan import Line, Plan
from symattn.recipes import masks, positions
from symattn.recipes.expressions import positive, scale
from symattn.recipes.sizes import Sizes, place

NORMS: Mapping[str, Operation] = {"unit": UnitRows(), "rms": RMSNorm()}


def core(case: Case, given: Mapping[str, Matrix], sizes: Sizes, head: int | None = None) -> Plan:
    """From one head's Q, K, V to its Z; `head` counts from 0, None is the only one."""
    tag = "" if head is None else f"head{head + 1}."
    return (
        *_scores(case, given, sizes, tag),
        *logits(case, sizes, tag, head or 0),
        *softmax(case, tag, head or 0),
        Line(f"{tag}Z", Weigh(), (f"{tag}A", f"{tag}V")),
    )


def _scores(case: Case, given: Mapping[str, Matrix], sizes: Sizes, tag: str) -> Plan:
    """Q K^T over the root of d_k; queries and keys are normalised and turned before, where asked for."""
    lines: list[Line] = []
    q, k = f"{tag}Q", f"{tag}K"
    if case.settings.qk_norm != "none":
        norm = NORMS[case.settings.qk_norm]
        lines += [Line(f"{tag}Q_N", norm, (q,)), Line(f"{tag}K_N", norm, (k,))]
        q, k = f"{tag}Q_N", f"{tag}K_N"
    turned = positions.rotations(case, sizes, tag, q, k)
    if turned:
        lines += turned
        q, k = (line.name for line in turned)
    lines.append(Line(f"{tag}scores", Scores(), (q, k)))
    # without scores the line is not walked, and only says what would have to be given
    factor = scale(case, sizes) if scored(case, given) else Scale(Exact.of(1))
    lines.append(Line(f"{tag}scaled", factor, (f"{tag}scores",)))
    return tuple(lines)


def logits(case: Case, sizes: Sizes, tag: str, head: int) -> Plan:
    """What happens to scaled scores before the softmax; its last line has the logits."""
    lines: list[Line] = []

    def then(name: str, op: Operation, *more: str) -> None:
        lines.append(Line(tag + name, op, (lines[-1].name if lines else f"{tag}scaled", *more)))

    settings = case.settings
    if settings.softcap is not None:
        then("capped", Softcap(positive(case, "softcap", settings.softcap)))
    biased = positions.bias(case, sizes, head)
    if biased is not None:
        then("biased", biased[0], *biased[1])
    if masks.masked(case):
        then("masked", masks.mask(case, sizes))
    if settings.temperature is not None:
        then("tempered", Temper(positive(case, "temperature", settings.temperature)))
    return tuple(lines)


def softmax(case: Case, tag: str, head: int) -> Plan:
    """The exponentials of the logits, their sums and the weights."""
    base = _base(case)
    power = Exponential() if base is None else Exponential(base, spell(base))
    sums = Line(f"{tag}sum", RowSums(), (f"{tag}exp",))
    if "sink" in case.given:
        spelled = EULER if base is None else spell(base)
        sums = Line(f"{tag}sum", SinkSums(head, base, spelled), (f"{tag}exp", "sink"))
    return (
        Line(f"{tag}exp", power, (f"{tag}{last_logits(case)}",)),
        sums,
        Line(f"{tag}A", Normalise(), (f"{tag}exp", f"{tag}sum")),
    )


def last_logits(case: Case) -> str:
    """The name of what the softmax is taken of."""
    settings = case.settings
    steps = (
        ("tempered", settings.temperature is not None),
        ("masked", masks.masked(case)),
        ("biased", settings.positions in ("alibi", "relative")),
        ("capped", settings.softcap is not None),
    )
    return next((name for name, there in steps if there), "scaled")


def scored(case: Case, given: Mapping[str, Matrix]) -> bool:
    """Whether the walk comes by the scores; where it starts later, no scale is needed."""
    embedded = any(name in given for name in ("X", "X+PE", "memory"))
    return "scores" in given or all(
        name in given or (embedded and f"W_{name}" in given) for name in ("Q", "K")
    )


def _base(case: Case) -> Exact | None:
    """The base of the softmax, None for e. Raises UnusableValue for 1 or what is not positive."""
    if case.settings.base == "e":
        return None
    base = positive(case, "base", case.settings.base)
    if base == Exact.of(1):
        raise UnusableValue(
            f"the base of the softmax is {case.settings.base}", "a base is positive and not 1"
        ).at(file=case.file, key="attention.base", **place(case, "attention.base"))
    return base
