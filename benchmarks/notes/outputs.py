"""The weighted sums of the values, and what is projected from them."""

from __future__ import annotations

from benchmarks.notes.paper import Pieces, joined
from benchmarks.notes.projections import project, quantity
from benchmarks.notes.scores import printed_rows
from benchmarks.notes.writer import Writer


def outputs(w: Writer) -> None:
    d = w.draft
    if d.rows("Z"):
        w.heading("Z")
        _weighted(w)
    if d.rows("output"):
        w.heading("output")
        project(w, "output", "Z")


def _weighted(w: Writer) -> None:
    d, name = w.draft, quantity(w, "Z")
    formula = "A V" if w.tex else f"A{w.dress.times}V"
    if w.columns:
        formula = "V A"
    elif w.dress.marked:
        formula = w.dress.product("Z")
    ways = ["matrix"] if d.whole("Z") else ["rows"]
    if d.works("Z"):
        ways += [
            "sums",
            "sums",
            "entries",
            *(["operands"] if w.tex and d.whole("Z") and not w.columns else []),
        ]
    way = w.rng.choice(ways)
    if way == "matrix":
        w.group([[name, " = ", formula, w.equals(), w.block("Z", w.rng.random() < 0.5)]])
    elif way == "rows":
        printed_rows(w, "Z")
    elif way == "operands":
        w.group([[name, " = ", formula, " = ", w.operands("A"), w.operands("V"), " = ", w.block("Z")]])
    else:
        for i in d.rows("Z"):
            if way == "sums":
                w.group([_sum(w, i)])
            else:
                weights = d.operands("A", i)
                head = [
                    f"z_{{{i + 1}{j + 1}}}" if w.tex else f"{name}[{i + w.dress.first}][{j + w.dress.first}]"
                    for j in range(d.world.shapes["Z"][1])
                ]
                w.group(
                    [
                        [head[j], " = ", *w.products(weights, d.column("V", j)), w.equals(), d.num("Z", i, j)]
                        for j in range(d.world.shapes["Z"][1])
                    ]
                )
        if d.whole("Z") and w.rng.random() < 0.6:
            w.group([[name, " = ", w.block("Z", w.rng.random() < 0.5)]])


def _sum(w: Writer, i: int) -> Pieces:
    """A weighted sum of vectors, with or without the weighted vectors written out."""
    d = w.draft
    keys = range(d.world.shapes["V"][0])
    head = w.dress.indexed("Z", i) if w.bracketed else w.dress.vector("Z", i)
    sign = w.dress.times if w.tex or w.rng.random() < 0.8 or w.dress.brackets == "[]" else ""
    weights = [w.factor(d.operand("A", i, k)) for k in keys]
    named = joined(" + ", [[*weights[k], sign or " ", w.dress.vector("V", k)] for k in keys])
    spelled = joined(" + ", [[*weights[k], sign, *w.vector(d.operands("V", k))] for k in keys])
    told: Pieces = [head, " = "]
    which = w.rng.randrange(3)
    told += named if which == 0 else [*named, " = ", *spelled] if which == 1 else spelled
    if w.rng.random() < 0.4:
        width = d.world.shapes["Z"][1]
        told += [" = ", *joined(" + ", [w.vector([d.term(i, k, j) for j in range(width)]) for k in keys])]
    return [*told, w.equals(about=True), *w.vector(d.row("Z", i))]
