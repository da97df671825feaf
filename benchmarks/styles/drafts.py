"""An example that somebody worked out: author, slips and truth of the injection benchmark over a task."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP
from random import Random

from benchmarks.injection.arithmetic import Step, Undefined
from benchmarks.injection.author import ENDING, Author, wholes
from benchmarks.injection.documents import _planted, planted_by_hand
from benchmarks.injection.human import HUMAN
from benchmarks.injection.mistakes import EXCHANGED, Mistake
from benchmarks.injection.run import Run, written
from benchmarks.injection.world import World
from benchmarks.notes.draft import ROOT, Draft
from benchmarks.styles.sentences import SENTENCES
from benchmarks.styles.tasks import Task
from benchmarks.styles.walks import world

LARGEST = 3_000  # of an exponential that somebody would print
SMALLEST = 0.05  # of a deviation that somebody would divide by

MISTAKES: Mapping[str, tuple[str, ...]] = {  # what goes wrong in a step of each kind
    "project": ("bias-dropped", "bias-doubled"),
    "scores": ("query-key-exchanged", "query-for-key", "key-for-query", "key-not-transposed"),
    "scale": ("scale-omitted", "scale-multiplied", "scale-unrooted", "scale-model-width", "scale-length"),
    "mask": ("mask-omitted", "mask-inverted", "mask-zero"),
    "exp": ("base-two", "base-ten"),
    "sum": ("softmax-columns", "softmax-whole", "denominator-without-1"),
    "weigh": ("weights-matrix-transposed", "values-reversed"),
    "concat": ("heads-reversed",),
    "add": ("summand-omitted",),
    "stack": ("stacked-in-reverse",),
    "temper": ("temperature-omitted", "temperature-multiplied"),
    "relu": ("relu-omitted", "relu-absolute"),
    "variance": ("layernorm-sample-variance",),
    "centred": ("layernorm-sample-variance", "layernorm-columns", "layernorm-not-centred"),
    "positions": ("positions-shifted", "exponent-doubled", "sine-cosine-exchanged"),
}


Planting = Callable[[World, Author], tuple[tuple[Mistake, ...], Run]]


def draft(rng: Random, task: Task, lang: str, slips: int) -> Draft:
    """An example of the task with so many slips that show, or fewer but at least one."""

    def planting(here: World, author: Author) -> tuple[tuple[Mistake, ...], Run]:
        found = _planted(rng, here, author, _library(here), slips)
        if slips and not found[0]:
            raise Undefined("no slip")
        return found

    return _drafted(rng, task, lang, planting)


def draft_by_hand(rng: Random, task: Task, lang: str) -> Draft:
    """An example of the task with one slip that shows, of a human kind."""
    return _drafted(
        rng, task, lang, lambda here, author: planted_by_hand(rng, here, author, rng.choice(tuple(HUMAN)))
    )


def _drafted(rng: Random, task: Task, lang: str, planting: Planting) -> Draft:
    while True:
        here = world(rng, task)
        author = _author(rng, here, task)
        try:
            written(here, author, ())
            mistakes, run = planting(here, author)
            made = Draft(rng, here, author, mistakes, run, lang)
        except (Undefined, IndexError):  # too large to print, or a mistake without a meaning here
            continue
        exps = [a for name, grid in run.held.items() if name.endswith("exp") for row in grid for a in row]
        if any(abs(a) > LARGEST for a in exps) or _trivial(run):
            continue
        if any(a < SMALLEST for (a,) in run.held.get("norm_1.deviation", [])):
            continue
        made.percents = "%" if task.percent else ""
        made.tokens = made.keys = rng.choice(_sentences(lang, here.shapes))
        return made


def _trivial(run: Run) -> bool:
    """Whether all scores are the same: nobody would show that."""
    grids = [grid for name, grid in run.held.items() if name.endswith("scores")]
    return any(len({a for row in grid for a in row}) == 1 for grid in grids)


def _sentences(lang: str, shapes: Mapping[str, tuple[int, int]]) -> list[tuple[str, ...]]:
    """The sentences with a token for each row of X, or for each key where a cache stands before it."""
    rows = ("K",) if "past_K" in shapes else ("X", "K", "z")
    count = next(shapes[name][0] for name in rows if name in shapes)
    exact = [said for said in SENTENCES[lang] if len(said) == count]
    return exact or [said[:count] for said in SENTENCES[lang] if len(said) > count]


def _author(rng: Random, here: World, task: Task) -> Author:
    """Somebody who prints every step that the task does not keep silent, all with the same decimals."""
    style = rng.choice(task.authors)
    decimals, whole = rng.choice(task.places), wholes(here, (*ENDING, "relu"))
    exp, root = rng.choice(task.exp), rng.choice(task.root)
    silent = {*task.silent, *(() if exp else ("exp", "sum")), *(() if root else (ROOT,))}
    places = {
        step.name: 0 if step.name in whole else 3 if step.name == ROOT else decimals
        for step in here.steps
        if step.name not in silent and step.name.partition(".")[2] not in silent
        if step.kind != "mask" and (step.kind != "scale" or here.scale != "1")
    }
    rounding = ROUND_DOWN if style == "truncates" else rng.choice((ROUND_HALF_UP, ROUND_HALF_EVEN))
    return Author(style, rng.getrandbits(32), places, rounding, rng.choice(task.stripped), None)


def _library(here: World) -> dict[str, tuple[str, ...]]:
    """The mistakes that can be made in each step."""
    return {step.name: (*MISTAKES.get(step.kind, ()), *_exchanges(step, here)) for step in here.steps}


def _exchanges(step: Step, here: World) -> Iterator[str]:
    """The exchanges of an argument with another one of its shape."""
    kinds = {"project": ("W_",), "weigh": ("K", "Q"), "exp": ("scores",)}.get(step.kind, ())
    tag = step.name.rpartition(".")[0]
    for code, (position, name) in EXCHANGED.items():
        other = f"{tag}.{name}" if tag and not name.startswith("W_") else name
        mine = step.kind != "project" or code.endswith(f"-for-{step.name.lower()}")
        mine &= step.kind != "exp" or step.args[0].endswith("scaled")
        known = mine and name.startswith(kinds) and other in here.shapes
        if known and here.shapes[other] == here.shapes[step.args[position]]:
            yield code
