"""Rows and columns that were mixed up on the way to the paper: copied, exchanged, all of them one off."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Literal

from symattn.auditor.causes.hypotheses import Hypothesis
from symattn.exact.matrix import Matrix
from symattn.text.bilingual import Bilingual, oriented

Way = Literal["row", "column"]


def copied(name: str, local: Matrix, at: int, way: Way) -> Iterator[Hypothesis]:
    """Another row (or column) of the right result, printed in this one's place."""
    for other in range(local.shape[int(way == "column")]):
        if other != at:
            said = oriented(f"written [row|column] {other + 1} in its place", f"写成了第 {other + 1} [行|列]")
            yield _hypothesis(f"neighbour-{way}", said, name, local, {at: other}, way)


def rearranged(name: str, local: Matrix, wrong: Collection[int], way: Way) -> Iterator[Hypothesis]:
    """Two rows (or columns) that changed places, or all of them one place further up or down."""
    count, lines = local.shape[int(way == "column")], sorted(wrong)
    if len(lines) == 2:
        a, b = lines
        said = oriented(
            f"exchanged [rows|columns] {a + 1} and {b + 1}",
            f"把第 {a + 1} [行|列]和第 {b + 1} [行|列]写颠倒了",
        )
        yield _hypothesis(f"{way}s-exchanged", said, name, local, {a: b, b: a}, way)
    elif len(lines) > 2:
        for step, up, left, direction in ((1, "up", "to the left", "前"), (-1, "down", "to the right", "后")):
            said = oriented(
                f"moved every [row {up}|column {left}] by one place",
                f"各[行|列]整体往{direction}错了一[行|列]",
            )
            moved = {i: (i + step) % count for i in range(count)}
            yield _hypothesis(f"{way}s-shifted", said, name, local, moved, way)


def _hypothesis(
    slip: str, because: Bilingual, name: str, local: Matrix, moved: Mapping[int, int], way: Way
) -> Hypothesis:
    if way == "row":
        return Hypothesis(slip, because, name, local, rows=moved)
    return Hypothesis(slip, because.transposed, name, local, columns=moved)
