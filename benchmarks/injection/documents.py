"""A whole document with its truth: a case as the auditor gets it, and a label for each printed number."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from random import Random

from benchmarks.injection.arithmetic import Undefined
from benchmarks.injection.author import Author, random_author
from benchmarks.injection.habits import with_habit
from benchmarks.injection.human import mistakes_of
from benchmarks.injection.mistakes import EXCHANGED, Mistake, planned, terms
from benchmarks.injection.run import Run, written
from benchmarks.injection.truth import Truth, Walks, truths, walks_of
from benchmarks.injection.world import Entry, World, random_world
from symattn.attention.case import Case, Claim, Given, Settings
from symattn.attention.recipes.attention import attention, values
from symattn.exact.literal import read
from symattn.exact.matrix import Matrix
from symattn.plans.ops.exponential import Exponential
from symattn.plans.ops.products import WeightedSum
from symattn.plans.ops.project import Project
from symattn.plans.plan import Line


@dataclass(frozen=True)
class Document:
    """`entries` says which entry of the walk each printed number claims to be, in the order of printing."""

    case: Case
    world: World
    author: Author
    mistakes: tuple[Mistake, ...]
    entries: tuple[Entry, ...]
    texts: tuple[str, ...]
    truths: tuple[Truth, ...]
    walks: Walks
    worked: bool

    @property
    def clean(self) -> bool:
        return not self.mistakes


def documents(
    count: int, seed: int, *, clean: bool = False, spare: int | None = None, habits: Sequence[str] = ()
) -> Iterator[Document]:
    """`count` documents, each from a seed of its own and by one of the `habits` in turn; see `document`."""
    for k in range(count):
        habit = habits[k % len(habits)] if habits else ""
        yield document(Random(f"{seed}:{k}"), clean=clean, spare=spare, habit=habit)


def document(rng: Random, *, clean: bool = False, spare: int | None = None, habit: str = "") -> Document:
    """A random document: a third clean (or all), a third with one slip, a third with two or three.

    `spare` are the digits beyond the printed ones that its author keeps of results that are not printed;
    by default all, or for some authors two. `habit` is one of `benchmarks.injection.habits`.
    """
    while True:
        world = random_world(rng)
        author = random_author(rng, world)
        if spare is not None:
            author = replace(author, pocket=spare)
        try:
            world, author = with_habit(rng, world, author, habit) if habit else (world, author)
            written(world, author, ())
        except Undefined:
            continue
        library = slips_of(_case(world, ()))
        wanted = 0 if clean else rng.choice((0, 0, 1, 1, 2, 3))
        mistakes, run = _planted(rng, world, author, library, wanted)
        if wanted and not mistakes:
            continue
        try:
            return _printed(rng, world, author, mistakes, run)
        except Undefined:  # a misprint from which a reader could not go on
            continue


def slips_of(case: Case) -> Mapping[str, tuple[str, ...]]:
    """The codes of the auditor's library for each step of the case's plan, argument exchanges included."""
    given = values(case)
    plan = attention(case)
    names = {line.name for line in plan}
    found = {}
    for line in plan:
        codes = [slip.code for slip in line.op.slips()]
        tag = line.name.rpartition(".")[0]
        for code, (_, other) in EXCHANGED.items():
            other = f"{tag}.{other}" if tag and not other.startswith("W_") else other
            if isinstance(line.op, Project) and line.args[1] in ("W_Q", "W_K", "W_V"):
                mine = (
                    code.endswith(f"-for-{line.name.lower()}")
                    and given[other].shape == given[line.args[1]].shape
                )
                codes += [code] if mine and other.startswith("W_") else []
            elif other in names and _exchanges(line, code, case.settings.scale):
                codes.append(code)
        found[line.name] = tuple(codes)
    return found


def _exchanges(line: Line, code: str, scale: str) -> bool:
    """Whether the auditor tries this exchange of arguments in this step."""
    if isinstance(line.op, WeightedSum):
        return code.endswith("-for-values")
    after_scaling = isinstance(line.op, Exponential) and line.args[0].endswith("scaled") and scale != "1"
    return after_scaling and code == "scores-for-scaled"


def _planted(
    rng: Random, world: World, author: Author, library: Mapping[str, tuple[str, ...]], wanted: int
) -> tuple[tuple[Mistake, ...], Run]:
    """Up to `wanted` mistakes that can be made together and that show on paper."""
    mistakes: tuple[Mistake, ...] = ()
    run = written(world, author, ())
    for _ in range(4 * wanted):
        if len(mistakes) == wanted:
            break
        try:
            more = (*mistakes, planned(rng, world, library, author))
            told = written(world, author, more)
        except Undefined:
            continue
        if told.texts != run.texts:
            mistakes, run = more, told
    return mistakes, run


def planted_by_hand(rng: Random, world: World, author: Author, kind: str) -> tuple[tuple[Mistake, ...], Run]:
    """One mistake of a human kind that shows on paper. Raises Undefined where there is none."""
    run = written(world, author, ())
    for mistake in mistakes_of(kind, rng, world, author):
        try:
            told = written(world, author, (mistake,))
        except Undefined:
            continue
        if told.texts != run.texts:
            return (mistake,), told
    raise Undefined(kind)


def _printed(rng: Random, world: World, author: Author, mistakes: tuple[Mistake, ...], run: Run) -> Document:
    _first_row_only(rng, world, mistakes, run)
    walks = walks_of(world, author, run)
    truth = truths(world, author, mistakes, run, walks)
    worked = rng.random() < 0.3
    claims: list[Claim] = []
    entries: list[Entry] = []
    texts: list[str] = []
    labels: list[Truth] = []

    def put(rows: list[tuple[Entry, str, Truth]], work: str | None = None) -> None:
        (name, i, j), _, _ = rows[0]
        claims.append(Claim(name, (tuple(text for _, text, _ in rows),), i, j, work, len(claims) + 1))
        for entry, text, label in rows:
            entries.append(entry)
            texts.append(text)
            labels.append(label)

    for step in world.steps:
        n, m = world.shapes[step.name]
        for i in range(n):
            row = [
                ((step.name, i, j), run.texts[step.name, i, j])
                for j in range(m)
                if (step.name, i, j) in run.texts
            ]
            full = [(entry, text, truth[entry]) for entry, text in row]
            works = [_working(world, author, run, entry) if worked else None for entry, _ in row]
            if full and any(works):
                for one, work in zip(full, works, strict=True):
                    put([one], work)
            elif full:
                put(full)
    for name in author.places:
        if rng.random() < 0.1:
            rows = [entry for entry in run.texts if entry[0] == name and entry[1] == 0]
            put([(entry, run.texts[entry], truth[entry]) for entry in rows])
        elif name.endswith("A") and rng.random() < 0.3 and author.places[name] >= 2 and not author.stripped:
            rows = [entry for entry in run.texts if entry[0] == name]
            for i in sorted({entry[1] for entry in rows}):
                put([(e, _percent(run.texts[e]), truth[e]) for e in rows if e[1] == i])
    return Document(
        _case(world, tuple(claims)),
        world,
        author,
        mistakes,
        tuple(entries),
        tuple(texts),
        tuple(labels),
        walks,
        worked,
    )


def _first_row_only(rng: Random, world: World, mistakes: tuple[Mistake, ...], run: Run) -> None:
    """Now and then a source works out the first token only, from the scores or the exponentials on."""
    start = rng.choice(("scores", "exp"))
    if rng.random() > 0.1 or any(m.at is None or m.at[0] > 0 for m in mistakes):
        return
    names = [step.name for step in world.steps]
    first = next((k for k, name in enumerate(names) if name.endswith(start)), len(names))
    for entry in [entry for entry in run.texts if entry[0] in names[first:] and entry[1] > 0]:
        if not entry[0].endswith(("Q", "K", "V")):
            del run.texts[entry]


def _percent(text: str) -> str:
    places = len(text.partition(".")[2]) - 2
    return f"{Decimal(text) * 100:.{places}f}%" if places >= 0 else text


def _working(world: World, author: Author, run: Run, entry: Entry) -> str | None:
    """The sum of products of an entry in the numbers before the author, where all of them are printed."""
    name, i, j = entry
    step = next(step for step in world.steps if step.name == name)
    if step.kind not in ("project", "scores", "weigh"):
        return None
    shown = []
    for argument in step.args:
        if argument in world.given:
            shown.append(world.given[argument])
        elif all(
            (argument, r, c) in run.texts
            for r in range(world.shapes[argument][0])
            for c in range(world.shapes[argument][1])
        ):
            shown.append([[author.printed(argument, a) for a in row] for row in run.held[argument]])
        else:
            return None
    pairs = terms(step, [[[Decimal(a) for a in row] for row in grid] for grid in shown], i, j)
    spelled = [f"({a})" if a < 0 else f"{a}" for pair in pairs for a in pair]
    return " + ".join(f"{a}*{b}" for a, b in zip(spelled[::2], spelled[1::2], strict=True))


def _case(world: World, claims: tuple[Claim, ...]) -> Case:
    given = {name: given_of(tuple(tuple(row) for row in rows)) for name, rows in world.given.items()}
    if world.positions is not None:
        n, d, start = world.positions
        settings = Settings(positions="sinusoidal", start=start, d_model=d)
        return Case("random", {}, tokens=tuple(f"t{k}" for k in range(n)), settings=settings, stated=claims)
    own = {"weights": world.weights, "scale": world.scale, "mask": world.mask, "heads": world.heads}
    settings = Settings(**{**own, **world.settings})
    return Case("random", given, settings=settings, stated=claims)


@cache
def given_of(typed: tuple[tuple[str, ...], ...]) -> Given:
    return Given(typed, Matrix.of([[read(a, {}) for a in row] for row in typed]))


__all__ = ["Document", "document", "documents", "given_of", "planted_by_hand", "slips_of"]
