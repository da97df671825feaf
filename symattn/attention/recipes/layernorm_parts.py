"""A LayerNorm by its parts, as some sources print it: its mean, its variance, its deviation."""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace

from symattn.plans.ops.layer_norm import LayerNorm
from symattn.plans.ops.layernorm_parts import Deviation, Gained, Mean, Standardise, Variance
from symattn.plans.plan import Line

PARTS = (".mean", ".variance", ".deviation", ".normalised")


def in_parts(line: Line, wanted: Collection[str]) -> tuple[Line, ...]:
    """A norm by its parts, where sources print some of them: the lines up to the norm itself, else none."""
    if not isinstance(line.op, LayerNorm) or not any(line.name + part in wanted for part in PARTS):
        return ()
    x, *scales = line.args
    mean, variance, deviation, normalised = (line.name + part for part in PARTS)
    moments = (
        Line(mean, Mean(), (x,), line.most_nodes),
        Line(variance, Variance(), (x, mean), line.most_nodes),
        Line(deviation, Deviation(line.op.epsilon), (variance,), line.most_nodes),
    )
    rows = (x, mean, deviation)
    if not scales:
        return (*moments, replace(line, op=Standardise(line.op.outside), args=rows))
    centred = Line(normalised, Standardise(line.op.outside), rows, line.most_nodes)
    return (*moments, centred, replace(line, op=Gained(), args=(normalised, *scales)))
