"""Sums of the outputs of several softmaxes: heads that are projected and added."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from symattn.exact.certified.double_double import U, total
from symattn.exact.certified.softmax import Scaled, Softmax, Values, rounded


def summed(heads: Sequence[tuple[Softmax, Values]]) -> Scaled:
    """A_1 V_1 + A_2 V_2 + ..., for heads of one shape and the same places. Raises Imprecise.

    What may be an integer or a tie is left open: powers of different heads may be dependent.
    """
    found = [softmax.outputs(values) for softmax, values in heads]
    sizes = np.sum([np.abs(h) + np.abs(low) for h, low, _ in found], axis=0)
    bound = np.sum([bound for *_, bound in found], axis=0) + (2 * len(found) - 1) ** 2 * U * U * sizes
    made = Scaled.empty(sizes.shape)
    pair = total([*(low for _, low, _ in found), *(h for h, _, _ in found)])
    unsure, maybe = rounded(pair, 0.0, bound, made.nearest)
    made.left_open += [(int(i), int(j)) for i, j in np.argwhere(unsure | maybe)]
    return made
