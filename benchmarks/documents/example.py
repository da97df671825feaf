"""One worked example before it is written down: its numbers as its author prints them, and their truth."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from random import Random

from benchmarks.injection.arithmetic import Step, Undefined
from benchmarks.injection.author import Author, random_author
from benchmarks.injection.documents import _case, _first_row_only, _planted, slips_of
from benchmarks.injection.mistakes import Mistake
from benchmarks.injection.run import Run
from benchmarks.injection.truth import Truth, holds, truths, walks_of
from benchmarks.injection.world import World, random_world

HONEST = Truth("correct")
LARGEST = 20_000  # of an exponential that somebody would print
AROUND = {
    "PE": ("positions-shifted", "sine-cosine-exchanged"),
    "norm": ("layernorm-sample-variance", "layernorm-columns", "layernorm-not-centred"),
}
"""The slips in steps around attention."""


@dataclass(frozen=True)
class Example:
    """A world, the author who worked it out, what stands on paper, and the truth of it."""

    world: World
    author: Author
    mistakes: tuple[Mistake, ...]
    run: Run
    truths: dict[tuple[str, int, int], Truth]

    def rows(self, name: str) -> list[int]:
        """The rows of a quantity that are printed (or given); a mask is put on whole scores that are."""
        if name.endswith("masked"):
            name = self.unmasked(name) if self.whole(self.unmasked(name)) else ""
        height = self.world.shapes[name][0] if name in self.world.shapes else 0
        return [i for i in range(height) if name in self.world.given or (name, i, 0) in self.run.texts]

    def unmasked(self, name: str) -> str:
        """The scores that a mask is put on."""
        return next(step.args[0] for step in self.world.steps if step.name == name)

    def whole(self, name: str) -> bool:
        """Whether all of a quantity is printed (or given)."""
        return bool(self.rows(name)) and len(self.rows(name)) == self.world.shapes[name][0]

    def softmax_of(self, name: str) -> str:
        """What the softmax that weights, exponentials or sums belong to is taken of."""
        tag = name[: name.rfind(".") + 1]
        scores = "scores" if self.world.scale == "1" else "scaled"
        return tag + ("masked" if self.world.masked else scores)

    def worked(self, step: Step) -> bool:
        """Whether a working can stand before a result: its operands are printed, no rule was broken."""
        args = [self.softmax_of(step.name)] if step.kind == "exp" else step.args
        slipped = any(m.at is None and (m.step == step.name or m.step in args) for m in self.mistakes)
        return not slipped and all(self.whole(name) for name in args)

    def operand(self, name: str, i: int, j: int) -> tuple[str, Truth]:
        """An entry as it stands in a working: what its author had in mind, at the printed precision."""
        if name in self.world.given:
            return self.world.given[name][i][j], HONEST
        truth = self.truths[name, i, j]
        text = self.author.printed(name, self.run.held[name][i][j])
        if text != self.run.texts[name, i, j] and holds(text, self.run.held[name][i][j]):
            truth = replace(truth, label="carried" if truth.roots else "correct")
        return text, truth


def random_example(rng: Random, *, clean: bool = False) -> Example:
    """A third without a slip (or all), a third with one, a third with two or three."""
    while True:
        base = random_world(rng)
        if base.positions is None and base.shapes["Q"][1] < 2:
            continue
        try:
            library = dict(slips_of(_case(base, ())))
            world = _around(rng, base)
            names = {step.name for step in world.steps}
            library = {k: codes for k, codes in {**library, **AROUND}.items() if k in names}
            author = random_author(rng, world)
            wanted = 0 if clean else rng.choice((0, 0, 1, 1, 2, 3))
            mistakes, run = _planted(rng, world, author, library, wanted)
            powers = [a for k, grid in run.held.items() if k.endswith("exp") for row in grid for a in row]
            if (wanted and not mistakes) or any(abs(a) > LARGEST for a in powers):
                continue
            if not any(name.endswith(("A", "Z", "PE")) for name in author.places):
                continue
            _first_row_only(rng, world, mistakes, run)
            found = truths(world, author, mistakes, run, walks_of(world, author, run))
        except (Undefined, IndexError):  # a slip that has no meaning here, or numbers that nobody prints
            continue
        return Example(world, author, mistakes, run, found)


def _around(rng: Random, world: World) -> World:
    """The example as it is, from given Q, K and V on, with positions added, or with residual and norm."""
    if world.positions is not None:
        return world
    given, shapes, steps = dict(world.given), dict(world.shapes), list(world.steps)
    draw, facts = rng.random(), {"transposed": 0}
    n, d = shapes["X"]
    if draw < 0.25:
        given = {k: rows for k, rows in given.items() if k == "W_O"}
        for name in "QKV":
            places = rng.choice((0, 1, 1, 2))
            rows, columns = shapes[name]
            given[name] = [[f"{rng.uniform(0, 2):.{places}f}" for _ in range(columns)] for _ in range(rows)]
        steps = [step for step in steps if step.name not in given]
    elif draw < 0.35 and d % 2 == 0:
        given["E"] = given.pop("X")
        shapes["E"] = shapes["PE"] = shapes["X"]
        encoding = Step("PE", "positions", (), {"n": n, "d": d, "start": 0})
        steps = [encoding, Step("X", "add", ("E", "PE"), facts), *steps]
    elif draw < 0.6 and shapes[steps[-1].name] == (n, d) and d > 2:
        steps.append(Step("residual", "add", ("X", steps[-1].name), facts))
        steps.append(Step("norm", "norm", ("residual",), facts))
        shapes["residual"] = shapes["norm"] = n, d
    return replace(world, given=given, shapes=shapes, steps=tuple(steps))


def percent(text: str) -> str:
    """0.125 as 12.5."""
    return f"{Decimal(text) * 100:.{max(0, len(text.partition('.')[2]) - 2)}f}"
