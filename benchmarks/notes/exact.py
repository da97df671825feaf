"""Entries in closed form: scores over a root that are left as they are, `2/√2`, and fractions as inputs."""

from __future__ import annotations

from dataclasses import replace
from math import isqrt

from benchmarks.injection.author import Author
from benchmarks.injection.mistakes import Mistake
from benchmarks.injection.truth import Truth
from benchmarks.injection.world import World
from benchmarks.notes.draft import Wanted, usual
from benchmarks.notes.outputs import outputs
from benchmarks.notes.paper import Block, Num, Pieces
from benchmarks.notes.projections import Cell, inputs, projections, quantity
from benchmarks.notes.scores import scaled, scores
from benchmarks.notes.sections import opening
from benchmarks.notes.softmax import softmax
from benchmarks.notes.writer import Writer


def _fits(world: World) -> bool:
    whole = all("." not in a for rows in world.given.values() for row in rows for a in row)
    d_k = world.shapes["Q"][1] if world.heads == 1 and world.positions is None else 0
    return usual(world) and whole and world.scale != "1" and d_k in (2, 3) and world.mask == "none"


def _exactly(world: World, author: Author) -> Author:
    """Scores that are printed, a scaling that is left exact."""
    places = {name: d for name, d in author.places.items() if name not in ("scaled", "sqrt(d_k)")}
    return replace(author, places=places | {"scores": 0}, style="keeps")


EXACT = Wanted(fits=_fits, world=lambda rng, world: world, author=_exactly)


def in_closed_form(w: Writer) -> None:
    """The usual walk, with the scaled scores as quotients."""
    w.heading("title")
    opening(w)
    inputs(w)
    projections(w)
    scores(w)
    scaled(w)
    _quotients(w)
    softmax(w)
    outputs(w)


def _quotients(w: Writer) -> None:
    """`[[2/√2, 0], [1/√2, 3/√2]]`; now and then one numerator is wrong."""
    d = w.draft
    n, m = d.world.shapes["scores"]
    if not d.whole("scores"):
        return
    wrong = (w.rng.randrange(n), w.rng.randrange(m)) if w.rng.random() < 0.4 else None
    if wrong is not None:
        d.mistakes = (*d.mistakes, Mistake("few-units", "outside", "scaled", wrong))
    rows = tuple(tuple(_quotient(w, i, j, (i, j) == wrong) for j in range(m)) for i in range(n))
    w.group([[quantity(w, "scaled"), " = ", Block(rows)]])


def _quotient(w: Writer, i: int, j: int, wrong: bool) -> Num | Cell:
    d, width = w.draft, w.draft.world.shapes["Q"][1]
    truth = d.truths["scores", i, j]
    label = "carried" if truth.label in ("slip", "carried") else "correct"
    over = int(d.run.texts["scores", i, j]) + (w.rng.choice((1, 2, -1)) if wrong else 0)
    num = Num(str(over), "result", ("scaled", i, j), Truth("slip") if wrong else Truth(label))
    if isqrt(width) ** 2 == width or over == 0:
        return num
    told: Pieces = [r"\frac{", num, rf"}}{{\sqrt{{{width}}}}}"] if w.tex else [num, f"/{w.root()}"]
    return Cell(told)
