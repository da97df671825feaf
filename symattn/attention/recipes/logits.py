"""What happens to scaled scores before the softmax, and the softmax itself.

The order is that of ONNX Attention (opset 23 and later): the softcap stands before bias and mask, so
that a hidden score stays minus infinity; the temperature comes last.
"""

from __future__ import annotations

from msgspec.structs import replace

from symattn.attention.case import Case
from symattn.attention.expressions import positive
from symattn.attention.recipes.positions import bias
from symattn.attention.variant import Head, most_nodes_after
from symattn.attention.variants.shift import BelowMaximum
from symattn.exact.number import Exact
from symattn.plans.base import Base, E
from symattn.plans.operation import Operation
from symattn.plans.ops.exponential import Exponential
from symattn.plans.ops.mask import Mask
from symattn.plans.ops.normalise import Normalise
from symattn.plans.ops.row_sums import RowSums
from symattn.plans.ops.sink import SinkSums
from symattn.plans.plan import Line, Plan
from symattn.text.bilingual import Bilingual
from symattn.text.errors import UnusableValue


def logits(head: Head, scaled: Line, mask: Mask | None) -> Plan:
    """The lines from the scaled scores to the logits; `scaled`, which makes the scores, is the first."""
    lines = [scaled]

    def then(made: Plan) -> None:
        for line in made:
            lines.append(replace(line, most_nodes=most_nodes_after(lines[-1])))

    for variant in head.variants:
        then(variant.before_mask(head, lines[-1].name))
    biased = bias(head.case, head.before, head.number)
    if biased is not None:
        then((Line(f"{head.tag}biased", biased[0], (lines[-1].name, *biased[1])),))
    if mask is not None:
        then((Line(f"{head.tag}masked", mask, (lines[-1].name,)),))
    for variant in head.variants:
        then(variant.after_mask(head, lines[-1].name))
    return tuple(lines)


def weights(head: Head, logits: Line) -> Plan:
    """The lines from the logits, which `logits` makes, to the weights: a softmax, or what replaces it.

    They end in the weights A, or in what a variant makes of these.
    """
    own = next((made for made in (each.weights(head, logits.name) for each in head.variants) if made), None)
    first, *more = own or _softmax(head, logits)
    lines = [replace(first, most_nodes=most_nodes_after(logits)), *more]
    for variant in head.variants:
        lines += variant.after_weights(head, lines[-1].name)
    return tuple(lines)


def _softmax(head: Head, logits: Line) -> Plan:
    """The exponentials, their sums and the weights."""
    case, tag = head.case, head.tag
    base = base_of(case)
    sums = Line(f"{tag}sum", RowSums(), (f"{tag}exp",))
    if "sink" in case.given:
        sums = Line(f"{tag}sum", SinkSums(head.number, base), (f"{tag}exp", "sink"))
    return (
        Line(f"{tag}exp", Exponential(base), (logits.name,)),
        sums,
        Line(f"{tag}A", Normalise(), (f"{tag}exp", f"{tag}sum")),
    )


def base_of(case: Case) -> Base:
    """The base of the softmax. Raises UnusableValue for 1 or what is not positive."""
    if case.settings.base == "e":
        return E
    base = positive(case, "base", case.settings.base)
    if base == Exact.of(1):
        raise UnusableValue(
            Bilingual(
                f"the base of the softmax is {case.settings.base}", f"softmax 的底是 {case.settings.base}"
            ),
            Bilingual("a base is positive and not 1", "底数应为正数且不等于 1"),
        ).at(**case.at("attention.base"))
    return Base(base)


def below_maximum(rows: frozenset[int] | None) -> Operation:
    """The scores less the largest of their row, in these rows (from 0) or in all."""
    return BelowMaximum(rows)
