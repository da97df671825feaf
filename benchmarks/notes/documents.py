"""Random documents with their truth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from benchmarks.notes.draft import Draft, random_draft
from benchmarks.notes.forms import FORMS, POSITIONS
from benchmarks.notes.paper import Mark
from benchmarks.notes.sections import tell

ENCODINGS = "positional encodings"
SUFFIXES = {"markdown": "md", "latex": "tex", "text": "txt", "notebook": "ipynb"}


@dataclass(frozen=True)
class Written:
    """One document: its text, every numeral that claims something, and the draft that it was written from."""

    name: str
    form: str
    kind: str
    text: str
    marks: tuple[Mark, ...]
    draft: Draft


def documents(count: int, seed: int) -> Iterator[Written]:
    """`count` documents, each from a seed of its own, the forms in turn, both languages."""
    for k in range(count):
        yield document(seed, k)


def document(seed: int, k: int) -> Written:
    """Document number k of a seed."""
    rng = Random(f"notes:{seed}:{k}")
    lang = rng.choice(("en", "zh"))
    form = (*FORMS, ENCODINGS)[k % (len(FORMS) + 1)]
    draft = random_draft(rng, lang)
    while (draft.world.positions is None) == (form == ENCODINGS):
        draft = random_draft(rng, lang)
    writer = (FORMS[form] if form in FORMS else rng.choice(POSITIONS))(draft, rng)
    tell(writer)
    text, marks = writer.document()
    return Written(f"{seed}-{k}.{SUFFIXES[writer.kind]}", form, writer.kind, text, tuple(marks), draft)
