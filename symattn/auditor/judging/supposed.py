"""What the judge supposes about a source while it evaluates with it."""

from __future__ import annotations

from collections.abc import Mapping

from flint import fmpq
from msgspec import Struct, field

from symattn.auditor.numeral import Numeral
from symattn.exact.decimal import Undecided, nearest
from symattn.exact.decision import compare
from symattn.exact.enclosure import HasSymbols
from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact, Infinite

Meant = Mapping[int, Exact | None]
"""What the author of a misprint went on from, by the index of the number: None for the right value."""


class Supposed(Struct, frozen=True):
    """`truncates`: the document cuts every numeral off, as a habit; otherwise `cut` are the quantities of
    which the decimals were cut off.

    `typos`: slips that are misprints of what was meant.
    `wrong` are slips whatever may excuse them. `odd` says whether the one number of a quantity that keeps
    another convention than all others is a slip. `divisor` is what scores were divided by for a root of d_k
    that was rounded first, 1.41 or 1/0.71. `held` is how many decimals were kept at most of what is not
    printed, and `sums` those of sums which are not printed, if these alone; `held_cut` says that the rest was
    cut off. `single`: a program with 32 bits did it.
    """

    truncates: bool = False
    cut: frozenset[str] = frozenset()
    typos: Meant = field(default_factory=dict)
    wrong: frozenset[int] = frozenset()
    odd: bool = True
    divisor: fmpq | None = None
    held: int | None = None
    held_cut: bool = False
    sums: int | None = None
    single: bool = False

    def cuts(self, name: str) -> bool:
        """Whether the decimals of a quantity were cut off."""
        return self.truncates or name in self.cut

    def cuts_off(self, name: str, numeral: Numeral) -> bool:
        """Whether a number of a quantity was cut off: an integer was only where everything is."""
        return self.truncates or (name in self.cut and not numeral.whole)

    def throughout(self) -> tuple[object, ...]:
        """What reaches every number."""
        return self.truncates, self.held, self.held_cut, self.sums, self.single

    def kept(self, matrix: Matrix, places: int) -> Matrix:
        """What is not printed, rounded to so many decimals or cut off; as it is where that is not decided."""
        half = Exact.of(fmpq(1, 2 * 10**places) if self.truncates or self.held_cut else 0)

        def one(x: Exact) -> Exact:
            q = x.rational
            if isinstance(x, Infinite) or (q is not None and (q * 10**places).q == 1):
                return x
            try:  # what is cut off is half a unit nearer to 0, rounded
                inwards = x - half if compare(x, Exact.of(0)) == 1 else x + half
                return Exact.of(fmpq(nearest(inwards, places), 10**places))
            except (HasSymbols, Undecided):
                return x

        return matrix.map(one)

    def held_room(self) -> fmpq:
        """How far what is not printed may be off its rounding to the decimals held."""
        if self.held is None:
            return fmpq(0)
        unit = fmpq(1, 10**self.held)
        return unit if self.truncates or self.held_cut else unit / 2


NOTHING = Supposed()
