"""A random case: its givens as typed, its conventions, its steps, and which results get printed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from random import Random
from typing import Any

from benchmarks.injection.arithmetic import Grid, Step

Entry = tuple[str, int, int]


@dataclass(frozen=True)
class World:
    """What the author starts from, and the steps in order; `shapes` covers givens and results.

    `settings` are further conventions of its case, by their names there.
    """

    given: dict[str, list[list[str]]]
    steps: tuple[Step, ...]
    shapes: dict[str, tuple[int, int]]
    heads: int
    mask: str
    scale: str
    weights: str
    positions: tuple[int, int, int] | None = None  # n, d, start
    settings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def masked(self) -> bool:
        """Whether the walk has a mask."""
        return any(step.kind == "mask" for step in self.steps)

    def hides(self, i: int, j: int) -> bool:
        """Whether key j is hidden from query i."""
        return any(step.kind == "mask" and step.hides(i, j) for step in self.steps)

    @property
    def values(self) -> dict[str, Grid]:
        return {name: [[Decimal(a) for a in row] for row in rows] for name, rows in self.given.items()}


def random_world(rng: Random) -> World:
    """A case of n 2-5 tokens, d_model 2-5, d_k 1-4 for each of 1-2 heads."""
    if rng.random() < 0.04:
        return _encoding(rng)
    n, d_model, d_k, heads = rng.randint(2, 5), rng.randint(2, 5), rng.randint(1, 4), rng.choice((1, 1, 1, 2))
    masked, scaled, turned = rng.random() < 0.25, rng.random() < 0.8, rng.random() < 0.15
    biased, projected = rng.random() < 0.15, rng.random() < (0.5 if heads == 2 else 0.1)
    places = rng.choice((0, 1, 1, 2))
    signs = rng.random() < 0.4
    width = heads * d_k

    def typed(rows: int, columns: int, least: float, most: float) -> list[list[str]]:
        def one() -> str:
            value = rng.uniform(-most if signs and rng.random() < 0.4 else least, most)
            return f"{value:.{places}f}".replace("-0.00", "0.00") if rng.random() > 0.1 else "0"

        return [[one() for _ in range(columns)] for _ in range(rows)]

    top = 3.0 if places == 0 else 1.6
    given = {"X": typed(n, d_model, 0, top)}
    for name in "QKV":
        given[f"W_{name}"] = typed(width, d_model, 0, top) if turned else typed(d_model, width, 0, top)
        if biased:
            given[f"b_{name}"] = typed(1, width, 0, 1)
    if projected:
        given["W_O"] = typed(d_model, width, 0, 1) if turned else typed(width, d_model, 0, 1)
    steps, shapes = _steps(n, d_model, d_k, heads, masked, scaled, turned, biased, projected)
    shapes |= {name: (len(rows), len(rows[0])) for name, rows in given.items()}
    return World(
        given,
        tuple(steps),
        shapes,
        heads,
        "causal" if masked else "none",
        "1/sqrt(d_k)" if scaled else "1",
        "transposed" if turned else "right",
    )


def _encoding(rng: Random) -> World:
    n, d, start = rng.randint(2, 4), rng.choice((2, 4)), rng.choice((0, 1))
    step = Step("PE", "positions", (), {"n": n, "d": d, "start": start})
    return World({}, (step,), {"PE": (n, d)}, 1, "none", "1/sqrt(d_k)", "right", (n, d, start))


def _steps(
    n: int,
    d_model: int,
    d_k: int,
    heads: int,
    masked: bool,
    scaled: bool,
    turned: bool,
    biased: bool,
    projected: bool,
) -> tuple[list[Step], dict[str, tuple[int, int]]]:
    facts = {"d_k": d_k, "d_model": d_model, "n": n, "transposed": int(turned)}
    steps, shapes = [], {}

    def add(name: str, kind: str, args: tuple[str, ...], shape: tuple[int, int], **more: int) -> None:
        steps.append(Step(name, kind, args, {**facts, **more}))
        shapes[name] = shape

    for name in "QKV":
        bias = (f"b_{name}",) if biased else ()
        add(name, "project", ("X", f"W_{name}", *bias), (n, heads * d_k))
    root = "sqrt(d_k)"
    if scaled:
        add(root, "root", (), (1, 1))
    for h in range(heads):
        tag = f"head{h + 1}." if heads > 1 else ""
        if heads > 1:
            for name in "QKV":
                add(tag + name, "columns", (name,), (n, d_k), start=h * d_k, stop=(h + 1) * d_k)
        add(f"{tag}scores", "scores", (f"{tag}Q", f"{tag}K"), (n, n))
        add(f"{tag}scaled", "scale", (f"{tag}scores", *((root,) if scaled else ())), (n, n))
        logits = f"{tag}scaled"
        if masked:
            logits = f"{tag}masked"
            add(logits, "mask", (f"{tag}scaled",), (n, n))
        add(f"{tag}exp", "exp", (logits,), (n, n))
        add(f"{tag}sum", "sum", (f"{tag}exp",), (n, 1))
        add(f"{tag}A", "normalise", (f"{tag}exp", f"{tag}sum"), (n, n))
        add(f"{tag}Z", "weigh", (f"{tag}A", f"{tag}V"), (n, d_k))
    last = "Z"
    if heads > 1:
        last = "concat"
        add(last, "concat", tuple(f"head{h + 1}.Z" for h in range(heads)), (n, heads * d_k))
    if projected:
        add("output", "project", (last, "W_O"), (n, d_model))
    return steps, shapes
