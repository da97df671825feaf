"""What happens to scaled scores before the softmax, and the softmax itself.

The order is that of ONNX Attention (opset 23 and later): the softcap stands before bias and mask, so
that a hidden score stays minus infinity; the temperature comes last.
"""

from __future__ import annotations

from symattn.case import Case
from symattn.errors import UnusableValue
from symattn.exact.number import Exact
from symattn.exact.spell import spell
from symattn.operation import Operation
from symattn.ops.exponential import EULER, Exponential
from symattn.ops.mask import Mask
from symattn.ops.normalise import Normalise
from symattn.ops.row_sums import RowSums
from symattn.ops.sink import SinkSums
from symattn.ops.softcap import Softcap
from symattn.ops.temper import Temper
from symattn.plan import Line, Plan, base_name
from symattn.recipes.expressions import positive
from symattn.recipes.positions import bias
from symattn.recipes.sizes import place


def logits(case: Case, tag: str, head: int, before: int, mask: Mask | None) -> Plan:
    """The lines from `scaled` to the logits, none where the scaled scores are the logits.

    `before` keys stand before the first query; `head` counts from 0.
    """
    lines: list[Line] = []

    def then(name: str, op: Operation, *more: str) -> None:
        scores = lines[-1].name if lines else f"{tag}scaled"
        lines.append(Line(tag + name, op, (scores, *more), longest_of(scores)))

    settings = case.settings
    if settings.softcap is not None:
        then("capped", Softcap(positive(case, "softcap", settings.softcap)))
    biased = bias(case, before, head)
    if biased is not None:
        then("biased", biased[0], *biased[1])
    if mask is not None:
        then("masked", mask)
    if settings.temperature is not None:
        then("tempered", Temper(positive(case, "temperature", settings.temperature)))
    return tuple(lines)


def longest_of(scores: str) -> int | None:
    """How long an entry of these scores is seen in closed form: none after a softcap (`Line.longest`)."""
    return 0 if base_name(scores) == "capped" else None


def softmax(case: Case, tag: str, head: int, scores: str) -> Plan:
    """The exponentials of the logits named `scores`, their sums and the weights."""
    base = base_of(case)
    power = Exponential() if base is None else Exponential(base, spell(base))
    sums = Line(f"{tag}sum", RowSums(), (f"{tag}exp",))
    if "sink" in case.given:
        spelled = EULER if base is None else spell(base)
        sums = Line(f"{tag}sum", SinkSums(head, base, spelled), (f"{tag}exp", "sink"))
    return (
        Line(f"{tag}exp", power, (scores,), longest_of(scores)),
        sums,
        Line(f"{tag}A", Normalise(), (f"{tag}exp", f"{tag}sum")),
    )


def base_of(case: Case) -> Exact | None:
    """The base of the softmax, None for e. Raises UnusableValue for 1 or what is not positive."""
    if case.settings.base == "e":
        return None
    base = positive(case, "base", case.settings.base)
    if base == Exact.of(1):
        raise UnusableValue(
            f"the base of the softmax is {case.settings.base}", "a base is positive and not 1"
        ).at(file=case.file, key="attention.base", **place(case, "attention.base"))
    return base
