"""The plain, slow walk: a whole case in SymPy matrices, straight from its TOML, by the textbook.

It shares no code with the package: no plan, no operation, no flint. The tests hold the fast walk
against it, entry for entry. Vaswani et al. 2017, equation (1) and sections 3.2 and 3.5.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import sympy
from plain_columns import column_walk
from sympy import Matrix, Rational, exp, parse_expr

Case = dict[str, Any]
Walk = dict[str, Matrix]


def plain_walk(path: Path) -> Walk:
    """Every matrix of the case by the name that `derive --json` gives it, in the order of the walk."""
    case = tomllib.loads(path.read_text(encoding="utf-8"), parse_float=str)
    settings = case.get("attention", {})
    names = {name: sympy.Symbol(name, real=True) for name in case.get("symbols", [])}
    m = {name: matrix_of(rows, names) for name, rows in case.get("given", {}).items()}
    if settings.get("tokens_as") == "columns":
        return column_walk(m, settings, number)
    given = set(m)
    x = "X"
    if settings.get("positions", "none") == "sinusoidal":
        x = "X+PE"
        n, d = m["X"].shape if "X" in m else (len(case["tokens"]), settings["d_model"])
        m["PE"] = sinusoids(n, d, settings.get("start", 0))
        if "X" in m:
            m[x] = m["X"] + m["PE"]
    for name in "QKV":
        source = "memory" if "memory" in m and name != "Q" else x
        if name not in m and source in m and f"W_{name}" in m:
            m[name] = project(m[source], m[f"W_{name}"], m.get(f"b_{name}"), settings)
    heads = settings.get("heads", 1)
    if heads == 1:
        attend(m, "", settings, names)
        joined = "Z"
    else:
        for h in range(heads):
            tag = f"head{h + 1}."
            for name in "QKV":
                part = m[name].cols // heads
                m[tag + name] = m[name][:, h * part : (h + 1) * part]
            attend(m, tag, settings, names)
        joined = "concat"
        m[joined] = Matrix.hstack(*(m[f"head{h + 1}.Z"] for h in range(heads)))
    if "W_O" in m:
        m["output"] = project(m[joined], m["W_O"], m.get("b_O"), settings)
    return {name: matrix for name, matrix in m.items() if name not in given}


def matrix_of(rows: list[Any], names: dict[str, Any]) -> Matrix:
    """A matrix as typed; a flat list is one row."""
    table = [rows] if not isinstance(rows[0], list) else rows
    return Matrix([[number(cell, names) for cell in row] for row in table])


def number(cell: Any, names: dict[str, Any]) -> Any:
    """A typed number or expression, never through a float."""
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
    """X W, or X W^T, with the bias row added to every row."""
    product = x * (w.T if settings.get("weights") == "transposed" else w)
    return (
        product
        if bias is None
        else Matrix(product.rows, product.cols, lambda i, j: product[i, j] + bias[0, j])
    )


def attend(m: Walk, tag: str, settings: Case, names: dict[str, Any]) -> None:
    """From Q, K, V (or from where the givens start) to Z, as far as they reach."""

    def computable(name: str, *needed: str) -> bool:
        return tag + name not in m and all(tag + need in m for need in needed)

    if computable("scores", "Q", "K"):
        m[tag + "scores"] = m[tag + "Q"] * m[tag + "K"].T
    if computable("scaled", "scores"):
        d_k = m[tag + "Q"].cols if tag + "Q" in m else None
        sizes = {"d_k": sympy.Integer(d_k)} if d_k else {}
        text = str(settings.get("scale", "1/sqrt(d_k)"))
        m[tag + "scaled"] = m[tag + "scores"] * number(text, {**names, **sizes})
    logits = "scaled"
    mask = settings.get("mask", "none")
    if mask != "none":
        logits = "masked"
        if computable("masked", "scaled"):
            scaled = m[tag + "scaled"]

            def hidden(i: int, j: int) -> bool:
                return j > i if mask == "causal" else str(mask[i][j]) in ("0", "False")

            m[tag + "masked"] = Matrix(
                *scaled.shape, lambda i, j: -sympy.oo if hidden(i, j) else scaled[i, j]
            )
    if computable("exp", logits):
        base = number(settings["base"], names) if "base" in settings else None
        m[tag + "exp"] = m[tag + logits].applyfunc(lambda s: exp(s) if base is None else base**s)
    if computable("sum", "exp"):
        powers = m[tag + "exp"]
        m[tag + "sum"] = Matrix([sum(powers.row(i)) for i in range(powers.rows)])
    if computable("A", "exp", "sum"):
        powers, sums = m[tag + "exp"], m[tag + "sum"]
        m[tag + "A"] = Matrix(powers.rows, powers.cols, lambda i, j: powers[i, j] / sums[i, 0])
    if computable("Z", "A", "V"):
        m[tag + "Z"] = m[tag + "A"] * m[tag + "V"]
