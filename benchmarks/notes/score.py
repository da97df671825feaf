"""Counting form by form: coverage, precision, recall, wrong places, wrong links; Wilson intervals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from benchmarks.injection.human import HUMAN
from benchmarks.injection.score import Proportion, counted_as
from benchmarks.notes.documents import Written
from benchmarks.notes.judging import Audited, Spot
from benchmarks.notes.paper import Mark

ACCUSING = ("slip", "carried")


@dataclass
class Tally:
    """Everything counted for one form (or for all)."""

    documents: int = 0
    clean: int = 0
    coverage: Proportion = field(default_factory=Proportion)
    linked: Proportion = field(default_factory=Proportion)
    precision: Proportion = field(default_factory=Proportion)
    recall: Proportion = field(default_factory=Proportion)
    judged_recall: Proportion = field(default_factory=Proportion)
    accused: Proportion = field(default_factory=Proportion)
    clean_documents: Proportion = field(default_factory=Proportion)
    places: Proportion = field(default_factory=Proportion)
    links: Proportion = field(default_factory=Proportion)
    named: Proportion = field(default_factory=Proportion)
    rightly: Proportion = field(default_factory=Proportion)
    confusion: Counter[tuple[str, str]] = field(default_factory=Counter)
    missed: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)


def spots(mark: Mark) -> tuple[Spot, ...]:
    """Where a numeral may be said to stand: at its sign, or at its first digit."""
    signed = mark.num.text[:1] in "-−"
    return ((mark.line, mark.column), *(((mark.line, mark.column + 1),) if signed else ()))


def count(tally: Tally, document: Written, audited: Audited) -> None:
    """Add one judged document."""
    clean = document.clean
    tally.documents += 1
    tally.clean += clean
    tally.failures.update(audited.failures)
    known: dict[Spot, Mark] = {spot: mark for mark in document.marks for spot in spots(mark)}
    found = 0
    for spot, said in audited.said.items():
        mark = known.get(spot)
        tally.places.add(mark is not None and mark.num.role != "input")
        if mark is not None and mark.num.role != "input":
            name, i, j = mark.num.entry
            told = said.name if said.name != "masked" else name
            tally.links.add(said.name == "equation" or (told, said.row, said.col) == (name, i, j))
        truth = mark.num.truth.label if mark is not None and mark.num.truth is not None else "no claim"
        verdict = counted_as(said.verdict, truth, said.together)
        tally.confusion[truth, verdict] += 1
        if verdict == "slip":
            tally.precision.add(truth == "slip")
        if truth not in ("slip", "carried", "undecided"):
            tally.accused.add(verdict in ACCUSING)
        found += clean and verdict in ACCUSING
    for mark in document.marks:
        if mark.num.role != "result":
            continue
        answer = next((audited.said[spot] for spot in spots(mark) if spot in audited.said), None)
        truth = mark.num.truth.label if mark.num.truth is not None else "no claim"
        verdict = counted_as(answer.verdict, truth, answer.together) if answer else None
        tally.linked.add(answer is not None)
        tally.coverage.add(verdict not in (None, "undecided"))
        if truth == "slip":
            tally.recall.add(verdict == "slip")
            if answer is not None:
                tally.judged_recall.add(verdict == "slip")
        if answer is None:
            tally.missed[f"{mark.num.entry[0]}: {why_unread(mark, audited)}"] += 1
    for mistake in (m for draft in document.drafts for m in draft.mistakes if m.family == "human"):
        known_as = HUMAN[mistake.code].causes
        tally.named.add(bool(audited.causes))
        for codes in audited.causes:
            tally.rightly.add(not codes.isdisjoint(known_as))
    if clean:
        tally.clean_documents.add(found > 0 or bool(audited.remarks))


def why_unread(mark: Mark, audited: Audited) -> str:
    for spot in spots(mark):
        if spot in audited.unread:
            return audited.unread[spot]
    return "taken for no result"


COLUMNS = ("linked", "coverage", "precision", "recall", "accused", "clean_documents", "places", "links")
TITLES = (
    "form",
    "documents",
    "read",
    "judged (coverage)",
    "slip precision",
    "slip recall",
    "honest numbers accused",
    "clean documents with a finding",
    "verdicts at a right place",
    "links to the right entry",
)

BY_HAND = ("coverage", "recall", "precision", "accused", "named", "rightly")
BY_HAND_TITLES = (
    "kind of slip",
    "documents",
    "judged (coverage)",
    "slip recall",
    "slip precision",
    "honest numbers accused",
    "documents with a cause named",
    "causes named rightly",
)


def table(tallies: dict[str, Tally], *, by_hand: bool = False) -> Iterator[str]:
    """The run as Markdown, a row for each form; or for each kind of slip that is made `by_hand`."""
    columns, titles = (BY_HAND, BY_HAND_TITLES) if by_hand else (COLUMNS, TITLES)
    yield "| " + " | ".join(titles) + " |"
    yield "|---|---:|" + "---|" * len(columns)
    for form, tally in tallies.items():
        yield f"| {form} | {tally.documents} | " + " | ".join(str(getattr(tally, c)) for c in columns) + " |"


def confusion(tally: Tally) -> Iterator[str]:
    """Truth against verdict, over every numeral that got one."""
    truths = ("correct", "rounding", "carried", "slip", "undecided", "no claim")
    verdicts = ("correct", "rounding", "carried", "slip", "undecided")
    yield "| truth \\ verdict | " + " | ".join(verdicts) + " |"
    yield "|---|" + "---:|" * len(verdicts)
    for truth in truths:
        yield f"| {truth} | " + " | ".join(str(tally.confusion[truth, v]) for v in verdicts) + " |"
