"""Random documents with their truth."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random

from benchmarks.injection.arithmetic import Undefined
from benchmarks.injection.human import HUMAN
from benchmarks.notes.draft import Draft, random_draft
from benchmarks.notes.forms import FORMS, POSITIONS
from benchmarks.notes.kinds import KINDS, Kind
from benchmarks.notes.paper import Mark
from benchmarks.notes.sections import tell
from symattn.reading.kinds import Kind as TextKind

ENCODINGS = "positional encodings"
LECTURES = "lectures"
SUFFIXES: Mapping[TextKind, str] = {"markdown": "md", "latex": "tex", "text": "txt", "notebook": "ipynb"}


@dataclass(frozen=True)
class Written:
    """One document: its text, every numeral that claims something, and the drafts it was written from."""

    name: str
    form: str
    kind: TextKind
    text: str
    marks: tuple[Mark, ...]
    drafts: tuple[Draft, ...]

    @property
    def clean(self) -> bool:
        return all(draft.clean for draft in self.drafts)


def documents(count: int, seed: int) -> Iterator[Written]:
    """`count` documents of the usual forms in turn, each from a seed of its own, both languages."""
    for k in range(count):
        yield document(seed, k)


def further(count: int, seed: int, names: Collection[str] = tuple(KINDS)) -> Iterator[Written]:
    """`count` documents of the further kinds in turn."""
    kinds = [name for name in KINDS if name in names]
    for k in range(count):
        yield of_kind(kinds[k % len(kinds)], seed, k // len(kinds))


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
    return Written(f"{seed}-{k}.{SUFFIXES[writer.kind]}", form, writer.kind, text, tuple(marks), (draft,))


def lectures(count: int, seed: int) -> Iterator[Written]:
    """`count` documents of several chapters, each of which is a document of the usual forms."""
    for k in range(count):
        yield _lecture(seed, k)


def _lecture(seed: int, k: int) -> Written:
    """Lecture number k of a seed: Markdown or plain text, with a rule between the chapters or without one."""
    rng = Random(f"notes:{seed}:lecture:{k}")
    kind: TextKind = rng.choice(("markdown", "markdown", "text"))
    between = rng.choice(("\n\n", "\n\n---\n\n" if kind == "markdown" else f"\n\n{'=' * 60}\n\n"))
    text, marks, drafts = "", list[Mark](), list[Draft]()
    for _ in range(rng.randint(2, 5)):
        part = document(rng.randrange(10**9), rng.randrange(len(FORMS) + 1))
        while part.kind != kind:
            part = document(rng.randrange(10**9), rng.randrange(len(FORMS) + 1))
        text += between if text else ""
        above = text.count("\n")
        marks += [replace(mark, line=mark.line + above) for mark in part.marks]
        drafts += part.drafts
        text += part.text
    return Written(f"{seed}-lecture-{k}.{SUFFIXES[kind]}", LECTURES, kind, text, tuple(marks), tuple(drafts))


def by_hand(count: int, seed: int, kinds: Collection[str] = tuple(HUMAN)) -> Iterator[tuple[str, Written]]:
    """`count` documents with one slip of each human kind, with the kind's name."""
    for kind in kinds:
        for k in range(count):
            yield kind, _by_hand(kind, seed, k)


def _by_hand(kind: str, seed: int, k: int) -> Written:
    """Document number k of a human kind of slip and a seed."""
    rng = Random(f"notes:{seed}:by hand:{kind}:{k}")
    lang = rng.choice(("en", "zh"))
    encodes = HUMAN[kind].steps == ("positions",)
    form = ENCODINGS if encodes else rng.choice(tuple(FORMS))
    while True:
        draft = random_draft(rng, lang, kind=kind)
        if (draft.world.positions is not None) != encodes or not draft.slipped:
            continue
        writer = (rng.choice(POSITIONS) if encodes else FORMS[form])(draft, rng)
        tell(writer)
        text, marks = writer.document()
        file = f"{seed}-{kind}-{k}.{SUFFIXES[writer.kind]}"
        return Written(file, form, writer.kind, text, tuple(marks), (draft,))


def of_kind(name: str, seed: int, k: int) -> Written:
    """Document number k of a further kind and a seed."""
    rng = Random(f"notes:{seed}:{name}:{k}")
    kind = KINDS[name]
    lang = rng.choice(kind.languages)
    while True:
        drafts = tuple(_walk(rng, lang, kind) for _ in range(kind.examples))
        writer = rng.choice(kind.writers)(drafts[0], rng)
        writer.more = drafts[1:]
        kind.tell(writer)
        text, marks = kind.frame(rng, writer.document(), lang)
        try:
            marks = drafts[0].seen(marks) if kind.examples == 1 else marks
        except Undefined:  # carried on from what its dots leave over, an exponential grows too large
            continue
        file = f"{seed}-{name.replace(' ', '-')}-{k}.{SUFFIXES[writer.kind]}"
        return Written(file, name, writer.kind, text, tuple(marks), drafts)


def _walk(rng: Random, lang: str, kind: Kind) -> Draft:
    """A draft that is no encoding of positions."""
    while True:
        draft = random_draft(rng, lang, kind.wanted)
        if draft.world.positions is None:
            return draft
