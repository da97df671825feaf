"""From inputs to Q, K and V, of all heads and of one. Vaswani et al. 2017, section 3.2.2."""

from __future__ import annotations

import numpy as np

from symattn.checks.textbook.conventions import Conventions
from symattn.checks.textbook.positions import rotated
from symattn.checks.textbook.steps import Array, Steps


def project(m: Steps, source: str, c: Conventions) -> None:
    """Q, K and V from the inputs `source`; K and V from a memory, and after the past, where there are any."""
    keys = "memory" if "memory" in m else source
    if is_latent(m):
        project_latent(m, source, keys, c)
        return
    for name in "QKV":
        past, made = f"past_{name}", f"new_{name}" if f"past_{name}" in m else name
        if name not in m:
            affine(m, made, projected(m, name, source), f"W_{name}", f"b_{name}", c)
            m.make(name, lambda old, new: np.concatenate([old, new], axis=0), past, made)


def projected(m: Steps, name: str, source: str) -> str:
    """What Q, K or V is a projection of: inputs of its own, a memory, or the inputs `source`."""
    keys = "memory" if "memory" in m and name != "Q" else source
    return f"X_{name}" if f"X_{name}" in m else keys


def affine(m: Steps, name: str, source: str, weights: str, bias: str, c: Conventions) -> None:
    """`name` from `source`: times the weights, plus the bias if one is given."""
    m.make(name, lambda x, w: c.affine(x, w, m.get(bias, 0.0)), source, weights)


def is_latent(m: Steps) -> bool:
    """Whether keys and values are made from a latent of fewer columns."""
    return "W_DKV" in m or "c_KV" in m


def project_latent(m: Steps, source: str, keys: str, c: Conventions) -> None:
    """What all heads share in latent attention. DeepSeek-V2 (2024), section 2.1, with norms as in 3.1.2."""
    low = {"Q": source if "W_DQ" not in m and "c_Q" not in m else "c_Q", "KV": "c_KV"}
    for name, inputs in (("Q", source), ("KV", keys)):
        affine(m, f"c_{name}", inputs, f"W_D{name}", "", c)
        if c.settings.latent_norm == "rms" and low[name] == f"c_{name}":
            low[name] = f"norm_{name}"
            gain = m.get(f"gamma_{name}", 1.0)
            m.make(low[name], lambda x, g=gain: x / c.spread(x) * g, f"c_{name}")
    content = "_C" if "W_KR" in m else ""
    affine(m, f"Q{content}", low["Q"], "W_UQ", "", c)
    affine(m, f"K{content}", low["KV"], "W_UK", "", c)
    affine(m, "V", low["KV"], "W_UV", "", c)
    affine(m, "Q_P", low["Q"], "W_QR", "", c)
    affine(m, "K_P", keys, "W_KR", "", c)
    if c.settings.positions == "rope":
        m.make("K_R", lambda x: rotated(x, c.settings.start, c), "K_P")


def share(m: Steps, tag: str, head: int, source: str, c: Conventions) -> None:
    """The columns of one head of several; groups of heads share keys and values (Ainslie et al. 2023)."""
    heads, shared = c.settings.heads, c.settings.kv_heads or c.settings.heads
    names = {"Q": heads, "K": shared, "V": shared}
    names |= {"Q_C": heads, "Q_P": heads, "K_C": heads} if is_latent(m) else {}
    for name, parts in names.items() if heads > 1 else ():
        if f"{tag}W_{name}" in m:
            affine(m, tag + name, projected(m, name, source), f"{tag}W_{name}", f"{tag}b_{name}", c)
        m.make(tag + name, lambda x, parts=parts: columns(x, head * parts // heads, parts), name)
    if is_latent(m) and "W_KR" in m:
        join_rotary(m, tag, c)


def columns(x: Array, part: int, parts: int) -> Array:
    """One of several equal parts of the columns."""
    width = x.shape[1] // parts
    return x[:, part * width : (part + 1) * width]


def join_rotary(m: Steps, tag: str, c: Conventions) -> None:
    """Content and rotary columns side by side, for queries and keys; all heads have the same rotary keys."""
    q, k = f"{tag}Q_P", "K_P"
    if c.settings.positions == "rope" and q in m and k in m:
        before = c.before(m[q].shape[0], m[k].shape[0])
        m.make(f"{tag}Q_R", lambda x: rotated(x, c.settings.start + before, c), q)
        q, k = f"{tag}Q_R", "K_R"
    m.make(f"{tag}Q", side_by_side, f"{tag}Q_C", q)
    m.make(f"{tag}K", side_by_side, f"{tag}K_C", k)


def side_by_side(*parts: Array) -> Array:
    return np.concatenate(parts, axis=1)
