"""The base of a softmax: its powers, exact and in floats, its logarithm, and how it is written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flint import arb
from msgspec import Struct

from symattn.exact.decision import compare
from symattn.exact.enclosure import enclose
from symattn.exact.functions import exp, log, power
from symattn.exact.number import Exact
from symattn.exact.plain import plain
from symattn.exact.spell import spell
from symattn.floats.arrays import Floats, np
from symattn.floats.from_exact import to_float
from symattn.text.notation import Call, Formula, Symbol


class Base(Struct, frozen=True):
    """A positive number other than 1; e without a `value`."""

    value: Exact | None = None

    @property
    def is_e(self) -> bool:
        return self.value is None

    @property
    def falls(self) -> bool:
        """Whether larger exponents have smaller powers, as to a base below 1."""
        return self.value is not None and compare(self.value, Exact.of(1)) == -1

    def __str__(self) -> str:
        return "e" if self.value is None else plain(self.value)

    @property
    def written(self) -> Formula:
        return Symbol("e") if self.value is None else spell(self.value)

    def power(self, exponent: Exact) -> Exact:
        return exp(exponent) if self.value is None else power(self.value, exponent)

    def float_powers(self, exponents: Floats) -> Floats:
        powers: Floats = (
            np.exp(exponents) if self.value is None else np.power(to_float(self.value), exponents)
        )
        return powers

    @property
    def log(self) -> Exact:
        return Exact.of(1) if self.value is None else log(self.value)

    @property
    def float_log(self) -> float:
        return to_float(self.log)

    def log_ball(self, bits: int) -> arb:
        return arb(1) if self.value is None else enclose(self.value, bits).log()

    @property
    def written_log(self) -> tuple[Formula, ...]:
        """The logarithm as a factor of a product; none for e."""
        return () if self.value is None else (Call("ln", (spell(self.value),)),)

    def replaced(self, how: Callable[[Any], Any]) -> Base:
        return self if self.value is None else Base(how(self.value))


E = Base()
EVERYDAY: tuple[tuple[str, Base], ...] = (
    ("base-e", E),
    ("base-two", Base(Exact.of(2))),
    ("base-ten", Base(Exact.of(10))),
)
"""The bases that people take one for another, with the code of the slip."""
