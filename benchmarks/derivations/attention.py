"""One head, from Q, K and V (or from where the givens start) to Z, as textbooks have it.

Su et al. 2021 (RoPE), Press et al. 2022 (ALiBi), Raffel et al. 2020 (relative biases), Beltagy et al. 2020
(windows), Katharopoulos et al. 2020 (linear attention).
"""

from __future__ import annotations

from functools import partial
from typing import Any

import mpmath
from mpmath import mpf

from benchmarks.derivations.numbers import counts_as_zero, number
from benchmarks.derivations.program import (
    Function,
    Program,
    Rows,
    columns,
    divided,
    each,
    plus,
    product,
    row_sums,
    transposed,
)

Settings = dict[str, Any]
HIDDEN = mpf("-inf")


def attend(p: Program, tag: str, head: int, settings: Settings) -> None:
    """Adds the values of head number `head` (from 0)."""
    if f"{tag}scores" not in p.values and f"{tag}scaled" not in p.values:
        q, k = prepared(p, tag, settings)
        if settings.get("kernel") == "relu":
            q, k = (p.add(f"{tag}{x[len(tag)]}_F", relu(p.values[x]), x) for x in (q, k))
        p.add(f"{tag}scores", lambda a, b: product(a, transposed(b)), q, k)
    if settings.get("kernel") == "relu":
        total = p.add(f"{tag}total", row_sums, f"{tag}scores")
        p.add(f"{tag}A", divided, f"{tag}scores", total)
    else:
        softmax(p, tag, head, settings, logits(p, tag, head, settings))
    p.add(f"{tag}Z", product, f"{tag}A", f"{tag}V")


def prepared(p: Program, tag: str, settings: Settings) -> tuple[str, str]:
    """The names of the queries and keys that are multiplied: normalised, then turned, where asked for."""
    names = [f"{tag}Q", f"{tag}K"]
    if "qk_norm" in settings:
        names = [p.add(f"{name}_N", normalised(settings["qk_norm"] == "rms", mpf(0)), name) for name in names]
    if settings.get("positions") == "rope":
        start = settings.get("start", 0)
        turned_already = "past_K" in p.values and settings.get("past_keys", "rotated") == "rotated"
        past = {"Q": 0, "K": len(p.values["past_K"]) if turned_already else 0}
        firsts = start + offset(*(len(p.values[name]) for name in names), settings), start
        names = [
            p.add(f"{tag}{letter}_R", rotated(first, len(p.values[name][0]), settings, past[letter]), name)
            for letter, first, name in zip("QK", firsts, names, strict=True)
        ]
    return names[0], names[1]


def normalised(mean: bool, epsilon: mpf) -> Function:
    """Every row over its length, or over its root mean square."""

    def function(a: Rows) -> Rows:
        sizes = [mpmath.sqrt(mpmath.fdot(r, r) / (len(r) if mean else 1) + epsilon) for r in a]
        return [[x / size for x in row] for row, size in zip(a, sizes, strict=True)]

    return function


