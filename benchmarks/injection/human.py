"""Slips as people make them by hand: a row taken for its neighbour, a step forgotten in a row, a lost point.

They are a choice of their own, drawn only where it is asked for: documents of other seeds stay as they are.
Each kind says in which steps it can happen and what it makes of the right result of one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from random import Random

from benchmarks.injection.arithmetic import HIDDEN, ZERO, Grid, Step, Undefined
from benchmarks.injection.author import Author
from benchmarks.injection.mistakes import Mistake, terms
from benchmarks.injection.world import World


@dataclass(frozen=True)
class Scene:
    """What a slip of the author is made of: the step, what it is made from, its right result."""

    rng: Random
    world: World
    author: Author
    held: Mapping[str, Grid]
    step: Step
    result: Grid
    at: tuple[int, int] | None = None

    @property
    def args(self) -> list[Grid]:
        return [self.held[name] for name in self.step.args]

    def row(self, least: int = 0) -> int:
        """A row of the result that is not one of the first `least`. Raises Undefined."""
        if len(self.result) <= least:
            raise Undefined("too few rows")
        return self.rng.randrange(least, len(self.result))

    def with_row(self, i: int, row: Sequence[Decimal]) -> Grid:
        """The result with another row. Raises Undefined where it does not fit."""
        if len(row) != len(self.result[i]):
            raise Undefined("another width")
        return [list(row) if k == i else list(own) for k, own in enumerate(self.result)]

    def with_cell(self, value: Decimal) -> Grid:
        """The result with another number in the cell that the slip is in."""
        assert self.at is not None
        i, j = self.at
        return self.with_row(i, [value if k == j else own for k, own in enumerate(self.result[i])])


Making = Callable[[Scene], Grid]


@dataclass(frozen=True)
class Human:
    """A kind of slip: the kinds of steps that it happens in, how, and the causes that name it rightly.

    Without a way to make it, it is one of the slips that a step can be carried out with, by that name.
    `cell` says that it is made in a single entry, beside whose working it may stand.
    """

    steps: tuple[str, ...]
    make: Making | None = None
    causes: tuple[str, ...] = ()
    cell: bool = False


def _row_copied(scene: Scene) -> Grid:
    i = scene.row(1)
    return scene.with_row(i, scene.result[i - 1])


def _rows_exchanged(scene: Scene) -> Grid:
    i = scene.row(1)
    return [*scene.result[: i - 1], scene.result[i], scene.result[i - 1], *scene.result[i + 1 :]]


def _tokens_off_by_one(scene: Scene) -> Grid:
    scene.row(2)
    return scene.result[1:] + scene.result[:1]


def _column_copied(scene: Scene) -> Grid:
    if len(scene.result[0]) < 2:
        raise Undefined("one column")
    j = scene.rng.randrange(1, len(scene.result[0]))
    return [[row[j - 1] if k == j else a for k, a in enumerate(row)] for row in scene.result]


def _row_undivided(scene: Scene) -> Grid:
    """A row is left as it is before the step: not scaled, or not divided by its sum."""
    i = scene.row(0)
    return scene.with_row(i, scene.args[0][i])


def _row_unrooted(scene: Scene) -> Grid:
    i = scene.row(0)
    return scene.with_row(i, [a / scene.step.facts["d_k"] for a in scene.args[0][i]])


def _first_row_scaled(scene: Scene) -> Grid:
    scene.row(2)
    return [scene.result[0], *scene.args[0][1:]]


def _sum_of_neighbour(scene: Scene) -> Grid:
    i = scene.row(1)
    powers, sums = scene.args
    return scene.with_row(i, [a / sums[i - 1][0] for a in powers[i]])


def _mask_not_renormalised(scene: Scene) -> Grid:
    """The weights of all keys, and those of hidden ones put to zero."""
    tag = scene.step.name.removesuffix("A")
    mask = next((s for s in scene.world.steps if s.kind == "mask" and s.name.startswith(tag)), None)
    if mask is None:
        raise Undefined("no mask")
    found = []
    for i, row in enumerate(scene.held[mask.args[0]]):
        powers = [a.exp() for a in row]
        found.append([ZERO if mask.hides(i, j) else a / sum(powers, ZERO) for j, a in enumerate(powers)])
    return found


def _row_key_not_transposed(scene: Scene) -> Grid:
    q, k = scene.args
    if len(k) != len(k[0]):
        raise Undefined("not square")
    i = scene.row(0)
    return scene.with_row(
        i, [sum((a * b for a, b in zip(q[i], column, strict=True)), ZERO) for column in zip(*k, strict=True)]
    )


def _exponent_sign(scene: Scene) -> Grid:
    """exp(1.2) for exp(-1.2)."""
    assert scene.at is not None
    score = scene.args[0][scene.at[0]][scene.at[1]]
    if not HIDDEN < score < 0:
        raise Undefined("no negative score")
    return scene.with_cell((-score).exp())


def _exponential_unseen(scene: Scene) -> Grid:
    """An exponential that is not printed, of a score with another digit: a whole row of weights is wrong."""
    assert scene.at is not None
    scores = scene.args[0][scene.at[0]]
    if scene.step.name in scene.author.places or sum(a != HIDDEN for a in scores) < 2:
        raise Undefined("it is printed, or the only one")
    off = Decimal(scene.rng.choice((-3, -2, -1, 1, 2, 3))).scaleb(-scene.rng.choice((0, 1, 1)))
    score = scores[scene.at[1]]
    if score == HIDDEN:
        raise Undefined("a hidden key")
    return scene.with_cell((score + off).exp())


def _product_point(scene: Scene) -> Grid:
    """0.3 · 0.2 = 0.6: the point of one product is misplaced."""
    assert scene.at is not None
    products = [a * b for a, b in terms(scene.step, scene.args, *scene.at)]
    k = scene.rng.randrange(len(products))
    moved = products[k] * 10 if scene.rng.random() < 0.7 else products[k] / 10
    return scene.with_cell(sum(products, ZERO) - products[k] + moved)


def _carry_lost(scene: Scene) -> Grid:
    """One too much or too little in the place before the last, or one further before."""
    assert scene.at is not None
    i, j = scene.at
    if scene.step.name not in scene.author.places:
        raise Undefined("it is not printed")
    places = scene.rng.choice((1, 1, 2)) - scene.author.places[scene.step.name]
    return scene.with_cell(scene.result[i][j] + Decimal(scene.rng.choice((-1, 1))).scaleb(places))


def _bias_in_first_row(scene: Scene) -> Grid:
    if len(scene.args) < 3:
        raise Undefined("no bias")
    scene.row(1)
    bias = scene.args[2][0]
    return [scene.result[0], *([a - b for a, b in zip(row, bias, strict=True)] for row in scene.result[1:])]


ROWS = ("project", "scores", "scale", "exp", "normalise", "weigh", "positions", "add")
SUMS = ("project", "scores", "weigh")
HUMAN: Mapping[str, Human] = {
    "row-copied": Human(ROWS, _row_copied, ("row-copied", "neighbour-row")),
    "rows-exchanged": Human(ROWS, _rows_exchanged, ("rows-exchanged", "neighbour-row")),
    "tokens-off-by-one": Human(ROWS, _tokens_off_by_one, ("rows-shifted", "neighbour-row")),
    "column-copied": Human(ROWS, _column_copied, ("column-copied", "neighbour-column")),
    "row-unscaled": Human(("scale",), _row_undivided, ("scale-omitted",)),
    "row-unrooted": Human(("scale",), _row_unrooted, ("scale-unrooted", "scale-model-width", "scale-length")),
    "first-row-scaled": Human(("scale",), _first_row_scaled, ("scale-omitted",)),
    "scale-omitted": Human(("scale",), None, ("scale-omitted",)),
    "scale-unrooted": Human(("scale",), None, ("scale-unrooted", "scale-model-width", "scale-length")),
    "row-unnormalised": Human(("normalise",), _row_undivided, ("weights-unnormalised",)),
    "sum-of-neighbour": Human(("normalise",), _sum_of_neighbour, ("sum-of-neighbour",)),
    "mask-not-renormalised": Human(("normalise",), _mask_not_renormalised, ("mask-after-softmax",)),
    "softmax-columns": Human(("sum",), None, ("softmax-columns",)),
    "key-not-transposed": Human(("scores",), None, ("key-not-transposed",)),
    "row-key-not-transposed": Human(("scores",), _row_key_not_transposed, ("key-not-transposed",)),
    "exponent-sign": Human(("exp",), _exponent_sign, ("exponent-sign",), cell=True),
    "exponential-unseen": Human(("exp",), _exponential_unseen, cell=True),
    "product-point": Human(SUMS, _product_point, ("product-point", "decimal-shifted"), cell=True),
    "carry-lost": Human((*SUMS, "sum", "scale", "normalise"), _carry_lost, ("carry-lost",), cell=True),
    "bias-in-first-row": Human(("project",), _bias_in_first_row, ("bias-dropped",)),
    "positions-shifted": Human(("positions",), None, ("positions-shifted",)),
    "sine-cosine-exchanged": Human(("positions",), None, ("sine-cosine-exchanged",)),
}
"""The kinds of slips, by their names."""


def is_made_here(mistake: Mistake) -> bool:
    """Whether a slip is one that this module makes."""
    return mistake.family == "human" and HUMAN[mistake.code].make is not None


def humanly(
    mistake: Mistake, step: Step, world: World, author: Author, held: Mapping[str, Grid], result: Grid
) -> Grid:
    """The result of a step with a slip of a human kind in it. Raises Undefined where it cannot be made."""
    make = HUMAN[mistake.code].make
    assert make is not None
    return make(Scene(Random(mistake.seed), world, author, held, step, result, mistake.at))


def mistakes_of(kind: str, rng: Random, world: World, author: Author) -> Iterator[Mistake]:
    """A slip of a kind in each of the steps that can have it and whose print can show it, in any order."""
    human = HUMAN[kind]
    steps = [step for step in world.steps if step.kind in human.steps]
    for step in rng.sample(steps, len(steps)):
        n, m = world.shapes[step.name]
        at = (rng.randrange(n), rng.randrange(m)) if human.cell else None
        if at is not None and step.kind in ("scale", "exp", "normalise") and world.hides(*at):
            continue  # of a hidden key nothing is printed but zeros
        if step.name in author.places or step.kind in ("exp", "sum", "scale"):
            yield Mistake(kind, "human", step.name, at, rng.getrandbits(32))
