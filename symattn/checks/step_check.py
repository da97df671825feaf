"""A step in floats with bounds, held against its exact values."""

from __future__ import annotations

from math import inf, isfinite, isinf

import numpy as np
from flint import arb, ctx
from msgspec import Struct

from symattn.checks.doubt import NO_BOUND, OVERFLOW, UNDECIDED, Doubt
from symattn.exact.enclosure import enclose
from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact, Infinite
from symattn.floats.bounded import TINY, Bounded

BITS, MOST_BITS = 192, 1 << 13
SLACK = 1 + 2.0**-20
"""The bounds are floats themselves, rounded to nearest."""


class StepCheck(Struct, frozen=True):
    """One step: the largest error in units of the last place, and whether it is within the bound.

    `max_ulp` is None where float64 cannot hold the values or their bound (exponentials beyond 1.8e308,
    scores whose rounding alone is worth hundreds): such a step is not compared, and `doubt`
    says why.
    """

    name: str
    max_ulp: float | None
    agrees: bool
    doubt: Doubt | None = None


def compare(name: str, made: Bounded, exact: Matrix) -> StepCheck:
    """One step held against its exact values; what has no bound is not compared."""
    worst, agrees = 0.0, True
    doubt: Doubt | None = None
    balls = exact.enclosures(BITS)
    finest = np.maximum(made.error, np.spacing(np.abs(made.value)) / 4)
    with ctx.workprec(2 * BITS):
        for i, row in enumerate(balls):
            for j, ball in enumerate(row):
                value, bound = float(made.value[i, j]), float(made.error[i, j])
                if not isfinite(bound):
                    doubt = NO_BOUND if isfinite(value) and doubt is not OVERFLOW else OVERFLOW
                elif isinf(value) or (not ball.is_finite() and isinstance(exact[i, j], Infinite)):
                    agrees = agrees and value == -inf and isinstance(exact[i, j], Infinite)
                else:
                    if not _tells(ball, finest[i, j]):
                        ball = _refined(exact[i, j], finest[i, j])
                        if not _tells(ball, max(finest[i, j], TINY)):
                            doubt = doubt or UNDECIDED
                    ulps, within = _apart(value, bound, ball)
                    worst, agrees = max(worst, ulps), agrees and within
    return StepCheck(name, round(worst, 2) if doubt is None else None, agrees, doubt)


def _tells(ball: arb, finest: float) -> bool:
    """Whether the radius of an enclosure is no larger than what it is to tell apart."""
    return bool(ball.is_finite()) and bool(ball.rad() <= finest)


def _refined(exact: Exact, finest: float) -> arb:
    """An enclosure that tells so much apart, if there is one."""
    bits = 2 * BITS
    ball = enclose(exact, bits)
    while not _tells(ball, finest) and bits < MOST_BITS:
        bits *= 2
        ball = enclose(exact, bits)
    return ball


def _apart(value: float, bound: float, ball: arb) -> tuple[float, bool]:
    """How many ulps a float is certainly away from a ball, and whether that may be rounding."""
    distance = abs(arb(value) - ball)
    within = not distance > max(bound, TINY) * SLACK
    if ball.contains(0):
        return 0.0, within  # beside an exact 0 a float has no ulps
    return float(distance.abs_lower()) / float(np.spacing(max(abs(value), abs(float(ball.mid()))))), within
