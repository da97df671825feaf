"""The independent walk: the same plan in NumPy float64, from the givens, and how far it is from exact.

The floats are made once, from the givens; from there on no operation sees an exact value. Each step
carries a first-order bound on its rounding error (`Operation.error`); an error beyond `SAFETY` times
that bound is a disagreement. With free symbols both walks are made at a witness point.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from flint import arb, ctx, fmpq

from symattn.derive import Derivation, Values, derive
from symattn.exact.decision import WITNESSES
from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.exact.substitution import free_symbols, substitute
from symattn.floats import matrix_to_floats
from symattn.gradcheck import GradientCheck, gradient_checks
from symattn.ops.exponential import Exponential
from symattn.plan import Line, Plan
from symattn.turned import Turned, on_rows

if TYPE_CHECKING:
    from symattn.operation import Floats

BITS = 192
SAFETY = 4.0


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
    """The whole walk; `symbols` holds the rational put in for each free symbol, if there are any."""

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
    """Walk the derivation's plan in floats and compare every step with its exact values."""
    import numpy as np

    derivation, symbols = _numeric(derivation)
    floats: dict[str, Floats] = {}
    errors: dict[str, Floats] = {}
    shifted: set[str] = set()
    for name, matrix in derivation.given.items():
        floats[name] = matrix_to_floats(matrix)
        errors[name] = _half_ulps(floats[name], matrix)
    checks = []
    for line in derivation:
        arguments = tuple(floats[name] for name in line.args)
        result, overflowed = _result(line, arguments)
        if overflowed or (shifted.intersection(line.args) and line.name.endswith("sum")):
            shifted.add(line.name)
        floats[line.name] = result
        with np.errstate(all="ignore"):
            errors[line.name] = line.op.error(arguments, tuple(errors[name] for name in line.args), result)
        if line.name in shifted:
            checks.append(StepCheck(line.name, None, True))
        else:
            checks.append(_compare(line.name, result, errors[line.name], derivation[line.name]))
    return CrossCheck(tuple(checks), symbols, gradients=gradient_checks(derivation, floats, errors))


def _result(line: Line, arguments: tuple[Floats, ...]) -> tuple[Floats, bool]:
    """The step in floats. Exponentials that overflow are taken relative to the largest for their query."""
    import numpy as np

    with np.errstate(all="ignore"):
        result = line.op.floats(*arguments)
        if isinstance(on_rows(line.op), Exponential) and not np.all(np.isfinite(result)):
            (scores,), axis = arguments, 0 if isinstance(line.op, Turned) else 1
            return line.op.floats(scores - np.max(scores, axis=axis, keepdims=True)), True
        return result, False


def _half_ulps(values: Floats, matrix: Matrix) -> Floats:
    """The error of converting the givens: half an ulp, and none for what float64 holds exactly."""
    import numpy as np

    held = np.array([[_held(entry) for entry in row] for row in matrix.rows()])
    finite = np.where(np.isfinite(values), values, 0.0)
    return np.where(held, 0.0, np.spacing(np.abs(finite)))


def _held(x: Exact) -> bool:
    q = x.rational
    return q is not None and int(q.q) & (int(q.q) - 1) == 0 and abs(int(q.p)) < 2**53


def _compare(name: str, found: Floats, bound: Floats, exact: Matrix) -> StepCheck:
    import numpy as np

    worst, agrees, held = 0.0, True, True
    balls = exact.enclosures(BITS)
    with ctx.workprec(BITS):
        for i, row in enumerate(balls):
            for j, ball in enumerate(row):
                value = float(found[i, j])
                if not np.isfinite(value) or not ball.is_finite():
                    agrees = agrees and value == float("-inf") and not ball.is_finite()
                    continue
                if not np.isfinite(bound[i, j]):
                    held = False  # the bound itself is beyond float64: nothing is compared with it
                    continue
                difference = float(abs(arb(value) - ball).upper())
                ulp = float(np.spacing(abs(value)))
                if difference > SAFETY * max(float(bound[i, j]), 5e-324):
                    agrees = False
                # where the exact value is 0 a float has no ulps; finer than the enclosure is no error
                if not ball.contains(0) and difference > 1e-40 * ulp:
                    worst = max(worst, difference / ulp)
    return StepCheck(name, round(worst, 2) if held else None, agrees)


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
