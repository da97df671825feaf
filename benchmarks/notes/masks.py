"""Causal masks that are printed as matrices of zeros and minus infinities, and added to the scores."""

from __future__ import annotations

from benchmarks.notes.draft import Wanted, from_queries_now_and_then, usual
from benchmarks.notes.sections import tell
from benchmarks.notes.writer import Writer

MASKED = Wanted(
    fits=lambda world: usual(world) and world.positions is None and world.mask == "causal",
    world=from_queries_now_and_then,
)


def with_masks(w: Writer) -> None:
    """The usual walk, with the mask."""
    w.masks = True
    tell(w)
