"""Every gradient against a derivative of the forward computation that knows no rule of the backward pass.

The forward lines are evaluated in NumPy with i h added to one value along a direction; the imaginary part of
the loss over h is its derivative in that direction. Nothing is subtracted, so that h may be tiny and no digit
is lost. Squire and Trapp 1998, "Using complex variables to estimate derivatives of real functions".
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from symattn.attention.recipes.gradients import differentiated, past_givens
from symattn.checks.doubt import GIVEN_WEIGHTS, KINK, LOSS_FOLLOWS, LOST, NO_BOUND, OVERFLOW, TOO_SMALL, Doubt
from symattn.exact.decision import is_zero
from symattn.floats.arrays import Floats
from symattn.floats.bounded import UNIT
from symattn.floats.from_exact import matrix_to_floats
from symattn.plans.derive import Derivation
from symattn.plans.gradient import gradient_of
from symattn.plans.plan import Plan, leading_to
from symattn.plans.transposed import on_rows

STEP = 2.0**-100
NOTHING_UNSURE: Mapping[str, Doubt | None] = MappingProxyType({})
SMALLEST = 2.0**-900
"""What is smaller has a product with `STEP` that float64 does not hold."""
NEGLECTED = 2.0**-180
"""What a step changes that should not change is its square, 2^-200, times sizes of the values."""
LOOSE = 2.0**20
"""How often the bound on the rounding error of a gradient is allowed, and its relative error: a wrong rule is
off by far more, and the rounding of the complex evaluation, for which there is no bound, by far less."""


class GradientCheck(Struct, frozen=True):
    """One gradient: by how much it is off, relative to its size, and whether rounding explains that.

    `error` is None where nothing can be compared, and `doubt` says why: float64 cannot hold the values or the
    step, rounding leaves open on which side of its kink a ReLU is, or the backward pass went on behind given
    weights.
    """

    name: str
    error: float | None
    agrees: bool
    doubt: Doubt | None = None


def gradient_checks(
    derivation: Derivation,
    floats: Mapping[str, Floats],
    errors: Mapping[str, Floats],
    unsure: Mapping[str, Doubt | None] = NOTHING_UNSURE,
) -> tuple[GradientCheck, ...]:
    """The exact gradients of everything that the loss is computed from, in the order of the derivation.

    `floats` has every value in float64, `errors` the bounds on their rounding errors; `unsure` are the steps
    of which float64 does not have the values, each with the reason.
    """
    start = differentiated(derivation.plan, derivation.given)
    if start is None:
        return ()
    forward = leading_to(derivation.plan, {start}, derivation.given)
    used = dict.fromkeys(name for line in forward for name in line.args)
    values = {name: gradient_of(name) for name in used if gradient_of(name) in floats}
    behind = past_givens(derivation.plan, derivation.given)
    values |= {name: gradient_of(name) for name, _ in derivation.items() if gradient_of(name) in behind}
    doubt = _of_loss(derivation, forward, floats, errors, unsure)
    found: dict[str, GradientCheck] = {}
    for name, gradient in values.items():
        seed = floats.get(gradient_of(start), 1.0)
        check = GradientCheck(gradient, None, True, GIVEN_WEIGHTS if gradient in behind else doubt)
        if check.doubt is None:
            stated = matrix_to_floats(derivation[gradient])
            check = _compared(forward, floats, errors, (start, seed), name, stated)
            if check.doubt is not None:
                check = replace(check, doubt=unsure.get(gradient) or check.doubt)
        if gradient not in found or not check.agrees:  # X and X + PE have one gradient
            found[gradient] = check
    return tuple(found[name] for name in derivation.values if name in found)


def _compared(
    forward: Plan,
    floats: Mapping[str, Floats],
    errors: Mapping[str, Floats],
    start: tuple[str, Any],
    name: str,
    stated: Floats,
) -> GradientCheck:
    """How far the derivative by `name` is from the gradient in one direction, and whether it agrees."""
    import numpy as np

    signs = np.random.default_rng(0)
    direction = signs.uniform(0.5, 1.5, floats[name].shape) * signs.choice([-1.0, 1.0], floats[name].shape)
    direction[~np.isfinite(floats[name])] = 0.0
    with np.errstate(all="ignore"):
        moved = _moved(forward, floats, name, direction)
        measured = float(np.sum(start[1] * moved[start[0]].imag) / STEP) if start[0] in moved else 0.0
        parts = stated * direction
        size = float(np.sum(np.abs(parts)))
        bound = float(np.sum(errors[gradient_of(name)] * np.abs(direction)))
        allowed = LOOSE * bound + size / LOOSE
    apart = abs(measured - float(np.sum(parts)))
    agrees, largest = apart <= allowed, max(size, abs(measured))
    doubt = None
    if not np.isfinite(apart):
        doubt = OVERFLOW
    elif not np.isfinite(allowed):
        doubt = NO_BOUND
    elif 0 < largest < SMALLEST or (not agrees and largest <= NEGLECTED):
        doubt = TOO_SMALL
    elif not agrees and (lost := _first_lost(moved, floats, errors)) is not None:
        doubt = Doubt(LOST, lost)
    if doubt is not None:
        return GradientCheck(gradient_of(name), None, True, doubt)
    return GradientCheck(gradient_of(name), apart / size if size else apart, agrees)


def _moved(forward: Plan, floats: Mapping[str, Floats], name: str, direction: Floats) -> dict[str, Any]:
    """What depends on the value `name`, evaluated with i h `direction` added to it."""
    import numpy as np

    moved: dict[str, Any] = {name: floats[name] + 1j * STEP * direction}
    for line in forward:
        if line.name != name and any(arg in moved for arg in line.args):
            made = line.op.floats(*(moved.get(arg, floats[arg]) for arg in line.args))
            # a hidden score has no derivative: minus infinity over a number gives it a part that is none
            moved[line.name] = np.where(np.isneginf(np.real(made)), -np.inf, made)
    return moved


def _first_lost(
    moved: Mapping[str, Any], floats: Mapping[str, Floats], errors: Mapping[str, Floats]
) -> str | None:
    """The first value that is another with the step in it than without: the step is not small beside what it
    is added to, or exponentials vanish that the weights were computed without.
    """
    import numpy as np

    for name, made in moved.items():
        held = np.isfinite(floats[name])
        value = floats[name][held]
        allowed = LOOSE * (errors[name][held] + UNIT * np.max(np.abs(value), initial=0.0)) + NEGLECTED
        if not np.all(np.abs(np.real(made)[held] - value) <= allowed):
            return name
    return None


def _of_loss(
    derivation: Derivation,
    forward: Plan,
    floats: Mapping[str, Floats],
    errors: Mapping[str, Floats],
    unsure: Collection[str],
) -> Doubt | None:
    """Why the forward computation cannot be differentiated in floats: a value that float64 does not have, or
    one of which rounding leaves open on which side of its kink it is; the derivative of ReLU at 0 is 0.
    """
    import numpy as np

    for line in forward:
        if line.name in unsure:
            return Doubt(LOSS_FOLLOWS, line.name)
        if on_rows(line.op).kinked:
            x, bound = floats[line.args[0]], errors[line.args[0]]
            for i, j in zip(*np.nonzero(np.abs(x) <= LOOSE * bound), strict=True):
                if x[i, j] != 0 or not is_zero(derivation[line.args[0]][int(i), int(j)]):
                    return Doubt(KINK, line.args[0])
    return None
