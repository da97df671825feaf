"""The product of the settings: its factors, combinations that cover all pairs of values, a case of each."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import combinations
from random import Random
from typing import Any

import numpy as np

Combination = Mapping[str, Any]
Case = tuple[dict[str, Any], dict[str, Any]]
"""What is given, in the orientation of the file, and the settings."""

FACTORS: Mapping[str, tuple[Any, ...]] = {
    "evaluation": ("direct", "online", "cached", "linear"),
    "kernel": ("softmax", "softmax", "relu"),
    "mask": ("none", "causal", "causal", "window", "padding", "matrix", "additive"),
    "base": (None, 2, 0.5),
    "sink": (0, 1, 2),
    "temperature": (None, "5/4"),
    "softcap": (None, "3/2"),
    "positions": ("none", "sinusoidal", "rope", "alibi", "relative"),
    "qk_norm": ("none", "unit", "rms"),
    "variant": ("none", "none", "lambda", "vectors", "latent", "gate", "talking"),
    "heads": ((1, 1), (2, 2), (2, 1)),
    "keys": ("X", "memory", "top-left", "bottom-right"),
    "orientation": (
        ("rows", "right"),
        ("rows", "transposed"),
        ("rows", "left"),
        ("columns", "left"),
        ("columns", "transposed"),
    ),
    "layer": ("none", "residual", "post-norm", "pre-norm"),
    "norm": (("layer", "relu"), ("rms", "gelu")),
    "layers": (1, 2),
    "biases": (False, True),
    "loss": ("gradient", "sum", "squared", "cross-entropy"),
}
"""200 million combinations; what is there twice is drawn twice as often."""


def drawn(draw: Random) -> Combination:
    """One combination at random."""
    return {name: draw.choice(values) for name, values in FACTORS.items()}


def by_pairs(draw: Random) -> Iterator[Combination]:
    """Combinations that have every pair of values among them, in one that is not refused where there is one.

    Greedy: of some random completions of a pair that is still open, the one that has most open pairs.
    """
    every = [((a, x), (b, y)) for a, b in combinations(FACTORS, 2) for x in FACTORS[a] for y in FACTORS[b]]
    open_ = set(every)
    for pair in every:
        if pair in open_:
            tried = [{**drawn(draw), **dict(pair)} for _ in range(100)]
            evaluated = [each for each in tried if refusal(each) is None]
            best = max(evaluated or tried, key=lambda each: len(open_ & pairs(each)))
            open_ -= pairs(best) if evaluated else {pair}
            yield best


def pairs(c: Combination) -> set[tuple[tuple[str, Any], tuple[str, Any]]]:
    return {((a, c[a]), (b, c[b])) for a, b in combinations(FACTORS, 2)}


def refusal(c: Combination) -> str | None:
    """What the message says that a combination is refused with, None where it is not refused."""
    differential = c["variant"] in ("lambda", "vectors")
    if c["kernel"] == "relu":
        foreign = c["sink"] or c["temperature"] or c["softcap"] or c["positions"] in ("alibi", "relative")
        if foreign:
            return "linear attention"
        if differential or c["variant"] in ("latent", "talking"):
            return "attention with"
        if c["evaluation"] in ("online", "cached"):
            return "linear attention"
        if c["mask"] == "additive":
            return "linear attention"
        if c["evaluation"] == "linear" and c["mask"] not in ("none", "causal"):
            return "a linear evaluation with a mask that is not causal alone"
        return "has no effect" if c["base"] else None
    if differential and (c["sink"] or c["evaluation"] != "direct"):
        return "differential attention with"
    if c["variant"] == "latent" and c["heads"] == (2, 1):
        return "latent attention with"
    if c["variant"] == "talking" and c["evaluation"] == "online":
        return "talking-heads attention with"
    if c["evaluation"] == "linear":
        return "a linear evaluation of a softmax"
    if c["variant"] == "latent" and c["evaluation"] == "cached":
        return "latent attention with"
    if c["evaluation"] == "cached" and c["mask"] != "causal":
        return "without a causal mask"
    return None


def case_of(c: Combination, draw: Random) -> Case:
    """A case of a combination, of small matrices; a setting without an effect there is left out."""
    (heads, shared), (tokens_as, weights), (norm, activation) = c["heads"], c["orientation"], c["norm"]
    n, d = 2, 2 * heads if c["positions"] == "rope" else 2
    if c["variant"] in ("lambda", "vectors"):
        d = 4 * heads if c["positions"] == "rope" else 2 * heads
    keys = 3 if c["keys"] in ("top-left", "bottom-right") else n

    def matrix(rows: int, columns: int) -> Any:
        return np.array(
            [[draw.choice((-6, -3, -2, -1, 1, 2, 3, 5)) / 4 for _ in range(columns)] for _ in range(rows)]
        )

    kv = d // heads * shared
    m = {
        "X": matrix(n, d),
        "W_Q": matrix(d, d),
        "W_K": matrix(d, kv),
        "W_V": matrix(d, kv),
        "W_O": matrix(d, d),
    }
    s: dict[str, Any] = {"positions": c["positions"], "qk_norm": c["qk_norm"], "kernel": c["kernel"]}
    s |= {"heads": heads, "layer": c["layer"], "layers": c["layers"], "evaluation": c["evaluation"]}
    if shared != heads:
        s["kv_heads"] = shared
    if c["keys"] != "X":
        m["memory"] = matrix(keys, d)
    if c["variant"] != "latent" and draw.random() < 0.3:
        m["X_V"] = matrix(keys, d)
    if c["biases"]:
        m |= {"b_Q": matrix(1, d), "b_K": matrix(1, kv), "b_V": matrix(1, kv), "b_O": matrix(1, d)}
    if c["layer"] in ("post-norm", "pre-norm"):
        m |= {"W_1": matrix(d, 3), "W_2": matrix(3, d)}
        s |= {"norm": norm, "activation": activation, "epsilon": "1/4"}
        if c["biases"]:
            m |= {"b_1": matrix(1, 3), "b_2": matrix(1, d), "gamma_1": matrix(1, d), "gamma_2": matrix(1, d)}
            m |= {"beta_1": matrix(1, d), "beta_2": matrix(1, d)} if norm == "layer" else {}
    if c["layers"] == 2 and c["biases"]:
        m["layer2.W_V"] = matrix(d, kv)
    if c["kernel"] == "softmax":
        s["scale"] = "1/2"
    s |= {name: c[name] for name in ("base", "temperature", "softcap") if c[name]}
    if c["sink"]:
        m["sink"] = matrix(1, 1 if c["sink"] == 1 else heads)
    s |= _mask(c["mask"], n, keys, draw)
    if c["positions"] in ("sinusoidal", "rope"):
        s |= {"start": 1, "pairs": draw.choice(("interleaved", "half"))}
    if c["positions"] == "sinusoidal":
        s["exponents"] = draw.choice(("pair", "column", "twice-column", "full-range"))
    if c["positions"] == "rope":
        s |= {"rotary_base": 100} if d // heads > (4 if c["variant"] in ("lambda", "vectors") else 2) else {}
    if c["positions"] == "relative":
        m["relative"] = matrix(1, 3)
    placed = c["mask"] in ("causal", "window") or c["positions"] in ("rope", "alibi", "relative")
    if keys != n and placed:
        s["align"] = c["keys"]
    if c["evaluation"] == "online":
        s["block"] = 2
    if c["variant"] == "latent":
        m = {
            name: w
            for name, w in m.items()
            if name not in ("W_Q", "W_K", "W_V", "b_Q", "b_K", "b_V", "layer2.W_V")
        }
        m |= {"W_DQ": matrix(d, 3), "W_UQ": matrix(3, d), "W_DKV": matrix(d, 2), "W_UK": matrix(2, d)}
        m |= {"W_UV": matrix(2, d), "W_QR": matrix(3, 2 * heads), "W_KR": matrix(d, 2)}
        if c["biases"]:
            s |= {"latent_norm": "rms", "epsilon": "1/4"}
            m["gamma_KV"] = matrix(1, 2)
        s.pop("rotary_base", None)
    if c["variant"] == "gate":
        m["W_G"] = matrix(d, d)
        if c["biases"]:
            m["b_G"] = matrix(1, d)
    if c["variant"] == "talking":
        m |= {"P_l": matrix(heads, heads), "P_w": matrix(heads, heads)}
    if c["variant"] == "lambda":
        m["lambda"] = matrix(1, 1)
    if c["variant"] == "vectors":
        m |= {f"lambda_{half}{i}": matrix(1, 2) for half in "qk" for i in (1, 2)}
        s |= {"lambda_init": "2/5", "head_norm": "rms", "epsilon": "1/4"}
    if "epsilon" in s:
        s["epsilon_added_to"] = draw.choice(("variance", "deviation"))
    last = {"none": "output", "residual": "residual_1", "post-norm": "norm_2", "pre-norm": "residual_2"}
    if c["loss"] == "gradient":
        m[f"{'layer2.' if c['layers'] == 2 else ''}d{last[c['layer']]}"] = matrix(n, d)
    else:
        s["loss"] = c["loss"]
    if c["loss"] == "squared":
        m["target"] = matrix(n, d)
    if c["loss"] == "cross-entropy":
        m["target"] = np.eye(n, d)
    s |= {"tokens_as": tokens_as, "weights": weights}
    return _written(m, s)


def _mask(kind: str, n: int, keys: int, draw: Random) -> dict[str, Any]:
    match kind:
        case "causal":
            return {"mask": "causal"}
        case "window":
            return {"window_left": draw.choice((0, 1)), "window_right": 0}
        case "padding":
            return {"padding": [1] * (keys - 1) + [0]}
        case "matrix":
            return {"mask": [[1, *(int(i == j) for j in range(1, keys))] for i in range(n)]}
        case "additive":
            return {"mask": [[draw.choice((-0.5, 0.25, 2)) for _ in range(keys)] for _ in range(n)]}
    return {}


def _written(m: dict[str, Any], s: dict[str, Any]) -> Case:
    """The same as the file has it: weights turned for X W^T and W x, everything for tokens as columns."""
    given = dict(m)
    if s["weights"] != "right" and (s["tokens_as"], s["weights"]) != ("columns", "left"):
        given = {name: w.T if name.rpartition(".")[2].startswith("W_") else w for name, w in m.items()}
    if s["tokens_as"] == "columns":
        given = {name: matrix.T for name, matrix in given.items()}
        if isinstance(s.get("mask"), list):
            s["mask"] = [list(column) for column in zip(*s["mask"], strict=True)]
    return given, s


def toml(case: Case) -> str:
    given, settings = case
    lines = [
        "[given]",
        *(f'"{name}" = {json.dumps(rows.tolist())}' for name, rows in given.items() if name != "lambda"),
    ]
    lines += [f"lambda = {rows[0][0]}" for name, rows in given.items() if name == "lambda"]
    lines += ["[attention]", *(f"{key} = {json.dumps(value)}" for key, value in settings.items())]
    return "\n".join(lines) + "\n"
