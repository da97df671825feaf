"""Masks, exponentials, sums and weights."""

from __future__ import annotations

from benchmarks.notes.paper import Block, Pieces, joined
from benchmarks.notes.projections import quantity
from benchmarks.notes.scores import logits_of, scores_of, tempered
from benchmarks.notes.words import say
from benchmarks.notes.writer import Writer


def softmax(w: Writer) -> None:
    d = w.draft
    if d.world.masked:
        w.sentence(_said_of_mask(w))
    if "tempered" in d.steps:
        tempered(w)
    if not (d.rows("exp") or d.rows("sum") or d.rows("A")):
        return
    if d.world.masked:
        _masked(w)
    w.heading("A")
    if w.rng.random() < 0.5 and not w.columns:
        w.sentence(say(w.rng, "row sums", d.lang))
    rows = d.rows("A") or d.rows("exp") or d.rows("sum")
    alone = d.whole("A") and not d.rows("exp") and not d.rows("sum")
    if alone and w.rng.random() < 0.6:
        w.group([[quantity(w, "A"), w.equals(about=True), w.block("A", w.rng.random() < 0.5)]])
        return
    for i in rows:
        w.announce(i)
        w.group(_softmax_row(w, i))
    if d.whole("A") and w.rng.random() < 0.75:
        w.group([[quantity(w, "A"), " = ", w.block("A", w.rng.random() < 0.5)]])
    _in_words(w)


def _said_of_mask(w: Writer) -> str:
    d = w.draft
    if d.world.mask == "causal":
        return say(w.rng, "causal", d.lang)
    if "padding" not in d.world.settings:
        return say(w.rng, "mask", d.lang)
    keys = ", ".join("0" if d.world.hides(0, j) else "1" for j in range(len(d.keys)))
    return say(w.rng, "padding", d.lang).format(f"[{keys}]")


def _masked(w: Writer) -> None:
    d, name = w.draft, scores_of(w)
    if name is None or not d.whole(name) or (w.rng.random() < 0.4 and not w.masks):
        return
    hidden = r"-\infty" if w.tex else w.rng.choice(("-∞", "-inf"))
    rows = tuple(
        tuple(hidden if d.world.hides(i, j) else d.num(name, i, j) for j in range(len(d.rows(name))))
        for i in d.rows(name)
    )
    laid = Block(tuple(zip(*rows, strict=True)) if w.columns else rows)
    start: Pieces = [quantity(w, "masked")]
    if w.masks:
        size = range(len(rows))
        mask = tuple(tuple(hidden if d.world.hides(i, j) else "0" for j in size) for i in size)
        w.group([["M", " = ", Block(mask)]])
        start += [" = ", quantity(w, name), " + M"]
    w.group([[*start, " = ", laid]])


def _softmax_row(w: Writer, i: int) -> list[Pieces]:
    """Input, exponentials, sum and weights of one row, as far as they are printed."""
    d, told = w.draft, []
    width = d.world.shapes["A"][1]
    seen = [j for j in range(width) if not d.world.hides(i, j)]
    source = logits_of(w)
    logits = source if source and i in d.rows(source) and d.works("A" if d.world.masked else "exp") else None
    exps, sums, weights = i in d.rows("exp"), i in d.rows("sum"), i in d.rows("A")
    zh, tex = d.zh, w.tex
    single = exps and logits is not None and len(seen) == width and w.rng.random() < 0.5
    if single:
        assert logits is not None
        told += [
            [*w.power(d.operand(logits, i, j)), w.equals(about=True), d.num("exp", i, j)]
            for j in range(width)
        ]
    elif exps:
        label = r"\exp" if tex else w.rng.choice(("exp值" if zh else "exp", "exp"))
        told.append([label, " = " if tex or w.rng.random() < 0.3 else ": ", *w.vector(d.row("exp", i))])
    if sums:
        label = "总和" if zh else w.rng.choice(("sum", "total"))
        label = rf"\text{{{label}}}" if tex else label
        adds = (
            joined(" + ", [[d.operand("exp", i, j)] for j in seen])
            if exps and d.works("sum") and w.rng.random() < 0.6
            else []
        )
        told.append(
            [
                label,
                " = " if tex or w.rng.random() < 0.5 else ": ",
                *adds,
                *([w.equals()] if adds else []),
                d.num("sum", i, 0),
            ]
        )
    if weights:
        told.append(_weights(w, i, seen, logits, exps and sums))
        percents = d.percent("A", i)
        if percents and not tex and w.rng.random() < 0.3:
            told[-1] += [" → ", *w.vector(percents)]
    return told


def _weights(w: Writer, i: int, seen: list[int], logits: str | None, worked: bool) -> Pieces:
    d, name = w.draft, "softmax"
    if w.tex:
        name = r"\text{softmax}"
    end: Pieces = [w.equals(about=True), *w.vector(d.row("A", i))]
    ways = ["plain"]
    whole = len(seen) == d.world.shapes["A"][1]
    if worked and whole and d.works("A"):
        ways += ["quotients", "quotients"]
    if logits is not None and whole and d.works("A"):
        ways += ["softmax", "softmax"]
    match w.rng.choice(ways):
        case "quotients":
            over = [[*w.quotient(d.operand("exp", i, j), d.operand("sum", i, 0))] for j in seen]
            left, right = w.dress.brackets
            return [name, " = " if w.tex else ": ", left, *joined(", ", over), right, *end]
        case "softmax":
            assert logits is not None
            said = r"\text{softmax}" if w.tex else w.rng.choice(("softmax", "Softmax"))
            return [said, "(", *w.vector(d.operands(logits, i)), ")", *end]
    return [name, *end] if w.tex else [name, ": ", *end[1:]]


def _in_words(w: Writer) -> None:
    """A sentence that repeats two weights as percentages."""
    d = w.draft
    rows = d.rows("A")
    percents = d.percent("A", rows[0]) if rows else None
    if percents is None or w.rng.random() > 0.15 or len(d.tokens) < 2:
        return
    i = rows[0]
    me, other = d.tokens[i], d.keys[1 - i if i < 2 else 0]
    j = d.keys.index(other)
    if d.zh:
        w.spoken([f"“{me}”对“{other}”的注意力权重是 ", percents[j], "。"])
    else:
        w.spoken([f'"{me}" gives "{other}" an attention weight of ', percents[j], "."])
