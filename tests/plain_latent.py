"""Queries, keys and values of latent attention in SymPy matrices. DeepSeek-V2 (2024), section 2.1."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy
from plain_attention import rotated
from sympy import Matrix

Walk = dict[str, Matrix]


def latent(m: Walk, source: str, settings: dict[str, Any], read: Any, project: Callable[..., Matrix]) -> None:
    """Adds what all heads share, from the inputs `source` to the columns that each head has its part of."""
    keys = "memory" if "memory" in m else source
    low = {}
    for name, here in (("Q", source), ("KV", keys)):
        if f"W_D{name}" not in m:
            low[name] = m[here]
            continue
        c = m[f"c_{name}"] = project(m[here], m[f"W_D{name}"], None, settings)
        low[name] = c
        if settings.get("latent_norm") == "rms":
            epsilon, gain = read(settings.get("epsilon", "0")), m.get(f"gamma_{name}")
            sizes = [sympy.sqrt(sum(x**2 for x in c.row(i)) / c.cols + epsilon) for i in range(c.rows)]
            low[name] = m[f"norm_{name}"] = Matrix(
                *c.shape, lambda i, j, c=c, n=sizes, g=gain: c[i, j] / n[i] * (g[j] if g else 1)
            )
    rotary = "W_KR" in m
    m["Q_C" if rotary else "Q"] = project(low["Q"], m["W_UQ"], None, settings)
    if rotary:
        m["Q_P"] = project(low["Q"], m["W_QR"], None, settings)
    m["K_C" if rotary else "K"] = project(low["KV"], m["W_UK"], None, settings)
    if rotary:
        m["K_P"] = project(m[keys], m["W_KR"], None, settings)
    m["V"] = project(low["KV"], m["W_UV"], None, settings)
    if rotary and settings.get("positions") == "rope":
        m["K_R"] = rotated(m["K_P"], settings.get("start", 0), settings, read)


def latent_head(m: Walk, h: int, settings: dict[str, Any], read: Any) -> None:
    """Adds Q, K and V of head number `h`."""
    heads = settings.get("heads", 1)
    tag = f"head{h + 1}." if heads > 1 else ""
    for name in ("Q_C", "Q_P", "Q", "K_C", "K", "V") if heads > 1 else ():
        if name in m:
            part = m[name].cols // heads
            m[tag + name] = m[name][:, h * part : (h + 1) * part]
    if "W_KR" in m:
        turned = m[tag + "Q_P"]
        if settings.get("positions") == "rope":
            turned = m[tag + "Q_R"] = rotated(turned, settings.get("start", 0), settings, read)
        m[tag + "Q"] = Matrix.hstack(m[tag + "Q_C"], turned)
        m[tag + "K"] = Matrix.hstack(m[tag + "K_C"], m.get("K_R", m["K_P"]))
