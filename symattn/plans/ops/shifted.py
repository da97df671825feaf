"""Exponentials relative to a maximum, e^(S - m): each score of a block, or what came before it.

Milakov and Gimelshein 2018, algorithm 3; Dao et al. 2022 (FlashAttention), algorithm 1. With the old
maximum for S this is the factor by which the running sum and output are rescaled.
"""

from __future__ import annotations

from typing import Any, ClassVar

from symattn.exact.shapes import Shape, require
from symattn.floats.arrays import Floats, np
from symattn.plans.kinds import RelativePowers
from symattn.plans.operation import Slip, Working
from symattn.plans.ops.loss import Ones
from symattn.plans.ops.pieces import Exchanged, Subtracting, Unsubtracted
from symattn.plans.rules import ZERO, Ruled, hidden, power
from symattn.plans.slips import mistake
from symattn.text.notation import Formula, Negative, Power, Sum


class Shifted(Subtracting, Ruled, RelativePowers, frozen=True):
    """e^(S - m) for S (n_q, b) and one maximum a row, m (n_q, 1); 0 for a hidden score."""

    working: ClassVar[Working] = "rule"
    example_arguments: ClassVar = ([[1, 2], [3, -5]], [[2], [4]])

    def shape(self, *shapes: Shape) -> Shape:
        scores, maximum = shapes
        require(
            maximum == (scores[0], 1),
            (maximum, scores[0]),
            "the maxima are {0}",
            "最大值是 {0}",
            "one for each [row|column] of scores, {1} in all",
            "得分共 {1} [行|列]，每[行|列]需要一个",
        )
        return scores

    def cell(self, i: int, j: int, *arguments: Any) -> Any:
        score, maximum = arguments[0][i, j], arguments[1][i, 0]
        if hidden(score) or hidden(maximum):
            return ZERO
        return power(self.base, self._apart(score, maximum))

    def floats(self, *arguments: Floats) -> Floats:
        scores, maxima = arguments
        seen = np.isfinite(scores) & np.isfinite(maxima)
        apart = self._apart(*(np.where(np.isfinite(x), x, 0.0) for x in arguments))
        return np.where(seen, self.base.float_powers(apart), 0.0)

    def formula(self, *arguments: Formula) -> Formula:
        return Power(self.base.written, Sum((arguments[0], Negative(arguments[1]))))

    def slips(self) -> tuple[Slip, ...]:
        return (
            mistake("shift-omitted", Unshifted(self.base)),
            mistake("shift-reversed", ShiftedReversed(self.base)),
            mistake("rescaling-omitted", Ones()),
        )


class Unshifted(Unsubtracted, Shifted, frozen=True):
    """The mistake of e^S."""


class ShiftedReversed(Exchanged, Shifted, frozen=True):
    """The mistake of e^(m - S)."""
