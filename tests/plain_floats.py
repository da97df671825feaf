"""The plain evaluation in NumPy: a case's loss from the definitions in the papers, and its gradients.

It shares no code with the package, and takes complex numbers: the derivative of the loss by an entry is the
imaginary part at a step of 1e-30 along i, over that step (Squire and Trapp 1998), which loses no digit.
Vaswani et al. 2017 (attention, sinusoids, layers), Shaw et al. 2018 and Raffel et al. 2020 (relative biases),
Press et al. 2022 (ALiBi), Su et al. 2021 (RoPE), Ainslie et al. 2023 (shared heads), Xiong et al. 2020
(the norm first), Zhang and Sennrich 2019 (RMSNorm), Katharopoulos et al. 2020 (ReLU features), Ye et al. 2024
(differential attention).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

Array = Any
Matrices = Mapping[str, Array]
Settings = Mapping[str, Any]
STEP = 1e-30
KINK = 1e-9


def gradients(given: Matrices, settings: Settings) -> dict[str, Array]:
    """The derivative of the loss by every given matrix but the target and the gradient to start from."""
    found = {}
    for name, matrix in given.items():
        if name == "target" or name.startswith(("d", "layer2.d")):
            continue
        found[name] = np.zeros(matrix.shape)
        for at in np.ndindex(matrix.shape):
            moved = matrix.astype(complex)
            moved[at] += 1j * STEP
            found[name][at] = loss({**given, name: moved}, settings).imag / STEP
    return found


def loss(given: Matrices, settings: Settings) -> complex:
    """The loss that the settings name, or the sum of the last value weighted by the given gradient of it."""
    value = last(given, settings)
    columns = settings.get("tokens_as") == "columns"
    target = given.get("target")
    if target is not None and columns:
        target = target.T
    match settings.get("loss"):
        case "sum":
            return complex(value.sum())
        case "squared":
            return complex(((value - target) ** 2).sum() / 2)
        case "cross-entropy":
            return complex(-(target * (value - np.log(np.exp(value).sum(1, keepdims=True)))).sum())
    seed = next(matrix for name, matrix in given.items() if name.rpartition(".")[2][0] == "d")
    return complex(((seed.T if columns else seed) * value).sum())


def last(given: Matrices, settings: Settings) -> Array:
    """The last value with tokens as rows: (n_q, d)."""
    s = dict(settings)
    m = dict(given)
    if s.get("tokens_as") == "columns":
        m = {name: matrix.T for name, matrix in m.items()}
        s["weights"] = {"left": "right"}.get(s["weights"], s["weights"])
        if isinstance(s.get("mask"), list):
            s["mask"] = [list(row) for row in zip(*s["mask"], strict=True)]
    x = m["X"]
    if s["positions"] == "sinusoidal":
        n, d = x.shape
        column, half = np.arange(d), s["pairs"] == "half"
        pair, cosine = (column % (d // 2), column >= d // 2) if half else (column // 2, column % 2 == 1)
        over = {"pair": 2 * pair / d, "column": column / d, "twice-column": 2 * column / d}
        exponent = over.get(s["exponents"], pair / max(d / 2 - 1, 0.5))
        angle = (np.arange(n)[:, None] + s["start"]) / 10000.0**exponent
        x = x + np.where(cosine, np.cos(angle), np.sin(angle))
    for number in range(1, s["layers"] + 1):
        tag = f"layer{number}."
        own = {name.removeprefix(tag): matrix for name, matrix in m.items() if name.startswith(tag)}
        x = layer(x, {**m, **own}, s)
    return x


def layer(x: Array, m: Matrices, s: Settings) -> Array:
    """Attention and what stands around it."""
    kind = s["layer"]
    if kind == "pre-norm":
        first = x + attention(normed(x, "1", m, s), m, s)
        return first + feed_forward(normed(first, "2", m, s), m, s)
    made = attention(x, m, s)
    if kind == "none":
        return made
    if kind == "residual":
        return x + made
    first = normed(x + made, "1", m, s)
    return normed(first + feed_forward(first, m, s), "2", m, s)


def normed(x: Array, number: str, m: Matrices, s: Settings) -> Array:
    apart = x if s["norm"] == "rms" else x - x.mean(1, keepdims=True)
    unit = apart / spread(apart, s)
    return unit * m.get(f"gamma_{number}", 1.0) + m.get(f"beta_{number}", 0.0)


def spread(x: Array, s: Settings) -> Array:
    """What a norm divides by, with an epsilon of 1/4."""
    squares = (x**2).mean(1, keepdims=True)
    outside = s.get("epsilon_added_to") == "deviation"
    return np.asarray(np.sqrt(squares) + 0.25 if outside else np.sqrt(squares + 0.25))


def feed_forward(x: Array, m: Matrices, s: Settings) -> Array:
    wide = times(x, m["W_1"], s) + m.get("b_1", 0.0)
    return times(relu(wide) if s["activation"] == "relu" else gelu(wide), m["W_2"], s) + m.get("b_2", 0.0)


def relu(x: Array) -> Array:
    """max(x, 0). Raises FloatingPointError at the kink, where a rounding error decides."""
    if (abs(np.real(x)) < KINK).any():
        raise FloatingPointError("a ReLU at its kink")
    return np.where(np.real(x) > 0, x, 0)


def gelu(x: Array) -> Array:
    """x Phi(x), and along i its derivative Phi(x) + x phi(x)."""
    a, b = np.real(x), np.imag(x)
    phi = np.exp(-(a**2) / 2) / math.sqrt(2 * math.pi)
    whole = (1 + np.vectorize(math.erf)(a / math.sqrt(2))) / 2
    return a * whole + 1j * b * (whole + a * phi)


def times(x: Array, w: Array, s: Settings) -> Array:
    return x @ (w if s["weights"] == "right" else w.T)


def attention(x: Array, m: Matrices, s: Settings) -> Array:
    heads, shared = s["heads"], s.get("kv_heads", s["heads"])
    memory = m.get("memory", x)
    if "W_DKV" in m:
        made = [one_head(*qkv, h, m, {**s, "turned": True}) for h, qkv in enumerate(latent(x, memory, m, s))]
        return times(np.hstack(made), m["W_O"], s) + m.get("b_O", 0.0)
    q, k, v = (
        np.split(times(rows, m[f"W_{name}"], s) + m.get(f"b_{name}", 0.0), parts, axis=1)
        for name, rows, parts in (("Q", x, heads), ("K", memory, shared), ("V", memory, shared))
    )
    made = [one_head(q[h], k[h * shared // heads], v[h * shared // heads], h, m, s) for h in range(heads)]
    joined = np.hstack(made)
    if "W_G" in m:
        joined = joined / (1 + np.exp(-times(x, m["W_G"], s) - m.get("b_G", 0.0)))
    return times(joined, m["W_O"], s) + m.get("b_O", 0.0)


def latent(x: Array, memory: Array, m: Matrices, s: Settings) -> list[tuple[Array, Array, Array]]:
    """Queries, keys and values of every head: DeepSeek-V2, section 2.1, with the norms of section 3.1.2."""
    low = {"Q": times(x, m["W_DQ"], s), "KV": times(memory, m["W_DKV"], s)}
    if s.get("latent_norm") == "rms":
        for name, c in low.items():
            low[name] = c / spread(c, s) * m.get(f"gamma_{name}", 1.0)
    heads = s["heads"]
    q, q_r = (np.split(times(low["Q"], m[name], s), heads, axis=1) for name in ("W_UQ", "W_QR"))
    k, v = (np.split(times(low["KV"], m[name], s), heads, axis=1) for name in ("W_UK", "W_UV"))
    k_r = times(memory, m["W_KR"], s)
    if s["positions"] == "rope":
        before = len(memory) - len(x) if s.get("align") == "bottom-right" else 0
        q_r, k_r = [rotated(part, s["start"] + before, s) for part in q_r], rotated(k_r, s["start"], s)
    return [(np.hstack([q[h], q_r[h]]), np.hstack([k[h], k_r]), v[h]) for h in range(heads)]


def one_head(q: Array, k: Array, v: Array, head: int, m: Matrices, s: Settings) -> Array:
    if "lambda" not in m and "lambda_q1" not in m:
        return one_map(q, k, v, head, m, s)
    rate = m["lambda"][0, 0] if "lambda" in m else rate_of_maps(m)
    (q1, q2), (k1, k2) = np.split(q, 2, axis=1), np.split(k, 2, axis=1)
    made = one_map(q1, k1, v, head, m, s) - rate * one_map(q2, k2, v, head, m, s)
    if s.get("head_norm") != "rms":
        return made
    return 0.6 * made / spread(made, s)


def rate_of_maps(m: Matrices) -> Array:
    """lambda of Ye et al. 2024, equation (2), with lambda_init = 0.4."""
    first, second = (np.exp((m[f"lambda_q{i}"] * m[f"lambda_k{i}"]).sum()) for i in (1, 2))
    return first - second + 0.4


def one_map(q: Array, k: Array, v: Array, head: int, m: Matrices, s: Settings) -> Array:
    n, keys = len(q), len(k)
    before = keys - n if s.get("align") == "bottom-right" else 0
    if s["qk_norm"] != "none":
        over = q.shape[1] if s["qk_norm"] == "rms" else 1
        if any((np.abs(rows).max(1) < KINK).any() for rows in (q, k)):
            raise FloatingPointError("a row without a direction")
        q, k = (rows / np.sqrt((rows**2).sum(1, keepdims=True) / over) for rows in (q, k))
    if s["positions"] == "rope" and "turned" not in s:
        q, k = rotated(q, s["start"] + before, s), rotated(k, s["start"], s)
    if s["kernel"] == "relu":
        distance = np.arange(keys)[None] - np.arange(n)[:, None] - before
        scores = np.where(hides(distance, s), 0, relu(q) @ relu(k).T)
        total = scores.sum(1, keepdims=True)
        return np.where(total == 0, 0, scores / np.where(total == 0, 1, total)) @ v  # nothing to mix: 0
    scores = q @ k.T * 0.5
    if "softcap" in s:
        scores = 1.5 * np.tanh(scores / 1.5)
    distance = np.arange(keys)[None] - np.arange(n)[:, None] - before
    if s["positions"] == "alibi":
        scores = scores - abs(distance) * 2.0 ** (-8 * (head + 1) / s["heads"])
    if s["positions"] == "relative":
        scores = scores + m["relative"][0][np.clip(distance, -1, 1) + 1]
    hidden = hides(distance, s)
    if s.get("mask") and isinstance(s["mask"], list) and not hidden.any():
        scores = scores + np.array(s["mask"])
    if "temperature" in s:
        scores = scores / 1.25
    rate = math.log(s.get("base", math.e))
    powers = np.where(hidden, 0, np.exp(rate * scores))
    total = powers.sum(1, keepdims=True)
    if "sink" in m:
        total = total + np.exp(rate * m["sink"][0, head if m["sink"].shape[1] > 1 else 0])
    return powers / total @ v


def hides(distance: Array, s: Settings) -> Array:
    """Which keys a query may not see, of keys so far after it."""
    hidden = np.zeros(distance.shape, dtype=bool)
    mask = s.get("mask", "none")
    if mask == "causal":
        hidden |= distance > 0
    elif mask != "none" and {entry for row in mask for entry in row} <= {0, 1}:
        hidden |= np.array(mask) == 0
    if "window_left" in s:
        hidden |= distance < -s["window_left"]
    if "window_right" in s:
        hidden |= distance > s["window_right"]
    if "padding" in s:
        hidden |= np.array(s["padding"])[None] == 0
    return hidden


def rotated(x: Array, first: int, s: Settings) -> Array:
    """Every pair of columns, turned by its angle for each position."""
    width = x.shape[1]
    angle = (first + np.arange(len(x)))[:, None] * 100.0 ** (-2 * np.arange(width // 2)[None] / width)
    half = s["pairs"] == "half"
    a, b = (
        (np.arange(width // 2), np.arange(width // 2, width))
        if half
        else (range(0, width, 2), range(1, width, 2))
    )
    turned = x.astype(complex)
    turned[:, a] = x[:, a] * np.cos(angle) - x[:, b] * np.sin(angle)
    turned[:, b] = x[:, a] * np.sin(angle) + x[:, b] * np.cos(angle)
    return turned
