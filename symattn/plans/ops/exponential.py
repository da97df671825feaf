"""The exponentials of the softmax, e^s entry by entry; b^s for a softmax to another base."""

from __future__ import annotations

from typing import ClassVar

from flint import arb, ctx, fmpq

from symattn.exact.carried import as_carried
from symattn.exact.decimal import SMALL
from symattn.exact.expression import LARGEST_ROOT
from symattn.exact.masked import Masked
from symattn.exact.matrix import Matrix, SurdMatrix
from symattn.exact.number import Exact, Infinite
from symattn.exact.symbolic import coefficient
from symattn.exact.weighted import Weighted
from symattn.floats.arrays import Floats, np
from symattn.floats.interval import BITS, Interval
from symattn.floats.tables import Table
from symattn.plans.base import EVERYDAY
from symattn.plans.kinds import Powers
from symattn.plans.operation import Mistake, Operation, Slip
from symattn.plans.slips import mistake
from symattn.text.notation import Formula, Grid, Power

LOGARITHM_BITS = 160


def as_logit(score: Exact) -> Exact:
    """A score that is a coefficient: one with exponentials in it, such as a tanh, becomes opaque."""
    if isinstance(score, Infinite) or score.algebraic is not None:
        return score
    if score.carried:
        return as_carried(score)
    return Exact.of(coefficient(score.to_sympy()))


class Exponential(Powers, frozen=True):
    """e^s for scores (n_q, n_k): entry by entry; e^(-infinity) = 0."""

    example_arguments: ClassVar = ([[1, 2], [3, -1]],)

    def exact(self, *arguments: Matrix) -> Matrix:
        (scores,) = arguments
        if not self.base.is_e:
            kept = self._keeps_powers(scores)
            return (
                Weighted(scores, normalised=False, base=self.base.value)
                if kept
                else scores.map(self.base.power)
            )
        plain = isinstance(scores, SurdMatrix | Masked)
        return Weighted(scores if plain else scores.map(as_logit), normalised=False)

    def _keeps_powers(self, scores: Matrix) -> bool:
        """Whether there are many scores of which the powers to a rational base above 1 stay powers."""
        (n, m), b = scores.shape, None if self.base.value is None else self.base.value.rational
        held = scores.scores if isinstance(scores, Masked) else scores
        if n * m <= SMALL or b is None or b <= 1 or not isinstance(held, SurdMatrix):
            return False
        denominator = held.surds.least_denominator
        return denominator is None or denominator > LARGEST_ROOT

    def floats(self, *arguments: Floats) -> Floats:
        (scores,) = arguments
        return np.where(np.isneginf(np.real(scores)), 0.0, self.base.float_powers(scores))

    def moves(self, *tables: Table) -> Table | None:
        rate = self.base.log_ball(BITS)

        def power(end: arb) -> arb:
            return (rate * end).exp() if end.is_finite() else arb(0)

        def one(a: Interval) -> Interval:
            low = power(a.low)
            if a.low is a.high:
                return Interval(low, low)
            high = power(a.high)
            return Interval(high, low) if rate < 0 else Interval(low, high)

        return [[one(a) for a in row] for row in tables[0]]

    def formula(self, *arguments: Formula) -> Formula:
        return Power(self.base.written, arguments[0])

    def for_comparing(self) -> Operation:
        """For another base than e through a logarithm of 48 digits, which prints the same.

        Exactly, 2^(7/3) is a number of its own for every score; with a rational logarithm it is an
        exponential like any other, and a whole computation stays fast.
        """
        return self if self.base.is_e else NearPower(self.base)

    def slips(self) -> tuple[Slip, ...]:
        return (
            mistake("exponential-omitted", ScoresThemselves(self.base)),
            *(
                mistake(code, Exponential(base), made=base, due=self.base)
                for code, base in EVERYDAY
                if base != self.base
            ),
        )


class ScoresThemselves(Mistake, Exponential, frozen=True):
    """The mistake of the score itself for its exponential; 0 for a hidden one."""

    def exact(self, *arguments: Matrix) -> Matrix:
        return arguments[0].map(lambda s: Exact.of(0) if isinstance(s, Infinite) else s)

    def floats(self, *arguments: Floats) -> Floats:
        (scores,) = arguments
        return np.where(np.isneginf(np.real(scores)), 0.0, scores)

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        return arguments[0].rows[i][j]

    def for_comparing(self) -> Operation:
        return self


class NearPower(Exponential, frozen=True):
    """b^s for scores (n_q, n_k), as exp(s r) with a rational r next to log b."""

    def exact(self, *arguments: Matrix) -> Matrix:
        with ctx.workprec(LOGARITHM_BITS):
            mantissa, exponent = self.base.log_ball(LOGARITHM_BITS).mid().man_exp()
        rate = fmpq(mantissa) * fmpq(2) ** int(exponent)
        return Exponential().exact(arguments[0].scaled(Exact.of(rate)))
