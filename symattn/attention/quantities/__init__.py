"""The quantities of a computation in one table, which pages, data, audits and the keys of a case follow.

A variant declares its own (`Quantity`) and joins them to the table by one line: `QUANTITIES.join(OF_IT)`.
"""

from __future__ import annotations

from symattn.attention.quantities.attention import OUTPUTS, PROJECTIONS, SCORES, SOFTMAX
from symattn.attention.quantities.evaluations import CACHED, LINEAR, ONLINE
from symattn.attention.quantities.gradients import JACOBIANS, LOSS, PARTS
from symattn.attention.quantities.inputs import INPUTS
from symattn.attention.quantities.layers import LAYERS
from symattn.attention.quantities.quantity import Quantity
from symattn.attention.quantities.table import Table
from symattn.attention.quantities.tags import CHAPTERS

QUANTITIES = Table(
    INPUTS,
    PROJECTIONS,
    LINEAR,
    SCORES,
    SOFTMAX,
    ONLINE,
    CACHED,
    OUTPUTS,
    LAYERS,
    LOSS,
    PARTS,
    JACOBIANS,
)
"""In the order of the computation; what is given comes before what it makes."""

__all__ = ["CHAPTERS", "QUANTITIES", "Quantity", "Table"]
