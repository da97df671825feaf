"""Several heads: each is told as an example of its own, then they are put side by side and projected."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import TypeVar

from benchmarks.injection.author import Author
from benchmarks.injection.world import World
from benchmarks.notes.draft import ROOT, Draft, Wanted
from benchmarks.notes.outputs import outputs
from benchmarks.notes.paper import Pieces
from benchmarks.notes.projections import given, project, projections, quantity
from benchmarks.notes.scores import scaled, scores
from benchmarks.notes.sections import opening
from benchmarks.notes.softmax import softmax
from benchmarks.notes.words import say
from benchmarks.notes.writer import Writer

T = TypeVar("T")


def _alike(world: World, author: Author) -> Author:
    """Every head is printed as the first one; one author in three projects once and splits the columns."""
    places = {name: d for name, d in author.places.items() if not name.startswith("head")}
    first = {name[6:]: d for name, d in author.places.items() if name.startswith("head1.")}
    if author.seed % 3:  # weights of their own for every head
        first |= {name: places.pop(name, author.places.get("Q", 1)) for name in "QKV"}
    for h in range(world.heads):
        places |= {f"head{h + 1}.{name}": d for name, d in first.items()}
    return replace(author, places=places)


HEADS = Wanted(
    fits=lambda world: world.heads > 1 and world.shapes["head1.Q"][1] > 1,
    world=lambda rng, world: world,
    author=_alike,
    results=frozenset(("head1.A", "head1.Z")),
)


class Head(Draft):
    """One head of a draft, whose quantities go by their plain names."""

    def __init__(self, whole: Draft, head: int) -> None:
        tag = f"head{head}."

        def plain(cells: Mapping[str, T]) -> dict[str, T]:
            return {name.removeprefix(tag): cell for name, cell in cells.items() if name.startswith(tag)}

        def mine(name: str) -> bool:
            return name.startswith(tag) or name == ROOT

        width = whole.world.shapes[f"{tag}Z"][1]
        share = slice((head - 1) * width, head * width)
        own = "Q" not in whole.author.places
        inputs = {
            name: rows[share]
            if name.startswith("W_") and whole.world.weights == "transposed"
            else [row[share] for row in rows]
            for name, rows in whole.world.given.items()
            if own and name not in ("X", "W_O")
        } | {"X": whole.world.given["X"]}
        shapes = {name: (len(rows), len(rows[0])) for name, rows in inputs.items()}
        self.rng, self.lang, self.tokens, self.tag = whole.rng, whole.lang, whole.tokens, tag
        self.percents, self.keys = whole.percents, whole.keys
        self.world = replace(
            whole.world, given=inputs, shapes={**whole.world.shapes, **plain(whole.world.shapes), **shapes}
        )
        self.author = replace(whole.author, places={**whole.author.places, **plain(whole.author.places)})
        self.mistakes = tuple(
            replace(m, step=m.step.removeprefix(tag))
            for m in whole.mistakes
            if m.step.startswith(tag) or (own and m.step in "QKV")
        )
        self.run = replace(
            whole.run,
            held={**whole.run.held, **plain(whole.run.held)},
            texts={(n.removeprefix(tag), i, j): t for (n, i, j), t in whole.run.texts.items() if mine(n)},
        )
        self.truths = {(n.removeprefix(tag), i, j): t for (n, i, j), t in whole.truths.items() if mine(n)}
        self.walks = replace(
            whole.walks,
            **{
                part.name: {**grids, **plain(grids)}
                for part in fields(whole.walks)
                if (grids := getattr(whole.walks, part.name))
            },
        )
        self.steps = {name.removeprefix(tag): step for name, step in whole.steps.items() if tag in name} | {
            name: whole.steps[name] for name in "QKV" if own
        }
        self.steps = {
            name: replace(step, args=tuple(part.removeprefix(tag) for part in step.args))
            for name, step in self.steps.items()
        }


def several_heads(w: Writer) -> None:
    """Inputs, the heads one after the other, concatenation and projection."""
    whole, dress = w.draft, w.dress
    w.heading("title")
    opening(w)
    parts = [Head(whole, head) for head in range(1, whole.world.heads + 1)]
    own = "Q" not in whole.author.places
    w.sentence(_count(w, len(parts), parts[0].world.shapes["Q"][1]))
    marked = w.rng.choice(("sub", "sup", ""))
    w.heading("inputs")
    given(w, [name for name in whole.world.given if name == "X" or (not own and name != "W_O")])
    if whole.world.weights == "transposed":
        w.sentence(say(w.rng, "transposed", whole.lang))
    if not own:
        projections(w)
    for head, part in enumerate(parts, start=1):
        w.heading(f"head {head}")
        w.draft, w.inner = part, True
        w.dress = replace(dress, head=head, marked=marked)
        if own:
            given(w, [name for name in part.world.given if name != "X"])
            projections(w)
        else:
            for name in ("Q", "K", "V"):
                if part.rows(name):
                    w.group([[quantity(w, name), " = ", w.block(name)]])
        scores(w)
        scaled(w)
        softmax(w)
        outputs(w)
        w.draft, w.inner, w.dress = whole, False, dress
    _together(w, len(parts))


def _count(w: Writer, heads: int, width: int) -> str:
    d_k = "$d_k$" if w.tex else "d_k"
    zh = f"共有 {heads} 个注意力头，每个头 {d_k} = {width}。"
    return zh if w.draft.zh else f"There are {heads} attention heads, each with {d_k} = {width}."


def _together(w: Writer, heads: int) -> None:
    d = w.draft
    if d.rows("concat"):
        w.heading("concat")
        parts = ", ".join(rf"\text{{head}}_{h + 1}" if w.tex else f"head_{h + 1}" for h in range(heads))
        name = r"\text{Concat}" if w.tex else "Concat"
        start: Pieces = [f"{name}({parts})"] if w.rng.random() < 0.6 else [name]
        w.group([[*start, " = ", w.block("concat", w.rng.random() < 0.3)]])
    if "W_O" in d.world.given:
        w.heading("output")
        w.group([[quantity(w, "W_O"), " = ", w.block("W_O")]])
        if d.rows("output"):
            project(w, "output", "concat")
