"""A style: how an example is told, what it is about, and the file that it is told in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random

from benchmarks.injection.arithmetic import Undefined
from benchmarks.notes.documents import SUFFIXES, Written
from benchmarks.styles.drafts import draft, draft_by_hand
from benchmarks.styles.sheet import Sheet
from benchmarks.styles.tasks import USUAL, Task
from symattn.reading.kinds import Kind

KINDS: Mapping[str, Kind] = {suffix: kind for kind, suffix in SUFFIXES.items()}
SLIPS = (0, 1, 1, 0, 2, 1)
"""How many slips the documents of a style have, in turn: a third are clean."""


@dataclass(frozen=True)
class Style:
    """`endings` lists the files that one is drawn from: md, txt, tex, ipynb."""

    tell: Callable[[Sheet], str]
    task: Task = USUAL
    endings: tuple[str, ...] = ("md",)
    lang: str = "en"

    @property
    def name(self) -> str:
        told = self.tell.__name__.replace("_", " ")
        return told if self.lang == "en" else f"{self.lang} {told}"

    def document(self, seed: int, k: int, *, by_hand: bool = False) -> Written:
        """Document number k of a seed; where it has slips, one can be seen in what it prints.

        `by_hand` gives it one slip of a human kind.
        """
        rng, slips = Random(f"styles:{seed}:{self.name}:{k}"), SLIPS[k % len(SLIPS)]
        while True:
            if by_hand:
                slips, made = 1, draft_by_hand(rng, self.task, self.lang)
            else:
                made = draft(rng, self.task, self.lang, slips)
            ending = rng.choice(self.endings)
            sheet = Sheet(made, rng, ending)
            try:
                text, marks = sheet.marked(self.tell(sheet))
            except Undefined:  # carried on from what its dots leave over, an exponential grows too large
                continue
            labels = {mark.num.truth.label for mark in marks if mark.num.truth is not None}
            if not slips or "slip" in labels:
                file = f"{seed}-{self.name.replace(' ', '-')}-{k}.{ending}"
                return Written(file, self.name, KINDS[ending], text, marks, (made,))
