"""Several worked examples in one document, weights as percentages, and examples that are narrow."""

from __future__ import annotations

from dataclasses import replace

from benchmarks.injection.author import Author
from benchmarks.injection.world import World
from benchmarks.notes.draft import Wanted
from benchmarks.notes.sections import opening, tell, walk
from benchmarks.notes.writer import Writer


def _hundredths(world: World, author: Author) -> Author:
    """Weights with the two decimals at least that a percentage needs."""
    places = (
        author.places | {"A": max(author.places.get("A", 2), 2)} if world.positions is None else author.places
    )
    return replace(author, places=places, stripped=False)


NARROW = Wanted(
    fits=lambda world: world.heads == 1 and (world.positions is not None or world.shapes["Q"][1] == 1),
    largest=10**8,
)
PERCENTAGES = Wanted(author=_hundredths)


def percentages(w: Writer) -> None:
    """The usual walk with every weight as a percentage."""
    w.draft.percents = r"\%" if w.tex else "%"
    tell(w)


def several_examples(w: Writer) -> None:
    """One example after the other, each with a heading of its own."""
    w.heading("title")
    for number, draft in enumerate((w.draft, *w.more), start=1):
        w.draft = draft
        w.heading(f"example {number}")
        opening(w)
        walk(w)
