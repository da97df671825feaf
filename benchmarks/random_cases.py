"""Random cases over the product of the settings, begun at every step, for the cross-check and the proofs.

`random_case(seed)` is the TOML text of a case; some combinations are refused by the tool, which is an answer.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence

Rows = list[list[str]]

NUMBERS: Mapping[str, Sequence[str]] = {
    "whole": ("-2", "-1", "0", "1", "2", "3"),
    "decimal": ("0.7", "-0.5", "0.3", "1.1", "-0.25", "0.1", "2.5", "0"),
    "fraction": ("1/3", "-2/7", "5/6", "1/10", "-3/2", "0"),
    "root": ("sqrt(2)", "-sqrt(3)/2", "1/sqrt(5)", "1", "0"),
    "large": ("1000", "-1000", "40", "-7", "709", "0", "750"),
    "small": ("1e-50", "-1e-12", "1/2", "1e-60", "1", "-3e-30"),
    "mixed": ("1e-50", "30", "-1/7", "0.1", "sqrt(2)", "0"),
}

STARTS = ("X", "Q", "scores", "scaled", "masked", "exp", "sum", "A", "Z", "concat")


class _Draw:
    """The chance of one case."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.kind = self.of("whole", "decimal", "decimal", "fraction", "root", "large", "small", "mixed")

    def of(self, *options: str) -> str:
        return self.chance.choice(options)

    def maybe(self, share: float) -> bool:
        return self.chance.random() < share

    def matrix(self, n: int, m: int, kind: str | None = None) -> Rows:
        return [[self.chance.choice(NUMBERS[kind or self.kind]) for _ in range(m)] for _ in range(n)]

    def positive(self, n: int, m: int) -> Rows:
        return [[self.of("1/2", "0.3", "2", "1e-9", "0.7", "5/3") for _ in range(m)] for _ in range(n)]


def random_case(seed: int) -> str:
    """The text of a case."""
    draw = _Draw(seed)
    heads = 2 if draw.maybe(0.25) else 1
    n_q, d = draw.chance.randint(1, 3), draw.chance.randint(1, 2) * (2 if draw.maybe(0.3) else 1)
    start = draw.chance.choice(STARTS[:1] * 6 + STARTS[1:2] * 6 + STARTS[2:])
    n_k = n_q if start == "X" else draw.chance.randint(1, 3)
    settings: dict[str, object] = {}
    given = _given(draw, start, heads, n_q, n_k, d, settings)
    _conventions(draw, settings, given, heads, n_q, n_k)
    if draw.maybe(0.3) and start in ("X", "Q"):
        _backward(draw, settings, given, heads, n_q, d)
    return _toml(given, settings)


def _given(
    draw: _Draw, start: str, heads: int, n_q: int, n_k: int, d: int, settings: dict[str, object]
) -> dict[str, object]:
    width = d * heads
    tags = [f"head{h + 1}." for h in range(heads)] if heads > 1 else [""]
    given: dict[str, object] = {"V": draw.matrix(n_k, width)} if start not in ("X", "Z", "concat") else {}
    if start == "X":
        inner = draw.chance.randint(1, 2) if not draw.maybe(0.4) else width
        given["X"] = draw.matrix(n_q, inner)
        given |= {name: draw.matrix(inner, width) for name in ("W_Q", "W_K", "W_V")}
        if draw.maybe(0.3):
            given |= {name: draw.matrix(1, width)[0] for name in ("b_Q", "b_K", "b_V") if draw.maybe(0.7)}
        if draw.maybe(0.5):
            given["W_O"] = draw.matrix(width, inner)
            _layer(draw, settings, given, inner)
        if draw.maybe(0.1):
            given["memory"] = draw.matrix(n_k, inner)
        if draw.maybe(0.1):
            given |= {"past_K": draw.matrix(1, width), "past_V": draw.matrix(1, width)}
    elif start == "Q":
        given |= {"Q": draw.matrix(n_q, width), "K": draw.matrix(n_k, width)}
    elif start in ("scores", "scaled", "masked"):
        given |= {f"{tag}{start}": draw.matrix(n_q, n_k) for tag in tags}
        if start == "masked" and draw.maybe(0.5):
            given[f"{tags[0]}masked"][0][0] = "-inf"  # type: ignore[index]
    elif start in ("exp", "sum"):
        given |= {f"{tag}exp": draw.positive(n_q, n_k) for tag in tags}
        if start == "sum":
            given |= {f"{tag}sum": draw.positive(n_q, 1) for tag in tags}
    elif start == "A":
        given |= {f"{tag}A": draw.positive(n_q, n_k) for tag in tags}
    elif heads > 1 and start == "Z":
        given |= {f"{tag}Z": draw.matrix(n_q, d) for tag in tags}
    else:
        given["concat" if heads > 1 else "Z"] = draw.matrix(n_q, width)
    if start in ("Z", "concat") or (start != "X" and draw.maybe(0.2)):
        given["W_O"] = draw.matrix(width, 2)
        if draw.maybe(0.5):
            given["b_O"] = draw.matrix(1, 2)[0]
    return given


