"""Which keys a query sees. Vaswani et al. 2017, section 3.2.3; Beltagy et al. 2020 for windows."""

from __future__ import annotations

import numpy as np

from symattn.attention.case import Given
from symattn.checks.textbook.conventions import Conventions
from symattn.checks.textbook.steps import Array
from symattn.floats.from_exact import matrix_to_floats


def masked(scores: Array, c: Conventions) -> Array:
    """The scores with what a given mask adds, and minus infinity for a hidden key."""
    return np.where(hidden(scores, c), -np.inf, scores + added(c))


def hidden(scores: Array, c: Conventions) -> Array:
    """Whether query i does not see key j, (n_q, n_k)."""
    distance, s, given = c.distances(scores), c.settings, given_mask(c)
    found = np.zeros(scores.shape, dtype=bool)
    if s.mask == "causal":
        found |= distance > 0
    if s.window_left is not None:
        found |= distance < -s.window_left
    if s.window_right is not None:
        found |= distance > s.window_right
    if s.padding is not None:
        found |= matrix_to_floats(s.padding.values) == 0
    if given is not None:
        hiding = hides(given, s.mask_ones)
        found |= np.isneginf(given) if hiding is None else given == hiding
    return found


def added(c: Conventions) -> Array:
    """What a given mask adds to the scores where it hides nothing."""
    given = given_mask(c)
    if given is None or hides(given, c.settings.mask_ones) is not None:
        return 0.0
    return np.where(np.isneginf(given), 0.0, given)


def given_mask(c: Conventions) -> Array | None:
    """The mask (n_q, n_k) of a case that gives one."""
    if not isinstance(c.settings.mask, Given):
        return None
    mask = matrix_to_floats(c.settings.mask.values)
    return mask.T if c.in_columns else mask


def hides(mask: Array, ones: str | None) -> int | None:
    """The entry of a hidden key, 0 or 1, by what the ones of a given mask are; None where it is added."""
    if ones is None:
        return 0 if np.all((mask == 0) | (mask == 1)) and np.any(mask == 1) else None
    return {"visible": 0, "hidden": 1}.get(ones)
