"""Scores and their scaling."""

from __future__ import annotations

from benchmarks.notes.paper import Block, Num, Pieces
from benchmarks.notes.projections import Cell, quantity
from benchmarks.notes.words import say
from benchmarks.notes.writer import Writer


def scores(w: Writer) -> None:
    d, w_name = w.draft, quantity(w, "scores")
    rows = d.rows("scores")
    if not rows:
        return
    w.heading("scores")
    formula = "Q K^T" if w.rng.random() < 0.5 else "QK^T"
    formula = f"{formula}" if w.tex or w.rng.random() < 0.6 else formula.replace("^T", "ᵀ")
    if w.columns:
        formula = "K^T Q"
        w_name = "S"
    elif w.dress.marked:
        formula = w.dress.product("scores")
    ways = ["matrix", "matrix"]
    if d.works("scores"):
        ways += [
            "entries",
            "entries",
            *(["operands"] if w.tex and not w.columns else []),
            *(["cells"] if "cells" in w.workings and not w.columns else []),
        ]
    way = w.rng.choice(ways)
    start: Pieces = (
        [w_name] if w_name.replace(" ", "") in ("QK^T", r"QK^{\top}", "QKᵀ") else [w_name, " = ", formula]
    )
    whole = d.whole("scores")
    if way == "entries":
        for i in rows:
            told: list[Pieces] = []
            for j in range(d.world.shapes["scores"][1]):
                told.append(_score(w, i, j))
            if w.rng.random() < 0.5 and len(rows) > 1:
                w.announce(i)
            w.group(told)
        if whole and w.rng.random() < 0.7:
            w.group([[w_name, " = ", w.block("scores", w.rng.random() < 0.4)]])
    elif way == "operands" and whole:
        w.group(
            [
                [
                    *start,
                    " = ",
                    w.operands("Q"),
                    w.dress.times,
                    w.operands("K", turned=True),
                    " = ",
                    w.block("scores"),
                ]
            ]
        )
    elif way == "cells" and whole:
        cells = tuple(
            tuple(
                Cell(w.products(d.operands("Q", i), d.operands("K", j)))
                for j in range(d.world.shapes["scores"][1])
            )
            for i in rows
        )
        w.group([[*start, " = ", Block(cells), " = ", w.block("scores")]])
    elif whole:
        w.group([[*start, " = ", w.block("scores", w.rng.random() < 0.4)]])
    else:
        printed_rows(w, "scores")


def _score(w: Writer, i: int, j: int) -> Pieces:
    """One score with its working."""
    d, name = w.draft, quantity(w, "scores")
    a, b = w.dress.vector("Q", i), w.dress.vector("K", j)
    dot = r" \cdot " if w.tex else w.rng.choice((" · ", "·"))
    works = w.products(d.operands("Q", i), d.operands("K", j))
    end: Pieces = [w.equals(), d.num("scores", i, j)]
    match 1 if w.bracketed else w.rng.choice((0, 2, 3)):
        case 0:
            return [f"{a}{dot}{b} = ", *works, *end]
        case 1:
            f = w.dress.first
            q, k = w.dress.indexed("Q", i), w.dress.indexed("K", j)
            return [f"{name}[{i + f},{j + f}] = {q}{dot}{k} = ", *works, *end]
        case 2:
            left, right = w.vector(d.operands("Q", i)), w.vector(d.operands("K", j))
            return [f"{a}{dot}{b} = ", *left, dot, *right, " = ", *works, *end]
    return [f"{w.dress.score(i, j)} = {a}{dot}{b} = ", *works, *end]


def printed_rows(w: Writer, name: str) -> None:
    """The printed rows of a quantity that is not printed whole."""
    d = w.draft
    for i in d.rows(name):
        head = (
            f"{quantity(w, name)}_{i + 1}"
            if w.tex and not w.dress.marked and "{" not in quantity(w, name) and "^" not in quantity(w, name)
            else ""
        )
        if not w.tex and name in ("Q", "K", "V", "Z"):
            head = w.dress.indexed(name, i)
        if not head:
            w.announce(i)
            label = {
                "scores": ("scores", "分数"),
                "scaled": ("scaled scores", "缩放后的分数"),
                "tempered": ("scores / T", "分数 / T"),
                "A": ("attention weights", "注意力权重"),
            }
            said = label.get(name, (name, name))[d.zh]
            head = rf"\text{{{said}}}" if w.tex else said
            w.group([[head, " = ", *w.vector(d.row(name, i))]])
        else:
            w.group([[head, " = ", *w.vector(d.row(name, i))]])


