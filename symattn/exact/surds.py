"""Matrices of surds: sum over squarefree m of sqrt(m) * Z_m / den, with integer matrices Z_m.

One common denominator for the whole matrix keeps products in `fmpz_mat`, which beats entry-wise
rationals by an order of magnitude. A rational matrix is the single part m = 1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import lcm
from types import MappingProxyType
from typing import Any

from flint import arb, arb_mat, ctx, fmpq, fmpz_mat

from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.exact.surd import ZERO, Surd, product_of_roots


class SurdMatrix(Matrix):
    """A matrix whose entries are all surds."""

    __slots__ = ("_entries", "den", "parts")
    _entries: dict[tuple[int, int], Exact]
    den: int
    parts: Mapping[int, Any]

    def __init__(self, shape: tuple[int, int], parts: Mapping[int, Any], den: int) -> None:
        object.__setattr__(self, "shape", shape)
        object.__setattr__(self, "parts", MappingProxyType(dict(parts)))
        object.__setattr__(self, "den", den)
        object.__setattr__(self, "_entries", {})

    @staticmethod
    def of_rationals(rows: Sequence[Sequence[int | Fraction | fmpq]]) -> SurdMatrix:
        """From rows of equal length."""
        shape = (len(rows), len(rows[0]) if rows else 0)
        pairs = [_ratio(value) for row in rows for value in row]
        den = lcm(*(q for _, q in pairs)) if pairs else 1
        return SurdMatrix(shape, {1: fmpz_mat(*shape, [p * (den // q) for p, q in pairs])}, den)

    @staticmethod
    def of_surds(rows: Sequence[Sequence[Surd]]) -> SurdMatrix:
        """From rows of surds, of equal length."""
        shape = (len(rows), len(rows[0]))
        flat = [entry for row in rows for entry in row]
        den = lcm(*(int(q.q) for entry in flat for _, q in entry.terms)) if any(flat) else 1
        numerators: dict[int, list[int]] = {}
        for at, entry in enumerate(flat):
            for m, q in entry.terms:
                part = numerators.setdefault(m, [0] * len(flat))
                part[at] = int(q.p) * (den // int(q.q))
        return SurdMatrix(shape, {m: fmpz_mat(*shape, part) for m, part in numerators.items()}, den)

    def surd(self, i: int, j: int) -> Surd:
        """One entry as a surd."""
        if len(self.parts) == 1:
            ((m, part),) = self.parts.items()
            q = fmpq(part[i, j], self.den)
            return Surd(((m, q),)) if q else ZERO
        return Surd._from({m: fmpq(part[i, j], self.den) for m, part in self.parts.items()})

    def __getitem__(self, at: tuple[int, int]) -> Exact:
        entry = self._entries.get(at)
        if entry is None:
            self._inside(at)
            entry = self._entries[at] = Exact.of(self.surd(*at))
        return entry

    @property
    def T(self) -> Matrix:
        n, m = self.shape
        return self._each((m, n), lambda part: part.transpose())

    def scaled(self, factor: Exact) -> Matrix:
        c = factor.algebraic
        if not isinstance(c, Surd):
            return self.map(lambda entry: entry * factor)
        return self._multiplied(self.shape, dict(c.terms), 1, lambda z, q: z * q)

    def taken(self, rows: Sequence[int], cols: Sequence[int]) -> Matrix:
        shape = (len(rows), len(cols))
        return self._each(shape, lambda part: fmpz_mat(*shape, [part[i, j] for i in rows for j in cols]))

    def _times(self, other: Matrix) -> Matrix:
        if not isinstance(other, SurdMatrix):
            return super()._times(other)
        shape = (self.shape[0], other.shape[1])
        return self._multiplied(shape, other.parts, other.den, lambda z, w: z * w)

    def _multiplied(
        self, shape: tuple[int, int], factors: Mapping[int, Any], den: int, times: Callable[[Any, Any], Any]
    ) -> SurdMatrix:
        """sum over pairs of sqrt(a) sqrt(b) Z_a F_b, for integer matrices or rational numbers F_b."""
        if any(isinstance(f, fmpq) for f in factors.values()):
            den = lcm(*(int(f.q) for f in factors.values()))
            factors = {m: int(f.p) * (den // int(f.q)) for m, f in factors.items()}
        collected: dict[int, Any] = {}
        for a, z in self.parts.items():
            for b, f in factors.items():
                s, m = product_of_roots(a, b)
                product = times(z, f) if s == 1 else times(z, f) * s
                collected[m] = collected[m] + product if m in collected else product
        return SurdMatrix(shape, collected, self.den * den)

    def __add__(self, other: Matrix) -> Matrix:
        if not isinstance(other, SurdMatrix) or self.shape != other.shape:
            return super().__add__(other)
        den = lcm(self.den, other.den)
        left, right = den // self.den, den // other.den
        collected = {m: part * left for m, part in self.parts.items()}
        for m, part in other.parts.items():
            collected[m] = collected[m] + part * right if m in collected else part * right
        return SurdMatrix(self.shape, collected, den)

    def enclosures(self, bits: int) -> list[list[arb]]:
        with ctx.workprec(bits):
            return self.ball_matrix().tolist()  # type: ignore[no-any-return]

    def ball_matrix(self) -> Any:
        """The matrix as an arb_mat at the current working precision."""
        total = arb_mat(*self.shape)
        for m, part in self.parts.items():
            total = total + arb_mat(part) * (arb(m).sqrt() / self.den)
        return total

    def _each(self, shape: tuple[int, int], how: Callable[[Any], Any]) -> SurdMatrix:
        return SurdMatrix(shape, {m: how(part) for m, part in self.parts.items()}, self.den)


def _ratio(value: Any) -> tuple[int, int]:
    if isinstance(value, int):
        return value, 1
    if isinstance(value, Fraction):
        return value.numerator, value.denominator
    return int(value.p), int(value.q)
