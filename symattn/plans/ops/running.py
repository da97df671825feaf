"""The online softmax: its running maximum, sum and output, rescaled before a block is added, and its sink.

Milakov and Gimelshein 2018, algorithm 3; Dao et al. 2022 (FlashAttention), algorithm 1, lines 11 and 12;
gpt-oss model card (2025), section 2, for the sink.
"""

from __future__ import annotations

from typing import Any, ClassVar, TypeVar

from symattn.exact.shapes import Shape, require
from symattn.floats.arrays import Floats, np
from symattn.plans.base import Base, E
from symattn.plans.operation import Mistake, Slip, Working
from symattn.plans.ops.pieces import Subtracting, Unsubtracted
from symattn.plans.ops.unchanged import Unchanged
from symattn.plans.rules import ONE, Ruled, hidden, maximum, power, total_of
from symattn.plans.slips import mistake
from symattn.text.notation import (
    Call,
    Formula,
    Negative,
    Power,
    Product,
    Series,
    Sum,
    Symbol,
)


class Rescaled(Ruled, frozen=True):
    """r O for O (n, d) and one factor a row, r (n, 1)."""

    example_arguments: ClassVar = ([[7, 1], [2, 4]], [[2], [3]])

    def cell(self, i: int, j: int, *arguments: Any) -> Any:
        return arguments[1][i, 0] * arguments[0][i, j]

    def floats(self, *arguments: Floats) -> Floats:
        return arguments[0] * arguments[1]

    def formula(self, *arguments: Formula) -> Formula:
        return Product((arguments[1], arguments[0]))


T = TypeVar("T")


class RunningMaximum(Ruled, frozen=True):
    """m' = max(m, largest score of the row): arguments (S) or (m, S), m (n_q, 1), S a block (n_q, b).

    Where free symbols leave the order open the maximum stays a maximum, which no proof needs to settle.
    """

    finite_decimals: ClassVar[bool] = True
    working: ClassVar[Working] = "rule"
    example_arguments: ClassVar = ([[7], [2]], [[1, 2], [3, 5]])

    def shape(self, *shapes: Shape) -> Shape:
        n = shapes[-1][0]
        require(
            len(shapes) <= 1 or shapes[0] == (n, 1),
            (shapes[0], n),
            "the running maximum is {0}",
            "累计最大值是 {0}",
            "it needs one entry for each [row|column], {1} in all",
            "{1} [行|列]各需一个元素",
        )
        return n, 1

    def cell(self, i: int, j: int, *arguments: Any) -> Any:
        return maximum(*(x for matrix in self._seen(arguments) for x in matrix.row(i)))

    def _seen(self, arguments: tuple[T, ...]) -> tuple[T, ...]:
        """What the maximum is taken of."""
        return arguments

    def floats(self, *arguments: Floats) -> Floats:
        maxima: Floats = np.max(np.concatenate(self._seen(arguments), axis=1), axis=1, keepdims=True)
        return maxima

    def formula(self, *arguments: Formula) -> Formula:
        return Call("max", arguments)

    def for_derivative(self) -> None:
        """Nothing: the maximum cancels in the weights, and has no derivative at a tie."""

    def slips(self) -> tuple[Slip, ...]:
        return (mistake("maximum-of-the-block", BlockMaximum()),)


class BlockMaximum(Mistake, RunningMaximum, frozen=True):
    """The mistake of forgetting what came before the block."""

    def _seen(self, arguments: tuple[T, ...]) -> tuple[T, ...]:
        return arguments[-1:]


RESCALED = Rescaled()