def scaled(w: Writer) -> None:
    d = w.draft
    if d.world.scale == "1":
        w.sentence(say(w.rng, "no scale", d.lang))
        return
    rows, name = d.rows("scaled"), quantity(w, "scaled")
    w.heading("scaled")
    d_k = d.world.shapes["Q"][1]
    if "sqrt(d_k)" in d.author.places:
        root: Pieces = [rf"$\sqrt{{d_k}} = \sqrt{{{d_k}}} \approx ", d.num("sqrt(d_k)", 0, 0), "$"]
        if not w.tex:
            root = [
                w.rng.choice((f"√d_k = √{d_k} ≈ ", f"√dₖ = √{d_k} ≈ ", f"sqrt(d_k) = sqrt({d_k}) ≈ ")),
                d.num("sqrt(d_k)", 0, 0),
            ]
        before, after = (
            (f"d_k = {d_k}，所以除以 ", "。") if d.zh else (f"With d_k = {d_k} we divide by ", ".")
        )
        if w.tex:
            before = before.replace("d_k", "$d_k$", 1)
        w.spoken([before, *root, after])
    if not rows:
        return
    whole = d.whole("scaled") and d.whole("scores")
    ways = ["matrix", "matrix"] if whole else []
    if d.works("scaled"):
        ways += ["rows", "entries"] if "sqrt(d_k)" in d.author.places or not w.tex else ["rows"]
    way = w.rng.choice(ways) if ways else "plain rows"
    if way == "matrix":
        w.group([[name, w.equals(about=True), w.block("scaled", w.rng.random() < 0.3)]])
    elif way == "plain rows":
        if d.whole("scaled"):
            w.group([[name, w.equals(about=True), w.block("scaled")]])
        else:
            printed_rows(w, "scaled")
    else:
        printed = "sqrt(d_k)" in d.author.places and w.rng.random() < 0.6
        for i in rows:
            if not all(
                ("scores", i, j) in d.run.texts or "scores" in d.world.given
                for j in range(d.world.shapes["scores"][1])
            ):
                continue
            if way == "rows":
                under: Pieces = [d.operand("sqrt(d_k)", 0, 0)] if printed else [w.root()]
                over = w.vector(d.operands("scores", i))
                slash = [r"\frac{", *over, "}{", *under, "}"] if w.tex else [*over, " / ", *under]
                w.group([[*slash, w.equals(about=True), *w.vector(d.row("scaled", i))]])
            else:
                told = []
                for j in range(d.world.shapes["scaled"][1]):
                    part: Num | str = d.operand("sqrt(d_k)", 0, 0) if printed else w.root()
                    told.append(
                        [
                            *w.quotient(d.operand("scores", i, j), part),
                            w.equals(about=True),
                            d.num("scaled", i, j),
                        ]
                    )
                if len(rows) > 1:
                    w.announce(i)
                w.group(told)
        if d.whole("scaled") and w.rng.random() < 0.6:
            w.group([[name, " = ", w.block("scaled", w.rng.random() < 0.3)]])


def tempered(w: Writer) -> None:
    """The scores divided by the temperature."""
    d, over = w.draft, scores_of(w)
    w.heading("tempered")
    tenths = d.steps["tempered"].facts["tenths"]
    T = f"{tenths / 10:g}"
    w.sentence(say(w.rng, "temperature", d.lang).format(f"$T = {T}$" if w.tex else f"T = {T}"))
    rows = d.rows("tempered")
    if not rows:
        return
    if over is not None and d.works("tempered") and w.rng.random() < 0.5:
        for i in rows:
            row = w.vector(d.operands(over, i))
            slash = [r"\frac{", *row, "}{", T, "}"] if w.tex else [*row, " / ", T]
            w.group([[*slash, w.equals(about=True), *w.vector(d.row("tempered", i))]])
        return
    if not d.whole("tempered"):
        printed_rows(w, "tempered")
        return
    name = quantity(w, over or "scores")
    w.group(
        [[rf"\frac{{{name}}}{{T}}" if w.tex else f"{name} / T", w.equals(about=True), w.block("tempered")]]
    )


def scores_of(w: Writer) -> str | None:
    """The scores before mask and temperature, scaled where they are, if they are printed."""
    d = w.draft
    name = "scores" if d.world.scale == "1" else "scaled"
    return name if d.rows(name) else None


def logits_of(w: Writer) -> str | None:
    """What goes into the softmax, if it is printed."""
    if "tempered" in w.draft.steps:
        return "tempered" if w.draft.rows("tempered") else None
    return scores_of(w)
