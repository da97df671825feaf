"""Examples with one thing more: a temperature, biases, vectors on the right of the weights."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from benchmarks.injection.arithmetic import Step
from benchmarks.injection.world import World
from benchmarks.notes.draft import Wanted, from_queries_now_and_then, usual
from benchmarks.notes.outputs import outputs
from benchmarks.notes.projections import inputs, quantity
from benchmarks.notes.scores import scaled, scores
from benchmarks.notes.sections import opening
from benchmarks.notes.softmax import softmax
from benchmarks.notes.writer import Writer


def _tempered(rng: Random, world: World) -> World:
    """The logits divided by a temperature before the softmax; for half of them the scores are not scaled."""
    world = from_queries_now_and_then(rng, world)
    tenths, n = rng.choice((5, 5, 20, 20, 7, 15, 30)), world.shapes["Q"][0]
    at = next(k for k, step in enumerate(world.steps) if step.name == "exp")
    logits = world.steps[at].args[0]
    steps = (
        *world.steps[:at],
        Step("tempered", "temper", (logits,), {"tenths": tenths}),
        replace(world.steps[at], args=("tempered",)),
        *world.steps[at + 1 :],
    )
    return replace(
        world,
        steps=steps,
        shapes=world.shapes | {"tempered": (n, n)},
        settings={"temperature": f"{tenths}/10"},
    )


def _plain(world: World) -> bool:
    return usual(world) and world.positions is None


TEMPERED = Wanted(fits=lambda world: _plain(world) and world.mask == "none", world=_tempered)
BIASED = Wanted(fits=lambda world: _plain(world) and "b_Q" in world.given, world=lambda rng, world: world)
ON_THE_LEFT = Wanted(
    fits=lambda world: _plain(world) and world.weights == "transposed" and "b_Q" not in world.given,
    world=lambda rng, world: world,
)


def weights_on_the_left(w: Writer) -> None:
    """Rows of X, and q_1 = W_Q x_1 as a list."""
    d = w.draft
    w.heading("title")
    opening(w)
    d.world = replace(d.world, weights="right")  # nothing is said of a transpose
    inputs(w)
    w.heading("QKV")
    for name in ("Q", "K", "V"):
        w.group(
            [
                [
                    w.dress.vector(name, i),
                    " = ",
                    quantity(w, f"W_{name}"),
                    " ",
                    w.dress.vector("X", i),
                    " = ",
                    *w.vector(d.row(name, i)),
                ]
                for i in d.rows(name)
            ]
        )
    d.world = replace(d.world, weights="transposed")
    scores(w)
    scaled(w)
    softmax(w)
    outputs(w)
