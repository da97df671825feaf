"""The inputs, and the projections of them."""

from __future__ import annotations

from benchmarks.notes.paper import Block, Num, Pieces
from benchmarks.notes.words import say
from benchmarks.notes.writer import Writer


def quantity(w: Writer, name: str) -> str:
    return w.dress.name(name)


def inputs(w: Writer) -> None:
    d = w.draft
    w.heading("inputs" if "X" in d.world.given else "given")
    if "X" in d.world.given:
        before = len(w.paper.found)
        if w.rng.random() < 0.3:
            w.group([[w.dress.vector("X", i), " = ", *w.vector(d.row("X", i))] for i in d.rows("X")])
        if w.rng.random() < 0.8 or len(w.paper.found) == before:
            w.group([[quantity(w, "X"), " = ", w.block("X", True)]])
        if d.world.weights == "transposed":
            w.sentence(say(w.rng, "transposed", d.lang))
        if "memory" in d.world.given:
            w.heading("memory")
            given(w, ["memory"])
        w.heading("weights")
    given(w, [name for name in d.world.given if name not in ("X", "memory", *w.later)])


def given(w: Writer, names: list[str]) -> None:
    """The inputs of these names: row by row, as matrices, or the weights together on a line."""
    d = w.draft
    rows = [name for name in names if name in ("Q", "K", "V")]
    if rows and w.rng.random() < 0.4:
        for name in rows:
            w.group([[w.dress.vector(name, i), " = ", *w.vector(d.row(name, i))] for i in d.rows(name)])
        names = [name for name in names if name not in rows]
    together = [name for name in names if name.startswith("W_") and name != "W_O"] or rows
    if w.beside and set(together) <= set(names) and len(together) > 1 and w.rng.random() < 0.4:
        told: Pieces = []
        for name in together:
            told += [*([w.beside] if told else []), quantity(w, name), " = ", w.block(name)]
        w.group([told])
        names = [name for name in names if name not in together]
    for name in names:
        w.group([[quantity(w, name), " = ", w.block(name, name in rows)]])


def _times_weights(w: Writer, name: str, source: str) -> Pieces:
    weights = quantity(w, w.draft.steps[name].args[1])
    if w.columns:
        return [weights, " ", quantity(w, source)]
    turned = ("^T" if w.tex or w.rng.random() < 0.5 else "ᵀ") if w.draft.world.weights == "transposed" else ""
    if turned and w.dress.head is not None and "^" in weights:
        weights = rf"\left({weights}\right)" if w.tex else f"({weights})"
    elif turned and w.tex:
        weights, turned = weights.replace("^", "_"), r"^T"
    bias = f" + {quantity(w, f'b_{name}')}" if f"b_{name}" in w.draft.world.given else ""
    sign = " " if w.tex else w.dress.times if w.dress.times.strip() else " "
    return [quantity(w, source), sign, weights, turned, bias]


def projections(w: Writer) -> None:
    d = w.draft
    names = [name for name in ("Q", "K", "V", "new_K", "new_V") if name in d.steps and d.rows(name)]
    names = [name for name in names if d.steps[name].kind == "project"]
    if names:
        w.heading("QKV")
    for name in names:
        project(w, name, d.steps[name].args[0])


def project(w: Writer, name: str, source: str) -> None:
    d, weights = w.draft, w.draft.steps[name].args[1]
    formula = _times_weights(w, name, source)
    plain = d.world.weights == "right" and f"b_{name}" not in d.world.given
    ways = ["matrix", "matrix", "rows"]
    if d.works(name) and plain:
        ways += ["operands", "rows with operands", *(["cells"] if "cells" in w.workings else [])]
    rows, one = d.rows(name), d.world.shapes[name][0] == 1
    way = w.rng.choice([way for way in ways if way.startswith("rows")] if one else ways)
    if way == "matrix":
        w.group([[quantity(w, name), " = ", *formula, w.equals(), w.block(name, w.rng.random() < 0.5)]])
    elif way == "operands":
        sign = "" if w.tex and w.rng.random() < 0.5 else w.dress.times
        if w.operands(source).rows and w.tex:
            w.group(
                [
                    [
                        quantity(w, name),
                        " = ",
                        *formula,
                        " = ",
                        w.operands(source),
                        sign,
                        w.operands(weights),
                        " = ",
                        w.block(name),
                    ]
                ]
            )
        else:
            w.group([[quantity(w, name), " = ", *formula, " = ", w.block(name)]])
    elif way == "cells":
        cells = tuple(
            tuple(
                Cell(w.products(d.operands(source, i), d.column(weights, j)))
                for j in range(d.world.shapes[name][1])
            )
            for i in rows
        )
        w.group([[quantity(w, name), " = ", *formula, " = ", Block(cells), " = ", w.block(name)]])
    else:
        head = [w.dress.indexed(name, i) if w.bracketed else w.dress.vector(name, i) for i in rows]
        first = [] if way == "rows" else [w.vector(d.operands(source, i)) for i in rows]
        sign = " " if w.tex else w.dress.times
        told: list[Pieces] = []
        for k, i in enumerate(rows):
            worked = [" = ", *first[k], sign, quantity(w, weights)] if first else []
            told.append([head[k], *worked, " = ", *w.vector(d.row(name, i))])
        w.group(told)
        if not one and w.rng.random() < 0.5:
            w.group([[quantity(w, name), " = ", w.block(name, w.rng.random() < 0.5)]])


class Cell(str):
    """A cell that is an expression; `pieces` are what stands in it."""

    pieces: Pieces

    def __new__(cls, pieces: Pieces) -> Cell:
        made = super().__new__(cls, "".join(p.text if isinstance(p, Num) else str(p) for p in pieces))
        made.pieces = pieces
        return made
