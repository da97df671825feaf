"""Sinusoidal encodings of positions."""

from __future__ import annotations

from benchmarks.notes.paper import Pieces
from benchmarks.notes.writer import Writer


def positions(w: Writer) -> None:
    """A sinusoidal encoding: each entry with its angle, row by row, or as a matrix."""
    assert w.draft.world.positions is not None
    w.heading("PE")
    encoded(w, *w.draft.world.positions)


def encoded(w: Writer, n: int, width: int, start: int) -> None:
    """The encoding of n positions from `start` on."""
    d = w.draft
    w.sentence(f"d_model = {width}" if not w.tex else f"$d_{{model}} = {width}$")
    way = w.rng.choice(("entries", "rows", "matrix"))
    if way == "entries":
        for i in range(n):
            w.group([_encoded(w, start + i, i, j, width) for j in range(width)])
    elif way == "rows":
        w.group([[f"PE({start + i})", " = ", *w.vector(d.row("PE", i))] for i in range(n)])
    if way == "matrix" or w.rng.random() < 0.4:
        w.group([["PE", " = ", w.block("PE")]])


def _encoded(w: Writer, position: int, i: int, j: int, width: int) -> Pieces:
    angle = (
        f"{position}/10000^{{{j - j % 2}/{width}}}" if w.tex else f"{position} / 10000^({j - j % 2}/{width})"
    )
    wave = ("sin", "cos")[j % 2]
    head = f"PE_{{({position},{j})}} = \\{wave}" if w.tex else f"PE({position},{j}) = {wave}"
    return [f"{head}({angle})", w.equals(about=True), w.draft.num("PE", i, j)]
