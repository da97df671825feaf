"""A whole case: positions, layers, and in each layer projections, heads, output and what surrounds them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from symattn.checks.textbook.conventions import Conventions
from symattn.checks.textbook.functions import gelu, relu, sigmoid
from symattn.checks.textbook.head import attend
from symattn.checks.textbook.positions import sinusoids
from symattn.checks.textbook.projections import affine, project, share, side_by_side
from symattn.checks.textbook.steps import Array, Steps


def evaluate(given: Mapping[str, Array], c: Conventions) -> dict[str, Array]:
    """Every step that follows from the givens, by the name that the derivation has for it.

    The givens and the results have the orientation of the file.
    """
    rows = {name: matrix.T if c.in_columns else matrix for name, matrix in given.items()}
    found = evaluate_rows(rows, c)
    return {name: matrix.T if c.in_columns else matrix for name, matrix in found.items()}


def evaluate_rows(given: Mapping[str, Array], c: Conventions) -> dict[str, Array]:
    """The same for tokens as rows."""
    shared = Steps({name: matrix for name, matrix in given.items() if not name.startswith("layer")})
    x = "X"
    if c.settings.positions == "sinusoidal":
        x = "X+PE"
        add_sinusoids(shared, c)
    found = {name: shared[name] for name in ("PE", "X+PE") if name in shared and name not in given}
    current = shared.get(x)
    for number in range(1, c.settings.layers + 1):
        tag = f"layer{number}." if c.settings.layers > 1 else ""
        own = {
            name.removeprefix(tag): matrix for name, matrix in given.items() if tag and name.startswith(tag)
        }
        known = {**shared, **own} if current is None else {**shared, **own, "X": current}
        m = Steps(known)
        current = m.get(layer(m, c))
        found |= {tag + name: matrix for name, matrix in m.items() if name not in known}
    return found


def add_sinusoids(m: Steps, c: Conventions) -> None:
    """PE and X + PE, where there are inputs, or tokens and a width."""
    n, d = m["X"].shape if "X" in m else (len(c.case.tokens), c.settings.d_model or 0)
    if n and d and "X+PE" not in m:
        m.make("PE", lambda: sinusoids(n, d, c))
    m.make("X+PE", lambda x, encoding: x + encoding, "X", "PE")


def layer(m: Steps, c: Conventions) -> str:
    """Attention from the inputs X, and what surrounds it; the name of the last step."""
    kind, source = c.settings.layer, "X"
    if kind == "pre-norm":
        source = "norm_1"
        norm(m, source, "X", c)
    made = attention(m, source, c)
    if kind == "none":
        return made
    m.make("residual_1", lambda x, z: x + z, "X", made)
    if kind == "residual":
        return "residual_1"
    first = "norm_1" if kind == "post-norm" else "norm_2"
    norm(m, first, "residual_1", c)
    activation = relu if c.settings.activation == "relu" else gelu
    affine(m, "widened", first, "W_1", "b_1", c)
    m.make("active", activation, "widened")
    affine(m, "ffn", "active", "W_2", "b_2", c)
    if kind == "pre-norm":  # Xiong et al. 2020, figure 1
        m.make("residual_2", lambda x, y: x + y, "residual_1", "ffn")
        return "residual_2"
    m.make("residual_2", lambda x, y: x + y, first, "ffn")
    norm(m, "norm_2", "residual_2", c)
    return "norm_2"


def norm(m: Steps, name: str, source: str, c: Conventions) -> None:
    """LayerNorm or RMSNorm of each row, with gain and shift where they are given."""
    number = name.removeprefix("norm_")
    gain, shift = m.get(f"gamma_{number}", 1.0), m.get(f"beta_{number}", 0.0)

    def normed(x: Array) -> Array:
        if c.settings.norm == "rms":
            return x / c.spread(x) * gain
        apart = x - np.mean(x, axis=1, keepdims=True)  # Ba et al. 2016, eq. (4)
        return apart / c.spread(apart) * gain + shift

    m.make(name, normed, source)


def attention(m: Steps, source: str, c: Conventions) -> str:
    """Projections, heads, gate and output; the name of the last step."""
    project(m, source, c)
    vectors = [f"lambda_{half}{number}" for number in (1, 2) for half in "qk"]
    m.make("lambda", lambda *rows: factor(*rows) + c.number(c.settings.lambda_init), *vectors)
    heads = c.settings.heads
    tags = [f"head{number}." if heads > 1 else "" for number in range(1, heads + 1)]
    for head, tag in enumerate(tags):
        share(m, tag, head, source, c)
    attend(m, tags, c)
    made = "Z"
    if heads > 1:
        made = "concat"
        m.make(made, side_by_side, *(f"{tag}Z" for tag in tags))
    if "W_G" in m:  # Qiu et al. 2025, eq. (5)
        affine(m, "gate_logits", source, "W_G", "b_G", c)
        m.make("gate", sigmoid, "gate_logits")
        m.make("gated", lambda z, gate: z * gate, made, "gate")
        made = "gated"
    if "W_O" not in m:
        return made
    affine(m, "output", made, "W_O", "b_O", c)
    return "output"


def factor(q1: Array, k1: Array, q2: Array, k2: Array) -> Array:
    """The factor of the second map less lambda_init, (1, 1). Ye et al. 2024, eq. (2)."""
    return np.exp(q1 @ k1.T) - np.exp(q2 @ k2.T)
