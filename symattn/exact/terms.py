"""Exponential sums: finite sums of c * e^l, grouped by exponent, with algebraic (or symbolic) c and l."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from symattn.exact.opaque import Opaque
from symattn.exact.surd import ONE, ZERO, Surd
from symattn.exact.symbolic import Coefficient
from symattn.exact.work import LARGEST_SUM, STEPS_OF_TERMS, spend
from symattn.text.bilingual import Bilingual
from symattn.text.errors import OutOfBounds


class Terms:
    """An immutable exponential sum: `{exponent: coefficient}` without zero coefficients."""

    __slots__ = ("_collected", "_hash", "_opaque")
    _collected: dict[Coefficient, Coefficient]
    _hash: int
    _opaque: bool

    def __init__(self, by_exponent: dict[Coefficient, Coefficient]) -> None:
        object.__setattr__(self, "_collected", by_exponent)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("Terms are immutable")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("Terms are immutable")

    @staticmethod
    def total(parts: Iterable[tuple[Terms, Coefficient]]) -> Terms:
        """The sum of the parts, each times its coefficient, collected in one pass."""
        collected: dict[Coefficient, Coefficient] = {}
        carried: dict[Coefficient, list[Opaque]] = {}
        for terms, factor in parts:
            for exponent, c in terms._collected.items():
                term = c if factor is ONE else factor if c is ONE else c * factor
                if not isinstance(term, Surd) and term.carried:
                    carried.setdefault(exponent, []).append(term)
                else:
                    _collect(collected, exponent, term)
        for exponent, several in carried.items():
            _collect(collected, exponent, type(several[0]).total(several))
        return Terms(collected)

    @property
    def by_exponent(self) -> Mapping[Coefficient, Coefficient]:
        """The coefficients by exponent, read-only, in the order in which the computation met them."""
        return MappingProxyType(self._collected)

    def __bool__(self) -> bool:
        return bool(self._collected)

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Terms) and self._collected == other._collected)

    def __hash__(self) -> int:
        try:
            return self._hash
        except AttributeError:  # of most sums it is never asked
            object.__setattr__(self, "_hash", hash(frozenset(self._collected.items())))
            return self._hash

    def __neg__(self) -> Terms:
        return Terms({exponent: -c for exponent, c in self._collected.items()})

    def __add__(self, other: Terms) -> Terms:
        if not self._collected:
            return other
        collected = dict(self._collected)
        for exponent, c in other._collected.items():
            _collect(collected, exponent, c)
        return Terms(collected)

    def __mul__(self, other: Terms) -> Terms:
        if len(self._collected) * len(other._collected) > LARGEST_SUM:
            n, m = len(self._collected), len(other._collected)
            raise OutOfBounds(
                Bilingual(
                    f"a product of exponential sums with {n} and {m} terms", f"{n} 项与 {m} 项的指数之和相乘"
                ),
                Bilingual(f"at most {LARGEST_SUM} terms are multiplied out", f"最多展开 {LARGEST_SUM} 项"),
            )
        spend(STEPS_OF_TERMS * len(self._collected) * len(other._collected))
        for one, many in ((self, other), (other, self)):
            if (c := one.constant) is not None:
                return many.times(c)
        collected: dict[Coefficient, Coefficient] = {}
        for a, p in self._collected.items():
            for b, q in other._collected.items():
                _collect(collected, a + b, p * q)
        return Terms(collected)

    def times(self, factor: Coefficient) -> Terms:
        """Every coefficient multiplied by a factor."""
        if factor == ONE:
            return self
        # a coefficient that is zero without showing it may show it once it is multiplied out
        products = ((exponent, c * factor) for exponent, c in self._collected.items())
        return Terms({exponent: c for exponent, c in products if c})

    def shifted(self, by: Coefficient) -> Terms:
        """The sum times e^by."""
        return self * Terms({by: ONE}) if by else self

    @property
    def opaque(self) -> bool:
        """Whether a coefficient or an exponent leaves the surds."""
        try:
            return self._opaque
        except AttributeError:
            opaque = False
            for exponent, c in self._collected.items():
                opaque = opaque or not (isinstance(exponent, Surd) and isinstance(c, Surd))
            object.__setattr__(self, "_opaque", opaque)
            return opaque

    @property
    def carried(self) -> bool:
        """Whether a coefficient or an exponent is a definition that is not written out."""
        return self.opaque and any(part.carried for pair in self._collected.items() for part in pair)

    @property
    def constant(self) -> Coefficient | None:
        """The value where no exponential remains, else None."""
        if len(self._collected) > 1:
            return None
        for exponent, c in self._collected.items():
            return c if exponent is ZERO or not exponent else None
        return ZERO


def _collect(collected: dict[Coefficient, Coefficient], exponent: Coefficient, c: Coefficient) -> None:
    before = collected.get(exponent)
    total = c if before is None else before + c
    if total:
        collected[exponent] = total
    elif before is not None:
        del collected[exponent]


NOTHING = Terms({})
UNIT = Terms({ZERO: ONE})
