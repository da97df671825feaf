"""Honest habits beside rounding: conventions and shortcuts that no number is to be accused for.

Each is put upon a world and an author drawn as usual; what they print then is right by that habit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal
from random import Random
from typing import TYPE_CHECKING, Any

from benchmarks.injection.arithmetic import Grid, Step, Undefined
from benchmarks.injection.world import World

if TYPE_CHECKING:
    from benchmarks.injection.author import Author

HABITS = (
    "subtracts the maximum",
    "subtracts the maximum, and says so",
    "rounds the root to one decimal",
    "makes weights add up to one",
    "rounds sums",
    "rounds what is not printed",
    "calculates in single precision",
)
"""What an author does; the first two print exponentials of differences."""
ROOT = "sqrt(d_k)"
LARGEST = 1e8


def with_habit(rng: Random, world: World, author: Author, habit: str) -> tuple[World, Author]:
    """The world and the author with a habit. Raises Undefined where it makes no difference here."""
    names = {step.kind: step.name for step in world.steps}
    author = replace(author, habit=habit)
    unprinted = [step.name for step in world.steps if step.name not in author.places]
    match habit:
        case "subtracts the maximum" | "subtracts the maximum, and says so":
            if "exp" not in names:
                raise Undefined("no softmax")
            said = {**world.settings, "shift": "max"} if habit.endswith("so") else world.settings
            steps = tuple(_shifted(step) if step.kind == "exp" else step for step in world.steps)
            return replace(world, steps=steps, settings=said), author
        case "rounds the root to one decimal":
            step = next((step for step in world.steps if step.kind == "root"), None)
            if step is None or step.facts["d_k"] in (1, 4):
                raise Undefined("no root that is rounded")
            return world, _without(author, (ROOT,), {ROOT: 1})
        case "makes weights add up to one":
            if "normalise" not in names or not any(name.endswith("A") for name in author.places):
                raise Undefined("no weights")
        case "rounds sums":
            sums = [step.name for step in world.steps if step.kind == "sum"]
            if not sums:
                raise Undefined("no sums")
            places = max(author.places.get(name.replace("sum", "exp"), 0) for name in sums)
            places = places or rng.choice((2, 3, max(author.places.values())))
            return world, replace(_without(author, sums, dict.fromkeys(sums, places)), style="keeps")
        case "rounds what is not printed":
            if not unprinted:
                raise Undefined("everything is printed")
            ends = rng.choice((min, max))(filter(None, author.places.values()), default=0)
            if not ends:
                raise Undefined("whole numbers")
            return world, replace(author, coarse=dict.fromkeys(unprinted, ends))
        case "calculates in single precision":
            d = rng.choice((4, 6, 7))
            places = {name: d if places else 0 for name, places in author.places.items()}
            return world, replace(author, places=places, style="keeps", rounding=ROUND_HALF_UP, pocket=None)
    return world, author


def _shifted(step: Step) -> Step:
    return replace(step, facts={**step.facts, "shift": 1})


def _without(author: Author, names: Sequence[str], coarse: dict[str, int]) -> Author:
    """The author who does not print these, and holds them to so many decimals."""
    places = {name: d for name, d in author.places.items() if name not in names}
    if not places:
        raise Undefined("nothing is printed")
    return replace(author, places=places, coarse=coarse)


def adding_up(texts: list[str], row: Sequence[Decimal]) -> list[str]:
    """A row of weights as it prints, one of them moved by a unit where they then add up to one."""
    places = max(len(text.partition(".")[2]) for text in texts)
    unit = Decimal(1).scaleb(-places)
    left = 1 - sum(map(Decimal, texts), Decimal(0))
    if places == 0 or abs(left) != unit:
        return texts
    gain = [(value - Decimal(text)) * left for text, value in zip(texts, row, strict=True)]
    at = gain.index(max(gain))
    moved = Decimal(texts[at]) + left
    return [f"{moved:f}" if j == at else text for j, text in enumerate(texts)] if moved >= 0 else texts


def in_single_precision(step: Step, args: Sequence[Grid]) -> Grid | None:
    """A step as a program with 32 bits carries it out, None for one that it has not."""
    import numpy as np

    arrays: list[Any] = [np.array([[float(a) for a in row] for row in grid], np.float32) for grid in args]
    match step.kind:
        case "project":
            x, w, *bias = arrays
            made = x @ (w.T if step.facts["transposed"] else w)
            made = made + bias[0] if bias else made
        case "scores":
            made = arrays[0] @ arrays[1].T
        case "scale":
            made = arrays[0] / arrays[1] if len(arrays) > 1 else arrays[0]
        case "exp":
            made = np.exp(arrays[0])
        case "sum":
            made = arrays[0].sum(axis=1, keepdims=True)
        case "normalise":
            made = arrays[0] / arrays[1]
        case "weigh":
            made = arrays[0] @ arrays[1]
        case _:
            return None
    if not np.all(np.abs(made) < LARGEST):
        raise Undefined("too large to print")
    return [[Decimal(float(a)) for a in row] for row in made]
