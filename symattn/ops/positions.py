"""Sinusoidal positions. Vaswani et al. 2017, section 3.5.

PE(pos, 2i) = sin(pos / 10000^(2i/d_model)), PE(pos, 2i+1) = cos(pos / 10000^(2i/d_model)).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

from symattn.exact.functions import cos, power, sin
from symattn.exact.matrix import Matrix, Shape
from symattn.exact.number import Exact
from symattn.kinds import Waves
from symattn.notation import Call, Formula, Grid, Number, Power, Quotient, Symbol
from symattn.operation import Mistake, Operation, Slip

if TYPE_CHECKING:
    from symattn.operation import Floats

BASE = 10_000


@dataclass(frozen=True, slots=True)
class Sinusoidal(Waves):
    """The encoding PE (n, d) of the positions start, start + 1, ...; it takes no argument."""

    base: ClassVar[int] = BASE
    long_derivative: ClassVar[bool] = True
    n: int
    d: int
    start: int = 0

    def shape(self, *shapes: Shape) -> Shape:
        return self.n, self.d

    def _exponent(self, j: int) -> Fraction:
        """2i/d for the columns 2i and 2i+1."""
        return Fraction(j - j % 2, self.d)

    def _sine(self, j: int) -> bool:
        return j % 2 == 0

    def exact(self, *arguments: Matrix) -> Matrix:
        exponents = [self._exponent(j) for j in range(self.d)]
        periods = {each: power(Exact.of(BASE), Exact.of(each)) for each in dict.fromkeys(exponents)}

        def entry(position: int, j: int) -> Exact:
            angle = Exact.of(position) / periods[exponents[j]]
            return sin(angle) if self._sine(j) else cos(angle)

        return Matrix.of([[entry(self.start + i, j) for j in range(self.d)] for i in range(self.n)])

    def floats(self, *arguments: Floats) -> Floats:
        import numpy as np

        positions = np.arange(self.start, self.start + self.n, dtype=np.float64)[:, None]
        exponents = np.array([float(self._exponent(j)) for j in range(self.d)])
        angles = positions / BASE**exponents
        sines = np.array([self._sine(j) for j in range(self.d)])
        encoding: Floats = np.where(sines, np.sin(angles), np.cos(angles))
        return encoding

    def error(self, arguments: tuple[Floats, ...], errors: tuple[Floats, ...], result: Floats) -> Floats:
        import numpy as np

        from symattn.bounded import UNIT

        # the angle is wrong by a few roundings of itself, and the functions by an ulp
        return np.full(result.shape, (16.0 * (self.start + self.n) + 8) * UNIT)

    def formula(self, *arguments: Formula) -> Formula:
        return Call("PE", (Symbol("n"), Symbol("d", sub=Symbol("model"))))

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        position = Number(str(self.start + i))
        exponent = self._exponent(j)
        over = Number(str(int(exponent * self.d)))
        angle = Quotient(
            position, Power(Number(str(BASE)), Quotient(over, Number(str(self.d)), flat=True)), flat=True
        )
        return Call("sin" if self._sine(j) else "cos", (angle,))

    def slips(self) -> tuple[Slip, ...]:
        given = (self.n, self.d, self.start)
        found = [
            Slip(
                "sine-cosine-exchanged",
                "exchanged sine and cosine",
                "正弦和余弦弄反了",
                CosinesFirst(*given),
            ),
            Slip(
                "positions-shifted",
                f"started the positions at {1 - min(self.start, 1)} instead of {self.start}",
                f"位置从 {1 - min(self.start, 1)} 开始，而不是 {self.start}",
                replace(self, start=1 - min(self.start, 1)),
            ),
        ]
        if self.d > 2:
            found.append(
                Slip(
                    "exponent-doubled",
                    "used the column number in the exponent, where cosine columns share their sine's 2i",
                    "指数用了列号，而余弦列应与相邻正弦列共用 2i",
                    ColumnNumbers(*given),
                )
            )
        return tuple(found)

    @classmethod
    def example(cls) -> tuple[Operation, tuple[Matrix, ...]]:
        return cls(2, 4, 1), ()


@dataclass(frozen=True, slots=True)
class CosinesFirst(Mistake, Sinusoidal):
    """The mistake of sine and cosine exchanged."""

    def _sine(self, j: int) -> bool:
        return j % 2 == 1


@dataclass(frozen=True, slots=True)
class ColumnNumbers(Mistake, Sinusoidal):
    """The mistake of the column number for 2i in the exponent."""

    def _exponent(self, j: int) -> Fraction:
        return Fraction(j, self.d)
