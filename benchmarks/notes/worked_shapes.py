"""Texts of one shape and of any length in which much is worked out, rightly and with slips."""

from __future__ import annotations

from collections.abc import Callable
from math import exp, isqrt
from random import Random
from typing import Any

Matrix = Any
"""Rows of numbers, of NumPy or listed."""


def _listed(matrix: Matrix, digits: int = 2) -> str:
    return "[" + ", ".join("[" + ", ".join(f"{x:.{digits}f}" for x in row) + "]" for row in matrix) + "]"


def worked(tokens: int, width: int, share: float, tag: str = "", seed: int = 3) -> str:
    """An example of so many tokens, all of it printed, with a slip in a share of each step's numbers."""
    import numpy as np

    rng = np.random.default_rng(seed)

    def slips(matrix: Matrix) -> Matrix:
        wrong = rng.choice(matrix.size, max(1, round(share * matrix.size)), replace=False) if share else []
        matrix.flat[wrong] += 0.3
        return matrix

    x, *weights = (np.round(rng.uniform(-1, 1, (rows, width)), 1) for rows in (tokens, width, width, width))
    q, k, v = (slips(np.round(x @ w, 2)) for w in weights)
    scores = slips(np.round(q @ k.T, 2))
    scaled = slips(np.round(scores / np.sqrt(width), 2))
    powers = np.exp(scaled)
    a = slips(np.round(powers / powers.sum(1, keepdims=True), 3))
    z = slips(np.round(a @ v, 2))
    given = {"W_Q": weights[0], "W_K": weights[1], "W_V": weights[2], "Q": q, "K": k, "V": v}
    printed = {**given, "scores": scores, "scaled": scaled, "A": a, "Z": z}
    told = [f"{name}{tag} = {_listed(matrix, 3 if name == 'A' else 2)}" for name, matrix in printed.items()]
    return "\n\n".join([f"X = {_listed(x)}", *told]) + "\n\n"


def tokens(width: int, share: float) -> Callable[[int], str]:
    """One example of as many tokens as fill the text."""
    return lambda size: worked(max(3, isqrt(size // 24)), width, share)


def widths(size: int) -> str:
    """One example of eight tokens, as wide as fills the text."""
    return worked(8, max(2, isqrt(size // 20)), 0.02)


def heads(size: int) -> str:
    """Heads of one input, with slips in all of them."""
    parts, length = ["Multi-head attention.\n\n"], 0
    while length < size:
        head = worked(3, 4, 0.1, f"_{len(parts)}").partition("\n\n")
        parts.append(head[2] if len(parts) > 1 else "".join(head))
        length += len(parts[-1])
    return "".join(parts)


def examples(heading: str) -> Callable[[int], str]:
    """Examples of three tokens with a slip in each step."""

    def text(size: int) -> str:
        parts, length = [], 0
        while length < size:
            parts.append(heading.format(len(parts) + 1) + worked(3, 3, 0.1, seed=len(parts)))
            length += len(parts[-1])
        return "".join(parts)

    return text


def scores(size: int) -> str:
    """Scalar products written out, with a slip in one of ten."""
    rng, count = Random(2), max(2, isqrt(size // 45))
    q, k = ([[rng.randint(-9, 9) / 10 for _ in range(2)] for _ in range(count)] for _ in "qk")
    lines = [f"Q = {_listed(q, 1)}", f"K = {_listed(k, 1)}"]
    for i, (a, b) in enumerate(q, 1):
        for j, (c, d) in enumerate(k, 1):
            value = a * c + b * d + (0.5 if rng.random() < 0.1 else 0)
            lines.append(f"q_{i} · k_{j} = {a} × {c} + {b} × {d} = {value:.2f}")
    return "\n\n".join(lines)


def softmaxes(size: int) -> str:
    """Short softmaxes, with a slip in each."""
    rng, lines, length = Random(3), [], 0
    while length < size:
        given = [rng.randint(0, 30) / 10 for _ in range(4)]
        total = sum(map(exp, given))
        shares = [exp(x) / total + 0.05 * (not i) for i, x in enumerate(given)]
        lines.append(f"softmax({given}) = [{', '.join(f'{x:.3f}' for x in shares)}]\n\n")
        length += len(lines[-1])
    return "".join(lines)


def long_softmax(size: int) -> str:
    """One softmax, step by step."""
    given = [k % 13 / 10 for k in range(size // 22)]
    powers = list(map(exp, given))
    total = sum(powers)
    shares = [round(power / total, 4) for power in powers]
    said = [round(power, 3) for power in powers]
    return f"scores = {given}\n\nexp: {said}\n\nsum = {total:.3f}\n\nweights = {shares}\n"


def long_sum(size: int) -> str:
    """One sum."""
    rng = Random(1)
    terms = [rng.randint(1, 99) for _ in range(size // 7)]
    return f"{' + '.join(f'0.{x:02d}' for x in terms)} = {sum(terms) / 100:.2f}\n"


def projections(size: int) -> str:
    """A table with a row of X and one of Q for each token."""
    import numpy as np

    rng = np.random.default_rng(4)
    x, w = (np.round(rng.uniform(-1, 1, (rows, 2)), 1) for rows in (size // 45, 2))
    rows = (
        f"| t{i} | [{a}, {b}] | [{c:.2f}, {d:.2f}] |"
        for i, ((a, b), (c, d)) in enumerate(zip(x, np.round(x @ w, 2), strict=True), 1)
    )
    head = f"W_Q = {_listed(w, 1)}\n\n| token | x | q = x W_Q |\n|---|---|---|\n"
    return head + "\n".join(rows) + "\n"


def deeper(size: int) -> str:
    """A bullet below each bullet."""
    return "".join(f"{'  ' * k}- q_{k} = [1, {k % 9}]\n" for k in range(isqrt(size)))