class RunningSum(Ruled, frozen=True):
    """l' = r l + row sums of P: l and r (n_q, 1), P (n_q, b) the exponentials of a block; (n_q, 1).

    `old` makes r l of l and r.
    """

    finite_decimals: ClassVar[bool] = True
    example_arguments: ClassVar = ([[7], [2]], [[2], [3]], [[1, 2], [3, 5]])
    old: Ruled = RESCALED

    def shape(self, *shapes: Shape) -> Shape:
        n = shapes[2][0]
        _columns(shapes[:2], n)
        return n, 1

    def cell(self, i: int, j: int, *arguments: Any) -> Any:
        before, factor, powers = arguments
        return total_of((self.old.cell(i, j, before, factor), *powers.row(i)), spelled=True)

    def floats(self, *arguments: Floats) -> Floats:
        before, factor, powers = arguments
        sums: Floats = self.old.floats(before, factor) + np.sum(powers, axis=1, keepdims=True)
        return sums

    def formula(self, *arguments: Formula) -> Formula:
        before, factor, powers = arguments
        series = Series("sum", Symbol("j"), None, None, powers)
        return Sum((self.old.formula(before, factor), series))

    def slips(self) -> tuple[Slip, ...]:
        if self.old != RESCALED:
            return ()
        return (
            mistake("running-sum-unscaled", RunningSum(Unchanged())),
            mistake("running-sum-block-skipped", RESCALED),
        )


class RunningOutput(Ruled, frozen=True):
    """O' = r O + P V: O (n_q, d_v), r (n_q, 1), P (n_q, b), V (b, d_v) the values of a block.

    `old` makes r O of O and r.
    """

    finite_decimals: ClassVar[bool] = True
    example_arguments: ClassVar = ([[7, 1], [2, 4]], [[2], [3]], [[1, 2], [3, 5]], [[1, -1], [2, 6]])
    old: Ruled = RESCALED

    def shape(self, *shapes: Shape) -> Shape:
        before, factor, powers, values = shapes
        _columns((factor,), before[0])
        require(
            powers == (before[0], values[0]) and values[1] == before[1],
            (powers, values, before),
            "{0} and {1} cannot be added to {2}",
            "{0} 与 {1} 的乘积不能加到 {2} 上",
            "a block has one [column|row] of exponentials for each [row|column] of its values",
            "一块的指数的[列|行]数应等于它的值的[行|列]数",
        )
        return before

    def cell(self, i: int, j: int, *arguments: Any) -> Any:
        before, factor, powers, values = arguments
        products = (p * v for p, v in zip(powers.row(i), values.T.row(j), strict=True))
        return total_of((self.old.cell(i, j, before, factor), *products))

    def floats(self, *arguments: Floats) -> Floats:
        before, factor, powers, values = arguments
        output: Floats = self.old.floats(before, factor) + powers @ values
        return output

    def formula(self, *arguments: Formula) -> Formula:
        before, factor, powers, values = arguments
        return Sum((self.old.formula(before, factor), Product((powers, values))))

    def slips(self) -> tuple[Slip, ...]:
        if self.old != RESCALED:
            return ()
        return (
            mistake("running-output-unscaled", RunningOutput(Unchanged())),
            mistake("running-output-block-skipped", RESCALED),
        )


def _columns(shapes: tuple[Shape, ...], n: int) -> None:
    for shape in shapes:
        require(
            shape == (n, 1),
            (shape, n),
            "a [column|row] of {0}",
            "一[列|行]数的形状是 {0}",
            "it needs one entry for each [row|column], {1} in all",
            "{1} [行|列]各需一个元素",
        )


class RunningSink(Subtracting, Ruled, frozen=True):
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

    def cell(self, i: int, j: int, *arguments: Any) -> Any:
        total, m, sink = arguments[0][i, 0], arguments[1][i, 0], arguments[2][0, 0]
        return total + (ONE if hidden(m) else power(self.base, self._apart(sink, m)))

    def floats(self, *arguments: Floats) -> Floats:
        sums, maxima, sinks = arguments
        powers = self.base.float_powers(self._apart(sinks[0, 0], maxima))
        total: Floats = sums + np.where(np.isneginf(np.real(maxima)), 1.0, powers)
        return total

    def formula(self, *arguments: Formula) -> Formula:
        sums, maxima, sink = arguments
        return Sum((sums, Power(self.base.written, Sum((sink, Negative(maxima))))))

    def slips(self) -> tuple[Slip, ...]:
        return (
            mistake("running-sink-omitted", Unchanged()),
            mistake("running-sink-unshifted", UnshiftedSink(self.base)),
        )


class UnshiftedSink(Unsubtracted, RunningSink, frozen=True):
    """The mistake of e^z, not relative to the maximum."""
