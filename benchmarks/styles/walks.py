"""The steps that an example takes, by the name of its subject."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random

from benchmarks.injection.world import World
from benchmarks.styles.growing import Growing, Pairs
from benchmarks.styles.tasks import Task


def _project(g: Growing, queries: str, keys: str, tag: str = "") -> None:
    widths = {"Q": g.size.d_k, "K": g.size.d_k, "V": g.size.d_v}
    for name, width in widths.items():
        source = queries if name == "Q" else keys
        g.project(tag + name, source, f"{tag}W_{name}", width, f"b_{name}" if g.biased else "")


def _attend(g: Growing, tag: str = "", hidden: Pairs | None = None, tempered: bool = False) -> None:
    """From queries, keys and values to the output of a head, some pairs `hidden` where there are any."""
    n, keys = g.shapes[f"{tag}Q"][0], g.shapes[f"{tag}K"][0]
    square = n, keys
    g.add(f"{tag}scores", "scores", (f"{tag}Q", f"{tag}K"), square)
    root = ("sqrt(d_k)",) if g.scaled else ()
    if g.scaled and "sqrt(d_k)" not in g.shapes:
        g.add("sqrt(d_k)", "root", (), (1, 1))
    last = g.add(f"{tag}scaled", "scale", (f"{tag}scores", *root), square)
    if tempered:
        last = g.add("tempered", "temper", (last,), square, tenths=g.rng.choice((5, 20, 20, 40)))
    if g.task.causal or hidden is not None:
        last = g.hide(last, hidden)
    g.add(f"{tag}exp", "exp", (last,), square)
    g.add(f"{tag}sum", "sum", (f"{tag}exp",), (n, 1))
    g.add(f"{tag}A", "normalise", (f"{tag}exp", f"{tag}sum"), square)
    g.add(f"{tag}Z", "weigh", (f"{tag}A", f"{tag}V"), (n, g.size.d_v))


def _attention(g: Growing) -> None:
    _project(g, g.give("X", g.size.n, g.size.d_model), "X")
    _attend(g)


def _give_queries(g: Growing, queries: int) -> None:
    """So many queries that are given, with the keys and values of all tokens."""
    for name, rows, width in (
        ("Q", queries, g.size.d_k),
        ("K", g.size.n, g.size.d_k),
        ("V", g.size.n, g.size.d_v),
    ):
        g.give(name, rows, width)


def _from_queries(g: Growing) -> None:
    _give_queries(g, g.size.n)
    _attend(g)


def _one_query(g: Growing) -> None:
    _give_queries(g, 1)
    _attend(g)


def _temperature(g: Growing) -> None:
    _give_queries(g, g.size.n)
    _attend(g, tempered=True)


def _padding(g: Growing) -> None:
    """The last token is padding."""
    _give_queries(g, g.size.n)
    _attend(g, hidden=frozenset((i, g.size.n - 1) for i in range(g.size.n)))


def _window(g: Growing) -> None:
    """Every token sees its neighbours."""
    n = range(g.size.n)
    _give_queries(g, g.size.n)
    _attend(g, hidden=frozenset((i, j) for i in n for j in n if abs(i - j) > 1))


def _softmax(g: Growing) -> None:
    """Exponentials of a row that is given, and their shares."""
    row = g.give("z", 1, g.size.n)
    g.add("exp", "exp", (row,), g.shapes[row])
    g.add("sum", "sum", ("exp",), (1, 1))
    g.add("A", "normalise", ("exp", "sum"), g.shapes[row])


def _feed_forward(g: Growing) -> None:
    """Two layers and a ReLU."""
    wide, d_model = g.size.d_k, g.size.d_model
    g.give("X", g.size.n, d_model)
    g.project("widened", "X", "W_1", wide, "b_1" if g.biased else "")
    g.add("active", "relu", ("widened",), (g.size.n, wide))
    g.project("ffn", "active", "W_2", d_model, "b_2" if g.biased else "")


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


def _positions_added(g: Growing) -> None:
    """Encodings that are added, and attention over the sum."""
    _encoding(g)
    _project(g, "X+PE", "X+PE")
    _attend(g)


WALKS: Mapping[str, Callable[[Growing], None]] = {
    "attention": _attention,
    "from queries": _from_queries,
    "one query": _one_query,
    "cross": _cross,
    "cache": _cache,
    "two heads": _heads,
    "sublayer": _sublayer,
    "encoding": _encoding,
    "positions added": _positions_added,
    "temperature": _temperature,
    "padding": _padding,
    "window": _window,
    "softmax": _softmax,
    "feed-forward": _feed_forward,
}


def world(rng: Random, task: Task) -> World:
    """A random example of a task."""
    growing = Growing(rng, task)
    WALKS[rng.choice(task.steps)](growing)
    return growing.world()
