"""One head, from Q, K and V to Z. Vaswani et al. 2017, eq. (1), and what came after."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import log

import numpy as np

from symattn.checks.textbook.conventions import Conventions
from symattn.checks.textbook.functions import (
    largest,
    multiplied,
    quotients,
    relu,
    root_mean_square,
    sigmoid,
    softmax,
    sparsemax,
    top_k,
)
from symattn.checks.textbook.masks import hidden, masked
from symattn.checks.textbook.positions import biases, rotated, rotated_after
from symattn.checks.textbook.steps import Array, Steps
from symattn.text.errors import UndefinedSymbol


def attend(m: Steps, tags: Sequence[str], c: Conventions) -> None:
    """The steps of all heads, each named after the tag of its head."""
    if c.settings.kernel == "relu":
        for tag in tags:
            linear(m, tag, c)
    elif "lambda" in m:
        for head, tag in enumerate(tags):
            differential(m, tag, head, c)
    else:
        for tag in tags:
            score(m, tag, c)
        mix(m, "P_l", "scaled", "mixed_scores", tags)
        for head, tag in enumerate(tags):
            weigh(m, tag, head, c)
        mix(m, "P_w", "A", "mixed_weights", tags)
        for tag in tags:
            m.make(f"{tag}Z", np.matmul, f"{tag}{'mixed_weights' if 'P_w' in m else 'A'}", f"{tag}V")


def mix(m: Steps, mixing: str, of: str, made: str, tags: Sequence[str]) -> None:
    """Sums over the heads. Shazeer et al. 2020, section 3."""
    for head, tag in enumerate(tags):
        m.make(
            f"{tag}{made}",
            lambda p, *heads, to=head: sum(p[k, to] * x for k, x in enumerate(heads)),
            mixing,
            *(f"{other}{of}" for other in tags),
        )


def score(m: Steps, tag: str, c: Conventions) -> None:
    """The scaled scores of one attention map, from its Q and K."""
    q, k = queries_and_keys(m, tag, c)
    m.make(f"{tag}scores", scores_of, q, k)
    factor = scale(m, tag, c)
    if factor is not None:
        m.make(f"{tag}scaled", lambda s: multiplied(s, factor), f"{tag}scores")


def weigh(m: Steps, tag: str, head: int, c: Conventions) -> None:
    """The steps from scaled scores to the weights A of one attention map."""
    last = "mixed_scores" if "P_l" in m else "scaled"
    for name, change in changes(m, head, c):
        m.make(tag + name, change, tag + last)
        last = name
    if c.settings.normaliser != "softmax":
        m.make(f"{tag}A", lambda s: other_weights(s, c), tag + last)
        return
    rate = 1.0 if c.settings.base == "e" else np.log(c.number(c.settings.base))
    sink = m["sink"][0, head if m["sink"].shape[1] > 1 else 0] if "sink" in m else None
    if f"{tag}exp" not in m and f"{tag}sum" not in m:
        m.make(f"{tag}A", lambda s: softmax(s, rate, sink), tag + last)
    m.make(f"{tag}exp", lambda s: np.exp(multiplied(s, rate)), tag + last)
    extra = 0.0 if sink is None else np.exp(sink * rate)
    m.make(f"{tag}sum", lambda e: np.sum(e, axis=1, keepdims=True) + extra, f"{tag}exp")
    m.make(f"{tag}A", quotients, f"{tag}exp", f"{tag}sum")


def scores_of(q: Array, k: Array) -> Array:
    """Q K^T, (n_q, n_k)."""
    return q @ k.T


def scale(m: Steps, tag: str, c: Conventions) -> Array | None:
    """The factor of the scores; None without scores, or where no given matrix has a size that is in it."""
    if f"{tag}scores" not in m:
        return None
    widths = [m[name].shape[1] for name in (f"{tag}Q", f"{tag}K") if name in m]
    sizes = {
        "n": m[f"{tag}scores"].shape[1],
        "d_k": widths[0] if widths else None,
        "d_model": m["X"].shape[1] if "X" in m else c.settings.d_model,
    }
    try:
        return c.number(c.settings.scale, **{name: size for name, size in sizes.items() if size})
    except UndefinedSymbol:
        return None


def queries_and_keys(m: Steps, tag: str, c: Conventions) -> tuple[str, str]:
    """Q and K normalised (Henry et al. 2020) and rotated where asked for; the names of what is multiplied."""
    s, (q, k) = c.settings, (f"{tag}Q", f"{tag}K")
    if s.qk_norm != "none":
        m.make(f"{tag}Q_N", lambda x: unit(x, s.qk_norm), q)
        m.make(f"{tag}K_N", lambda x: unit(x, s.qk_norm), k)
        q, k = f"{tag}Q_N", f"{tag}K_N"
    if s.positions == "rope" and "W_KR" not in m and q in m and k in m:
        before = c.before(m[q].shape[0], m[k].shape[0])
        m.make(f"{tag}Q_R", lambda x: rotated(x, s.start + before, c), q)
        past = m["past_K"].shape[0] if "past_K" in m and s.past_keys == "rotated" else 0
        m.make(f"{tag}K_R", lambda x: rotated_after(past, x, s.start, c), k)
        q, k = f"{tag}Q_R", f"{tag}K_R"
    return q, k


def unit(x: Array, kind: str) -> Array:
    """Rows of length one, or over their root mean square."""
    return x / (root_mean_square(x, 0.0) * (1.0 if kind == "rms" else np.sqrt(float(x.shape[1]))))


def changes(m: Steps, head: int, c: Conventions) -> Iterator[tuple[str, Callable[[Array], Array]]]:
    """What happens to scaled scores before the softmax, in the order of ONNX Attention (opset 23)."""
    s = c.settings
    if s.softcap is not None:
        cap = c.number(s.softcap)
        yield "capped", lambda x: cap * np.tanh(x / cap)
    if s.positions in ("alibi", "relative"):
        yield "biased", lambda x: x + biases(m, x, head, c)
    if s.masked:
        yield "masked", lambda x: masked(x, c)
    if s.top_k is not None:
        count = s.top_k
        yield "kept", lambda x: top_k(x, count)
    if s.temperature is not None:
        temperature = c.of_head(s.temperature, head)
        yield "tempered", lambda x: x / temperature
    if s.shift == "max":
        yield "shifted", lambda x: x - largest(x)


def other_weights(scores: Array, c: Conventions) -> Array:
    """Weights that are no softmax, of logits (n_q, n_k)."""
    n = scores.shape[1]
    match c.settings.normaliser:
        case "relu":  # Wortsman et al. 2023
            return relu(scores) / float(n)
        case "sparsemax":
            return sparsemax(scores)
    bias = c.settings.sigmoid_bias  # Ramapuram et al. 2024, eq. (3)
    return sigmoid(scores + (-log(n) if bias is None else c.number(bias)))


def differential(m: Steps, tag: str, head: int, c: Conventions) -> None:
    """Two maps from the halves of Q and K, and their difference. Ye et al. 2024, eqs. (1) and (3)."""
    for number in (0, 1):
        here = f"{tag}map{number + 1}."
        for name in "QK":
            m.make(here + name, lambda x, number=number: half(x, number), tag + name)
        score(m, here, c)
        weigh(m, here, head, c)
    m.make(f"{tag}A", lambda a, b, rate: a - rate * b, f"{tag}map1.A", f"{tag}map2.A", "lambda")
    if c.settings.head_norm == "none":
        m.make(f"{tag}Z", np.matmul, f"{tag}A", f"{tag}V")
        return
    rest = 1 - c.number(c.settings.lambda_init)
    m.make(f"{tag}mixed", np.matmul, f"{tag}A", f"{tag}V")
    m.make(f"{tag}mixed_N", lambda x: x / c.spread(x), f"{tag}mixed")
    m.make(f"{tag}Z", lambda x: rest * x, f"{tag}mixed_N")


def half(x: Array, number: int) -> Array:
    """The first or the second half of the columns."""
    middle = x.shape[1] // 2
    return x[:, middle:] if number else x[:, :middle]


def linear(m: Steps, tag: str, c: Conventions) -> None:
    """phi(q_i) . phi(k_j) over their sum, with ReLU for phi. Katharopoulos et al. 2020, eq. (4)."""
    q, k = queries_and_keys(m, tag, c)
    m.make(f"{tag}Q_F", relu, q)
    m.make(f"{tag}K_F", relu, k)
    m.make(f"{tag}scores", scores_of, f"{tag}Q_F", f"{tag}K_F")
    last = f"{tag}scores"
    if c.settings.masked:
        last = f"{tag}masked"
        m.make(last, lambda s: np.where(hidden(s, c), 0.0, s), f"{tag}scores")
    m.make(f"{tag}total", lambda s: np.sum(s, axis=1, keepdims=True), last)
    m.make(f"{tag}A", quotients, last, f"{tag}total")
    m.make(f"{tag}Z", np.matmul, f"{tag}A", f"{tag}V")
