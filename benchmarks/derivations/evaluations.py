"""The same head token by token, block by block, or with the sums over the keys first.

Shazeer 2019 (a cache), Milakov and Gimelshein 2018 (the online softmax), Katharopoulos et al. 2020. Every
value is what its definition says of the direct ones: no running sum is run.
"""

from __future__ import annotations

import mpmath
from mpmath import mpf

from benchmarks.derivations.attention import HIDDEN, Settings, offset
from benchmarks.derivations.numbers import number
from benchmarks.derivations.program import Program, Rows, product, row_sums, transposed


def logits_of(p: Program, tag: str) -> str:
    """The name of the logits: what the exponentials see."""
    return next(step.args[0] for step in p.steps if step.name == f"{tag}exp")


def keys_of(p: Program, tag: str) -> tuple[str, str]:
    """The names of the queries and keys that are multiplied."""
    q, k = next(step.args for step in p.steps if step.name == f"{tag}scores")
    return q, k


def by_tokens(p: Program, tag: str, head: int, settings: Settings) -> None:
    """Step t has query t and the keys up to its own."""
    q, k = keys_of(p, tag)
    n_q = len(p.values[q])
    before = offset(n_q, len(p.values[k]), settings)
    for t in range(n_q):
        last = before + t + 1
        here = f"{tag}step{t + 1}."
        p.values[f"{here}Q"] = p.values[q][t : t + 1]
        for cache, source in (("K", k), ("V", f"{tag}V")):
            p.values[here + cache] = p.values[source][:last]
            p.values[here + cache.lower()] = p.values[source][last - 1 : last]
        for name in ("scores", "scaled", "capped", "biased", "masked", "tempered", "exp", "A"):
            if tag + name in p.values:
                p.values[here + name] = [p.values[tag + name][t][:last]]
        for name in ("sum", "Z"):
            p.values[here + name] = p.values[tag + name][t : t + 1]


def by_blocks(p: Program, tag: str, head: int, settings: Settings) -> None:
    """Block b has its scores S and values V, and m, l and O of all keys up to its end."""
    size = settings.get("block", 1)
    scores, v = p.values[logits_of(p, tag)], p.values[f"{tag}V"]
    rate = mpmath.log(number(settings.get("base", "e")))

    def power(x: mpf, m: mpf) -> mpf:
        return mpf(0) if HIDDEN in (x, m) else mpmath.exp((x - m) * rate)

    def since(rows: Rows, m: Rows) -> Rows:
        return [[power(x, top) for x in row] for row, (top,) in zip(rows, m, strict=True)]

    old: Rows = []
    for number_of, start in enumerate(range(0, len(v), size), 1):
        here, stop = f"{tag}block{number_of}.", min(start + size, len(v))
        m = [[max(row[:stop])] for row in scores]
        p.values[f"{here}S"] = [row[start:stop] for row in scores]
        p.values[f"{here}V"], p.values[f"{here}m"] = v[start:stop], m
        p.values[f"{here}P"] = since(p.values[f"{here}S"], m)
        if old:
            p.values[f"{here}r"] = since(old, m)
        weights = since([row[:stop] for row in scores], m)
        p.values[f"{here}l"] = row_sums(weights)
        p.values[f"{here}O"] = product(weights, v[:stop])
        old = m
    if "sink" in p.values:
        own = head if len(p.values["sink"][0]) > 1 else 0
        sink = p.values["sink"][0][own]
        p.values[f"{tag}sink" if tag else "its sink"] = [[sink]]
        p.values[f"{tag}total"] = [
            [total + mpmath.exp((sink - top) * rate)]
            for (total,), (top,) in zip(p.values[f"{here}l"], m, strict=True)
        ]


def by_sums(p: Program, tag: str, head: int, settings: Settings) -> None:
    """K^T V and the sums of the keys first."""
    q, k = keys_of(p, tag)
    p.add(f"{tag}KV", lambda a, b: product(transposed(a), b), k, f"{tag}V")
    p.add(f"{tag}keys", lambda a: transposed(row_sums(transposed(a))), k)
    p.add(f"{tag}mixed", product, q, f"{tag}KV")
