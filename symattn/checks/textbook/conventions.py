"""The conventions of a case with their expressions as floats, for tokens as rows."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from msgspec import Struct

from symattn.attention.case import Case, Given, Settings
from symattn.checks.textbook.functions import root_mean_square
from symattn.checks.textbook.steps import Array
from symattn.exact.literal import read
from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.exact.substitution import substitute
from symattn.floats.from_exact import matrix_to_bounded, matrix_to_floats


class Conventions(Struct, frozen=True):
    """The settings of a case; `symbols` has the value that is put in for each free symbol."""

    case: Case
    symbols: Mapping[str, Exact]
    with_bounds: bool = True
    """Whether numbers carry a bound on their rounding error (`symattn.floats.bounded`)."""

    @property
    def settings(self) -> Settings:
        return self.case.settings

    @property
    def in_columns(self) -> bool:
        """Whether every matrix is given transposed, with tokens as columns."""
        return self.settings.tokens_as == "columns"

    def number(self, text: str, **sizes: int) -> Array:
        """The value of an expression in symbols and sizes. Raises what `exact.literal.read` raises."""
        value = read(text, {**self.symbols, **{name: Exact.of(size) for name, size in sizes.items()}})
        return self.floats(Matrix.of([[value]]))[0, 0]

    def row(self, given: Given) -> Array:
        """A row that is given under `[attention]`, (columns,)."""
        return self.floats(given.values.map(lambda entry: substitute(entry, self.symbols)))[0]

    def floats(self, matrix: Matrix) -> Array:
        """An exact matrix in floats."""
        return matrix_to_bounded(matrix) if self.with_bounds else matrix_to_floats(matrix)

    def of_head(self, value: str | Given, head: int) -> Array:
        """The number of head `head` (from 0): of a row with one for each, or the one that all share."""
        return self.row(value)[head] if isinstance(value, Given) else self.number(value)

    def affine(self, x: Array, w: Array, bias: Array = 0.0) -> Array:
        """x W + b for rows x, where W stands as `weights` says."""
        right = {"rows": "right", "columns": "left"}[self.settings.tokens_as]
        return x @ (w if self.settings.weights == right else w.T) + bias

    @property
    def epsilon(self) -> Array:
        """What the norms add to a mean square, or to its root."""
        return self.number(self.settings.epsilon or "0")

    def spread(self, x: Array) -> Array:
        """What a norm divides each row by, (n, 1)."""
        if self.settings.epsilon_added_to == "deviation":
            return root_mean_square(x, 0.0) + self.epsilon
        return root_mean_square(x, self.epsilon)

    def distances(self, scores: Array) -> Array:
        """How many positions key j is after query i, (n_q, n_k)."""
        n_q, n_k = scores.shape
        return np.arange(n_k)[None] - np.arange(n_q)[:, None] - self.before(n_q, n_k)

    def before(self, n_q: int, n_k: int) -> int:
        """How many keys are before the first query."""
        return n_k - n_q if self.settings.align == "bottom-right" else 0
