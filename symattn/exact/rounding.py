"""How numbers are rounded and spelled: to the nearest decimal, ties away from zero, as taught at school."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

from flint import arb, fmpq, fmpz
from msgspec import Struct

HALF = fmpq(1, 2)
SHORT = 10**1000
"""Integers below it are written by Python, which refuses long ones."""


class Undecided(ArithmeticError):
    """Neither a proof nor refinement settled how a number rounds or compares."""


class Decimal(Struct, frozen=True):
    """The digits of a number and whether they are the number itself (`=`) or rounded (`≈`)."""

    digits: str
    exact: bool


class DecimalRows(Sequence[Sequence[Decimal]]):
    """The decimals of a matrix, row by row.

    An integer k is a number between k and k + 1 halves of the last place, rounded when somebody reads it.
    """

    def __init__(self, rows: Sequence[Sequence[fmpz | Decimal]], places: int) -> None:
        self.rows, self.places = rows, places

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, at: int) -> Sequence[Decimal]: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Sequence[Decimal]]: ...
    def __getitem__(self, at: int | slice) -> Any:
        if isinstance(at, slice):
            return DecimalRows(self.rows[at], self.places)
        return [
            entry
            if isinstance(entry, Decimal)
            else Decimal(spell_scaled((int(entry) + 1) // 2, self.places), False)
            for entry in self.rows[at]
        ]

    def digits(self) -> list[list[str]]:
        """All of them as they are printed."""
        return [[entry.digits for entry in row] for row in self]

    @property
    def T(self) -> DecimalRows:
        return DecimalRows(list(zip(*self.rows, strict=True)), self.places)


def round_ball(ball: arb, places: int = 0) -> int | None:
    """The integer nearest to 10^places * ball where it is the same all over the ball, else None."""
    y = ball * (fmpz(10) ** places) if places else ball
    size = _half_up(abs(y)).unique_fmpz()
    if size is None:
        return None
    return -int(size) if y < 0 else int(size)


def spell_rational(q: fmpq, places: int) -> str:
    """A rational to `places` decimals, ties away from zero."""
    return spell_scaled(scaled_rational(q, places), places)


def scaled_rational(q: fmpq, places: int) -> int:
    """The integer nearest to 10^places * q."""
    return nearest_integer(q * power_of_ten(places))


def nearest_integer(q: fmpq) -> int:
    """The integer nearest to q."""
    size = int(_half_up(abs(q)))
    return -size if q < 0 else size


def _half_up(size: Any) -> Any:
    """The rounding rule, for absolute values: what lies half-way goes up, so away from zero with its sign.

    Takes an fmpq and gives an fmpz, or a ball and gives the ball of its roundings.
    """
    return (size + HALF).floor()


def power_of_ten(places: int) -> fmpq:
    """10^places as a rational."""
    return fmpq(fmpz(10) ** places) if places >= 0 else 1 / fmpq(fmpz(10) ** -places)


def spell_scaled(scaled: int, places: int) -> str:
    """The integer `scaled` / 10^places as decimal digits; minus zero prints as zero."""
    sign = "-" if scaled < 0 else ""
    size = abs(scaled)
    text = str(size if size < SHORT else fmpz(size)).rjust(places + 1, "0")
    return f"{sign}{text[:-places]}.{text[-places:]}" if places else f"{sign}{text}"
