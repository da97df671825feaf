"""A world while it is put together: inputs with random numbers, and one step after the other."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from benchmarks.injection.arithmetic import Step
from benchmarks.injection.world import World
from benchmarks.styles.tasks import Task

Pairs = frozenset[tuple[int, int]]


@dataclass(frozen=True)
class Sizes:
    """The number of tokens, and the widths."""

    n: int
    d_model: int
    d_k: int
    d_v: int


class Growing:
    """A world to which inputs and steps are added one after the other."""

    def __init__(self, rng: Random, task: Task) -> None:
        self.rng, self.task = rng, task
        n, d_k = rng.choice(task.n), rng.choice(task.d_k)
        self.size = Sizes(n, rng.choice(task.d_model), d_k, rng.choice(task.d_v) or d_k)
        self.decimals = rng.choice(task.inputs)
        self.bare = rng.random() < 0.3  # 1 for 1.0
        self.scaled, self.biased = rng.choice(task.scaled), rng.choice(task.biased)
        self.given: dict[str, list[list[str]]] = {}
        self.steps: list[Step] = []
        self.shapes: dict[str, tuple[int, int]] = {}

    def give(self, name: str, rows: int, columns: int) -> str:
        """An input with random numbers, no two rows of which are alike where that can be."""
        typed: list[list[str]] = []
        for _ in range(20):
            typed = [[self._typed() for _ in range(columns)] for _ in range(rows)]
            if len({tuple(row) for row in typed}) == rows and any(float(a) for row in typed for a in row):
                break
        self.given[name], self.shapes[name] = typed, (rows, columns)
        return name

    def _typed(self) -> str:
        if not self.decimals:
            return str(self.rng.choice((0, 0, 1, 1, 1, 2)))
        text = f"{self.rng.randint(-4 if self.rng.random() < 0.2 else 0, 12) / 10:.1f}"
        return text.removesuffix(".0") if self.bare else text

    def add(self, name: str, kind: str, args: tuple[str, ...], shape: tuple[int, int], **facts: int) -> str:
        size = self.size
        sizes = {"d_k": size.d_k, "d_model": size.d_model, "n": size.n}
        self.steps.append(Step(name, kind, args, {**sizes, "transposed": int(self.task.turned), **facts}))
        self.shapes[name] = shape
        return name

    def hide(self, logits: str, hidden: Pairs | None) -> str:
        """The scores with some pairs masked; None masks what comes later."""
        self.steps.append(Step("masked", "mask", (logits,), hidden=hidden))
        self.shapes["masked"] = self.shapes[logits]
        return "masked"

    def project(self, name: str, source: str, weights: str, width: int, bias: str = "") -> str:
        """The rows of a source times weights that are given with it, plus a bias."""
        n, d = self.shapes[source]
        self.give(weights, *((width, d) if self.task.turned else (d, width)))
        more = (self.give(bias, 1, width),) if bias else ()
        return self.add(name, "project", (source, weights, *more), (n, width))

    def world(self) -> World:
        return World(
            self.given,
            tuple(self.steps),
            self.shapes,
            1,
            "causal" if self.task.causal else "none",
            "1/sqrt(d_k)" if self.scaled else "1",
            "transposed" if self.task.turned else "right",
        )
