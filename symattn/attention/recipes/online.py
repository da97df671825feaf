"""The online softmax: keys in blocks, with a running maximum, sum and output.

Milakov and Gimelshein 2018, algorithm 3; Dao et al. 2022 (FlashAttention), algorithm 1. That it is
the softmax, for any numbers and any symbols, is what `symattn.checks.proofs` proves.
"""

from __future__ import annotations

from symattn.attention.recipes.logits import base_of
from symattn.attention.variant import Head, most_nodes_after
from symattn.plans.ops.blocks import Columns, Rows
from symattn.plans.ops.normalise import Normalise
from symattn.plans.ops.products import WeightedSum
from symattn.plans.ops.row_sums import RowSums
from symattn.plans.ops.running import RunningMaximum, RunningOutput, RunningSink, RunningSum
from symattn.plans.ops.shifted import Shifted
from symattn.plans.plan import Line, Plan


def online(head: Head, logits: Line) -> Plan:
    """From one head's logits and V to its Z, block by block; a sink is added to the last sum."""
    case, tag = head.case, head.tag
    n = head.sizes.get("n")
    if n is None:
        return ()
    starts = range(0, n, case.settings.block)
    base = base_of(case)
    shifted = Shifted(base)
    lines: list[Line] = []
    for number, start in enumerate(starts, 1):
        lines += _block(tag, logits, shifted, number, start, min(start + case.settings.block, n))
    last = f"{tag}block{len(starts)}."
    total = f"{last}l"
    if "sink" in case.given:
        own, total = "sink", f"{tag}total"
        if case.given["sink"].shape[1] > 1:
            own = f"{tag}sink"
            lines.append(Line(own, Columns(head.number, head.number + 1), ("sink",)))
        lines.append(Line(total, RunningSink(base), (f"{last}l", f"{last}m", own)))
    return (*lines, Line(f"{tag}Z", Normalise(), (f"{last}O", total)))


def _block(tag: str, logits: Line, shifted: Shifted, number: int, start: int, stop: int) -> Plan:
    here, back = f"{tag}block{number}.", f"{tag}block{number - 1}."
    s, m, p, v = f"{here}S", f"{here}m", f"{here}P", f"{here}V"
    lines = [
        Line(s, Columns(start, stop), (logits.name,), most_nodes_after(logits)),
        Line(v, Rows(start, stop), (f"{tag}V",)),
    ]
    if number == 1:
        return (
            *lines,
            Line(m, RunningMaximum(), (s,)),
            Line(p, shifted, (s, m)),
            Line(f"{here}l", RowSums(), (p,)),
            Line(f"{here}O", WeightedSum(), (p, v)),
        )
    r = f"{here}r"
    return (
        *lines,
        Line(m, RunningMaximum(), (f"{back}m", s)),
        Line(p, shifted, (s, m)),
        Line(r, shifted, (f"{back}m", m)),
        Line(f"{here}l", RunningSum(), (f"{back}l", r, p)),
        Line(f"{here}O", RunningOutput(), (f"{back}O", r, p, v)),
    )
