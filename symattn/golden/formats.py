"""The formats of floats to which exact values are rounded: to nearest, ties to even, subnormals kept.

A value that rounds to zero is +0. float64, float32 and float16 are those of IEEE 754, bfloat16 has the
exponents of float32, float8_e4m3fn and float8_e5m2 are those of the OCP specification of 8-bit floats.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb, fmpq
from msgspec import Struct
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Format(Struct, frozen=True):
    """A format: values m 2^e of `precision` bits, normal from 2^least, none beyond `most`."""

    name: str
    bits: int
    precision: int
    least: int
    most: float
    infinite: bool
    """Whether there are infinities; where there are none, overflow gives NaN."""
    nan: int
    """The code of the NaN that is written."""

    @property
    def step(self) -> int:
        """The exponent of the smallest subnormal number."""
        return self.least - self.precision + 1

    def overflow(self, saturate: bool) -> float:
        """What a number beyond the largest one becomes."""
        return self.most if saturate else np.inf if self.infinite else np.nan

    def rounded(self, x: Floats, saturate: bool = False) -> Floats:
        """The nearest values to an array of floats."""
        if self.precision < 53:
            steps = np.maximum(np.frexp(x)[1], self.least + 1) - self.precision
            x = np.ldexp(np.rint(np.ldexp(x, -steps)), steps)
        beyond = np.abs(x) > self.most
        return np.where(beyond, np.copysign(self.overflow(saturate), x), x) + 0.0

    def nearest(self, numerator: int, denominator: int = 1, saturate: bool = False) -> float:
        """The nearest value to a rational number, for a positive denominator."""
        size = abs(numerator)
        if not size:
            return 0.0
        exponent = size.bit_length() - denominator.bit_length()
        below = size << max(-exponent, 0) < denominator << max(exponent, 0)
        step = max(exponent - below, self.least) - self.precision + 1
        over, under = (size << -step, denominator) if step < 0 else (size, denominator << step)
        whole, rest = divmod(over, under)
        whole += 2 * rest > under or (2 * rest == under and whole & 1)
        # a carry to 2^precision is the same number with the next exponent
        if whole.bit_length() + step > 1024 or (found := float(np.ldexp(float(whole), step))) > self.most:
            found = self.overflow(saturate)
        return found if numerator > 0 or not found else -found

    def of_ball(self, ball: arb, saturate: bool = False) -> float | None:
        """The nearest value to every number of a ball; None where it is not the same for all."""
        if not ball.is_finite():
            return -np.inf if ball == arb("-inf") else None
        if abs(ball) < arb(2) ** (self.step - 2):  # no shifts by the size of its exponent
            return 0.0
        middle, at = map(int, ball.mid().man_exp())
        radius, wide = map(int, ball.rad().man_exp())
        least = min(at, self.step) - 100
        if radius and wide + radius.bit_length() < least:  # a larger one does
            radius, wide = 1, least
        low = min(at, wide) if radius else at
        m, r = middle << at - low, radius << wide - low if radius else 0
        over, under = max(low, 0), 1 << max(-low, 0)
        first, last = (self.nearest(end << over, under, saturate) for end in (m - r, m + r))
        return first if first == last or (first != first and last != last) else None

    def of_rational(self, x: fmpq, saturate: bool = False) -> float:
        """The nearest value to a rational number."""
        return self.nearest(int(x.p), int(x.q), saturate)

    def shortest(self, x: float) -> str:
        """The shortest decimal that rounds to a value of the format, of several that is nearest to it."""
        if not np.isfinite(x):
            return str(x)
        return next(
            text
            for digits in range(17)
            if self.nearest(*Fraction(text := f"{x:.{digits}e}").as_integer_ratio()) == x
        )

    def ulp(self, x: Floats) -> Floats:
        """The unit in the last place of numbers (Goldberg 1991), the smallest subnormal near zero."""
        exponent = np.where(x == 0, self.least, np.frexp(x)[1])
        unit: Floats = np.ldexp(1.0, np.maximum(exponent - self.precision, self.step))
        return unit

    def codes(self, values: Floats) -> NDArray[Any]:
        """The bits of values of the format, as unsigned integers."""
        kind = np.dtype(f"u{self.bits // 8}")
        if self.name in ("float16", "float32", "float64"):
            return values.astype(self.name).view(kind)
        size = np.where(np.isfinite(values), np.abs(values), 0.0)
        mantissa, exponent = np.frexp(size)
        normal = (exponent - self.least - 1) * 2 ** (self.precision - 1) + mantissa * 2.0**self.precision
        codes = np.where(size >= 2.0**self.least, normal, size / 2.0**self.step).astype(np.int64)
        codes = np.where(np.isnan(values), self.nan, np.where(np.isinf(values), self._infinity, codes))
        signed: NDArray[Any] = (codes + (np.signbit(values) * 2 ** (self.bits - 1))).astype(kind)
        return signed

    def values(self, codes: NDArray[Any]) -> Floats:
        """The values that have these bits."""
        if self.name in ("float16", "float32", "float64"):
            return codes.view(self.name).astype(np.float64)
        size = codes.astype(np.int64) & (2 ** (self.bits - 1) - 1)
        exponent, rest = size >> self.precision - 1, size & (2 ** (self.precision - 1) - 1)
        whole = np.where(exponent > 0, rest + 2 ** (self.precision - 1), rest).astype(np.float64)
        found = np.ldexp(whole, np.maximum(exponent, 1) - 1 + self.step)
        beyond = np.where(size == self._infinity, np.inf, np.nan) if self.infinite else np.nan
        found = np.where(found > self.most, beyond, found)
        return np.where(codes >> self.bits - 1 > 0, -found, found)

    @property
    def _infinity(self) -> int:
        return (1 << self.bits - 1) - (1 << self.precision - 1)


FORMATS: Mapping[str, Format] = {
    each.name: each
    for each in (
        Format("float64", 64, 53, -1022, float(np.finfo(np.float64).max), True, 0x7FF8 << 48),
        Format("float32", 32, 24, -126, float(np.finfo(np.float32).max), True, 0x7FC0 << 16),
        Format("float16", 16, 11, -14, 65504.0, True, 0x7E00),
        Format("bfloat16", 16, 8, -126, 2.0**128 - 2.0**120, True, 0x7FC0),
        Format("float8_e4m3fn", 8, 4, -6, 448.0, False, 0x7F),
        Format("float8_e5m2", 8, 3, -14, 57344.0, True, 0x7E),
    )
}
