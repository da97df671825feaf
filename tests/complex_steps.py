"""The loss of a case by the textbook formulas, and its gradients by complex steps.

The derivative of the loss by an entry is the imaginary part at a step of 1e-30 along i, over that step, which
loses no digit. Squire and Trapp 1998, "Using complex variables to estimate derivatives of real functions".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from symattn.attention.case import Case
from symattn.checks.textbook import Conventions, evaluate

Array = Any
Given = Mapping[str, Array]
STEP = 1e-30
KINK = 1e-9


def steps(given: Given, case: Case) -> dict[str, Array]:
    """Every step of the forward computation, from givens that may be complex."""
    with np.errstate(all="ignore"):
        return evaluate(given, Conventions(case, {}, with_bounds=False))


def loss(given: Given, case: Case, last: str) -> complex:
    """The loss that the case names, or the sum of the step `last` weighted by the given gradient of it."""
    value, target = steps(given, case)[last], given.get("target")
    match case.settings.loss:
        case "sum":
            return complex(value.sum())
        case "squared":
            return complex(((value - target) ** 2).sum() / 2)
        case "cross-entropy":
            axis = 0 if case.settings.tokens_as == "columns" else 1
            return complex(-(target * (value - np.log(np.exp(value).sum(axis, keepdims=True)))).sum())
    seed = next(matrix for name, matrix in given.items() if is_seed(name))
    return complex((seed * value).sum())


def gradients(given: Given, case: Case, last: str) -> dict[str, Array]:
    """The derivative of the loss by every given matrix but the target and the gradient to start from."""
    found = {}
    for name, matrix in given.items():
        if name == "target" or is_seed(name):
            continue
        found[name] = np.zeros(matrix.shape)
        for at in np.ndindex(matrix.shape):
            moved = matrix.astype(complex)
            moved[at] += 1j * STEP
            found[name][at] = loss({**given, name: moved}, case, last).imag / STEP
    return found


def is_seed(name: str) -> bool:
    return name.rpartition(".")[2].startswith("d")


def is_smooth(given: Given, case: Case) -> bool:
    """Whether no ReLU is at its kink, where a rounding error decides, and no row that is normed is 0."""
    settings = case.settings
    kinked = ["widened"] if settings.activation == "relu" else []
    kinked += ["Q", "K", "Q_N", "K_N", "Q_R", "K_R"] if settings.kernel == "relu" else []
    normed = ["Q", "K"] if settings.qk_norm != "none" else []
    axis = 0 if settings.tokens_as == "columns" else 1
    for name, matrix in steps(given, case).items():
        base, sizes = name.rpartition(".")[2], np.abs(matrix)
        if np.isnan(matrix).any() or (base in kinked and (sizes < KINK).any()):
            return False
        if base in normed and (sizes.max(axis) < KINK).any():
            return False
    return True
