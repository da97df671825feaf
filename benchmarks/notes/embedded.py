"""Encodings that are added to the embeddings, and attention over the sum."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from benchmarks.injection.arithmetic import Step
from benchmarks.injection.world import World
from benchmarks.notes.draft import Wanted, usual
from benchmarks.notes.encodings import encoded
from benchmarks.notes.outputs import outputs
from benchmarks.notes.paper import Pieces
from benchmarks.notes.projections import inputs, projections
from benchmarks.notes.scores import scaled, scores
from benchmarks.notes.sections import opening
from benchmarks.notes.softmax import softmax
from benchmarks.notes.writer import Writer


def _fits(world: World) -> bool:
    return usual(world) and world.positions is None and not world.shapes["X"][1] % 2


def _embedded(rng: Random, world: World) -> World:
    """Q, K and V from X + PE."""
    n, d = world.shapes["X"]
    start = rng.choice((0, 0, 0, 1))
    steps = [replace(s, args=("X+PE", *s.args[1:])) if s.args[:1] == ("X",) else s for s in world.steps]
    own = (Step("PE", "positions", (), {"n": n, "d": d, "start": start}), Step("X+PE", "add", ("X", "PE")))
    settings = {"positions": "sinusoidal", "start": start}
    shapes = world.shapes | {"PE": (n, d), "X+PE": (n, d)}
    return replace(world, steps=(*own, *steps), shapes=shapes, settings=settings)


ADDED = Wanted(fits=_fits, world=_embedded)
INPUTS = ("X + PE", "X'", "H")


def positions_added(w: Writer) -> None:
    """Embeddings, encodings, their sum, and attention over the sum."""
    d = w.draft
    n, width = d.world.shapes["PE"]
    name = w.rng.choice(INPUTS)
    w.dress = replace(w.dress, names=w.dress.names | {"X+PE": name})
    w.heading("title")
    opening(w)
    inputs(w)
    if d.rows("PE"):
        w.heading("PE")
        encoded(w, n, width, d.world.settings["start"])
    w.heading("X+PE")
    said = name if name == INPUTS[0] else f"{name} = {INPUTS[0]}"
    printed: Pieces = [" = ", w.block("X+PE", w.rng.random() < 0.3)] if d.whole("X+PE") else []
    w.group([[said, *printed]])
    w.dress = replace(w.dress, names=w.dress.names | {"X+PE": f"({name})" if "+" in name else name})
    projections(w)
    scores(w)
    scaled(w)
    softmax(w)
    outputs(w)
