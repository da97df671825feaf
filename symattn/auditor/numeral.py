"""A printed number is an interval: its characters, its value, its decimals, what it may stand for.

With u = 10^-d the preimage of a printed p is [p - u/2, p + u/2] for an author who rounds to nearest
(either way at a tie), and [p, p + u), mirrored below zero, for one who truncates.
"""

from __future__ import annotations

import re
from functools import lru_cache

from flint import arb, ctx, fmpq
from msgspec import Struct
from msgspec.structs import force_setattr

from symattn.exact.numeral import numeral
from symattn.text.bilingual import Bilingual

ZERO = fmpq(0)
CLOSED_PLACES, SPARE_PLACES, BITS = 30, 34, 256
PERCENT = ("%", "％")
_DECIMAL = re.compile(
    r"[+\-−－]?\d[\d_]*(?:\.(\d[\d_]*)?)?(?:[eE]([+\-−]?\d+))?|[+\-−－]?\.(\d+)(?:[eE]([+\-−]?\d+))?"
)


class Numeral(Struct, frozen=True, gc=False, eq=False):
    """A printed number: verbatim text, exact value, printed decimals; `exact` for 1/3 and the like.

    `places` counts decimals of the value itself: 50% has the value 1/2 and two places, 1.5e-3 four.
    Negative places occur for 2e5. A closed form such as 1/sqrt(2) is `closed`: it has `CLOSED_PLACES`, with
    digits to spare, so that nothing but its own value lies in its preimage. `usual` is the text as a case
    would have it, 1234.5, where a document writes 1 234,5.
    """

    text: str
    value: fmpq
    places: int
    exact: bool = False
    closed: bool = False
    usual: str = ""
    unit: fmpq = ZERO
    """The unit of the last place, u = 10^-d."""
    _nearest: tuple[fmpq, fmpq] = (ZERO, ZERO)

    def __post_init__(self) -> None:
        unit = fmpq(1, 10**self.places) if self.places >= 0 else fmpq(10**-self.places)
        half = fmpq(0) if self.exact else unit / 2
        force_setattr(self, "unit", unit)
        force_setattr(self, "_nearest", (self.value - half, self.value + half))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Numeral) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> tuple[str, fmpq, int, bool, bool]:
        return (self.text, self.value, self.places, self.exact, self.closed)

    @property
    def whole(self) -> bool:
        """Whether it shows no decimals."""
        return self.places <= 0

    def nearest(self) -> tuple[fmpq, fmpq]:
        """The closed preimage under rounding to nearest."""
        return self._nearest

    def truncated(self) -> tuple[fmpq, fmpq]:
        """The preimage under truncation towards zero, closed at its open end for the sake of bounds."""
        if self.exact:
            return self.value, self.value
        if self.value > 0:
            return self.value, self.value + self.unit
        if self.value < 0:
            return self.value - self.unit, self.value
        return -self.unit, self.unit

    def preimage(self, truncates: bool) -> tuple[fmpq, fmpq]:
        """The preimage under the convention of the document."""
        return self.truncated() if truncates else self.nearest()


@lru_cache(maxsize=1 << 14)
def read_numeral(text: str) -> Numeral:
    """The printed number of its characters: 1.10, -0.4161, 50%, 1/3, 1/sqrt(2), 2.61e-17, in full width too.

    Raises UnreadableExpression for anything else.
    """
    from symattn.exact.enclosure import enclose
    from symattn.exact.literal import read

    stripped = text.strip() if text.isascii() else text.strip().translate(_NARROW)
    percent = stripped.endswith(PERCENT)
    body = stripped.rstrip("%％ ") if percent else stripped
    match = _DECIMAL.fullmatch(body)
    if match is None:
        form = read(stripped, {})
        value = form.rational
        if value is None and form.algebraic is not None:
            with ctx.workprec(BITS):
                digits = (enclose(form, BITS) * arb(10) ** SPARE_PLACES).floor().unique_fmpz()
            if digits is not None:
                return Numeral(text, fmpq(digits, 10**SPARE_PLACES), CLOSED_PLACES, closed=True)
        if value is None:
            from symattn.text.errors import UnreadableExpression

            raise UnreadableExpression(
                Bilingual(f"{text!r} is not a printed number", f"{text!r} 不是印出的数"),
                Bilingual("print a decimal, a percentage or a fraction", "应为小数、百分数或分数"),
            )
        return Numeral(text, value, 0, exact=True)
    decimals = len((match[1] or match[3] or "").replace("_", ""))
    exponent = int((match[2] or match[4] or "0").replace("−", "-"))
    value = numeral(stripped)
    return Numeral(
        text, fmpq(value.numerator, value.denominator), decimals - exponent + (2 if percent else 0)
    )


_NARROW = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_NARROW[0x2212] = ord("-")
