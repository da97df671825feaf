"""The sink of an online softmax: the last running sum and e^(z - m), relative to the last running maximum.

gpt-oss model card (2025), section 2, for the sink; Dao et al. 2022 (FlashAttention), algorithm 1.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Literal

from symattn.errors import ShapeMismatch
from symattn.exact.functions import exp, power
from symattn.exact.matrix import Matrix, Shape, spelled
from symattn.exact.number import Exact, Infinite
from symattn.notation import Formula, Grid, Infinity, Negative, Number, Power, Sum, Symbol
from symattn.operation import Operation, Slip, Working

if TYPE_CHECKING:
    from symattn.operation import Floats

EULER = Symbol("e")


@dataclass(frozen=True, slots=True)
class RunningSink(Operation):
    """D = l + e^(z - m) (n_q, 1) for the last sums l and maxima m (n_q, 1) and the sink z of the head (1, 1).

    `base` None is e. A row without a visible key has the sum 1, and with it the output 0. `kind` spells a
    mistake: the sink left out, or not shifted by m.
    """

    working: ClassVar[Working] = "rule"
    base: Exact | None = None
    spelled: Formula = EULER
    kind: Literal["right", "omitted", "unshifted"] = "right"

    def shape(self, *shapes: Shape) -> Shape:
        sums, maxima, sink = shapes
        if sums[1] != 1 or maxima != sums or sink != (1, 1):
            raise ShapeMismatch(
                f"the sums are {spelled(sums)}, the maxima {spelled(maxima)}, the sink {spelled(sink)}",
                "one sum and one maximum for every row, and one sink",
            )
        return sums

    def exact(self, *arguments: Matrix) -> Matrix:
        self.shape(*(matrix.shape for matrix in arguments))
        sums, maxima, sinks = arguments
        if self.kind == "omitted":
            return sums
        return sums.combined(maxima, lambda total, m: total + self._power(sinks[0, 0], m))

    def _power(self, sink: Exact, m: Exact) -> Exact:
        if isinstance(m, Infinite):
            return Exact.of(1)
        apart = sink if self.kind == "unshifted" else sink - m
        return exp(apart) if self.base is None else power(self.base, apart)

    def floats(self, *arguments: Floats) -> Floats:
        import numpy as np

        from symattn.floats import to_float

        sums, maxima, sinks = arguments
        if self.kind == "omitted":
            return sums
        base = np.e if self.base is None else to_float(self.base)
        apart = sinks[0, 0] - (0.0 if self.kind == "unshifted" else maxima)
        total: Floats = sums + np.where(np.isneginf(np.real(maxima)), 1.0, np.power(base, apart))
        return total

    def formula(self, *arguments: Formula) -> Formula:
        sums, maxima, sink = arguments
        return Sum((sums, Power(self.spelled, Sum((sink, Negative(maxima))))))

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        sums, maxima, sinks = (grid.rows for grid in arguments)
        if self.kind == "omitted":
            return sums[i][0]
        sink, m = sinks[0][0], maxima[i][0]
        if m == Negative(Infinity()):
            return Sum((sums[i][0], Number("1")))
        apart = sink if self.kind == "unshifted" else Sum((sink, Negative(m)))
        return Sum((sums[i][0], Power(self.spelled, apart)))

    def slips(self) -> tuple[Slip, ...]:
        if self.kind != "right":
            return ()
        return (
            Slip(
                "running-sink-omitted",
                "left the sink out of the last running sum",
                "最后的累计和漏掉了汇点项",
                replace(self, kind="omitted"),
            ),
            Slip(
                "running-sink-unshifted",
                "added the exponential of the sink without subtracting the running maximum",
                "加上汇点的指数之前没有减去累计最大值",
                replace(self, kind="unshifted"),
            ),
        )

    @classmethod
    def example(cls) -> tuple[Operation, tuple[Matrix, ...]]:
        return cls(), (
            Matrix.rational([[7], [2]]),
            Matrix.rational([[2], [3]]),
            Matrix.rational([[1]]),
        )