def _layer(draw: _Draw, settings: dict[str, object], given: dict[str, object], width: int) -> None:
    settings["layer"] = draw.of("none", "none", "residual", "post-norm", "pre-norm")
    if settings["layer"] in ("post-norm", "pre-norm"):
        given |= {"W_1": draw.matrix(width, 2), "W_2": draw.matrix(2, width)}
        if draw.maybe(0.5):
            given |= {"b_1": draw.matrix(1, 2)[0], "gamma_1": draw.matrix(1, width)[0]}
            given["beta_1"] = draw.matrix(1, width)[0]
        settings["norm"] = draw.of("layer", "rms")
        settings["activation"] = draw.of("relu", "relu", "gelu")
        if draw.maybe(0.6):
            settings["epsilon"] = draw.of("1e-5", "1/10", "1e-40")
        if draw.maybe(0.2):
            settings["layers"] = 2


def _conventions(
    draw: _Draw, settings: dict[str, object], given: dict[str, object], heads: int, n_q: int, n_k: int
) -> None:
    settings["heads"] = heads
    if draw.maybe(0.5):
        settings["scale"] = draw.of("1", "1/2", "sqrt(2)", "1/7")
    if draw.maybe(0.45):
        settings["mask"] = "causal"
        settings["align"] = draw.of("top-left", "bottom-right")
        if draw.maybe(0.5):
            settings["mask"] = [[draw.of("0", "1") for _ in range(n_k)] for _ in range(n_q)]
        elif draw.maybe(0.3):
            settings["mask"] = [[draw.of("0", "-inf", "-1e4", "1/3") for _ in range(n_k)] for _ in range(n_q)]
    if draw.maybe(0.12):
        settings["padding"] = [draw.maybe(0.7) for _ in range(n_k)]
    if draw.maybe(0.12):
        settings |= {"window_left": draw.chance.randint(0, 1), "align": draw.of("top-left", "bottom-right")}
    for name, share, options in (
        ("base", 0.15, ("2", "10", "1/2", "3/2")),
        ("temperature", 0.2, ("2", "0.7", "1/10", "sqrt(2)")),
        ("softcap", 0.2, ("5", "30", "1/2", "0.1")),
        ("qk_norm", 0.12, ("unit", "rms")),
        ("positions", 0.3, ("sinusoidal", "rope", "alibi", "relative")),
        ("evaluation", 0.25, ("cached", "online", "online")),
        ("kernel", 0.05, ("relu",)),
        ("tokens_as", 0.12, ("columns",)),
        ("jacobians", 0.08, ("rows", "all")),
    ):
        if draw.maybe(share) and (name != "positions" or "X" in given or "Q" in given):
            settings[name] = draw.of(*options)
    if settings.get("evaluation") == "cached":
        settings["mask"] = "causal"
    if settings.get("kernel") == "relu":
        for name in (
            "mask",
            "align",
            "padding",
            "window_left",
            "softcap",
            "temperature",
            "base",
            "jacobians",
        ):
            settings.pop(name, None)
    if "jacobians" in settings:
        settings.pop("base", None)
    if draw.maybe(0.2):
        given["sink"] = draw.matrix(1, heads)[0]
    if settings.get("positions") == "relative":
        given["relative"] = draw.matrix(1, 3)[0]
    if settings.get("positions") in ("sinusoidal", "rope"):
        settings["start"] = draw.chance.choice((0, 0, 1, 17))


def _backward(
    draw: _Draw, settings: dict[str, object], given: dict[str, object], heads: int, n_q: int, d: int
) -> None:
    if "W_O" in given or draw.maybe(0.5):
        settings["loss"] = draw.of("sum", "squared")
        if settings["loss"] == "squared":
            given["target"] = draw.matrix(n_q, len(given["W_O"][0]) if "W_O" in given else d * heads)  # type: ignore[index]
    else:
        given["dZ" if heads == 1 else "dconcat"] = draw.matrix(n_q, d * heads)


def _toml(given: Mapping[str, object], settings: Mapping[str, object]) -> str:
    if settings.get("tokens_as") == "columns":
        given = {
            name: [list(column) for column in zip(*rows, strict=True)] if isinstance(rows[0], list) else rows  # type: ignore[index]
            for name, rows in given.items()
        }
    lines = ["[given]", *(f"{json.dumps(name)} = {json.dumps(rows)}" for name, rows in given.items())]
    lines += ["[attention]", *(f"{name} = {json.dumps(value)}" for name, value in settings.items())]
    return "\n".join(lines) + "\n"
