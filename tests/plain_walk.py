"""The plain, slow walk: a whole case in SymPy matrices, straight from its TOML, by the textbook.

It shares no code with the package: no plan, no operation, no flint. The tests hold the fast walk
against it, entry for entry. Vaswani et al. 2017, equation (1) and sections 3.2 and 3.5; one head is in
`plain_attention`, its masks in `plain_masks`, a layer around it in `plain_layers`, and tokens as columns in
`plain_columns`.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import sympy
from plain_attention import attend
from plain_columns import column_walk
from plain_latent import latent, latent_head
from plain_layers import after, normed
from sympy import Matrix, Rational, parse_expr

Case = dict[str, Any]
Walk = dict[str, Matrix]


def plain_walk(path: Path) -> Walk:
    """Every matrix of the case by the name that `derive --json` gives it, in the order of the walk.

    A walk by steps or by blocks, or a linear one, is walked directly all the same.
    """
    case = tomllib.loads(path.read_text(encoding="utf-8"), parse_float=str)
    settings = case.get("attention", {})
    names = {name: sympy.Symbol(name, real=True) for name in case.get("symbols", [])}
    m = {name: matrix_of(rows, names) for name, rows in case.get("given", {}).items()}

    def read(text: Any, more: dict[str, Any] | None = None) -> Any:
        return number(text, {**names, **(more or {})})

    if settings.get("tokens_as") == "columns":
        return column_walk(m, settings, read)
    given = set(m)
    layers = settings.get("layers", 1)
    x = embedded(m, case, settings)
    for layer in range(1, layers + 1):
        made = walk_layer(m, x, settings, read)
        if layers > 1:
            tagged = {
                f"layer{layer}.{name}": m.pop(name)
                for name in [*m]
                if name not in given and "layer" not in name
            }
            m |= tagged
            x = f"layer{layer}.{made}"
    return {name: matrix for name, matrix in m.items() if name not in given}


def embedded(m: Walk, case: Case, settings: Case) -> str:
    """The name of the inputs, with sinusoids added where the case asks for them."""
    if settings.get("positions") != "sinusoidal":
        return "X"
    n, d = m["X"].shape if "X" in m else (len(case["tokens"]), settings["d_model"])
    m["PE"] = sinusoids(n, d, settings.get("start", 0))
    if "X" in m:
        m["X+PE"] = m["X"] + m["PE"]
    return "X+PE"


def walk_layer(m: Walk, x: str, settings: Case, read: Any) -> str:
    """Projections, heads, output and what stands around them; the name of the last."""
    source = x
    if settings.get("layer") == "pre-norm":
        source = "norm_1"
        m[source] = normed(m, m[x], "1", settings, read)
    low_rank = "W_DKV" in m
    if low_rank:
        latent(m, source, settings, read, project)
    for name in "QKV":
        here = "memory" if "memory" in m and name != "Q" else source
        if name not in m and here in m and f"W_{name}" in m:
            m[name] = project(m[here], m[f"W_{name}"], m.get(f"b_{name}"), settings)
            if f"past_{name}" in m:
                m[f"new_{name}"] = m.pop(name)
                m[name] = m[f"past_{name}"].col_join(m[f"new_{name}"])
    heads = settings.get("heads", 1)
    made = "Z" if heads == 1 else "concat"
    for h in range(heads):
        tag = f"head{h + 1}." if heads > 1 else ""
        if low_rank:
            latent_head(m, h, settings, read)
        for name in "QKV" if heads > 1 and not low_rank else ():
            parts = heads if name == "Q" else settings.get("kv_heads", heads)
            width, part = m[name].cols // parts, h * parts // heads
            m[tag + name] = m[name][:, part * width : (part + 1) * width]
        attend(m, tag, h, {**settings, "positions": "none"} if low_rank else settings, read)
    if heads > 1:
        m[made] = Matrix.hstack(*(m[f"head{h + 1}.Z"] for h in range(heads)))
    if "W_G" in m:
        m["gate_logits"] = project(m[source], m["W_G"], m.get("b_G"), settings)
        m["gate"] = m["gate_logits"].applyfunc(lambda g: 1 / (1 + sympy.exp(-g)))
        m["gated"] = m[made].multiply_elementwise(m["gate"])
        made = "gated"
    if "W_O" in m:
        m["output"] = project(m[made], m["W_O"], m.get("b_O"), settings)
        made = "output"
    return after(m, x, made, settings, read, project)


def matrix_of(rows: list[Any], names: dict[str, Any]) -> Matrix:
    """A matrix as typed; a flat list is one row."""
    table = [rows] if not isinstance(rows[0], list) else rows
    return Matrix([[number(cell, names) for cell in row] for row in table])


def number(cell: Any, names: dict[str, Any]) -> Any:
    """A typed number or expression, never through a float."""
    if str(cell) in ("-inf", "-oo"):
        return -sympy.oo
    try:
        return Rational(str(cell))
    except (TypeError, ValueError):
        return parse_expr(str(cell).replace("^", "**"), local_dict=names)


def sinusoids(n: int, d: int, start: int) -> Matrix:
    """PE(pos, 2i) = sin(pos/10000^(2i/d)), PE(pos, 2i+1) = cos of the same angle."""

    def entry(i: int, j: int) -> Any:
        angle = (start + i) / sympy.Integer(10000) ** Rational(2 * (j // 2), d)
        return sympy.cos(angle) if j % 2 else sympy.sin(angle)

    return Matrix(n, d, entry)


def project(x: Matrix, w: Matrix, bias: Matrix | None, settings: Case) -> Matrix:
    """X W, X W^T or W x for every row, with the bias row added to every row."""
    if settings.get("weights") == "left":
        product = Matrix.hstack(*(w * x.row(i).T for i in range(x.rows))).T
    else:
        product = x * (w.T if settings.get("weights") == "transposed" else w)
    return (
        product
        if bias is None
        else Matrix(product.rows, product.cols, lambda i, j: product[i, j] + bias[0, j])
    )
