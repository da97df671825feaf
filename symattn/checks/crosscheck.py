"""The independent computation: the same plan in NumPy float64, from the givens, and how far it is from exact.

The floats are made once, from the givens; from there on no operation sees an exact value. Every entry
carries a bound on its rounding error (`Operation.error`), which allows for underflow and cancellation; a
float that is certainly further than that from its exact value is a disagreement, whatever the radius of
the enclosure. With free symbols both computations are made at a witness point.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from flint import fmpq
from msgspec import Struct
from msgspec.structs import replace

from symattn.attention.case import Case
from symattn.checks.doubt import FOLLOWS, Doubt
from symattn.checks.gradcheck import GradientCheck, gradient_checks
from symattn.checks.stable_softmax import is_lost, stable_weights
from symattn.checks.step_check import StepCheck, compare
from symattn.exact.decision import WITNESSES
from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.exact.substitution import free_symbols, substitute
from symattn.floats.bounded import Bounded, bounded
from symattn.floats.from_exact import matrix_to_bounded
from symattn.plans.derive import Derivation, Values, derive
from symattn.plans.kinds import Denominators, Dividing, Powers
from symattn.plans.plan import Line, Plan
from symattn.plans.transposed import TransposedOperation, on_rows
from symattn.text.errors import UndefinedValue


class TextbookCheck(Struct, frozen=True):
    """The steps that were computed a second time, by the textbook formulas and without the plan.

    `not_understood` names the keys and givens for which it has no formula; then nothing is computed.
    """

    steps: tuple[StepCheck, ...]
    not_understood: tuple[str, ...] = ()

    @property
    def covers(self) -> tuple[str, ...]:
        """The steps that were compared."""
        return tuple(step.name for step in self.steps if step.max_ulp is not None or not step.agrees)

    @property
    def wrong(self) -> tuple[str, ...]:
        """The steps that disagree."""
        return tuple(step.name for step in self.steps if not step.agrees)


class CrossCheck(Struct, frozen=True):
    """The whole computation; `symbols` holds the rational put in for each free symbol, if there are any."""

    steps: tuple[StepCheck, ...]
    symbols: Mapping[str, str]
    backend: str = "numpy"
    gradients: tuple[GradientCheck, ...] = ()
    """Each gradient held against a derivative of the forward computation."""
    textbook: TextbookCheck | None = None
    """The second computation, where there is a case to start it from."""

    @property
    def agrees(self) -> bool:
        return not self.wrong

    @property
    def wrong(self) -> tuple[str, ...]:
        """The steps that disagree, and the gradients that are no derivatives, each once."""
        steps = [step.name for step in self.steps if not step.agrees]
        gradients = [gradient.name for gradient in self.gradients if not gradient.agrees]
        second = () if self.textbook is None else self.textbook.wrong
        return tuple(dict.fromkeys([*steps, *gradients, *second]))

    @property
    def largest(self) -> StepCheck | None:
        """The step with the largest error, if any is measured."""
        measured = [step for step in self.steps if step.max_ulp is not None]
        return max(measured, key=lambda step: step.max_ulp or 0.0, default=None)


def crosscheck(derivation: Derivation, case: Case | None = None) -> CrossCheck:
    """Evaluates the plan of a derivation in floats and compares every step with its exact values.

    With its case, the steps are computed a second time without the plan.
    """
    derivation, point = _numeric(derivation)
    made = {name: matrix_to_bounded(matrix) for name, matrix in derivation.given.items()}
    made |= dict(in_floats(derivation))
    steps = tuple(_steps(derivation, made))
    floats = {name: each.value for name, each in made.items()}
    errors = {name: each.error for name, each in made.items()}
    unsure = {step.name: step.doubt for step in steps if step.doubt is not None or not step.agrees}
    gradients = gradient_checks(derivation, floats, errors, unsure)
    spelled = MappingProxyType({name: str(value) for name, value in point.items()})
    second = None if case is None else textbook_check(derivation, case, point)
    return CrossCheck(steps, spelled, gradients=gradients, textbook=second)


def textbook_check(derivation: Derivation, case: Case, point: Mapping[str, fmpq]) -> TextbookCheck:
    """The steps that the textbook formulas give for a case, held against their exact values at a point."""
    from symattn.checks.textbook import Conventions, evaluate, not_understood

    foreign = not_understood(case)
    if foreign:
        return TextbookCheck((), foreign)
    given = {name: matrix_to_bounded(matrix) for name, matrix in derivation.given.items()}
    conventions = Conventions(case, {name: Exact.of(value) for name, value in point.items()})
    with np.errstate(all="ignore"):
        made = evaluate(given, conventions)
    return TextbookCheck(
        tuple(
            compare(name, made[name], derivation[name])
            if made[name].shape == derivation[name].shape
            else StepCheck(name, None, False)
            for name in derivation.values
            if name in made
        )
    )


def _steps(derivation: Derivation, made: Mapping[str, Bounded]) -> Iterator[StepCheck]:
    """Every step compared; one that is not for the sake of an earlier one names the first of these."""
    doubts: dict[str, Doubt] = {}
    for line in derivation:
        step = compare(line.name, made[line.name], derivation[line.name])
        if step.doubt is not None:
            first = next((name for name in line.args if name in doubts), None)
            doubt = step.doubt
            if first is not None:
                doubt = doubts[first] if doubts[first].phrase is FOLLOWS else Doubt(FOLLOWS, first)
            doubts[line.name] = doubt
            step = replace(step, doubt=doubt)
        yield step


def in_floats(derivation: Derivation) -> Iterator[tuple[str, Bounded]]:
    """Each line of the plan in floats, with a bound on the error of every entry, from the givens alone."""
    made = {name: matrix_to_bounded(matrix) for name, matrix in derivation.given.items()}
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
    if not isinstance(line.op, TransposedOperation):
        return bounded(stable_weights(powers, totals, *arguments))
    return bounded(stable_weights(powers, totals, *(argument.T for argument in arguments)).T)


def _numeric(derivation: Derivation) -> tuple[Derivation, Mapping[str, fmpq]]:
    """The derivation itself, or with free symbols the one at a witness point."""
    names = sorted(_symbols(derivation.given, derivation.plan))
    if not names:
        return derivation, {}
    for turn in range(len(WITNESSES)):
        point = {
            name: fmpq(WITNESSES[(turn + k) % len(WITNESSES)] + k // len(WITNESSES))
            for k, name in enumerate(names)
        }
        try:
            return _at(derivation, point), point
        except UndefinedValue:  # a pole, or the root of a negative number
            if turn == len(WITNESSES) - 1:
                raise
    raise AssertionError("there are witnesses")


def _at(derivation: Derivation, point: Mapping[str, fmpq]) -> Derivation:
    """The derivation with numbers for its symbols. Raises UndefinedValue where it has none there."""

    def put(value: Any) -> Any:
        if isinstance(value, Matrix):
            return value.map(lambda entry: substitute(entry, point))
        return substitute(value, point)

    given: Values = {name: put(matrix) for name, matrix in derivation.given.items()}
    plan: Plan = tuple(replace(line, op=line.op.replaced(put)) for line in derivation.plan)
    return derive(plan, given)


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


__all__ = ["CrossCheck", "StepCheck", "TextbookCheck", "crosscheck"]
