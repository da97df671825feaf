"""Vectors as columns: Q = W_Q X with a token in every column, or q_1 = W_Q x_1 vector by vector."""

from __future__ import annotations

from dataclasses import replace

from benchmarks.notes.draft import Wanted, usual
from benchmarks.notes.outputs import outputs
from benchmarks.notes.paper import Block, Num, Pieces
from benchmarks.notes.projections import Cell, given, projections, quantity
from benchmarks.notes.scores import scaled, scores
from benchmarks.notes.sections import opening
from benchmarks.notes.softmax import softmax
from benchmarks.notes.words import say
from benchmarks.notes.writer import Writer

COLUMNS = Wanted(
    fits=lambda world: (
        usual(world)
        and world.positions is None
        and world.weights == "transposed"
        and "b_Q" not in world.given
    ),
    world=lambda rng, world: world,
)
NAMES = {"scores": "S", "A": "A", "Z": "Z"}


def in_columns(w: Writer) -> None:
    """Every matrix with a column for each token."""
    w.heading("title")
    opening(w)
    w.sentence(_mathematics(w, say(w.rng, "columns", w.draft.lang)))
    w.columns, w.bracketed = True, False
    w.dress = replace(w.dress, names=w.dress.names | NAMES | {"scaled": _scaled_name(w)})
    w.heading("inputs")
    given(w, ["X"])
    given(w, [name for name in w.draft.world.given if name != "X"])
    projections(w)
    _rest(w)


def _mathematics(w: Writer, words: str) -> str:
    """The formulas of a sentence between dollars, in LaTeX."""
    return words.replace("S = K^T Q", "$S = K^T Q$").replace("Z = V A", "$Z = V A$") if w.tex else words


def _scaled_name(w: Writer) -> str:
    return r"\frac{S}{\sqrt{d_k}}" if w.tex else "S / √d_k"


def vector_by_vector(w: Writer) -> None:
    """x_1, q_1 = W_Q x_1 and so on as columns; scores and weights as usual."""
    d = w.draft
    w.heading("title")
    opening(w)
    w.heading("inputs")
    w.group([[w.dress.vector("X", i), " = ", _column(d.row("X", i))] for i in d.rows("X")])
    w.heading("weights")
    given(w, [name for name in d.world.given if name not in ("X", "W_O")])
    w.heading("QKV")
    for name in ("Q", "K", "V"):
        if d.rows(name):
            w.group([_projected(w, name, i) for i in d.rows(name)])
    given(w, [name for name in d.world.given if name == "W_O"])
    _rest(w)


def _rest(w: Writer) -> None:
    scores(w)
    scaled(w)
    softmax(w)
    outputs(w)


def _column(nums: list[Num]) -> Block:
    return Block(tuple((num,) for num in nums))


def _projected(w: Writer, name: str, i: int) -> Pieces:
    """`q_1 = W_Q x_1 = ...`, with the matrices, with the products, or with neither."""
    d, weights = w.draft, f"W_{name}"
    told: Pieces = [w.dress.vector(name, i), " = ", quantity(w, weights), " ", w.dress.vector("X", i)]
    way = w.rng.randrange(3) if d.works(name) else 0
    if way == 1:
        told += [" = ", w.operands(weights), _column(d.operands("X", i))]
    elif way == 2:
        x = d.operands("X", i)
        cells = [Cell(w.products(d.operands(weights, j), x)) for j in range(d.world.shapes[weights][0])]
        told += [" = ", Block(tuple((cell,) for cell in cells))]
    return [*told, w.equals(), _column(d.row(name, i))]
