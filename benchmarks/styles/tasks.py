"""What an example is about, and the steps it takes: sizes, kind of attention, what stands around it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from random import Random

from benchmarks.injection.arithmetic import Step
from benchmarks.injection.author import STYLES as AUTHORS
from benchmarks.injection.world import World


@dataclass(frozen=True)
class Task:
    """Each field lists what is drawn from; `steps` names what the walk is made of, see `WALKS`.

    `inputs` are the decimals of the inputs, `places` those of the results. Exponentials with their sums, and
    the root of d_k, are held but not printed where `exp` and `root` say so; `silent` names other such steps.
    """

    steps: tuple[str, ...] = ("attention",)
    n: tuple[int, ...] = (2, 3, 3, 3)
    d_model: tuple[int, ...] = (2, 3, 4)
    d_k: tuple[int, ...] = (2, 2, 3, 4)
    d_v: tuple[int, ...] = (0,)  # 0: as d_k
    inputs: tuple[int, ...] = (0,)
    places: tuple[int, ...] = (2, 3, 3, 4)
    authors: tuple[str, ...] = AUTHORS
    stripped: tuple[bool, ...] = (False,)
    scaled: tuple[bool, ...] = (True,)
    causal: bool = False
    biased: tuple[bool, ...] = (False,)
    turned: bool = False  # W x instead of x W
    exp: tuple[bool, ...] = (False,)
    root: tuple[bool, ...] = (False,)
    percent: bool = False
    start: tuple[int, ...] = (0, 1)  # of the positions
    silent: tuple[str, ...] = ()


USUAL = Task()


@dataclass(frozen=True)
class Sizes:
    """The numbers of queries and keys, and the widths."""

    n: int
    keys: int
    d_model: int
    d_k: int
    d_v: int


class Growing:
    """A world to which inputs and steps are added one after the other."""

    def __init__(self, rng: Random, task: Task) -> None:
        self.rng, self.task = rng, task
        n, d_k = rng.choice(task.n), rng.choice(task.d_k)
        self.size = Sizes(n, n, rng.choice(task.d_model), d_k, rng.choice(task.d_v) or d_k)
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
        sizes = {"d_k": size.d_k, "d_model": size.d_model, "n": size.keys}
        self.steps.append(Step(name, kind, args, {**sizes, "transposed": int(self.task.turned), **facts}))
        self.shapes[name] = shape
        return name

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


def _project(g: Growing, queries: str, keys: str, tag: str = "") -> None:
    widths = {"Q": g.size.d_k, "K": g.size.d_k, "V": g.size.d_v}
    for name, width in widths.items():
        source = queries if name == "Q" else keys
        g.project(tag + name, source, f"{tag}W_{name}", width, f"b_{name}" if g.biased else "")


def _attend(g: Growing, tag: str = "") -> str:
    """From queries, keys and values to the output of a head."""
    n, keys = g.shapes[f"{tag}Q"][0], g.shapes[f"{tag}K"][0]
    square = n, keys
    g.add(f"{tag}scores", "scores", (f"{tag}Q", f"{tag}K"), square)
    root = ("sqrt(d_k)",) if g.scaled else ()
    if g.scaled and "sqrt(d_k)" not in g.shapes:
        g.add("sqrt(d_k)", "root", (), (1, 1))
    last = g.add(f"{tag}scaled", "scale", (f"{tag}scores", *root), square)
    if g.task.causal:
        last = g.add(f"{tag}masked", "mask", (last,), square)
    g.add(f"{tag}exp", "exp", (last,), square)
    g.add(f"{tag}sum", "sum", (f"{tag}exp",), (n, 1))
    g.add(f"{tag}A", "normalise", (f"{tag}exp", f"{tag}sum"), square)
    return g.add(f"{tag}Z", "weigh", (f"{tag}A", f"{tag}V"), (n, g.size.d_v))


def _attention(g: Growing) -> None:
    _project(g, g.give("X", g.size.n, g.size.d_model), "X")
    _attend(g)


def _from_queries(g: Growing) -> None:
    for name, width in {"Q": g.size.d_k, "K": g.size.d_k, "V": g.size.d_v}.items():
        g.give(name, g.size.n, width)
    _attend(g)


def _one_query(g: Growing) -> None:
    """A query that is given, against keys and values that are given."""
    for name, rows, width in (("Q", 1, g.size.d_k), ("K", g.size.n, g.size.d_k), ("V", g.size.n, g.size.d_v)):
        g.give(name, rows, width)
    _attend(g)


def _cross(g: Growing) -> None:
    """Queries of one sentence, keys and values of a memory."""
    keys = g.give("memory", g.rng.choice((2, 3)), g.size.d_model)
    _project(g, g.give("X", g.size.n, g.size.d_model), keys)
    _attend(g)


def _cache(g: Growing) -> None:
    """One new token, whose key and value join those of the tokens before it."""
    x = g.give("X", 1, g.size.d_model)
    g.project("Q", x, "W_Q", g.size.d_k)
    for name, width in (("K", g.size.d_k), ("V", g.size.d_v)):
        past = g.give(f"past_{name}", g.size.n - 1, width)
        new = g.project(f"new_{name}", x, f"W_{name}", width)
        g.add(name, "stack", (past, new), (g.size.n, width))
    _attend(g)


def _heads(g: Growing) -> None:
    """Two heads with weights of their own, put side by side and projected."""
    n = g.size.n
    g.give("X", n, g.size.d_model)
    for tag in ("head1.", "head2."):
        _project(g, "X", "X", tag)
        _attend(g, tag)
    g.add("concat", "concat", ("head1.Z", "head2.Z"), (n, 2 * g.size.d_v))
    g.project("output", "concat", "W_O", g.size.d_model)


def _sublayer(g: Growing) -> None:
    """Attention, X added back, and a LayerNorm with its statistics."""
    g.size = replace(g.size, d_v=g.size.d_model)
    _attention(g)
    wide = g.shapes["X"]
    g.add("residual_1", "add", ("X", "Z"), wide)
    one = wide[0], 1
    mean = g.add("norm_1.mean", "mean", ("residual_1",), one)
    variance = g.add("norm_1.variance", "variance", ("residual_1", mean), one)
    deviation = g.add("norm_1.deviation", "deviation", (variance,), one)
    g.add("norm_1", "centred", ("residual_1", mean, deviation), wide)


def _encoding(g: Growing) -> None:
    """Encodings of positions, added to embeddings."""
    shape = g.size.n, g.size.d_model
    g.add("PE", "positions", (), shape, d=g.size.d_model, start=g.rng.choice(g.task.start))
    g.add("X+PE", "add", (g.give("X", *shape), "PE"), shape)


WALKS: Mapping[str, Callable[[Growing], None]] = {
    "attention": _attention,
    "from queries": _from_queries,
    "one query": _one_query,
    "cross": _cross,
    "cache": _cache,
    "two heads": _heads,
    "sublayer": _sublayer,
    "encoding": _encoding,
}


def world(rng: Random, task: Task) -> World:
    """A random example of a task."""
    growing = Growing(rng, task)
    WALKS[rng.choice(task.steps)](growing)
    return growing.world()
