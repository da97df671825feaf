"""Every gradient against a derivative of the forward computation that knows no rule of the backward pass.

The forward lines are evaluated in NumPy with i h added to one value along a direction; the imaginary part of
the loss over h is its derivative in that direction. Nothing is subtracted, so that h may be tiny and no digit
is lost. Squire and Trapp 1998, "Using complex variables to estimate derivatives of real functions".
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from symattn.derive import Derivation
from symattn.exact.decision import is_zero
from symattn.floats import matrix_to_floats
from symattn.gradient import gradient_of
from symattn.plan import Plan, leading_to
from symattn.recipes.gradients import differentiated, past_givens
from symattn.turned import on_rows

if TYPE_CHECKING:
    from symattn.operation import Floats

STEP = 2.0**-100
SMALLEST = 2.0**-900
"""What is smaller has a product with `STEP` that float64 does not hold."""
LOOSE = 2.0**20
"""How often the bound on the rounding error of a gradient is allowed, and its relative error: a wrong rule is
off by far more, and the rounding of the complex evaluation, for which there is no bound, by far less."""


@dataclass(frozen=True, slots=True)
class GradientCheck:
    """One gradient: by how much it is off, relative to its size, and whether rounding explains that.

    `error` is None where nothing can be compared: float64 cannot hold the values, rounding leaves open on
    which side of its kink a ReLU is, or the backward pass went on behind weights that are given.
    """

    name: str
    error: float | None
    agrees: bool


def gradient_checks(
    derivation: Derivation,
    floats: Mapping[str, Floats],
    errors: Mapping[str, Floats],
    unsure: Collection[str] = (),
) -> tuple[GradientCheck, ...]:
    """The exact gradients of everything that the loss is computed from, in the order of the derivation.

    `floats` has every value in float64, `errors` the bounds on their rounding errors; `unsure` are the steps
    of which float64 does not have the values.
    """
    start = differentiated(derivation.plan, derivation.given)
    if start is None:
        return ()
    forward = leading_to(derivation.plan, {start}, derivation.given)
    used = dict.fromkeys(name for line in forward for name in line.args)
    values = {name: gradient_of(name) for name in used if gradient_of(name) in floats}
    clear = all(line.name not in unsure for line in forward)
    clear = clear and not _at_a_kink(derivation, forward, floats, errors)
    behind = past_givens(derivation.plan, derivation.given)
    found: dict[str, GradientCheck] = {}
    for name, gradient in values.items():
        seed = floats.get(gradient_of(start), 1.0)
        check = GradientCheck(gradient, None, True)
        if clear and gradient not in behind:
            stated = matrix_to_floats(derivation[gradient])
            error, agrees = _compared(forward, floats, (start, seed), name, stated, errors[gradient])
            check = GradientCheck(gradient, error, agrees)
        if gradient not in found or not check.agrees:  # X and X + PE have one gradient
            found[gradient] = check
    return tuple(found[name] for name in derivation.values if name in found)


def _compared(
    forward: Plan,
    floats: Mapping[str, Floats],
    start: tuple[str, Any],
    name: str,
    stated: Floats,
    bound: Floats,
) -> tuple[float | None, bool]:
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
        allowed = LOOSE * float(np.sum(bound * np.abs(direction))) + size / LOOSE
    apart = abs(measured - float(np.sum(parts)))
    if not np.isfinite(apart) or not np.isfinite(allowed) or 0 < max(size, abs(measured)) < SMALLEST:
        return None, True
    return apart / size if size else apart, apart <= allowed


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


def _at_a_kink(
    derivation: Derivation, forward: Plan, floats: Mapping[str, Floats], errors: Mapping[str, Floats]
) -> bool:
    """Whether rounding leaves open on which side of 0 the argument of a ReLU is; its derivative at 0 is 0."""
    import numpy as np

    for line in forward:
        if on_rows(line.op).kinked:
            x, bound = floats[line.args[0]], errors[line.args[0]]
            for i, j in zip(*np.nonzero(np.abs(x) <= LOOSE * bound), strict=True):
                if x[i, j] != 0 or not is_zero(derivation[line.args[0]][int(i), int(j)]):
                    return True
    return False
