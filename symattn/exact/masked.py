"""Scores of which some are hidden: minus infinity in their places, without a table of entries."""

from __future__ import annotations

from collections.abc import Sequence

from flint import arb

from symattn.exact.matrix import Matrix, SurdMatrix
from symattn.exact.number import MINUS_INFINITY, Exact, Infinite
from symattn.exact.surd import Surd
from symattn.exact.surds import Surds


class Masked(Matrix):
    """The entries of `scores` (n, m) where `visible` has a 1, row by row, and minus infinity elsewhere."""

    __slots__ = ("scores", "visible")
    scores: SurdMatrix
    visible: bytes

    def __init__(self, scores: SurdMatrix, visible: bytes) -> None:
        object.__setattr__(self, "scores", scores)
        object.__setattr__(self, "visible", visible)
        object.__setattr__(self, "shape", scores.shape)

    def __getitem__(self, at: tuple[int, int]) -> Exact:
        self._inside(at)
        return self.scores[at] if self.visible[at[0] * self.shape[1] + at[1]] else MINUS_INFINITY

    @property
    def T(self) -> Matrix:
        m = self.shape[1]
        return Masked(SurdMatrix(self.scores.surds.T), b"".join(self.visible[j::m] for j in range(m)))

    def scaled(self, factor: Exact) -> Matrix:
        c = factor.algebraic
        if isinstance(c, Surd) and len(c.terms) == 1 and min(c.terms[0]) > 0:
            return Masked(SurdMatrix(self.scores.held.scaled(c)), self.visible)
        return self.map(lambda entry: entry * factor)

    def taken(self, rows: Sequence[int], cols: Sequence[int]) -> Matrix:
        m = self.shape[1]
        kept = bytes(self.visible[i * m + j] for i in rows for j in cols)
        return masked(SurdMatrix(self.scores.surds.taken(rows, cols)), kept)

    def __add__(self, other: Matrix) -> Matrix:
        found = with_mask(self, other) if self.shape == other.shape else None
        return super().__add__(other) if found is None else found

    def balls(self) -> list[list[arb]]:
        m, hidden = self.shape[1], arb.neg_inf()
        return [
            [ball if seen else hidden for ball, seen in zip(row, self.visible[i * m :], strict=False)]
            for i, row in enumerate(self.scores.balls())
        ]

    def hides_a_row(self) -> bool:
        """Whether some row has no visible entry."""
        n, m = self.shape
        return any(not any(self.visible[i * m : (i + 1) * m]) for i in range(n))


def masked(scores: SurdMatrix, visible: bytes) -> Matrix:
    """The scores with those hidden for which `visible` has a 0; themselves where it hides none."""
    return scores if all(visible) else Masked(scores, visible)


def with_mask(scores: Matrix, additive: Matrix) -> Matrix | None:
    """scores + additive for surds, some of them minus infinity; None for other entries."""
    left, right = _parted(scores), _parted(additive)
    if left is None or right is None:
        return None
    (given, seen), (bias, shown) = left, right
    if not all(shown):
        seen = bytes(a & b for a, b in zip(seen, shown, strict=True))
    moved = given + bias if any(bias.surds.parts.values()) else given
    assert isinstance(moved, SurdMatrix)
    return masked(moved, seen)


def _parted(matrix: Matrix) -> tuple[SurdMatrix, bytes] | None:
    """The surds of a matrix, 0 where it is minus infinity, and where it is not."""
    if isinstance(matrix, Masked):
        return matrix.scores, matrix.visible
    n, m = matrix.shape
    if isinstance(matrix, SurdMatrix):
        return matrix, b"\1" * (n * m)
    zero, rows = Exact.of(0), list(matrix.rows())
    held = Matrix.of([[zero if isinstance(x, Infinite) else x for x in row] for row in rows])
    visible = bytes(not isinstance(x, Infinite) for row in rows for x in row)
    return (held, visible) if isinstance(held, SurdMatrix) else None


def mask_of(visible: Sequence[bytes]) -> Matrix:
    """An additive mask (n_q, n_k): 0 where a row has the byte 1 and minus infinity where it has 0."""
    shape = (len(visible), len(visible[0]) if visible else 0)
    return masked(SurdMatrix(Surds(shape, {}, 1)), b"".join(visible))
