"""Texts of one shape and of any length: what a reader meets, and what is made to be slow."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from math import isqrt
from random import Random
from types import MappingProxyType

from benchmarks.notes import worked_shapes as worked
from symattn.reading.kinds import Kind

Shape = Callable[[int], str]
"""A text of about so many characters."""

WORDS = (
    "attention",
    "of",
    "a",
    "model",
    "looks",
    "at",
    "every",
    "token",
    "and",
    "weighs",
    "its",
    "neighbours",
)


def repeated(unit: str, before: str = "", behind: str = "") -> Shape:
    """One unit again and again."""
    return lambda size: before + unit * (size // len(unit)) + behind


def nested(opening: str, closing: str) -> Shape:
    """Brackets in brackets, all of them closed."""
    return lambda size: opening * (size // 2 // len(opening)) + "1" + closing * (size // 2 // len(closing))


def _told(one: Callable[[int, Random], str]) -> Shape:
    """Pieces that are made from their number and at random."""

    def text(size: int) -> str:
        rng, parts, length = Random(1), [], 0
        while length < size:
            parts.append(one(len(parts), rng))
            length += len(parts[-1])
        return "".join(parts)

    return text


def _sentence(k: int, rng: Random) -> str:
    words = " ".join(rng.choices(WORDS, k=rng.randint(8, 20)))
    return f"{words}, in {k % 90 + 10} of 100 cases.{' ' if k % 6 else chr(10) * 2}"


def _line(k: int, rng: Random) -> str:
    q, weight = rng.randint(0, 99) / 10, rng.randint(0, 99) / 10
    return f"| t{k} | {q} | {weight} | {q * weight:.2f} |\n"


def _table(size: int) -> str:
    return "| token | q | k | score |\n|---|---|---|---|\n" + _told(_line)(size)


def _rows(matrix: list[list[float]], digits: int) -> str:
    return ",\n ".join("[" + ", ".join(f"{x:.{digits}f}" for x in row) + "]" for row in matrix)


def one_example(size: int, width: int = 16) -> str:
    """A worked example of as many tokens as fill the text, with a slip at its beginning that all carries."""
    import numpy as np

    n = max(3, isqrt(size // 24))
    rng = np.random.default_rng(3)
    x, *weights = (np.round(rng.uniform(-1, 1, (rows, width)), 1) for rows in (n, width, width, width))
    q, k, v = (np.round(x @ w, 2) for w in weights)
    q[0, 0] += 0.3
    scores = np.round(q @ k.T, 2)
    scaled = np.round(scores / np.sqrt(width), 2)
    powers = np.exp(scaled)
    a = np.round(powers / powers.sum(1, keepdims=True), 3)
    z = np.round(a @ v, 2)
    printed = {"X": x, "W_Q": weights[0], "W_K": weights[1], "W_V": weights[2], "Q": q, "K": k, "V": v}
    printed |= {"scores": scores, "scaled": scaled, "A": a, "Z": z}
    return "\n\n".join(
        f"```\n{name} = [{_rows(matrix.tolist(), 3 if name == 'A' else 2)}]\n```"
        for name, matrix in printed.items()
    )


def _tensors(size: int) -> str:
    """A notebook of cells that print tensors of 24 rows and 16 columns."""
    rng, cells, length = Random(5), [], 0
    while length < size:
        matrix = [[rng.gauss(0, 1) for _ in range(16)] for _ in range(24)]
        shown = f"tensor([{_rows(matrix, 4)}])"
        output = {"output_type": "execute_result", "data": {"text/plain": shown}, "metadata": {}}
        cells.append({"cell_type": "code", "source": "Q = X @ W_Q\nQ", "outputs": [output], "metadata": {}})
        length += len(shown)
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1)


def _macro(k: int, rng: Random) -> str:
    name = "m" + "".join(chr(ord("a") + int(digit)) for digit in str(k))
    return (
        f"\\newcommand{{\\{name}}}[1]{{\\mathbf{{#1}}_{{{k}}}}}\n"
        f"$\\{name}{{q}} = \\begin{{pmatrix}} {k % 7} & 1 \\end{{pmatrix}}$\n\n$1 + {k % 7} = {k % 7 + 1}$\n"
    )


def _softmax(size: int) -> str:
    """A row of weights, as long as the text."""
    scores = ", ".join(str(k % 3) for k in range(size // 10))
    return f"softmax([{scores}]) = [{', '.join(f'0.{k % 100:03d}' for k in range(size // 10))}]\n"


def _small_table(k: int, rng: Random) -> str:
    return f"| | a | b |\n|---|---|---|\n| a | {rng.randint(0, 9)} | 1 |\n| b | 1 | {k % 7} |\n\n"


def _bullet(k: int, rng: Random) -> str:
    return f"{'  ' * (k % 40)}- q_{k % 9} = [{rng.randint(0, 9)}, {k % 5}]\n"


REPRINTED = "X = [[1, 0], [0, 1]]\nW_Q = [[1, 2], [3, 4]]\n"
"""Before a Q with a slip that is printed again."""

SHAPES: Mapping[str, tuple[Shape, Kind]] = MappingProxyType(
    {
        "prose with few numbers": (_told(_sentence), "markdown"),
        "one long table": (_table, "markdown"),
        "one big example": (one_example, "markdown"),
        "tensors in a notebook": (_tensors, "notebook"),
        "macros of LaTeX": (_told(_macro), "latex"),
        "examples without headings": (
            _told(lambda k, rng: f"X = [[{k % 10}, {k % 7}, 3], [{k % 3}, 1, {k % 9}]]\n"),
            "markdown",
        ),
        "nested brackets": (nested("[", "]"), "markdown"),
        "nested functions, open": (repeated("exp("), "markdown"),
        "open dollars": (repeated("$x = 1\n"), "markdown"),
        "a long softmax": (_softmax, "markdown"),
        "one matrix again and again": (repeated("Q = [[1, 2], [3, 5]]\n\n", REPRINTED), "markdown"),
        "many tables": (_told(_small_table), "markdown"),
        "bullets in bullets": (_told(_bullet), "markdown"),
        "pairs of tokens on one line": (
            _told(lambda k, rng: f"token {k % 4 + 1} → token {k % 3 + 1}: 0.{k % 10}, "),
            "markdown",
        ),
        "named equalities on one line": (
            _told(lambda k, rng: f"q_{k % 5 + 1} · k_{k % 3 + 1} = {k % 9}, "),
            "markdown",
        ),
        "one long line": (repeated("the sum 0.3 + 0.4 = 0.7 and so on, "), "markdown"),
        "lists on one line": (repeated("[1, 2] "), "markdown"),
        "a chain of equal signs": (repeated("Q = K = "), "markdown"),
        "table rows without a head": (repeated("| 1 | 2 |\n"), "markdown"),
        "repeated dots": (repeated("1.2.3.4."), "markdown"),
        "digits": (repeated("1234567890"), "markdown"),
        "blank lines": (repeated("\n"), "markdown"),
        "many tokens": (worked.tokens(16, 0), "markdown"),
        "many tokens with slips": (worked.tokens(4, 0.05), "markdown"),
        "wide matrices with slips": (worked.widths, "markdown"),
        "heads with slips": (worked.heads, "markdown"),
        "examples with slips": (worked.examples("## Example {}\n\n"), "markdown"),
        "examples of one heading": (worked.examples("## Example\n\n"), "markdown"),
        "scalar products with slips": (worked.scores, "markdown"),
        "softmaxes with slips": (worked.softmaxes, "markdown"),
        "a long softmax in steps": (worked.long_softmax, "markdown"),
        "a long sum": (worked.long_sum, "markdown"),
        "a table of projections": (worked.projections, "markdown"),
        "bullets ever deeper": (worked.deeper, "markdown"),
        "one matrix with other numbers": (
            _told(lambda k, rng: ("" if k else REPRINTED) + f"Q = [[1, 2], [3, {k % 10}]]\n\n"),
            "markdown",
        ),
        "rows with semicolons": (repeated("1 2; ", "X = [", "]"), "markdown"),
    }
)
"""Shapes of texts by name, and how each is written."""
