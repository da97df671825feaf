"""What each printed number is, known from how it came about.

correct: the exact value lies in its preimage. rounding: honest, yet not the exact value's print.
carried: rightly worked out from a wrong number. slip: neither what this author would have printed
without a slip here, nor what the printed numbers give. undecided: within the range that the printed
digits leave open, where that range is wider than 20 units: nobody can tell.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_DOWN, Decimal

from benchmarks.injection.arithmetic import Grid
from benchmarks.injection.author import Author
from benchmarks.injection.mistakes import Mistake
from benchmarks.injection.reach import Bounds, half_unit, reaches
from benchmarks.injection.run import Run, exact_walk, read_walk, right_from, written
from benchmarks.injection.steps import rests_on
from benchmarks.injection.world import Entry, World

EPSILON = Decimal(1).scaleb(-45)
WIDEST = 20


@dataclass(frozen=True)
class Truth:
    """The label of one printed number, the slips behind it, and whether any honest author could print it."""

    label: str
    roots: frozenset[Entry] = frozenset()
    possible: bool = False
    mistake: Mistake | None = None


@dataclass(frozen=True)
class Walks:
    """The walks that a label (and a baseline) is read off."""

    exact: dict[str, Grid]
    local: dict[str, Grid]
    local_exact_root: dict[str, Grid]
    right: dict[str, Grid]
    reach: dict[str, Bounds]


def walks_of(world: World, author: Author, run: Run) -> Walks:
    exact, local = exact_walk(world), read_walk(world, run.texts)
    return Walks(
        exact,
        local,
        read_walk(world, run.texts, root=False),
        right_from(world, author, run),
        reaches(world, run.texts, exact, local),
    )


def truths(
    world: World, author: Author, mistakes: Sequence[Mistake], run: Run, walks: Walks
) -> dict[Entry, Truth]:
    """The truth about every printed entry, in the order of the walk."""
    clean = written(world, author, ()).texts
    found: dict[Entry, Truth] = {}
    behind: dict[Entry, frozenset[Entry]] = {}
    for step in world.steps:
        n, m = world.shapes[step.name]
        for i in range(n):
            for j in range(m):
                entry = (step.name, i, j)
                below = frozenset(
                    root
                    for part in rests_on(step, i, j, world.shapes)
                    for root in behind.get(part, frozenset())
                )
                behind[entry] = below
                if entry in run.texts:
                    truth = found[entry] = _truth(entry, author, mistakes, run, walks, clean, below)
                    own = {"slip": frozenset((entry,)), "carried": below, "undecided": below}
                    behind[entry] = own.get(truth.label, frozenset())
    return found


def holds(text: str, value: Decimal) -> bool:
    """Whether the value rounds to the printed characters, either way at a tie."""
    return abs(Decimal(text) - value) <= half_unit(text) + EPSILON


def _cut(text: str, value: Decimal) -> bool:
    places = len(text.partition(".")[2])
    return value.quantize(Decimal(1).scaleb(-places), rounding=ROUND_DOWN) == Decimal(text)


def _truth(
    entry: Entry,
    author: Author,
    mistakes: Sequence[Mistake],
    run: Run,
    walks: Walks,
    clean: Mapping[Entry, str],
    below: frozenset[Entry],
) -> Truth:
    name, i, j = entry
    text = run.texts[entry]
    exact = walks.exact[name][i][j]
    locals_ = [walks.local[name][i][j], walks.local_exact_root[name][i][j]]
    low, high = walks.reach[name][i][j]
    half = half_unit(text)
    p = Decimal(text)
    within = low - half <= p <= high + half
    if holds(text, exact):
        return Truth("correct")
    right = author.row(name, walks.right[name][i])[j]
    follows = any(holds(text, x) for x in locals_)
    if not follows and author.style == "truncates":
        follows = any(_cut(text, x) for x in (exact, *locals_))
    if not follows and within and high - low > 2 * half * WIDEST:
        return Truth("undecided", below)
    if follows or p == Decimal(right):
        unaffected = not below or p == Decimal(clean[entry])
        return Truth("rounding") if unaffected else Truth("carried", below)
    mistake = next((m for m in mistakes if m.step == name and m.at in (None, (i, j))), None)
    return Truth("slip", frozenset((entry,)), within, mistake)
