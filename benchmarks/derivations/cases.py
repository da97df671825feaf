"""Random small cases as TOML text, over the product of the settings."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

Table = dict[str, Any]
PRIMES = (2, 3, 5, 7)


def cases(seed: int) -> Iterator[str]:
    """Cases without end; number k depends on the seed and on k alone."""
    k = 0
    while True:
        yield toml(Maker(random.Random(f"{seed}:{k}")).case())
        k += 1


def toml(case: Table) -> str:
    """The tables of a case; JSON spells its strings, lists and numbers as TOML does."""
    lines = []
    for table, content in case.items():
        lines.append(f"[{table}]")
        lines += [f"{json.dumps(name)} = {json.dumps(value)}" for name, value in content.items()]
    return "\n".join(lines) + "\n"


class Maker:
    """One case: what it is given, then its settings, each chosen at random from what fits."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.kind = rng.choice(("rational", "rational", "surd", "log"))
        self.given: Table = {}
        self.settings: Table = {}

    def chance(self, p: float) -> bool:
        return self.rng.random() < p

    def entry(self) -> str:
        """An integer, a decimal or a fraction; in some cases a multiple of a root or a logarithm."""
        rng = self.rng
        plain = rng.choice(
            (
                str(rng.randint(-3, 3)),
                f"{rng.randint(-9, 9)}/{rng.randint(2, 9)}",
                f"{rng.randint(-250, 250) / 100:.2f}",
            )
        )
        if self.kind == "rational" or self.chance(0.65):
            return plain
        factor, p = rng.choice(("", "-", "1/2*", "2/3*")), rng.choice(PRIMES)
        if self.kind == "surd":
            return f"{factor}sqrt({p})" if self.chance(0.7) else f"{rng.randint(-2, 2)}+{factor}sqrt({p})"
        return f"{factor}log({p})"

    def positive(self) -> str:
        return self.rng.choice(("1/2", "2", "3/2", "0.7", "sqrt(2)", "log(3)", "5"))

    def matrix(self, rows: int, columns: int) -> list[list[str]]:
        return [[self.entry() for _ in range(columns)] for _ in range(rows)]

    def case(self) -> Table:
        rng, given, settings = self.rng, self.given, self.settings
        heads, kv = rng.choice(((1, 1), (1, 1), (1, 1), (2, 2), (2, 1), (2, 1), (4, 2)))
        n_q, d_k, d_v = rng.randint(1, 3), rng.randint(1, 3), rng.randint(1, 3)
        if heads == 4:
            d_k, d_v = 1, 1
        if self.chance(0.15) and heads < 4:
            settings["positions"], d_k = "rope", 2
        start = rng.choices(("X", "Q", "scores"), (6, 3, 1))[0]
        if start == "scores":
            heads = kv = 1
            settings.pop("positions", None)
        if heads > 1:
            settings["heads"] = heads
        if kv < heads:
            settings["kv_heads"] = kv
        n_k = n_q if self.chance(0.6) else rng.randint(1, 4)
        width = d_v * heads
        if start == "X":
            n_k, width = self.inputs(n_q, n_k, (heads, kv), (d_k, d_v))
        elif start == "Q":
            given["Q"], given["K"] = self.matrix(n_q, heads * d_k), self.matrix(n_k, kv * d_k)
            given["V"] = self.matrix(n_k, kv * d_v)
        else:
            name = rng.choice(("scores", "scaled"))
            given[name], given["V"] = self.matrix(n_q, n_k), self.matrix(n_k, d_v)
            settings["scale"] = self.positive()
        if start != "X" and self.chance(0.2) and heads > 1:
            d = rng.randint(1, 3)
            given["W_O"], width = self.matrix(*self.turned(width, d)), d
        if self.chance(0.3) and start != "scores":
            settings["scale"] = rng.choice(("1", "1/d_k", "1/n", self.positive()))
        if start != "scores" and self.chance(0.1):
            settings["qk_norm"] = rng.choice(("unit", "rms"))
        if start != "scores" and self.chance(0.08):
            settings["kernel"] = "relu"
            if settings.get("layers", 1) == 1 and self.chance(0.3):
                settings["evaluation"] = "linear"
        else:
            self.before_the_softmax(n_q, n_k, heads)
        self.backward(n_q, width, heads)
        return {"given": given, "attention": settings}

    def turned(self, rows: int, columns: int) -> tuple[int, int]:
        """The shape of weights, which may be given transposed."""
        return (columns, rows) if "weights" in self.settings else (rows, columns)

    def inputs(self, n_q: int, n_k: int, heads: tuple[int, int], widths: tuple[int, int]) -> tuple[int, int]:
        """X and the weights, perhaps a memory, a cache and layers; the number of keys and the last width."""
        rng, given, settings = self.rng, self.given, self.settings
        (queries, keys), (d_k, d_v), d = heads, widths, rng.randint(1, 3)
        if self.chance(0.15):
            settings["weights"] = rng.choice(("transposed", "left"))
        if self.chance(0.35):
            self.layer()
        layers = settings.get("layers", 1)
        if settings.get("norm") == "layer":
            d = max(d, 2)
        given["X"] = self.matrix(n_q, d)
        if self.chance(0.1) and "positions" not in settings:
            settings |= {"positions": "sinusoidal", "start": rng.randint(0, 3)}
        if self.chance(0.2) and layers == 1:
            given["memory"] = self.matrix(n_k, d)
        else:
            n_k = n_q
        shapes = {"Q": queries * d_k, "K": keys * d_k, "V": keys * d_v}
        whole = "layer" in settings or layers > 1
        if whole or self.chance(0.4):
            shapes["O"] = d if whole else rng.randint(1, 3)
        for layer in range(1, layers + 1):
            tag = f"layer{layer}." if layer > 1 else ""
            if tag and self.chance(0.5):
                continue
            for name, columns in shapes.items():
                if tag and self.chance(0.5):
                    continue
                rows = queries * d_v if name == "O" else d
                given[f"{tag}W_{name}"] = self.matrix(*self.turned(rows, columns))
        for name, columns in shapes.items():
            if self.chance(0.15):
                given[f"b_{name}"] = [self.entry() for _ in range(columns)]
        if self.chance(0.2):
            past = rng.randint(1, 2)
            given["past_K"] = self.matrix(past, keys * d_k)
            given["past_V"] = self.matrix(past, keys * d_v)
            n_k += past
        if settings.get("layer", "none") not in ("none", "residual"):
            self.feed_forward(d)
        return n_k, shapes.get("O", queries * d_v)

    def layer(self) -> None:
        rng, settings = self.rng, self.settings
        kind = rng.choice(("none", "residual", "residual", "post-norm", "pre-norm"))
        if kind != "none":
            settings["layer"] = kind
        if self.chance(0.5) or kind == "none":
            settings["layers"] = 2
        if kind in ("post-norm", "pre-norm"):
            settings["norm"] = rng.choice(("layer", "rms"))
            if self.chance(0.6):
                settings["epsilon"] = rng.choice(("1/10", "0.001", "1"))
            if self.chance(0.3):
                settings["activation"] = "gelu"

    def feed_forward(self, d: int) -> None:
        given, wide = self.given, self.rng.randint(1, 3)
        given["W_1"], given["W_2"] = self.matrix(*self.turned(d, wide)), self.matrix(*self.turned(wide, d))
        if self.chance(0.4):
            given["b_1"] = [self.entry() for _ in range(wide)]
        if self.chance(0.3):
            given["b_2"] = [self.entry() for _ in range(d)]
        for k in "12":
            if self.chance(0.4):
                given[f"gamma_{k}"] = [self.entry() for _ in range(d)]
                if self.settings["norm"] == "layer":
                    given[f"beta_{k}"] = [self.entry() for _ in range(d)]

    def before_the_softmax(self, n_q: int, n_k: int, heads: int) -> None:
        """Scores, biases, masks, temperature, base, sink, and how they are evaluated."""
        rng, given, settings = self.rng, self.given, self.settings
        if self.chance(0.3) and "positions" not in settings:
            settings["positions"] = rng.choice(("alibi", "relative"))
            if settings["positions"] == "relative":
                given["relative"] = [self.entry() for _ in range(2 * rng.randint(0, 2) + 1)]
            elif self.chance(0.6):
                settings["slopes"] = [self.positive() for _ in range(heads)]
        elif settings.get("positions") == "rope":
            if "past_K" in given:
                settings["past_keys"] = rng.choice(("rotated", "unrotated"))
            settings["angles"] = [rng.choice(("pi/3", "pi/4", "1", "1/2", "sqrt(2)"))]
            if self.chance(0.3):
                settings |= {"start": rng.randint(1, 3), "pairs": "half"}
        hidden = self.masks(n_q, n_k)
        if n_q != n_k and (
            settings.get("mask") == "causal"
            or any(key in settings for key in ("window_left", "window_right"))
            or settings.get("positions") in ("rope", "alibi", "relative")
        ):
            settings["align"] = "bottom-right" if n_q < n_k else rng.choice(("top-left", "bottom-right"))
        if self.chance(0.12):
            settings["softcap"] = self.positive()
        if self.chance(0.15):
            settings["temperature"] = self.positive()
        if self.chance(0.12):
            settings["base"] = rng.choice(
                ("2", "10", "sqrt(2)", "3/2", "pi") if hidden else ("2", "1/2", "3")
            )
        elif self.chance(0.1):
            settings["jacobians"] = rng.choice(("rows", "all"))
        if self.chance(0.15):
            given["sink"] = [self.entry() for _ in range(rng.choice((1, heads)))]
        if settings.get("layers", 1) == 1 and self.chance(0.25):
            if settings.get("mask") == "causal" and n_q <= n_k:
                settings["evaluation"] = "cached"
            elif not hidden:
                settings |= {"evaluation": "online", "block": rng.randint(1, 2)}

    def masks(self, n_q: int, n_k: int) -> bool:
        """Adds masks; whether any key may be hidden."""
        rng, settings = self.rng, self.settings
        match rng.choice(("none", "none", "causal", "causal", "window", "boolean", "added", "padding")):
            case "causal":
                settings["mask"] = "causal"
                if self.chance(0.3):
                    settings["window_left"] = rng.randint(0, 2)
            case "window":
                settings |= {"window_left": rng.randint(0, 2), "window_right": rng.randint(0, 1)}
            case "boolean":
                settings["mask"] = [[rng.choice((0, 1, 1)) for _ in range(n_k)] for _ in range(n_q)]
            case "added":
                settings["mask"] = [
                    [rng.choice(("-inf", self.entry(), self.entry())) for _ in range(n_k)] for _ in range(n_q)
                ]
            case "padding":
                settings["padding"] = [rng.choice((0, 1, 1)) for _ in range(n_k)]
            case "none":
                return False
        return True

    def backward(self, n_q: int, width: int, heads: int) -> None:
        """A loss of what is computed last, or a gradient of it; in some cases none."""
        given, settings = self.given, self.settings
        whole = settings.get("layers", 1) > 1
        last = "concat" if heads > 1 else "Z"
        last = {"none": "output" if "W_O" in given else last, "residual": "residual_1"}.get(
            settings.get("layer", "none"), "norm_2" if settings.get("layer") == "post-norm" else "residual_2"
        )
        kind = self.rng.choice(("none", "given", "given", "given", "sum", "squared", "cross-entropy"))
        if kind == "given" and whole and settings.get("layer", "none") == "none":
            kind = "squared"  # only the gradients of a layer have a name with its number
        match kind:
            case "given":
                given[f"layer2.d{last}" if whole else f"d{last}"] = self.matrix(n_q, width)
            case "sum" | "squared" | "cross-entropy":
                settings["loss"] = kind
                if kind == "squared":
                    given["target"] = self.matrix(n_q, width)
                if kind == "cross-entropy":
                    given["target"] = [
                        [int(j == hot) for j in range(width)]
                        for hot in (self.rng.randrange(width) for _ in range(n_q))
                    ]
