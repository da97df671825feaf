"""What stands around attention in the plain walk: residuals, norms and the feed-forward layer.

Vaswani et al. 2017, section 3.3; Ba et al. 2016 (LayerNorm); Zhang and Sennrich 2019 (RMSNorm).
"""

from __future__ import annotations

from typing import Any

import sympy
from sympy import Matrix

Walk = dict[str, Matrix]
Settings = dict[str, Any]


def after(m: Walk, x: str, made: str, settings: Settings, read: Any, project: Any) -> str:
    """Adds what follows the attention output `made` over the inputs `x`; the name of the last matrix."""
    kind = settings.get("layer", "none")
    if kind == "none":
        return made
    m["residual_1"] = m[x] + m[made]
    if kind == "residual":
        return "residual_1"
    norm, over = ("norm_1", "norm_1") if kind == "post-norm" else ("norm_2", "residual_1")
    m[norm] = normed(m, m["residual_1"], norm[-1], settings, read)
    m["widened"] = project(m[norm], m["W_1"], m.get("b_1"), settings)
    act = gelu if settings.get("activation") == "gelu" else lambda u: sympy.Max(0, u)
    m["active"] = m["widened"].applyfunc(act)
    m["ffn"] = project(m["active"], m["W_2"], m.get("b_2"), settings)
    m["residual_2"] = m[over] + m["ffn"]
    if kind == "post-norm":
        m["norm_2"] = normed(m, m["residual_2"], "2", settings, read)
        return "norm_2"
    return "residual_2"


def gelu(u: Any) -> Any:
    return u * (1 + sympy.erf(u / sympy.sqrt(2))) / 2


def normed(m: Walk, x: Matrix, number: str, settings: Settings, read: Any) -> Matrix:
    """Every row over its spread: the deviation from its mean, or for RMSNorm its root mean square."""
    epsilon = read(settings.get("epsilon", "0"))
    gain, shift = m.get(f"gamma_{number}"), m.get(f"beta_{number}")
    rows = []
    for i in range(x.rows):
        row = list(x.row(i))
        mean = 0 if settings.get("norm") == "rms" else sum(row) / x.cols
        variance = sum((u - mean) ** 2 for u in row) / x.cols
        outside = settings.get("epsilon_added_to") == "deviation"
        spread = sympy.sqrt(variance) + epsilon if outside else sympy.sqrt(variance + epsilon)
        plain = [(u - mean) / spread for u in row]
        scaled = plain if gain is None else [u * gain[j] for j, u in enumerate(plain)]
        rows.append(scaled if shift is None else [u + shift[j] for j, u in enumerate(scaled)])
    return Matrix(rows)
