"""One head of the plain walk, from Q, K and V (or from where the givens start) to Z, as far as they reach.

Positions: Su et al. 2021 (RoPE), Press et al. 2022 (ALiBi), Raffel et al. 2020 (relative biases). Before
the softmax: softcap, bias, mask, temperature; beside it: sinks; in its place: ReLU features.
"""

from __future__ import annotations

from typing import Any

import sympy
from plain_masks import mask, offset
from sympy import Matrix, Rational, exp

Settings = dict[str, Any]
Walk = dict[str, Matrix]


def attend(m: Walk, tag: str, head: int, settings: Settings, read: Any) -> None:
    """Adds the matrices of head number `head` to the walk, under `tag`."""

    def computable(name: str, *needed: str) -> bool:
        return tag + name not in m and all(tag + need in m for need in needed)

    if settings.get("kernel") == "relu":
        linear(m, tag, mask(m, tag, settings, read))
        return
    if "lambda_q1" in m and "lambda" not in m:
        first, second = (sympy.exp((m[f"lambda_q{i}"] * m[f"lambda_k{i}"].T)[0]) for i in (1, 2))
        m["lambda"] = Matrix([[first - second + read(settings.get("lambda_init", "0.2"))]])
    if "lambda" in m and not tag.endswith(("map1.", "map2.")):
        differential(m, tag, head, settings, read)
        return
    q, k = prepared(m, tag, settings, read)
    if computable("scores", q, k):
        m[tag + "scores"] = m[tag + q] * m[tag + k].T
    if computable("scaled", "scores"):
        sizes = {"d_k": sympy.Integer(m[tag + "Q"].cols)} if tag + "Q" in m else {}
        m[tag + "scaled"] = m[tag + "scores"] * read(settings.get("scale", "1/sqrt(d_k)"), sizes)
    logits = "scaled"

    def then(name: str, what: Any) -> None:
        nonlocal logits
        if computable(name, logits):
            before = m[tag + logits]
            m[tag + name] = Matrix(*before.shape, lambda i, j: what(i, j, before[i, j]))
        logits = name

    here = offset(m, tag, settings) if tag + "scaled" in m else 0
    if "softcap" in settings:
        cap = read(settings["softcap"])
        then("capped", lambda i, j, s: cap * sympy.tanh(s / cap))
    if settings.get("positions") == "alibi":
        heads = settings.get("heads", 1)
        slope = (
            read(settings["slopes"][head]) if "slopes" in settings else 2 ** Rational(-8 * (head + 1), heads)
        )
        then("biased", lambda i, j, s: s - slope * abs(i + here - j))
    if settings.get("positions") == "relative":
        table = m["relative"]
        far = table.cols // 2
        then("biased", lambda i, j, s: s + table[max(-far, min(far, j - i - here)) + far])
    added = mask(m, tag, settings, read) if tag + "scaled" in m or tag + "masked" in m else None
    if added is not None:
        then("masked", lambda i, j, s: -sympy.oo if added[i, j] == -sympy.oo else s + added[i, j])
    if "temperature" in settings:
        t = settings["temperature"]
        then("tempered", lambda i, j, s: s / read(t[head] if isinstance(t, list) else t))
    if settings.get("shift") == "max":
        largest = [sympy.Max(*m[logits].row(i)) for i in range(m[logits].rows)]
        then("shifted", lambda i, j, s: s - largest[i])
    if settings.get("normaliser") in NORMALISERS:
        weigh, last = NORMALISERS[settings["normaliser"]], m[tag + logits]
        then("A", lambda i, j, s: weigh(list(last.row(i)), s))
        if computable("Z", "A", "V"):
            m[tag + "Z"] = m[tag + "A"] * m[tag + "V"]
        return
    base = read(settings["base"]) if "base" in settings else sympy.E
    then("exp", lambda i, j, s: exp(s) if base == sympy.E else base**s)
    if computable("sum", "exp"):
        sink = m["sink"][head if m["sink"].cols > 1 else 0] if "sink" in m else None
        extra = 0 if sink is None else base**sink
        powers = m[tag + "exp"]
        m[tag + "sum"] = Matrix([sum(powers.row(i)) + extra for i in range(powers.rows)])
    if computable("A", "exp", "sum"):
        powers, sums = m[tag + "exp"], m[tag + "sum"]
        m[tag + "A"] = Matrix(*powers.shape, lambda i, j: powers[i, j] / sums[i, 0] if sums[i, 0] else 0)
    if computable("Z", "A", "V"):
        m[tag + "Z"] = m[tag + "A"] * m[tag + "V"]


