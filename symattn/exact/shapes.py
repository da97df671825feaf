"""Shapes of matrices: how they are written, and the refusals of those that do not fit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symattn.text.bilingual import Bilingual, Count, oriented
from symattn.text.errors import RaggedRows, ShapeMismatch

Shape = tuple[int, int]
"""Rows and columns."""


def spelled(shape: Shape) -> str:
    """A shape as people write it: 3×2."""
    return f"{shape[0]}×{shape[1]}"


def oriented_shape(shape: Shape) -> str:
    """A shape in an `oriented` text: 3×2 for tokens as rows, 2×3 for columns."""
    return f"[{spelled(shape)}|{spelled(shape[::-1])}]"


def require(fits: bool, parts: Sequence[Any], en: str, zh: str, remedy_en: str, remedy_zh: str) -> None:
    """Raises ShapeMismatch where shapes do not fit; `parts`, shapes and numbers, fill in `{0}`, `{1:row}`."""
    if not fits:
        raise ShapeMismatch(_filled(en, zh, parts), _filled(remedy_en, remedy_zh, parts))


def _filled(en: str, zh: str, parts: Sequence[Any]) -> Bilingual:
    written = [oriented_shape(part) if isinstance(part, tuple) else Count(part) for part in parts]
    return oriented(en.format(*written), zh.format(*written))


SHAPES_AGREE = Bilingual("the shapes must agree", "两者形状必须相同")


def agreed(shapes: Sequence[Shape], found: Bilingual) -> Shape:
    """The one shape of the first two; ShapeMismatch where they differ, with both as `{a}` and `{b}`."""
    if shapes[0] != shapes[1]:
        a, b = (oriented(shape, shape) for shape in map(oriented_shape, shapes[:2]))
        raise ShapeMismatch(found.format(a=a, b=b), SHAPES_AGREE)
    return shapes[0]


def one_row(shape: Shape, width: int, found: Bilingual) -> None:
    """Raises ShapeMismatch, with the shape as `{a}`, for anything but one row of so many entries."""
    if shape != (1, width):
        a = oriented_shape(shape)
        raise ShapeMismatch(
            found.format(a=oriented(a, a)),
            oriented(
                f"it needs one [row|column] of {Count(width):entry/entries}",
                f"应为一[行|列]，有 {width} 个元素",
            ),
        )


def even(rows: Sequence[Sequence[Any]]) -> None:
    """Raises RaggedRows where the rows differ in length."""
    for i, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise RaggedRows(
                Bilingual(
                    f"row {i + 1} has {Count(len(row)):entry/entries}, row 1 has {len(rows[0])}",
                    f"第 {i + 1} 行有 {len(row)} 个元素，第 1 行有 {len(rows[0])} 个",
                ),
                Bilingual("every row of a matrix has the same number of entries", "矩阵各行的元素个数相同"),
            )
