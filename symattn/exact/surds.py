"""Tables of surds: sum over m of sqrt(m) * Z_m / den, with integer matrices Z_m.

One common denominator for the whole matrix keeps products in `fmpz_mat`, which beats entry-wise
rationals by an order of magnitude. A rational matrix is the single part m = 1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, reduce
from math import gcd, lcm
from operator import add
from types import MappingProxyType
from typing import Any

from flint import arb, arb_mat, fmpq, fmpz_mat
from msgspec import Struct

from symattn.exact.radicand import product_of_roots
from symattn.exact.surd import ZERO, Surd


class Surds(Struct, frozen=True):
    """A table of surds of one shape: `parts` holds Z_m by m, over the common denominator `den`."""

    shape: tuple[int, int]
    _parts: dict[int, Any]
    den: int

    @property
    def parts(self) -> Mapping[int, Any]:
        """The Z_m by m, read-only."""
        return MappingProxyType(self._parts)

    @staticmethod
    def of_rationals(rows: Sequence[Sequence[int | Fraction | fmpq]]) -> Surds:
        """From rows of equal length."""
        shape = (len(rows), len(rows[0]) if rows else 0)
        pairs = _ratios([value for row in rows for value in row])
        dens = {q for _, q in pairs}
        den = lcm(*dens)
        missing = {q: den // q for q in dens}
        return Surds(shape, {1: fmpz_mat(*shape, [p * missing[q] for p, q in pairs])}, den)

    @staticmethod
    def of_surds(rows: Sequence[Sequence[Surd]]) -> Surds:
        """From rows of surds, of equal length."""
        shape = (len(rows), len(rows[0]))
        flat = [entry for row in rows for entry in row]
        den = lcm(*(int(q.q) for entry in flat for _, q in entry.terms)) if any(flat) else 1
        numerators: dict[int, list[int]] = {}
        for at, entry in enumerate(flat):
            for m, q in entry.terms:
                part = numerators.setdefault(m, [0] * len(flat))
                part[at] = int(q.p) * (den // int(q.q))
        return Surds(shape, {m: fmpz_mat(*shape, part) for m, part in numerators.items()}, den)

    def __getitem__(self, at: tuple[int, int]) -> Surd:
        parts, den = self._parts, self.den
        if len(parts) == 1:
            ((m, part),) = parts.items()
            q = fmpq(part[at], den)
            return Surd(((m, q),)) if q else ZERO
        return Surd._from({m: fmpq(part[at], den) for m, part in parts.items()})

    @property
    def T(self) -> Surds:
        """The transpose."""
        n, m = self.shape
        return self._each((m, n), lambda part: part.transpose())

    def taken(self, rows: Sequence[int], cols: Sequence[int]) -> Surds:
        """The entries of these rows and columns, in this order."""
        shape = (len(rows), len(cols))
        return self._each(shape, lambda part: fmpz_mat(*shape, [part[i, j] for i in rows for j in cols]))

    @property
    def least_denominator(self) -> int | None:
        """The least common denominator of a rational table; None for a table with other roots."""
        parts = {m: part for m, part in self._parts.items() if part}
        if any(m != 1 for m in parts):
            return None
        return self.den // gcd(self.den, *(int(x) for part in parts.values() for x in part.entries()))

    def with_zeros(self) -> Surds:
        """The table with one more row, of zeros."""
        n, m = self.shape
        return self._each((n + 1, m), lambda part: fmpz_mat(n + 1, m, part.entries() + [0] * m))

    def scaled(self, factor: Surd) -> Surds:
        """Every entry times one factor."""
        q = factor.rational
        if q is not None:
            return Surds(self.shape, {m: part * q.p for m, part in self._parts.items()}, self.den * int(q.q))
        den = lcm(*(int(q.q) for _, q in factor.terms))
        return self._multiplied(self.shape, {m: int(q.p) * (den // int(q.q)) for m, q in factor.terms}, den)

    def _multiplied(self, shape: tuple[int, int], factors: Mapping[int, Any], den: int) -> Surds:
        """sum over pairs of sqrt(a) sqrt(b) Z_a F_b / den, for integer matrices or integers F_b."""
        products = [
            (*product_of_roots(a, b), z * f) for a, z in self._parts.items() for b, f in factors.items()
        ]
        whole = lcm(*(int(s.q) for s, _, _ in products))
        collected: dict[int, Any] = {}
        for s, m, product in products:
            scaled = product if s == whole == 1 else product * int(s * whole)
            collected[m] = collected[m] + scaled if m in collected else scaled
        return Surds(shape, collected, self.den * den * whole)

    def plus(self, other: Surds) -> Surds:
        """The sum of two tables of one shape."""
        den = lcm(self.den, other.den)
        left, right = den // self.den, den // other.den
        collected = {m: part * left for m, part in self._parts.items()}
        for m, part in other._parts.items():
            collected[m] = collected[m] + part * right if m in collected else part * right
        return Surds(self.shape, collected, den)

    def balls(self) -> Any:
        """The table as an arb_mat at the current working precision."""
        parts = [arb_mat(part) * (arb(m).sqrt() / self.den) for m, part in self._parts.items()]
        return reduce(add, parts or [arb_mat(*self.shape)])

    def _each(self, shape: tuple[int, int], how: Callable[[Any], Any]) -> Surds:
        return Surds(shape, {m: how(part) for m, part in self._parts.items()}, self.den)


class Product(Struct, frozen=True, dict=True):
    """The product of two tables (n, d) and (d, m), multiplied out when somebody looks at it.

    The scores of long sequences have more entries than their factors by far, and decimals of a softmax need
    only the factors.
    """

    left: Surds
    right: Surds

    @property
    def shape(self) -> tuple[int, int]:
        """(n, m)."""
        return self.left.shape[0], self.right.shape[1]

    @cached_property
    def multiplied_out(self) -> Surds:
        """The product as one table."""
        return self.left._multiplied(self.shape, self.right._parts, self.right.den)

    def scaled(self, factor: Surd) -> Product:
        """Every entry times one factor."""
        return Product(self.left.scaled(factor), self.right)


def _ratios(values: Sequence[Any]) -> list[tuple[int, int]]:
    try:
        return [value.as_integer_ratio() for value in values]
    except AttributeError:  # some are fmpq
        return [
            (int(value.p), int(value.q)) if isinstance(value, fmpq) else value.as_integer_ratio()
            for value in values
        ]
