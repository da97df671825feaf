"""Sinusoidal positions. Vaswani et al. 2017, section 3.5.

PE(pos, 2i) = sin(pos / 10000^(2i/d_model)), PE(pos, 2i+1) = cos(pos / 10000^(2i/d_model)). The code of the
paper's authors, tensor2tensor, has all sines before all cosines, and the exponents i / (d_model/2 - 1).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from symattn.exact.functions import cos, power, sin
from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.exact.shapes import Shape
from symattn.floats.arrays import Floats, np
from symattn.plans.kinds import Waves
from symattn.plans.operation import Mistake, Operation, Slip
from symattn.plans.slips import mistake
from symattn.text.bilingual import Bilingual, oriented
from symattn.text.notation import Call, Formula, Grid, Negative, Number, Power, Product, Quotient, Sum, Symbol

BASE = 10_000


class Exponents(Struct, frozen=True):
    """The exponents `times` k / (d - `less`) of pair k, or where `by_column` of column k, both from 0."""

    by_column: bool = False
    times: int = 2
    less: int = 0


BY_PAIR = Exponents()
EXPONENTS: Mapping[str, Exponents] = MappingProxyType(
    {
        "pair": BY_PAIR,
        "column": Exponents(by_column=True, times=1),
        "twice-column": Exponents(by_column=True),
        "full-range": Exponents(less=2),
    }
)
"""By the values of the key `exponents`."""
SLIPS: Mapping[Exponents, tuple[str, Bilingual]] = MappingProxyType(
    {
        BY_PAIR: ("exponent-by-pair", oriented("2i/d for pair i", "对第 i 对[列|行]用 2i/d")),
        EXPONENTS["column"]: (
            "exponent-doubled",
            oriented("j/d for [column|row] j", "对第 j [列|行]用 j/d"),
        ),
        EXPONENTS["twice-column"]: (
            "exponent-twice-column",
            oriented("2j/d for [column|row] j", "对第 j [列|行]用 2j/d"),
        ),
        EXPONENTS["full-range"]: (
            "exponent-full-range",
            oriented("i/(d/2 - 1) for pair i", "对第 i 对[列|行]用 i/(d/2 - 1)"),
        ),
    }
)
"""Of each: the mistake of using them in place of others, and what they are."""


class Sinusoidal(Waves, frozen=True):
    """The encoding PE (n, d) of the positions start, start + 1, ...; it takes no argument.

    Pair i, a sine and a cosine, is columns 2i and 2i + 1 where `interleaved`, else columns i and d/2 + i.
    """

    base: ClassVar[int] = BASE
    exponents: Exponents = BY_PAIR

    def shape(self, *shapes: Shape) -> Shape:
        return self.n, self.d

    @property
    def _over(self) -> int:
        """What the exponents are divided by."""
        return max(self.d - self.exponents.less, 1)

    def _multiple(self, j: int) -> int:
        """What is divided in the exponent of column j."""
        pair = j // 2 if self.interleaved else j % (self.d // 2)
        return self.exponents.times * (j if self.exponents.by_column else pair)

    def _sine(self, j: int) -> bool:
        return j % 2 == 0 if self.interleaved else j < self.d // 2

    def _columns(self) -> tuple[tuple[bool, Fraction], ...]:
        """Whether each column is a sine, and its exponent."""
        return tuple((self._sine(j), Fraction(self._multiple(j), self._over)) for j in range(self.d))

    def exact(self, *arguments: Matrix) -> Matrix:
        columns = self._columns()
        exponents = {exponent for _, exponent in columns}
        periods = {each: power(Exact.of(BASE), Exact.of(each)) for each in exponents}

        def entry(position: int, is_sine: bool, exponent: Fraction) -> Exact:
            angle = Exact.of(position) / periods[exponent]
            return sin(angle) if is_sine else cos(angle)

        return Matrix.of([[entry(self.start + i, *column) for column in columns] for i in range(self.n)])

    def floats(self, *arguments: Floats) -> Floats:
        positions = np.arange(self.start, self.start + self.n, dtype=np.float64)[:, None]
        exponents = np.array([float(exponent) for _, exponent in self._columns()])
        angles = positions / BASE**exponents
        sines = np.array([self._sine(j) for j in range(self.d)])
        encoding: Floats = np.where(sines, np.sin(angles), np.cos(angles))
        return encoding

    def error(self, arguments: tuple[Floats, ...], errors: tuple[Floats, ...], result: Floats) -> Floats:
        from symattn.floats.bounded import UNIT

        # the angle is wrong by a few roundings of itself, and the functions by an ulp
        return np.full(result.shape, (16.0 * (self.start + self.n) + 8) * UNIT)

    def formula(self, *arguments: Formula) -> Formula:
        return Call("PE", (Symbol("n"), Symbol("d", sub=Symbol("model"))))

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        over, under = (Number(str(number)) for number in (self._multiple(j), self._over))
        return _wave(self._sine(j), Number(str(self.start + i)), over, under)

    def rules(self, p: Formula, i: Formula, d: Formula) -> tuple[tuple[Formula, Formula], ...]:
        sines, cosines = ((2, 0, 0), (2, 1, 0)) if self.interleaved else ((1, 0, 0), (1, 0, 1))
        exponents, found = self.exponents, []
        under = Sum((d, Negative(Number(str(exponents.less))))) if exponents.less else d
        for is_sine, (times, ones, halves) in ((True, sines), (False, cosines)):
            number = (times, ones, halves) if exponents.by_column else (1, 0, 0)
            over = _linear([exponents.times * part for part in number], i, d)
            found.append((_linear([times, ones + 1, halves], i, d), _wave(is_sine, p, over, under)))
        return tuple(found)

    def slips(self) -> tuple[Slip, ...]:
        other = 1 - min(self.start, 1)
        return (
            mistake(
                "sine-cosine-exchanged",
                CosinesFirst(self.n, self.d, self.start, self.interleaved, self.exponents),
            ),
            mistake("positions-shifted", replace(self, start=other), made=other, due=self.start),
            *self._of_other_columns(),
        )

    def _of_other_columns(self) -> Iterator[Slip]:
        """The conventions of others, as far as they make other columns than this one, and than each other."""
        known = {self._columns()}
        for interleaved in (self.interleaved, *(() if self.d % 2 else (not self.interleaved,))):
            for exponents in SLIPS:
                instead = replace(self, interleaved=interleaved, exponents=exponents)
                if instead._columns() not in known:
                    known.add(instead._columns())
                    yield Slip(*_mixed_up(self, instead), instead)

    @classmethod
    def example(cls) -> tuple[Operation, tuple[Matrix, ...]]:
        return cls(2, 4, 1), ()


class CosinesFirst(Mistake, Sinusoidal, frozen=True):
    """The mistake of sine and cosine exchanged."""

    def _sine(self, j: int) -> bool:
        return not Sinusoidal._sine(self, j)


def _mixed_up(right: Sinusoidal, wrong: Sinusoidal) -> tuple[str, Bilingual]:
    """The code of a convention used in place of another, and what was done."""
    order = (
        ("sines-in-turn", Bilingual("alternated sines and cosines", "正弦和余弦交替排列"))
        if wrong.interleaved
        else ("sines-in-halves", Bilingual("put all sines before all cosines", "先排全部正弦，再排全部余弦"))
    )
    if wrong.exponents == right.exponents:
        return order
    code, used = SLIPS[wrong.exponents]
    exponents = Bilingual("used the exponents {used} instead of {due}", "指数{used}，而不是{due}").format(
        used=used, due=SLIPS[right.exponents][1]
    )
    if wrong.interleaved == right.interleaved:
        return code, exponents
    both = Bilingual("{order}, and {exponents}", "{order}，且{exponents}")
    return f"{order[0]}-{code}", both.format(order=order[1], exponents=exponents)


def _wave(is_sine: bool, position: Formula, over: Formula, under: Formula) -> Formula:
    """The sine or cosine of position / base^(over / under)."""
    period = Power(Number(str(BASE)), Quotient(over, under, flat=True))
    return Call("sin" if is_sine else "cos", (Quotient(position, period, flat=True),))


def _linear(number: Sequence[int], i: Formula, d: Formula) -> Formula:
    """halves d/2 + times i + ones, for the `number` (times, ones, halves)."""
    times, ones, halves = number
    terms: list[Formula] = []
    if halves:
        terms.append(d if halves == 2 else Quotient(d, Number("2"), flat=True))
    terms.append(i if times == 1 else Product((Number(str(times)), i)))
    if ones:
        terms.append(Number(str(ones)))
    return terms[0] if len(terms) == 1 else Sum(tuple(terms))
