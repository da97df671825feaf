"""The sink of an online softmax: the last running sum and e^(z - m), relative to the last running maximum.

gpt-oss model card (2025), section 2, for the sink; Dao et al. 2022 (FlashAttention), algorithm 1.
"""

from __future__ import annotations

from typing import ClassVar

from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact, Infinite
from symattn.exact.shapes import Shape, require
from symattn.floats.arrays import Floats, np
from symattn.plans.base import Base, E
from symattn.plans.operation import Operation, Slip, Working
from symattn.plans.ops.pieces import Subtracting, Unsubtracted
from symattn.plans.ops.unchanged import Unchanged
from symattn.text.bilingual import Bilingual
from symattn.text.notation import Formula, Grid, Infinity, Negative, Number, Power, Sum


class RunningSink(Subtracting, Operation, frozen=True):
    """D = l + e^(z - m) (n_q, 1) for the last sums l and maxima m (n_q, 1) and the sink z of the head (1, 1).

    A row without a visible key has the sum 1, and with it the output 0.
    """

    working: ClassVar[Working] = "rule"
    example_arguments: ClassVar = ([[7], [2]], [[2], [3]], [[1]])
    base: Base = E

    def shape(self, *shapes: Shape) -> Shape:
        sums, maxima, sink = shapes
        require(
            sums[1] == 1 and maxima == sums and sink == (1, 1),
            (sums, maxima, sink),
            "the sums are {0}, the maxima {1}, the sink {2}",
            "累计和是 {0}，累计最大值是 {1}，汇点是 {2}",
            "one sum and one maximum for every [row|column], and one sink",
            "每[行|列]各需一个和、一个最大值，汇点只有一个",
        )
        return sums

    def exact(self, *arguments: Matrix) -> Matrix:
        sums, maxima, sinks = arguments
        return sums.combined(maxima, lambda total, m: total + self._power(sinks[0, 0], m))

    def _power(self, sink: Exact, m: Exact) -> Exact:
        if isinstance(m, Infinite):
            return Exact.of(1)
        return self.base.power(self._apart(sink, m))

    def floats(self, *arguments: Floats) -> Floats:
        sums, maxima, sinks = arguments
        powers = self.base.float_powers(self._apart(sinks[0, 0], maxima))
        total: Floats = sums + np.where(np.isneginf(np.real(maxima)), 1.0, powers)
        return total

    def formula(self, *arguments: Formula) -> Formula:
        sums, maxima, sink = arguments
        return Sum((sums, Power(self.base.written, Sum((sink, Negative(maxima))))))

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        sums, maxima, sinks = (grid.rows for grid in arguments)
        sink, m = sinks[0][0], maxima[i][0]
        if m == Negative(Infinity()):
            return Sum((sums[i][0], Number("1")))
        return Sum((sums[i][0], Power(self.base.written, self._written_apart(sink, m))))

    def slips(self) -> tuple[Slip, ...]:
        return (
            Slip(
                "running-sink-omitted",
                Bilingual("left the sink out of the last running sum", "最后的累计和漏掉了汇点项"),
                Unchanged(),
            ),
            Slip(
                "running-sink-unshifted",
                Bilingual(
                    "added the exponential of the sink without subtracting the running maximum",
                    "加上汇点的指数之前没有减去累计最大值",
                ),
                UnshiftedSink(self.base),
            ),
        )


class UnshiftedSink(Unsubtracted, RunningSink, frozen=True):
    """The mistake of e^z, not relative to the maximum."""
