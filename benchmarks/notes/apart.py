"""Keys that are not those of the queries: a memory that is looked at, and a cache that a new token joins."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from benchmarks.injection.arithmetic import Step
from benchmarks.injection.world import World
from benchmarks.notes.draft import TOKENS, Wanted, usual
from benchmarks.notes.outputs import outputs
from benchmarks.notes.projections import given, projections, quantity
from benchmarks.notes.scores import scaled, scores
from benchmarks.notes.sections import opening, tell
from benchmarks.notes.softmax import softmax
from benchmarks.notes.words import say
from benchmarks.notes.writer import Writer

QUERY_SIDE = ("Q", "scores", "scaled", "exp", "sum", "A", "Z", "output")
SQUARE = ("scores", "scaled", "exp", "A")
SOURCE = {
    "en": ("the", "old", "green", "house", "stands"),
    "zh": ("今天", "天气", "真的", "很", "好"),
}
MEMORY = ("M", "memory", "E", "H_enc")
CACHES = ("K_cache", "K_past"), ("V_cache", "V_past")


def _fits(world: World) -> bool:
    return usual(world) and world.positions is None and world.mask == "none"


def _typed(rng: Random, world: World, rows: int, columns: int) -> list[list[str]]:
    places = max(len(a.partition(".")[2]) for row in world.given["X"] for a in row)
    return [[f"{rng.uniform(0, 2):.{places}f}" for _ in range(columns)] for _ in range(rows)]


def _shapes(world: World, queries: int, keys: int) -> dict[str, tuple[int, int]]:
    """The sizes of the same walk with so many queries and keys."""
    shapes = {
        name: (queries, shape[1]) if name in QUERY_SIDE else shape for name, shape in world.shapes.items()
    }
    shapes |= dict.fromkeys(SQUARE, (queries, keys))
    return shapes | {name: (keys, world.shapes[name][1]) for name in "KV"}


def with_memory(rng: Random, world: World) -> World:
    """Q from X, K and V from a memory of its own length."""
    n, d = world.shapes["X"]
    keys = rng.choice([k for k in range(2, 6) if k != n] if rng.random() < 0.8 else [n])
    steps = tuple(
        replace(step, args=("memory", *step.args[1:])) if step.name in ("K", "V") else step
        for step in world.steps
    )
    rows = {"X": world.given["X"], "memory": _typed(rng, world, keys, d)}
    shapes = _shapes(world, n, keys) | {"memory": (keys, d)}
    return replace(
        world, given=rows | {k: v for k, v in world.given.items() if k != "X"}, steps=steps, shapes=shapes
    )


def with_cache(rng: Random, world: World) -> World:
    """One new token: its key and its value join those of the tokens before it."""
    past = rng.randint(1, 4)
    shapes = _shapes(world, 1, past + 1) | {"X": (1, world.shapes["X"][1])}
    given = {"X": world.given["X"][:1]} | {name: rows for name, rows in world.given.items() if name != "X"}
    steps: list[Step] = []
    for step in world.steps:
        if step.name not in ("K", "V"):
            steps.append(step)
            continue
        new, old, width = f"new_{step.name}", f"past_{step.name}", world.shapes[step.name][1]
        given[old] = _typed(rng, world, past, width)
        shapes |= {old: (past, width), new: (1, width)}
        steps += [replace(step, name=new), Step(step.name, "stack", (old, new))]
    return replace(world, given=given, steps=tuple(steps), shapes=shapes)


def with_one_query(rng: Random, world: World) -> World:
    """A query that is given, against keys and values that are given."""
    keys = rng.randint(2, 5)
    shapes = _shapes(world, 1, keys)
    given = {name: _typed(rng, world, *shapes[name]) for name in "QKV"}
    given |= {name: rows for name, rows in world.given.items() if name == "W_O"}
    return replace(
        world, given=given, shapes=shapes, steps=tuple(step for step in world.steps if step.name not in given)
    )


CROSS = Wanted(fits=_fits, world=with_memory)
DECODING = Wanted(
    fits=_fits, world=lambda rng, world: (with_cache if rng.random() < 0.6 else with_one_query)(rng, world)
)


def across(w: Writer) -> None:
    """Cross-attention: the queries of one sentence, keys and values of the encoder's output."""
    d = w.draft
    d.keys = tuple(w.rng.sample(SOURCE[d.lang], d.world.shapes["memory"][0]))
    w.dress = replace(w.dress, names=w.dress.names | {"memory": w.rng.choice(MEMORY)})
    tell(w)


def decoding(w: Writer) -> None:
    """One query against all keys."""
    d = w.draft
    past, first = d.world.shapes["K"][0], d.tokens[0]
    d.keys = (*w.rng.sample([t for t in TOKENS[d.lang] if t != first], past - 1), first)
    if "past_K" not in d.world.given:
        w.dress = replace(w.dress, shift=w.rng.choice((None, None, 0)))
        tell(w)
        return
    names = dict(zip(("past_K", "past_V"), w.rng.choice(list(zip(*CACHES, strict=True))), strict=True))
    if w.tex:
        names = {name: said.replace("_", "_{\\text{") + "}}" for name, said in names.items()}
    w.dress = replace(w.dress, names=w.dress.names | names, shift=past - 1)
    w.heading("title")
    opening(w)
    w.heading("inputs")
    w.group([[w.dress.vector("X", 0), " = ", *w.vector(d.row("X", 0))]])
    w.heading("cache")
    given(w, ["past_K", "past_V"])
    w.heading("weights")
    given(w, [name for name in d.world.given if name not in ("X", "past_K", "past_V", "W_O")])
    projections(w)
    for name in ("K", "V"):
        if d.rows(name):
            w.sentence(say(w.rng, "appended", d.lang))
            w.group([[quantity(w, name), " = ", w.block(name, w.rng.random() < 0.4)]])
    given(w, [name for name in d.world.given if name == "W_O"])
    scores(w)
    scaled(w)
    softmax(w)
    outputs(w)
