"""The independent computation: the same plan in NumPy float64, from the givens, and how far it is from exact.

The floats are made once, from the givens; from there on no operation sees an exact value. Every entry
carries a bound on its rounding error (`Operation.error`), which allows for underflow and cancellation; a
float that is certainly further than that from its exact value is a disagreement, whatever the radius of
the enclosure. With free symbols both computations are made at a witness point.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import inf, isfinite, isinf
from types import MappingProxyType
from typing import Any

import numpy as np
from flint import arb, ctx, fmpq

from symattn.bounded import TINY, Bounded, bounded
from symattn.derive import Derivation, Values, derive
from symattn.exact.decision import WITNESSES
from symattn.exact.enclosure import enclose
from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact, Infinite
from symattn.exact.substitution import free_symbols, substitute
from symattn.floats import matrix_to_floats
from symattn.gradcheck import GradientCheck, gradient_checks
from symattn.kinds import Denominators, Dividing, Powers
from symattn.plan import Line, Plan
from symattn.stable_softmax import is_lost, stable_weights
from symattn.turned import Turned, on_rows

BITS, MOST_BITS = 192, 1 << 13
SLACK = 1 + 2.0**-20
"""The bounds are floats themselves, rounded to nearest."""


@dataclass(frozen=True, slots=True)
class StepCheck:
    """One step: the largest error in units of the last place, and whether it is within the bound.

    `max_ulp` is None where float64 cannot hold the values or their bound (exponentials beyond 1.8e308,
    scores whose rounding alone is worth hundreds): such a step is not compared.
    """

    name: str
    max_ulp: float | None
    agrees: bool


@dataclass(frozen=True, slots=True)
class CrossCheck:
    """The whole computation; `symbols` holds the rational put in for each free symbol, if there are any."""

    steps: tuple[StepCheck, ...]
    symbols: Mapping[str, str]
    backend: str = "numpy"
    gradients: tuple[GradientCheck, ...] = ()
    """Each gradient held against a derivative of the forward computation."""

    @property
    def agrees(self) -> bool:
        return not self.wrong

    @property
    def wrong(self) -> tuple[str, ...]:
        """The steps that disagree, and the gradients that are no derivatives, each once."""
        steps = [step.name for step in self.steps if not step.agrees]
        gradients = [gradient.name for gradient in self.gradients if not gradient.agrees]
        return tuple(dict.fromkeys([*steps, *gradients]))

    @property
    def largest(self) -> StepCheck | None:
        """The step with the largest error, if any is measured."""
        measured = [step for step in self.steps if step.max_ulp is not None]
        return max(measured, key=lambda step: step.max_ulp or 0.0, default=None)


def crosscheck(derivation: Derivation) -> CrossCheck:
    """Evaluates the plan of the derivation in floats and compares every step with its exact values."""
    derivation, symbols = _numeric(derivation)
    made = {name: _as_floats(matrix) for name, matrix in derivation.given.items()}
    made |= dict(in_floats(derivation))
    steps = tuple(compare(line.name, made[line.name], derivation[line.name]) for line in derivation)
    floats = {name: each.value for name, each in made.items()}
    errors = {name: each.error for name, each in made.items()}
    unsure = [step.name for step in steps if step.max_ulp is None or not step.agrees]
    return CrossCheck(steps, symbols, gradients=gradient_checks(derivation, floats, errors, unsure))


def in_floats(derivation: Derivation) -> Iterator[tuple[str, Bounded]]:
    """Each line of the plan in floats, with a bound on the error of every entry, from the givens alone."""
    made = {name: _as_floats(matrix) for name, matrix in derivation.given.items()}
    for line in derivation:
        arguments = [made[name] for name in line.args]
        values, errors = tuple(x.value for x in arguments), tuple(x.error for x in arguments)
        with np.errstate(all="ignore"):
            result = line.op.floats(*values)
            made[line.name] = Bounded(result, line.op.error(values, errors, result))
            if isinstance(on_rows(line.op), Dividing):
                made[line.name] = _stable(line, derivation, made) or made[line.name]
        yield line.name, made[line.name]


def _stable(line: Line, derivation: Derivation, made: Mapping[str, Any]) -> Bounded | None:
    """Weights from exponentials relative to the largest of their row, where the plain sums are lost."""
    power, sums = (derivation.line(name) for name in line.args)
    if power is None or sums is None or not is_lost(made[sums.name]):
        return None
    powers, totals = on_rows(power.op), on_rows(sums.op)
    if not isinstance(powers, Powers) or not isinstance(totals, Denominators):
        return None
    arguments = [made[name] for name in (*power.args, *sums.args[1:])]
    if not isinstance(line.op, Turned):
        return bounded(stable_weights(powers, totals, *arguments))
    return bounded(stable_weights(powers, totals, *(argument.T for argument in arguments)).T)


def _as_floats(matrix: Matrix) -> Bounded:
    """The givens in floats: wrong by less than an ulp, and by nothing where float64 holds them."""
    values = matrix_to_floats(matrix)
    held = np.array([[_held(entry) for entry in row] for row in matrix.rows()])
    finite = np.isfinite(values)
    apart = np.where(finite, np.spacing(np.abs(np.where(finite, values, 0.0))), np.inf)
    return Bounded(values, np.where(held, 0.0, apart))


def _held(x: Exact) -> bool:
    q = x.rational
    if q is None:
        return isinstance(x, Infinite)
    return int(q.q) & (int(q.q) - 1) == 0 and abs(int(q.p)) < 2**53 and int(q.q) < 2**1000


def compare(name: str, made: Bounded, exact: Matrix) -> StepCheck:
    """One step held against its exact values; what has no bound is not compared."""
    worst, agrees, compared = 0.0, True, True
    balls = exact.enclosures(BITS)
    finest = np.maximum(made.error, np.spacing(np.abs(made.value)) / 4)
    with ctx.workprec(2 * BITS):
        for i, row in enumerate(balls):
            for j, ball in enumerate(row):
                value, bound = float(made.value[i, j]), float(made.error[i, j])
                if not isfinite(bound):
                    compared = False
                elif isinf(value) or (not ball.is_finite() and isinstance(exact[i, j], Infinite)):
                    agrees = agrees and value == -inf and isinstance(exact[i, j], Infinite)
                else:
                    if not _tells(ball, finest[i, j]):
                        ball = _refined(exact[i, j], finest[i, j])
                    ulps, within = _apart(value, bound, ball)
                    worst, agrees = max(worst, ulps), agrees and within
    return StepCheck(name, round(worst, 2) if compared else None, agrees)


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


def _numeric(derivation: Derivation) -> tuple[Derivation, Mapping[str, str]]:
    """The derivation itself, or with free symbols the one at a witness point."""
    names = sorted(_symbols(derivation.given, derivation.plan))
    if not names:
        return derivation, MappingProxyType({})
    point = {name: WITNESSES[k % len(WITNESSES)] + k // len(WITNESSES) for k, name in enumerate(names)}

    def put(value: Any) -> Any:
        if isinstance(value, Matrix):
            return value.map(lambda entry: substitute(entry, point))
        return substitute(value, point)

    given: Values = {name: put(matrix) for name, matrix in derivation.given.items()}
    plan: Plan = tuple(replace(line, op=line.op.replaced(put)) for line in derivation.plan)
    spelled = {name: str(fmpq(value)) for name, value in point.items()}
    return derive(plan, given), MappingProxyType(spelled)


def _symbols(given: Values, plan: Plan) -> set[str]:
    found: set[str] = set()

    def look(value: Any) -> Any:
        entries = [value] if isinstance(value, Exact) else [e for row in value.rows() for e in row]
        for entry in entries:
            if entry.symbolic:
                found.update(free_symbols(entry))
        return value

    for matrix in given.values():
        look(matrix)
    for line in plan:
        line.op.replaced(look)
    return found


__all__ = ["CrossCheck", "StepCheck", "crosscheck"]