def differential(m: Walk, tag: str, head: int, settings: Settings, read: Any) -> None:
    """Ye et al. 2024, equations (1) and (3): two maps from the halves of Q and K, and their difference."""
    half = m[tag + "Q"].cols // 2
    for number, columns in ((1, slice(0, half)), (2, slice(half, None))):
        here = f"{tag}map{number}."
        m |= {here + name: m[tag + name][:, columns] for name in "QK"}
        attend(m, here, head, settings, read)
    m[tag + "A"] = m[tag + "map1.A"] - m["lambda"][0] * m[tag + "map2.A"]
    product = m[tag + "A"] * m[tag + "V"]
    if settings.get("head_norm") != "rms":
        m[tag + "Z"] = product
        return
    m[tag + "mixed"] = product
    epsilon, d = read(settings.get("epsilon", "0")), product.cols
    sizes = [sympy.sqrt(sum(c**2 for c in product.row(i)) / d + epsilon) for i in range(product.rows)]
    m[tag + "mixed_N"] = Matrix(*product.shape, lambda i, j: product[i, j] / sizes[i])
    m[tag + "Z"] = (1 - read(settings.get("lambda_init", "0.2"))) * m[tag + "mixed_N"]


def sparse(row: list[Any], s: Any) -> Any:
    """One weight of a row: max(s - t, 0) with the t for which they sum to 1, trying every size of support."""
    seen = sorted((x for x in row if x != -sympy.oo), reverse=True)
    for size in range(len(seen), 0, -1):
        t = (sum(seen[:size]) - 1) / size
        if sum(max(x - t, 0) for x in seen) == 1:
            return max(s - t, 0)
    raise ValueError(row)


NORMALISERS = {
    "relu": lambda row, s: sympy.Max(0, s) / len(row),
    "sparsemax": sparse,
    "sigmoid": lambda row, s: 0 if s == -sympy.oo else exp(s) / (exp(s) + len(row)),
}


def prepared(m: Walk, tag: str, settings: Settings, read: Any) -> tuple[str, str]:
    """The names of the queries and keys that are multiplied: normalised, then turned, where asked for."""
    names = ["Q", "K"]
    if "qk_norm" in settings:
        mean = settings["qk_norm"] == "rms"
        for name in names:
            x = m[tag + name]
            lengths = [
                sympy.sqrt(sum(c**2 for c in x.row(i)) / (x.cols if mean else 1)) for i in range(x.rows)
            ]
            m[f"{tag}{name}_N"] = Matrix(*x.shape, lambda i, j, x=x, lengths=lengths: x[i, j] / lengths[i])
        names = ["Q_N", "K_N"]
    if settings.get("positions") == "rope":
        start = settings.get("start", 0)
        for name, first in zip(names, (start + offset(m, tag, settings), start), strict=True):
            m[f"{tag}{name[0]}_R"] = rotated(m[tag + name], first, settings, read)
        names = ["Q_R", "K_R"]
    return names[0], names[1]


def rotated(x: Matrix, first: int, settings: Settings, read: Any) -> Matrix:
    """Every pair of columns, as the complex number a + b i, times e^(i theta position)."""
    turned = settings.get("rotary", x.cols)
    angles = [read(angle) for angle in settings["angles"]] if "angles" in settings else None
    pairs = len(angles) if angles else turned // 2
    base = read(settings.get("rotary_base", "10000"))
    result = x.copy()
    for p in range(pairs):
        a, b = (p, p + pairs) if settings.get("pairs") == "half" else (2 * p, 2 * p + 1)
        theta = angles[p] if angles else base ** Rational(-2 * p, turned)
        for i in range(x.rows):
            c, s = sympy.cos(theta * (first + i)), sympy.sin(theta * (first + i))
            result[i, a], result[i, b] = x[i, a] * c - x[i, b] * s, x[i, a] * s + x[i, b] * c
    return result


def linear(m: Walk, tag: str, added: Any) -> None:
    """Katharopoulos et al. 2020, equation (4): phi(q_i) . phi(k_j) over their sum, phi being ReLU."""
    for name in "QK":
        m[f"{tag}{name}_F"] = m[tag + name].applyfunc(lambda x: sympy.Max(0, x))
    m[tag + "scores"] = m[tag + "Q_F"] * m[tag + "K_F"].T
    if added is not None:
        seen, made = m[tag + "scores"], m[tag + "scores"].shape
        m[tag + "masked"] = Matrix(*made, lambda i, j: 0 if added[i, j] == -sympy.oo else seen[i, j])
    scores = m[tag + ("scores" if added is None else "masked")]
    m[tag + "total"] = totals = Matrix([sum(scores.row(i)) for i in range(scores.rows)])
    m[tag + "A"] = Matrix(*scores.shape, lambda i, j: scores[i, j] / totals[i] if totals[i] else 0)
    m[tag + "Z"] = m[tag + "A"] * m[tag + "V"]
