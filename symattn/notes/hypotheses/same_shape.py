"""Steps on one print that keep its shape: in floats on several prints together, and as a value on one."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

import numpy as np

from symattn.notes.interpreter import values
from symattn.notes.interpreter.values import Array, Value

Same = tuple[str, Callable[[Array], Array], Callable[[Value], Value | None]]


def _itself(a: Value) -> Value:
    return a


def _centred(a: Value) -> Value:
    mean = values.mean(a)
    return values.subtract(a, values.upright(mean) if len(a.shape) > 1 else mean)


def _less_mean(mids: Array) -> Array:
    less: Array = mids - mids.mean(axis=-1, keepdims=True)
    return less


def _norm(kind: str) -> Same:
    def floats(mids: Array) -> Array:
        centre = _less_mean(mids) if kind.startswith("layernorm") else mids
        size = values.NORMS[kind](centre)
        undefined = (np.abs(size) < 1e-9).any(axis=tuple(range(1, size.ndim)), keepdims=True)
        found: Array = np.where(undefined, np.nan, centre / size)
        return found

    return kind, floats, lambda a: values.normalised(a, kind)


FIRST: Final[tuple[Same, ...]] = (("again", lambda mids: mids, _itself),)
SQUARE: Final[tuple[Same, ...]] = (
    (
        "causal",
        lambda mids: np.where(np.triu(np.ones(mids.shape[-2:], bool), 1), -np.inf, mids),
        values.causal,
    ),
    ("causal", np.tril, values.lower),
    ("transposed", lambda mids: mids.swapaxes(-1, -2), values.transposed),
)
THEN: Final[tuple[Same, ...]] = (
    ("exp", np.exp, values.exponential),
    ("relu", lambda mids: np.maximum(mids, 0), partial(values.rising, "relu")),
    ("centre", _less_mean, _centred),
    ("square", np.square, lambda a: values.times(a, a)),
    *map(_norm, values.NORMS),
)
"""Those tried first, on square matrices only, and after those under a scale."""
