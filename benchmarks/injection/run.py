"""Working a document out: the author's walk with its slips, and the walks that say what was right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from benchmarks.injection.arithmetic import Grid, Undefined
from benchmarks.injection.author import Author
from benchmarks.injection.human import humanly, is_made_here
from benchmarks.injection.mistakes import (
    EXCHANGED,
    NEIGHBOURS,
    OUTSIDE_CELLS,
    OUTSIDE_MATRIX,
    TERMS,
    Mistake,
    carried_args,
    distorted,
    misprinted,
    rearranged,
)
from benchmarks.injection.steps import carried_out
from benchmarks.injection.world import Entry, World

VALUES = (*TERMS, *NEIGHBOURS, *OUTSIDE_CELLS, "quotient-inverted")


@dataclass
class Run:
    """What an author arrived at (`held`), and what stands on paper (`texts`)."""

    held: dict[str, Grid]
    texts: dict[Entry, str] = field(default_factory=dict)


def written(world: World, author: Author, mistakes: Sequence[Mistake]) -> Run:
    """The author's own walk. Raises Undefined where a mistake cannot be made here."""
    run = Run(dict(world.values))
    for step in world.steps:
        here = [m for m in mistakes if m.step == step.name]
        by_hand = [m for m in here if is_made_here(m)]
        here = [m for m in here if m not in by_hand]
        whole = [m for m in here if m.at is None]
        told, code = step, ""
        for mistake in whole:
            if mistake.code in EXCHANGED:
                told = carried_args(mistake, told)
            elif mistake.code not in OUTSIDE_MATRIX:
                code = mistake.code
        args = [run.held[name] for name in told.args]
        raw = author.carried_out(told, args, code)
        n, m = world.shapes[step.name]
        if (len(raw), len(raw[0])) != (n, m) and not (step.kind == "sum" and step.name not in author.places):
            raise Undefined("another shape")
        for mistake in whole:
            if mistake.code in OUTSIDE_MATRIX:
                raw = rearranged(mistake, raw)
        for mistake in here:
            if mistake.at is not None and mistake.code in VALUES:
                i, j = mistake.at
                raw[i][j] = distorted(mistake, step, args, raw, author.places[step.name])
        for mistake in by_hand:
            raw = humanly(mistake, step, world, author, run.held, raw)
        held = [[author.held(step.name, i, j, a) for j, a in enumerate(row)] for i, row in enumerate(raw)]
        if step.name in author.places:
            if not all(a.is_finite() for row in raw for a in row):
                raise Undefined("infinite")
            for i, row in enumerate(raw):
                for j, text in enumerate(author.row(step.name, row)):
                    run.texts[step.name, i, j] = text
                    if author.rounds(step.name, i, j):
                        held[i][j] = Decimal(text)
            for mistake in here:
                if mistake.at is not None and mistake.code not in VALUES:
                    i, j = mistake.at
                    text = misprinted(mistake, run.texts[step.name, i, j], raw[i][j], author, step.name)
                    run.texts[step.name, i, j] = text
                    if not mistake.resumed:
                        held[i][j] = Decimal(text)
        run.held[step.name] = held
    return run


def exact_walk(world: World) -> dict[str, Grid]:
    """g: every step right, every digit kept."""
    values = dict(world.values)
    for step in world.steps:
        values[step.name] = carried_out(step, [values[name] for name in step.args])
    return values


def right_from(world: World, author: Author, run: Run) -> dict[str, Grid]:
    """Each entry as this author would have had it without a slip since the last printed numbers."""
    values, right = dict(world.values), {}
    for step in world.steps:
        raw = author.carried_out(step, [values[name] for name in step.args])
        right[step.name] = raw
        values[step.name] = [
            [
                run.held[step.name][i][j]
                if (step.name, i, j) in run.texts
                else author.held(step.name, i, j, a)
                for j, a in enumerate(row)
            ]
            for i, row in enumerate(raw)
        ]
    return right


def read_walk(world: World, texts: Mapping[Entry, str], *, root: bool = True) -> dict[str, Grid]:
    """l: each step from the numbers as printed (with or without the printed root of d_k)."""
    values, local = dict(world.values), {}
    for step in world.steps:
        raw = carried_out(step, [values[name] for name in step.args])
        local[step.name] = raw
        taken = step.kind != "root" or root
        values[step.name] = [
            [
                Decimal(texts[step.name, i, j]) if taken and (step.name, i, j) in texts else a
                for j, a in enumerate(row)
            ]
            for i, row in enumerate(raw)
        ]
    return local
