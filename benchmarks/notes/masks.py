"""Masks: printed as matrices of zeros and minus infinities and added to the scores, and masks of padding."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from benchmarks.injection.documents import given_of
from benchmarks.injection.world import World
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


def _causal(world: World) -> bool:
    """Worlds with a step that masks, for another mask to be put there."""
    return usual(world) and world.positions is None and world.mask == "causal" and world.shapes["Q"][0] > 2


def _hidden(world: World, hidden: frozenset[tuple[int, int]], **settings: object) -> World:
    steps = tuple(replace(step, hidden=hidden) if step.kind == "mask" else step for step in world.steps)
    return replace(world, steps=steps, mask="none", settings=settings)


def _padded(rng: Random, world: World) -> World:
    """The last tokens are padding."""
    n = world.shapes["Q"][0]
    real = rng.randint(max(n - 2, 1), n - 1)
    hidden = frozenset((i, j) for i in range(n) for j in range(real, n))
    row = tuple("1" if j < real else "0" for j in range(n))
    return _hidden(from_queries_now_and_then(rng, world), hidden, padding=given_of((row,)))


def _patterned(rng: Random, world: World) -> World:
    """A pattern of its own, in which every token sees itself."""
    n = world.shapes["Q"][0]
    hidden = frozenset((i, j) for i in range(n) for j in range(n) if i != j and rng.random() < 0.4)
    seen = tuple(tuple("0" if (i, j) in hidden else "1" for j in range(n)) for i in range(n))
    return world if not hidden else _hidden(world, hidden, mask=given_of(seen))


PADDED = Wanted(fits=_causal, world=_padded)
PATTERNED = Wanted(fits=_causal, world=_patterned)


def with_padding(w: Writer) -> None:
    """The usual walk, in which the last tokens are padding that nobody looks at."""
    d = w.draft
    real = sum(not d.world.hides(0, j) for j in range(len(d.tokens)))
    d.tokens = d.keys = (*d.tokens[:real], *(f"[PAD{k or ''}]" for k in range(len(d.tokens) - real)))
    w.masks = w.rng.random() < 0.4
    tell(w)
