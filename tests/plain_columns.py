"""The plain walk with tokens as columns, written in columns from the start: nothing is transposed but K.

Like `plain_walk` it shares no code with the package: no plan, no operation, no turning of anything.
Phuong and Hutter 2022, Formal Algorithms for Transformers, algorithms 4 and 5.
"""

from __future__ import annotations

from typing import Any

import sympy
from sympy import Matrix, exp

Walk = dict[str, Matrix]


def column_walk(m: Walk, settings: dict[str, Any], number: Any) -> Walk:
    """Every matrix of the walk from the givens `m`; `number` reads an expression in given names."""
    given = set(m)
    for name in "QKV":
        source = m["memory"] if "memory" in m and name != "Q" else m["X"]
        m[name] = affine(m[f"W_{name}"], source, m.get(f"b_{name}"))
    heads = settings.get("heads", 1)
    d_k = m["Q"].rows // heads
    scale = number(str(settings.get("scale", "1/sqrt(d_k)")), {"d_k": sympy.Integer(d_k)})
    for h in range(heads):
        tag = f"head{h + 1}." if heads > 1 else ""
        if tag:
            for name in "QKV":
                part = m[name].rows // heads
                m[tag + name] = m[name][h * part : (h + 1) * part, :]
        attend(m, tag, scale, settings.get("mask") == "causal")
    made = "Z"
    if heads > 1:
        made = "concat"
        m[made] = Matrix.vstack(*(m[f"head{h + 1}.Z"] for h in range(heads)))
    if "W_O" in m:
        m["output"] = affine(m["W_O"], m[made], m.get("b_O"))
        made = "output"
    if settings.get("layer") == "residual":
        m["residual_1"] = m["X"] + m[made]
    return {name: matrix for name, matrix in m.items() if name not in given}


def affine(w: Matrix, x: Matrix, bias: Matrix | None) -> Matrix:
    """W X with the bias column added to every column."""
    product = w * x
    if bias is None:
        return product
    return Matrix.hstack(*(product.col(j) + bias for j in range(product.cols)))


def attend(m: Walk, tag: str, scale: Any, causal: bool) -> None:
    """S = K^T Q with a column for each query, the softmax down every column, Z = V A."""
    m[tag + "scores"] = m[tag + "K"].T * m[tag + "Q"]
    logits = m[tag + "scaled"] = m[tag + "scores"] * scale
    if causal:
        logits = m[tag + "masked"] = Matrix(
            *logits.shape, lambda key, query: -sympy.oo if key > query else logits[key, query]
        )
    powers = m[tag + "exp"] = logits.applyfunc(exp)
    sums = m[tag + "sum"] = Matrix([[sum(powers.col(query)) for query in range(powers.cols)]])
    m[tag + "A"] = Matrix(*powers.shape, lambda key, query: powers[key, query] / sums[query])
    m[tag + "Z"] = m[tag + "V"] * m[tag + "A"]
