"""What an author is about to write down: the numbers of one random worked example, with the truth of each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from random import Random

from benchmarks.injection.arithmetic import Undefined
from benchmarks.injection.author import Author, random_author
from benchmarks.injection.documents import (
    _case,
    _first_row_only,
    _percent,
    _planted,
    planted_by_hand,
    slips_of,
)
from benchmarks.injection.mistakes import Mistake
from benchmarks.injection.run import Run, written
from benchmarks.injection.truth import Truth, Walks, holds, truths, walks_of
from benchmarks.injection.world import Entry, World, random_world
from benchmarks.notes.paper import Mark, Num

TOKENS = {
    "en": ("cat", "sat", "mat", "river", "bank", "loves", "dogs", "small"),
    "zh": ("我", "爱", "猫", "坐在", "垫子", "学习", "机器", "天空"),
}
HONEST = Truth("correct")
ROOT = "sqrt(d_k)"
LARGEST = 20_000  # of an exponential that somebody would print


class Draft:
    """One worked example: givens, printed results and their truth, tokens, language."""

    def __init__(
        self, rng: Random, world: World, author: Author, mistakes: tuple[Mistake, ...], run: Run, lang: str
    ) -> None:
        self.rng, self.world, self.author, self.mistakes, self.run, self.lang = (
            rng,
            world,
            author,
            mistakes,
            run,
            lang,
        )
        self.walks = walks_of(world, author, run)
        self.truths = self._truths(run, self.walks)
        self.steps = {step.name: step for step in world.steps}
        self.tokens: tuple[str, ...] = ()
        self.keys: tuple[str, ...] = ()  # the tokens that are looked at, where they are others
        self.percents = ""  # the sign of percent, where the weights are printed with it
        self.tag = ""  # what the names of its quantities begin with, in the whole document

    @property
    def clean(self) -> bool:
        return not self.mistakes

    @property
    def slipped(self) -> bool:
        """Whether a number that stands on paper is a slip."""
        return any(truth.label == "slip" for truth in self.truths.values())

    @property
    def zh(self) -> bool:
        return self.lang == "zh"

    def entry(self, name: str, i: int, j: int) -> Entry:
        """An entry by the name that its quantity has in the whole document."""
        return (name if name == ROOT else self.tag + name), i, j

    def signed(self, name: str, text: str) -> str:
        """A weight as a percentage, where this author prints them so."""
        return _percent(text).replace("%", self.percents) if self.percents and name == "A" else text

    def rows(self, name: str) -> list[int]:
        """The rows of a quantity that are printed."""
        if name in self.world.given:
            return list(range(self.world.shapes[name][0]))
        if name not in self.world.shapes:
            return []
        return [i for i in range(self.world.shapes[name][0]) if (name, i, 0) in self.run.texts]

    def whole(self, name: str) -> bool:
        """Whether all of a quantity is printed (or given)."""
        return bool(self.rows(name)) and len(self.rows(name)) == self.world.shapes[name][0]

    def num(self, name: str, i: int, j: int) -> Num:
        """An entry as it is printed."""
        if name in self.world.given:
            return Num(self.world.given[name][i][j], "input", (name, i, j))
        text = self.signed(name, self.run.texts[name, i, j])
        return Num(text, "result", self.entry(name, i, j), self.truths[name, i, j])

    def seen(self, marks: Sequence[Mark]) -> tuple[Mark, ...]:
        """What was written down, with its truth for who sees no more than that.

        Of a wrong number that dots leave out nobody can know: what follows from it is the first slip.
        """
        shown = {mark.num.entry for mark in marks}
        texts = {entry: text for entry, text in self.run.texts.items() if self.entry(*entry) in shown}
        if len(texts) == len(self.run.texts):
            return tuple(marks)
        run = replace(self.run, texts=texts)
        found = self._truths(run, walks_of(self.world, self.author, run))
        told = {self.entry(*entry): (self.truths[entry], truth) for entry, truth in found.items()}
        return tuple(
            replace(mark, num=replace(mark.num, truth=told[mark.num.entry][1]))
            if mark.num.entry in told and mark.num.truth is told[mark.num.entry][0]
            else mark
            for mark in marks
        )

    def _truths(self, run: Run, walks: Walks) -> dict[Entry, Truth]:
        """The truth of every number; a wrong number that joins those of a cache is put down again there."""
        found = dict(truths(self.world, self.author, self.mistakes, run, walks))
        for step in (step for step in self.world.steps if step.kind == "stack"):
            old, new = step.args
            behind = self.world.shapes[old][0]
            for (name, i, j), truth in tuple(found.items()):
                joined = found.get((step.name, behind + i, j))
                if name == new and truth.label == "slip" and joined is not None and joined.label == "carried":
                    found[step.name, behind + i, j] = truth
        return found

    def row(self, name: str, i: int) -> list[Num]:
        return [self.num(name, i, j) for j in range(self.world.shapes[name][1])]

    def grid(self, name: str) -> list[list[Num]]:
        return [self.row(name, i) for i in self.rows(name)]

    def percent(self, name: str, i: int) -> list[Num] | None:
        """A row as percentages, where it has the decimals for them."""
        if self.author.places.get(name, 0) < 2 or self.author.stripped or self.percents:
            return None
        return [replace(num, text=_percent(num.text)) for num in self.row(name, i)]

    def operand(self, name: str, i: int, j: int) -> Num:
        """An entry as it stands in a working: what the author had before him, at the printed precision."""
        if name in self.world.given:
            return Num(self.world.given[name][i][j], "operand", (name, i, j))
        text = self.author.printed(name, self.run.held[name][i][j])
        truth = self.truths.get((name, i, j), HONEST)
        if text != self.run.texts.get((name, i, j)) and not self._still_wrong(text, (name, i, j), truth):
            truth = HONEST
        return Num(self.signed(name, text), "operand", self.entry(name, i, j), truth)

    def _still_wrong(self, text: str, entry: Entry, truth: Truth) -> bool:
        """Whether a wrong number, put down again with other digits, is as wrong as before."""
        name, i, j = entry
        right = (self.walks.exact[name][i][j], self.walks.local[name][i][j])
        return truth.label in ("slip", "carried") and not any(holds(text, x) for x in right)

    def operands(self, name: str, i: int) -> list[Num]:
        return [self.operand(name, i, j) for j in range(self.world.shapes[name][1])]

    def column(self, name: str, j: int) -> list[Num]:
        return [self.operand(name, i, j) for i in range(self.world.shapes[name][0])]

    def works(self, name: str) -> bool:
        """Whether a working of the step can be shown: all arguments stand on paper, no whole-matrix slip."""
        step = self.steps.get(name)
        above = {name, *(() if name not in ("sum", "A") else ("masked", "exp", "sum"))}
        if step is None or any(m.step in above and m.at is None for m in self.mistakes):
            return False
        return all(self.whole(argument) for argument in step.args)

    def term(self, i: int, key: int, j: int) -> Num:
        """One summand of the output: A[i][key] V[key][j], as this author prints it."""
        value = self.run.held["A"][i][key] * self.run.held["V"][key][j]
        text = self.author.printed("Z", value)
        truth = HONEST
        weight = Decimal(self.author.printed("A", self.run.held["A"][i][key]))
        if not holds(text, weight * Decimal(self.operand("V", key, j).text)):
            truth = Truth("rounding")
        sources = [self.truths.get(("A", i, key)), self.truths.get(("V", key, j))]
        if any(source is not None and source.label in ("slip", "carried") for source in sources):
            truth = Truth("carried")
        return Num(text, "result", self.entry(f"Z.term[{key}]", i, j), truth)


@dataclass(frozen=True)
class Wanted:
    """What a kind of document asks of its example: which worlds fit, how world and author are adapted."""

    fits: Callable[[World], bool] = lambda world: usual(world)
    world: Callable[[Random, World], World] = lambda rng, world: from_queries_now_and_then(rng, world)
    author: Callable[[World, Author], Author] = lambda world, author: author
    results: frozenset[str] = frozenset(("A", "Z"))
    largest: int = LARGEST


def usual(world: World) -> bool:
    """One head, wider than a single number."""
    return world.heads == 1 and (world.positions is not None or world.shapes["Q"][1] > 1)


USUAL = Wanted()


def random_draft(rng: Random, lang: str, wanted: Wanted = USUAL, kind: str = "") -> Draft:
    """A third clean, a third with one slip, a third with two or three; or one slip of a human kind."""
    while True:
        world = random_world(rng)
        if not wanted.fits(world):
            continue
        world = wanted.world(rng, world)
        author = wanted.author(world, random_author(rng, world))
        if world.positions is None and not wanted.results & author.places.keys():
            continue
        try:
            written(world, author, ())
        except Undefined:
            continue
        slips = 1 if kind else rng.choice((0, 0, 1, 1, 2, 3))
        try:
            if kind:
                mistakes, run = planted_by_hand(rng, world, author, kind)
            else:
                mistakes, run = _planted(rng, world, author, slips_of(_case(world, ())), slips)
        except (IndexError, Undefined):  # a mistake that has no meaning in this world
            continue
        if slips and not mistakes:
            continue
        exps = (grid for name, grid in run.held.items() if name.endswith("exp"))
        if any(abs(a) > wanted.largest for grid in exps for row in grid for a in row):
            continue
        _first_row_only(rng, world, mistakes, run)
        try:
            draft = Draft(rng, world, author, mistakes, run, lang)
        except Undefined:  # carried on from what is printed, an exponential grows too large
            continue
        count = world.shapes["PE" if world.positions else "Q"][0]
        draft.tokens = draft.keys = tuple(rng.sample(TOKENS[lang], count))
        return draft


def from_queries_now_and_then(rng: Random, world: World) -> World:
    """One example in five starts at Q, K and V, which then are given."""
    return _from_queries(rng, world) if world.positions is None and rng.random() < 0.2 else world


def _from_queries(rng: Random, world: World) -> World:
    """The same walk from Q, K and V on, which then are given."""
    given = {
        name: [
            [
                f"{rng.uniform(0, 2):.{1 if world.shapes[name][1] > 2 else 0}f}"
                for _ in range(world.shapes[name][1])
            ]
            for _ in range(world.shapes[name][0])
        ]
        for name in "QKV"
    }
    given |= {name: rows for name, rows in world.given.items() if name == "W_O"}
    return replace(world, given=given, steps=tuple(step for step in world.steps if step.name not in given))
