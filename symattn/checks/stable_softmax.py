"""The softmax in floats from exponentials relative to the largest of a row, for scores far from 0.

Every implementation computes it so. Blanchard, Higham and Higham 2021, "Accurately computing the log-sum-exp
and softmax functions".
"""

from __future__ import annotations

import numpy as np

from symattn.floats.arrays import Floats
from symattn.floats.bounded import Bounded
from symattn.plans.kinds import Denominators, Powers

LOST = 2.0**-20
"""The bound of a sum, relative to it, from which on its exponentials have over- or underflowed."""


def is_lost(sums: Bounded) -> bool:
    """Whether a sum of exponentials is known to less than a few digits."""
    known = np.isfinite(sums.error) & (sums.error <= LOST * np.abs(sums.value))
    return not bool(np.all(known))


def stable_weights(power: Powers, sums: Denominators, scores: Floats, *sinks: Floats) -> Floats:
    """The weights (n_q, n_k) of scores (n_q, n_k) and of the sinks (1, heads), if there are any.

    Like `Operation.floats` it computes on bounded arrays as well.
    """
    rate = power.base.float_log
    logits = [_to_base_e(scores, rate)]
    sink = sums.more_logits(*sinks)
    if sink is not None:
        column = np.zeros((scores.shape[0], 1)) + _to_base_e(sink, rate)
        logits.append(column)
    every = np.concatenate(logits, axis=1)
    largest = np.max(every, axis=1, keepdims=True)
    powers = np.exp(every - np.where(np.isneginf(largest), 0.0, largest))
    total = np.sum(powers, axis=1, keepdims=True)
    hidden = total == 0
    weights: Floats = np.where(hidden, 0.0, powers / np.where(hidden, 1.0, total))
    return weights[:, : scores.shape[1]]


def _to_base_e(scores: Floats, rate: float) -> Floats:
    """s ln b, and minus infinity for what is hidden, whatever the base."""
    hidden = np.isneginf(scores)
    return np.where(hidden, -np.inf, np.where(hidden, 0.0, scores) * rate)
