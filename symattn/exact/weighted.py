"""Rows of exponentials: entry (i, j) is sum_k e^(l_ik) c_kj, over sum_k e^(l_ik) where normalised.

This is what softmax makes: E = e^L, its row sums, the weights A = E / sums and the outputs A V all
share the logits of their row. The structure is kept through the computation (A V multiplies the coefficients,
A V W_O multiplies them again) and an entry becomes an `Exact` only when somebody looks at it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from flint import arb, arb_mat, ctx

from symattn.exact.enclosure import enclose
from symattn.exact.functions import exp, power
from symattn.exact.joined import Joined
from symattn.exact.masked import Masked
from symattn.exact.matrix import Matrix, SurdMatrix
from symattn.exact.number import Exact, Infinite
from symattn.exact.sunk import Sunk
from symattn.exact.surd import ONE, Surd
from symattn.exact.terms import Terms
from symattn.exact.transposed import Transposed
from symattn.text.bilingual import Bilingual
from symattn.text.errors import UndefinedValue

Powers = tuple[tuple[Terms, ...], Terms]

MOST_POWERS = 1 << 13
"""Exponentials that are remembered, row by row."""
MOST_REMEMBERED = 64
"""Terms of an entry, up to which the entries that were asked for are remembered."""


class Weighted(Matrix):
    """Exponential sums with row-wise shared logits (n, n_k) and coefficients (n_k, d) or the identity.

    Logits are real and, like the coefficients, free of exponentials; a logit may be minus infinity. That of
    a sink comes last: its coefficients are 0, or a bias that was added to all, and it has no column in the
    identity. The powers are those of e or of another `base`, a rational above 1.
    """

    __slots__ = ("_entries", "_rows", "base", "coefficients", "logits", "normalised")
    _entries: dict[tuple[int, int], Exact]
    _rows: dict[int, Powers]
    logits: Matrix
    coefficients: Matrix | None
    normalised: bool
    base: Exact | None

    def __init__(
        self,
        logits: Matrix,
        coefficients: Matrix | None = None,
        *,
        normalised: bool,
        base: Exact | None = None,
    ) -> None:
        object.__setattr__(self, "base", base)
        object.__setattr__(self, "logits", logits)
        object.__setattr__(self, "coefficients", coefficients)
        object.__setattr__(self, "normalised", normalised)
        object.__setattr__(self, "_entries", {})
        object.__setattr__(self, "_rows", {})
        columns = _keys(logits) if coefficients is None else coefficients.shape[1]
        object.__setattr__(self, "shape", (logits.shape[0], columns))

    @property
    def sunk(self) -> bool:
        """Whether a sink takes its share of every row."""
        return isinstance(self.logits, Sunk)

    def __getitem__(self, at: tuple[int, int]) -> Exact:
        entry = self._entries.get(at)
        if entry is None:
            self._inside(at)
            entry = self._entry(*at)
            if self.logits.shape[1] <= MOST_REMEMBERED:
                self._entries[at] = entry
        return entry

    def rational_at(self, i: int, j: int) -> Any | None:
        return None if not self.normalised and self._grows(i, j) else self[i, j].rational

    def is_plain(self, at: tuple[int, int]) -> bool:
        """Whether an entry is a plain number.

        A weight over scores of algebraic numbers is one where its key is hidden, or all scores of the row are
        equal (Lindemann and Weierstrass); for that it is not made.
        """
        if self.base is None and self.normalised and self.coefficients is None:
            row = [x for x in self.logits.row(at[0]) if not isinstance(x, Infinite)]
            if all(isinstance(x.algebraic, Surd) for x in row):
                return isinstance(self.logits[at], Infinite) or all(x == row[0] for x in row)
        return isinstance(self[at].algebraic, Surd)

    def _grows(self, i: int, j: int) -> bool:
        """Whether a sum of exponentials takes nothing away, and one of them has another exponent than 0."""
        if self.base is not None:
            return False
        if self.coefficients is None:
            logits = [self.logits[i, j]]
        else:
            logits = [self.logits[i, k] for k in range(self.logits.shape[1])]
            factors = (self.coefficients.rational_at(k, j) for k in range(len(logits)))
            if not all(factor is not None and factor > 0 for factor in factors):
                return False
        return any(isinstance(logit.algebraic, Surd) and logit for logit in logits)

    def _entry(self, i: int, j: int) -> Exact:
        own = j if self.coefficients is None else None
        powers, total = self._shifted(i, own) or self._row(i)
        if self.coefficients is None:
            over = powers[j]
        else:
            column = ((power, self.coefficients[k, j].algebraic) for k, power in enumerate(powers) if power)
            over = Terms.total((power, c) for power, c in column if c)
        return Exact.reduced(over, total) if self.normalised else Exact(over)

    def _shifted(self, i: int, own: int | None) -> Powers | None:
        """The powers of a row with one or two visible keys, shifted by a logit; None for other rows.

        The shift makes a weight e^a/(e^a + e^b) the logistic form 1/(1 + e^(b - a)): by the logit of
        the key `own`, or of the first visible key where several are mixed.
        """
        width = self.logits.shape[1]
        if (
            not self.normalised
            or self.sunk
            or self.base is not None
            or (width > 2 and isinstance(self.logits, SurdMatrix))
        ):
            return None
        logits = [self.logits[i, k] for k in range(width)]
        seen = [logit for logit in logits if not isinstance(logit, Infinite)]
        if not 0 < len(seen) <= 2:
            return None
        shift = seen[0] if own is None or isinstance(logits[own], Infinite) else logits[own]
        powers = tuple(exp(x if isinstance(x, Infinite) else x - shift).over for x in logits)
        first = () if own is None else (powers[own],)  # a one leads the denominator: 1 + e^(b - a)
        others = (power for k, power in enumerate(powers) if k != own)
        return powers, Terms.total((power, ONE) for power in (*first, *others))

    def _row(self, i: int) -> Powers:
        """The exponentials of row i and their sum; the rows that were asked for last are remembered."""
        if i in self._rows:
            return self._rows[i]
        powers = tuple(self._power(self.logits[i, k]).over for k in range(self.logits.shape[1]))
        row = powers, Terms.total((power, ONE) for power in powers)
        if not row[1] and self.normalised:
            raise UndefinedValue(
                Bilingual(
                    f"row {i + 1} of the softmax has no visible key", f"softmax 的第 {i + 1} 行没有可见的键"
                ),
                Bilingual("a normalised row needs at least one", "归一化的一行至少要有一个可见的键"),
            )
        if (len(self._rows) + 1) * len(powers) > MOST_POWERS:
            self._rows.clear()
        self._rows[i] = row
        return row

    def _power(self, logit: Exact) -> Exact:
        return exp(logit) if self.base is None else power(self.base, logit)

    @property
    def T(self) -> Matrix:
        return Transposed(self)

    def scaled(self, factor: Exact) -> Matrix:
        if factor.algebraic is None:
            return self.map(lambda entry: entry * factor)
        return self._with(self._coefficients().scaled(factor))

    def taken(self, rows: Sequence[int], cols: Sequence[int]) -> Matrix:
        logits = self.logits.taken(rows, range(self.logits.shape[1]))
        every = range(self.logits.shape[1])
        if self.coefficients is None and list(cols) == list(range(self.shape[1])):
            return self._with(None, logits)
        return self._with(self._coefficients().taken(every, cols), logits)

    def _times(self, other: Matrix) -> Matrix:
        if isinstance(other, Weighted) or not _plain(other):
            return super()._times(other)
        return self._with(
            _padded(other, self.logits) if self.coefficients is None else self.coefficients @ other
        )

    def __add__(self, other: Matrix) -> Matrix:
        if isinstance(other, Weighted) and self.shape == other.shape and _alike(self, other):
            return self._with(self._coefficients() + other._coefficients())
        # a normalised row sums to one, so a bias row may be added to every row of the coefficients
        if self.normalised and other.shape == (1, self.shape[1]) and _plain(other):
            return self._with(self._coefficients() + other)
        return super().__add__(other)

    def row_sums(self) -> Matrix:
        return self._times(_ones(self.shape[1]))

    def sums_with(self, sink: Exact) -> Matrix:
        """The row sums of exponentials with that of a sink, which is free of exponentials."""
        return self._with(_ones(self.shape[1] + 1), Sunk(self.logits, sink))

    def over(self, sums: Matrix) -> Matrix:
        """The rows over `sums`, kept in structure where `sums` are the row sums of e^logits."""
        scores = sums.logits if isinstance(sums, Weighted) else None
        scores = scores.scores if isinstance(scores, Sunk) and not self.sunk else scores
        whole = (
            isinstance(sums, Weighted)
            and not self.normalised
            and not sums.normalised
            and sums.shape[1] == 1
            and sums.base == self.base
            and (scores is self.logits or scores == self.logits)
            and sums.coefficients == _ones(sums.logits.shape[1])
        )
        if not whole or not isinstance(sums, Weighted) or not (sums.sunk or not self._hides_a_row()):
            return super().over(sums)
        held = self.coefficients
        padded = None if held is None else _padded(held, sums.logits)
        return Weighted(sums.logits, padded, normalised=True, base=self.base)

    def _hides_a_row(self) -> bool:
        """Whether some row of the logits is minus infinity throughout."""
        if isinstance(self.logits, SurdMatrix):
            return False
        if isinstance(self.logits, Masked):
            return self.logits.hides_a_row()
        return any(all(isinstance(logit, Infinite) for logit in row) for row in self.logits.rows())

    def _coefficients(self) -> Matrix:
        if self.coefficients is not None:
            return self.coefficients
        n = self.shape[1]
        return _padded(Matrix.rational([[int(i == j) for j in range(n)] for i in range(n)]), self.logits)

    def _with(self, coefficients: Matrix | None, logits: Matrix | None = None) -> Matrix:
        return Weighted(
            self.logits if logits is None else logits,
            coefficients,
            normalised=self.normalised,
            base=self.base,
        )

    def beside(self, other: Matrix) -> Matrix:
        fits = isinstance(other, Weighted) and other.shape[0] == self.shape[0]
        return Joined((self, other)) if fits else super().beside(other)

    def balls(self) -> list[list[arb]]:
        return self.mixed(self.row_balls(arb(1)))

    def row_balls(self, times: arb) -> list[list[arb]]:
        """The exponentials of each row, or the weights, which all matrices with these logits share.

        All of them `times` a factor, at the current working precision.
        """
        exponents = self.logits.balls()
        if self.base is not None:
            rate = enclose(self.base, ctx.prec).log()
            exponents = [[ball * rate for ball in row] for row in exponents]
        powers = [[ball.exp() for ball in row] for row in exponents]
        factors = [times / sum(row) for row in powers] if self.normalised else [times] * len(powers)
        return [[power * factor for power in row] for row, factor in zip(powers, factors, strict=True)]

    def mixed(self, row_balls: list[list[arb]]) -> list[list[arb]]:
        """The entries from `row_balls`, at the current working precision."""
        if self.coefficients is None:
            return [row[: self.shape[1]] for row in row_balls] if self.sunk else row_balls
        return (arb_mat(row_balls) * _balls(self.coefficients)).tolist()  # type: ignore[no-any-return]


def _alike(one: Weighted, other: Weighted) -> bool:
    """Whether entries of both have the same powers and sums in them."""
    same = one.normalised == other.normalised and one.base == other.base
    return same and one.logits is other.logits


@lru_cache(maxsize=64)
def _ones(n: int) -> Matrix:
    """A column of n ones: what makes row sums."""
    return Matrix.rational([[1]] * n)


def _keys(logits: Matrix) -> int:
    """The keys that have values."""
    return logits.shape[1] - isinstance(logits, Sunk)


def _padded(coefficients: Matrix, logits: Matrix) -> Matrix:
    """The coefficients of keys, with zeros for a sink."""
    n, m = coefficients.shape
    if n == logits.shape[1]:
        return coefficients
    if isinstance(coefficients, SurdMatrix):
        return SurdMatrix(coefficients.surds.with_zeros())
    return Matrix.of([*coefficients.rows(), [Exact.of(0)] * m])


def _plain(matrix: Matrix) -> bool:
    """Whether every entry is a coefficient: no exponential in it."""
    return isinstance(matrix, SurdMatrix) or all(
        entry.algebraic is not None for row in matrix.rows() for entry in row
    )


def _balls(matrix: Matrix) -> Any:
    if isinstance(matrix, SurdMatrix):
        return matrix.surds.balls()
    return arb_mat(matrix.balls())
