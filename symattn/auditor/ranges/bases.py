"""Powers of 2 or 10 for comparing with prints: through a logarithm of 48 digits, which prints the same.

Exactly, 2^(7/3) is a number of its own for every score; with a rational logarithm it is an exponential
like any other, and a whole walk stays fast.
"""

from __future__ import annotations

from dataclasses import dataclass

from flint import ctx, fmpq

from symattn.exact.enclosure import enclose
from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.operation import Operation
from symattn.ops.exponential import Exponential
from symattn.turned import Turned, turned

LOGARITHM_BITS = 160


@dataclass(frozen=True, slots=True)
class NearPower(Exponential):
    """b^s for scores (n_q, n_k), as exp(s r) with a rational r next to log b."""

    def exact(self, *arguments: Matrix) -> Matrix:
        assert self.base is not None
        with ctx.workprec(LOGARITHM_BITS):
            mantissa, exponent = enclose(self.base, LOGARITHM_BITS).log().mid().man_exp()
        rate = fmpq(mantissa) * fmpq(2) ** int(exponent)
        return Exponential().exact(arguments[0].scaled(Exact.of(rate)))


def near(op: Operation) -> Operation:
    """The operation, or for a power of another base its stand-in."""
    if isinstance(op, Turned):
        return turned(near(op.rows))
    if type(op) is Exponential and op.base is not None:
        return NearPower(op.base, op.spelled)
    return op
