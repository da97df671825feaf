"""A given matrix, as it was typed and with its exact values."""

from __future__ import annotations

from msgspec import Struct

from symattn.exact.matrix import Matrix


class Given(Struct, frozen=True):
    """A given matrix: the characters of every entry as they were typed, and their exact values.

    `typed` and `values` have the same shape; `typed[i][j]` is what a page prints for an input.
    """

    typed: tuple[tuple[str, ...], ...]
    values: Matrix

    @property
    def shape(self) -> tuple[int, int]:
        return self.values.shape

    @property
    def T(self) -> Given:
        """The transpose."""
        return Given(tuple(zip(*self.typed, strict=True)), self.values.T)
