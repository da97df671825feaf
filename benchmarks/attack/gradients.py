"""Gradients of the variants that `benchmarks/derivations` does not have, against a tape.

Each case is one or two heads from X with a squared loss; its weights are a softmax, ReLU, sparsemax, a
sigmoid, or the difference of two softmaxes, and a gate may follow the heads.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import mpmath
from mpmath import mpf

import symattn
from benchmarks.attack.tape import Table, Value, backward, constant, product, total
from benchmarks.derivations.cases import toml
from benchmarks.derivations.numbers import number
from symattn.exact.rounding import Undecided

PLACES = 30
Case = dict[str, dict[str, Any]]


def case(rng: random.Random) -> Case:
    """What is given, and the settings."""
    kind = rng.choice(("softmax", "relu", "sparsemax", "sigmoid", "differential"))
    heads, n = rng.choice((1, 2)), rng.randint(1, 2)
    d = 2 * heads if kind == "differential" else heads

    def matrix(rows: int, columns: int) -> list[list[str]]:
        entries = [f"{rng.randint(-99, 99)}/{rng.choice((7, 11, 13))}" for _ in range(rows * columns)]
        return [entries[i : i + columns] for i in range(0, rows * columns, columns)]

    given: dict[str, Any] = {"X": matrix(n, 2)}
    given |= {name: matrix(2, d) for name in ("W_Q", "W_K", "W_V")}
    given |= {"W_O": matrix(d, 2), "target": matrix(n, 2)}
    settings: dict[str, Any] = {"heads": heads, "loss": "squared"}
    if kind == "differential":
        given["lambda"] = matrix(1, 1)[0][0]
    elif kind != "softmax":
        settings["normaliser"] = kind
    if rng.random() < 0.4:
        given["W_G"] = matrix(2, d)
    if rng.random() < 0.4:
        settings["temperature"] = rng.choice(("3/2", "1/3", "sqrt(2)"))
    if kind in ("softmax", "sigmoid") and rng.random() < 0.3:
        settings["softcap"] = rng.choice(("2", "5/3"))
    return {"given": given, "attention": settings}


def sigmoid(x: Value, offset: int = 1) -> Value:
    """1/(1 + offset e^-x)."""
    return constant(1) / (constant(1) + constant(offset) * power(constant(0) - x))


def power(x: Value) -> Value:
    return x.through(mpmath.exp, mpmath.exp)


def positive(x: Value) -> Value:
    return x.through(lambda a: max(a, mpf(0)), lambda a: mpf(a > 0))


def normalised(row: list[Value], kind: str) -> list[Value]:
    """The weights of one row of logits."""
    if kind == "relu":
        return [positive(x) / constant(len(row)) for x in row]
    if kind == "sigmoid":
        return [sigmoid(x, len(row)) for x in row]
    if kind == "sparsemax":  # Martins and Astudillo 2016, algorithm 1
        falling = sorted(row, key=lambda x: -x.number)
        sums = [mpmath.fsum(x.number for x in falling[:k]) for k in range(1, len(row) + 1)]
        size = max(k for k, x in enumerate(falling, 1) if 1 + k * x.number > sums[k - 1])
        threshold = (total(falling[:size]) - constant(1)) / constant(size)
        return [positive(x - threshold) for x in row]
    powers = [power(x) for x in row]
    return [x / total(powers) for x in powers]


def weights(q: Table, k: Table, settings: dict[str, Any]) -> Table:
    """From queries and keys to weights."""
    temperature, cap = (number(settings.get(name, 1)) for name in ("temperature", "softcap"))
    scores = product(q, [list(column) for column in zip(*k, strict=True)])
    scaled = [[x / constant(mpmath.sqrt(len(k[0]))) for x in row] for row in scores]
    if "softcap" in settings:
        scaled = [
            [
                x.through(lambda a: cap * mpmath.tanh(a / cap), lambda a: mpmath.sech(a / cap) ** 2)
                for x in row
            ]
            for row in scaled
        ]
    kind = settings.get("normaliser", "softmax")
    return [normalised([x / constant(temperature) for x in row], kind) for row in scaled]


def columns(a: Table, start: int, stop: int) -> Table:
    return [row[start:stop] for row in a]


def loss(m: dict[str, Table], settings: dict[str, Any]) -> Value:
    """1/2 ||output - target||^2."""
    q, k, v = (product(m["X"], m[name]) for name in ("W_Q", "W_K", "W_V"))
    joined: Table = [[] for _ in q]
    width = len(q[0]) // settings["heads"]
    for at in range(0, len(q[0]), width):
        middle, stop = at + width // 2, at + width
        if "lambda" in m:
            first, second = (
                weights(columns(q, *ends), columns(k, *ends), settings)
                for ends in ((at, middle), (middle, stop))
            )
            a = [
                [x - m["lambda"][0][0] * y for x, y in zip(*rows, strict=True)]
                for rows in zip(first, second, strict=True)
            ]
        else:
            a = weights(columns(q, at, stop), columns(k, at, stop), settings)
        for row, more in zip(joined, product(a, columns(v, at, stop)), strict=True):
            row += more
    if "W_G" in m:
        gates = product(m["X"], m["W_G"])
        joined = [
            [x * sigmoid(g) for x, g in zip(*rows, strict=True)] for rows in zip(joined, gates, strict=True)
        ]
    made = product(joined, m["W_O"])
    errors = [x - y for rows in zip(made, m["target"], strict=True) for x, y in zip(*rows, strict=True)]
    return total([x * x for x in errors]) / constant(2)


def printed(entry: symattn.Exact) -> str | None:
    """The decimal of an entry, or None where it could not be decided."""
    try:
        return entry.decimal(PLACES)
    except Undecided:
        return None


def judged(seed: int, count: int) -> Iterator[tuple[str, str]]:
    """(what it is, right or wrong or undecided) for every entry of the gradients of all givens."""
    rng = random.Random(seed)
    for _ in range(count):
        made = case(rng)
        given, settings = made["given"], made["attention"]
        kind = "differential" if "lambda" in given else settings.get("normaliser", "softmax")
        worked = symattn.work(symattn.parse_case(toml(made)))
        with mpmath.workdps(100):
            tables = {
                name: [
                    [constant(number(x)) for x in row]
                    for row in (rows if isinstance(rows, list) else [[rows]])
                ]
                for name, rows in given.items()
            }
            backward(loss(tables, settings))
            for name in tables.keys() - {"target"}:
                for row, expected in zip(worked[f"d{name}"], tables[name], strict=True):
                    for entry, x in zip(row, expected, strict=True):
                        said = printed(entry)
                        near = said is not None and 2 * abs(mpf(said) - x.slope) <= mpf(10) ** -PLACES
                        yield f"d of {kind}", "undecided" if said is None else "right" if near else "WRONG"