def rotated(first: int, width: int, settings: Settings, past: int) -> Function:
    """Each pair (a, b) of columns as a + b i, times e^(i theta position), but for the first `past` rows."""
    turned = settings.get("rotary", width)
    base = number(settings.get("rotary_base", 10000))
    thetas = [base ** (mpf(-2 * k) / turned) for k in range(turned // 2)]
    if "angles" in settings:
        thetas = [number(angle) for angle in settings["angles"]]
    half = settings.get("pairs") == "half"
    pairs = [(k, k + len(thetas)) if half else (2 * k, 2 * k + 1) for k in range(len(thetas))]

    def function(x: Rows) -> Rows:
        result = [list(row) for row in x]
        for i, row in list(enumerate(x))[past:]:
            for theta, (a, b) in zip(thetas, pairs, strict=True):
                c, s = mpmath.cos_sin(theta * (first + i))
                result[i][a], result[i][b] = row[a] * c - row[b] * s, row[a] * s + row[b] * c
        return result

    return function


def relu(at: Rows) -> Function:
    """max(0, x), with the slope that it has at `at`: 0 at 0, by convention."""
    opened = [[x > 0 and not counts_as_zero(x) for x in row] for row in at]
    return lambda a: [
        [x if o else mpf(0) for x, o in zip(*rows, strict=True)] for rows in zip(a, opened, strict=True)
    ]


def offset(n_q: int, n_k: int, settings: Settings) -> int:
    """How many keys come before the first query."""
    return n_k - n_q if settings.get("align") == "bottom-right" else 0


def logits(p: Program, tag: str, head: int, settings: Settings) -> str:
    """Scale, softcap, bias, mask and temperature; the name of the last."""
    if f"{tag}scaled" not in p.values:
        sizes = {"n": len(p.values[f"{tag}scores"][0])}
        if f"{tag}Q" in p.values:
            sizes["d_k"] = len(p.values[f"{tag}Q"][0])
        if "X" in p.values:
            sizes["d_model"] = len(p.values["X"][0])
        factor = number(settings.get("scale", "1/sqrt(d_k)"), sizes)
        p.add(f"{tag}scaled", each(lambda x: x * factor), f"{tag}scores")
    last = f"{tag}scaled"
    here = offset(len(p.values[last]), len(p.values[last][0]), settings)
    if "softcap" in settings:
        cap = number(settings["softcap"])
        last = p.add(f"{tag}capped", each(lambda x: cap * mpmath.tanh(x / cap)), last)
    if settings.get("positions") == "alibi":
        heads = settings.get("heads", 1)
        slopes = settings.get("slopes") or [f"2^(-8*{h + 1}/{heads})" for h in range(heads)]
        slope = number(slopes[head])
        last = p.add(f"{tag}biased", by_place(lambda x, i, j: x - slope * abs(i + here - j)), last)
    if settings.get("positions") == "relative":
        far = len(p.values["relative"][0]) // 2

        def biased(scores: Rows, table: Rows) -> Rows:
            add = by_place(lambda x, i, j: x + table[0][max(-far, min(far, j - i - here)) + far])
            return add(scores)

        last = p.add(f"{tag}biased", biased, last, "relative")
    if any(key in settings for key in ("mask", "padding", "window_left", "window_right")):
        last = p.add(f"{tag}masked", partial(plus, masks(p.values[last], here, settings)), last)
    if "temperature" in settings:
        temperature = number(settings["temperature"])
        last = p.add(f"{tag}tempered", each(lambda x: x / temperature), last)
    return last


def by_place(function: Any) -> Function:
    """A function of every entry and its place."""
    return lambda a: [[function(x, i, j) for j, x in enumerate(row)] for i, row in enumerate(a)]


def masks(scores: Rows, here: int, settings: Settings) -> Rows:
    """What is added to the score of query i and key j: 0, a bias, or minus infinity."""
    given = settings.get("mask")
    typed = {str(x) for row in given for x in row} if isinstance(given, list) else set()
    boolean = typed <= {"0", "1", "True", "False"} and not typed <= {"0"}  # zeros alone add nothing
    left, right = settings.get("window_left"), settings.get("window_right")

    def one(i: int, j: int) -> mpf:
        ahead = j - i - here
        if (
            (given == "causal" and ahead > 0)
            or (left is not None and -ahead > left)
            or (right is not None and ahead > right)
            or ("padding" in settings and not number(settings["padding"][j]))
            or (boolean and not number(given[i][j]))
        ):
            return HIDDEN
        return number(given[i][j]) if isinstance(given, list) and not boolean else mpf(0)

    return [[one(i, j) for j in range(len(row))] for i, row in enumerate(scores)]


def softmax(p: Program, tag: str, head: int, settings: Settings, last: str) -> None:
    """The powers of the logits, their sums (with a sink) and the weights."""
    rate = mpmath.log(number(settings.get("base", "e")))
    p.add(f"{tag}exp", each(lambda x: mpmath.exp(x * rate)), last)
    if "sink" in p.values:
        own = head if len(p.values["sink"][0]) > 1 else 0

        def with_sink(powers: Rows, sink: Rows) -> Rows:
            return [[total + mpmath.exp(sink[0][own] * rate)] for (total,) in row_sums(powers)]

        p.add(f"{tag}sum", with_sink, f"{tag}exp", "sink")
    else:
        p.add(f"{tag}sum", row_sums, f"{tag}exp")
    p.add(f"{tag}A", divided, f"{tag}exp", f"{tag}sum")


def one_head(p: Program, name: str, part: int, count: int) -> Function:
    """The columns of a head's part of Q, K or V."""
    width = len(p.values[name][0]) // count
    return columns(part * width, (part + 1) * width)
