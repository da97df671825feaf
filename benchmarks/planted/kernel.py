"""A kernel of attention in NumPy or PyTorch, sound or with one mistake of the catalogue planted.

It shares no code with the catalogue, which computes mistakes in float64.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

SETTINGS: Mapping[str, dict[str, Any]] = {
    "causal, grouped heads": {"causal": True},
    "causal, more keys": {"causal": True, "keys": 250},
    "causal, window, sinks": {"causal": True, "window": 40, "sinks": True},
    "causal, softcap": {"causal": True, "softcap": 2.0},
    "mask": {"mask": True},
}
TOKENS, QUERY_HEADS, HEADS, WIDTH = 200, 4, 2, 32


def kernel(lib: Any, half: Any, q: Any, k: Any, v: Any, wrong: str = "", **options: Any) -> Any:
    """o (h, n, e) for q (h, n, d), k and v (g, m, ...) of `lib`, in float32 and stored by `half`."""
    (h, n, d), (g, m, _) = q.shape, k.shape
    zero = q[:, :, :1] * 0
    at = lib.arange(h)
    group = at % g if wrong == "query heads mapped to keys in turn" else at // (h // g)
    of_values = (group + 1) % g if wrong == "values of the next head" else group
    if wrong == "K reshaped, not transposed":
        s = q @ k[group].reshape((h, d, m))
    else:
        s = q @ lib.swapaxes(k[group], 1, 2)
    scale = {"no scale": 1.0, "1/d for 1/√d": 1 / d, "d_model for d": 1 / math.sqrt(d * h)}
    s = s * scale.get(wrong, 1 / math.sqrt(d))
    i, j = lib.arange(n)[:, None], lib.arange(m)[None]
    last = i + {"causal mask: one key too many": 1, "causal mask: one key too few": -1}.get(wrong, 0)
    if wrong == "causal mask aligned at the bottom right":
        last = last + m - n
    seen = (i >= 0) & (j >= 0)
    if options.get("causal") and wrong != "causal mask left out":
        seen = seen & (j <= last)
    if "window" in options and wrong != "window left out":
        wide = {"window: one key too many": 1, "window: one key too few": -1}.get(wrong, 0)
        seen = seen & (j > i - options["window"] - wide)
    if wrong == "last block of 64 keys dropped":
        seen = seen & (j < m // 64 * 64)
    cap, bias = options.get("softcap"), options.get("mask")
    if bias is not None:
        seen = seen & (bias > -math.inf)
        bias = lib.where(bias > -math.inf, bias, zero[0, 0, 0])
    if cap and wrong not in ("softcap left out", "softcap after the mask"):
        s = lib.tanh(s / cap) * cap
    if bias is not None and wrong not in ("mask left out", "mask added after the softmax"):
        s = s + bias
    if wrong != "mask left out":
        s = lib.where(seen, s, zero - math.inf)
    if wrong == "softcap after the mask":
        s = lib.tanh(s / cap) * cap
    sink = zero - math.inf
    if "sinks" in options and wrong != "sink left out":
        sink = options["sinks"][:, None, None] + zero
        sink = sink / math.sqrt(d) if wrong == "sink multiplied by the scale" else sink
    axis = 1 if wrong == "softmax over queries" else 2
    top = lib.amax(s, axis=axis, keepdims=True)
    top = lib.maximum(top, sink) if axis == 2 else top
    top = lib.where(top > -math.inf, top, zero[:, :1])
    power = lib.exp2 if wrong == "base 2 without log2 e" else lib.exp
    e, of_sink = power(s - top), power(sink - top) if axis == 2 else 0
    total = e.sum(axis=axis, keepdims=True) + of_sink
    total = lib.where(total > 0, total, zero[:, :1] + 1)
    if wrong == "softmax over queries":
        return half(half(e / total) @ v[of_values])
    if wrong == "mask added after the softmax":
        return half((e / total + bias) @ v[of_values])
    return half(half(e) @ v[of_values] / total)
