"""Attention weights: the exponentials of a row over their sum. Vaswani et al. 2017, eq. (1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from flint import arb, fmpq
from msgspec.structs import replace

from symattn.exact.matrix import Matrix
from symattn.exact.shapes import Shape, require
from symattn.floats.arrays import Floats, np
from symattn.floats.interval import EVERYTHING, ZERO, Interval, least, most
from symattn.floats.tables import Table, total
from symattn.plans.gradient import Differentiable, Forward, Share, Shares, not_differentiated
from symattn.plans.kinds import Dividing
from symattn.plans.operation import Operation, Slip
from symattn.plans.ops.exponential import Exponential
from symattn.plans.ops.products import Scores
from symattn.plans.ops.row_sums import AFTER_SOFTMAX, RowSums, SumsOfAll
from symattn.plans.ops.sink import SinkBackward, SinkSums
from symattn.plans.ops.softmax_backward import NormaliseBackward, SoftmaxBackward
from symattn.plans.ops.unchanged import Unchanged
from symattn.plans.plan import Line
from symattn.plans.slips import mistake
from symattn.plans.weights import MakesWeights, Mistaken, Order, SlipsByPlan, unmasked
from symattn.text.bilingual import oriented
from symattn.text.notation import Formula, Quotient


class Normalise(Dividing, Differentiable, MakesWeights, SlipsByPlan, frozen=True):
    """E / sums: exponentials (n_q, n_k) over their row sums (n_q, 1); result (n_q, n_k).

    A fully masked row, whose sum is 0, gives weights 0, as ONNX Attention (opset 23) defines it.
    """

    example_arguments: ClassVar = ([[1, 2], [3, 5]], [[3], [8]])

    def shape(self, *shapes: Shape) -> Shape:
        (n, m), (p, q) = shapes
        require(
            p in (1, n) and q in (1, m),
            (shapes[0], shapes[1], (n, 1)),
            "the exponentials are {0}, their sums {1}",
            "指数是 {0}，其和是 {1}",
            "the sums of the [rows|columns] are {2}",
            "各[行|列]之和应为 {2}",
        )
        return n, m

    def exact(self, *arguments: Matrix) -> Matrix:
        powers, sums = arguments
        return powers.over(sums)

    def floats(self, *arguments: Floats) -> Floats:
        powers, sums = arguments
        hidden = sums == 0
        return np.where(hidden, 0.0, powers / np.where(hidden, 1.0, sums))

    def moves(self, *tables: Table) -> Table | None:
        powers, sums = tables
        if len(sums[0]) > 1:
            return Operation.moves(self, *tables)
        bottoms = sums * len(powers) if len(sums) == 1 else sums
        return [[_share(a, b, b) for a in row] for row, (b,) in zip(powers, bottoms, strict=True)]

    def shares(
        self, powers: Table, sums: Table, joint: Sequence[bool], loose: fmpq, *, plain: bool
    ) -> Table | None:
        found = self.moves(powers, sums)
        if found is None:
            return found
        return [
            [_joint_share(a, (total(row) if plain else sums[i][0]).widened(loose)) for a in row]
            if joint[i : i + 1] == [True]
            else found[i]
            for i, row in enumerate(powers)
        ]

    def formula(self, *arguments: Formula) -> Formula:
        return Quotient(arguments[0], arguments[1])

    def order(self, line: Line, lines: Mapping[str, Line]) -> Order | None:
        """Exponentials over their sums keep the order of the logits unless the base is below 1.

        So does what is divided by its own row sums, and so do products of features (linear attention).
        """
        powers, sums = (lines.get(name) for name in line.args)
        if powers is not None and isinstance(powers.op, Exponential):
            return "reversed" if powers.op.base.falls else "same"
        own = sums is not None and isinstance(sums.op, RowSums) and sums.args == line.args[:1]
        return "same" if powers is None or own or isinstance(powers.op, Scores) else None

    def gradient(self, line: Line, g: str, forward: Forward) -> Shares:
        """At once to what was divided by its row sums: of a softmax past the exponentials to the logits."""
        power, sums = (forward.lines.get(name) for name in line.args)
        if power is None or sums is None:
            raise not_differentiated(line)
        if not isinstance(power.op, Exponential):
            return (Share(power.name, NormaliseBackward(), (line.name, g, sums.name)),)
        base = power.op.base
        shares = [Share(power.args[0], SoftmaxBackward(base), (line.name, g))]
        if isinstance(sums.op, SinkSums):
            sink = sums.args[1]
            piece = sums.op.head if forward.shapes[sink][1] > 1 else None
            shares.append(Share(sink, SinkBackward(base), (line.name, g), piece))
        return tuple(shares)

    def slips(self) -> tuple[Slip, ...]:
        return (mistake("weights-unnormalised", Unchanged()),)

    def mistaken(
        self, line: Line, lines: Mapping[str, Line], shapes: Mapping[str, Shape]
    ) -> Iterator[Mistaken]:
        count = shapes[line.args[1]][0]
        for row in range(count if count > 1 else 0):
            words = oriented(
                f"divided by the sum of [row|column] {row + 1}", f"除以了第 {row + 1} [行|列]的总和"
            )
            yield "sum-of-neighbour", words, replace(line, op=BySumOf(row=row))
        scores = unmasked(line.args[0], lines)
        if scores is not None:
            told = replace(line, op=BySumsOfAll(), args=(line.args[0], scores))
            yield "mask-after-softmax", AFTER_SOFTMAX, told


class BySumOf(Normalise, frozen=True):
    """E over the sum of one of its rows: exponentials (n_q, n_k), sums (n_q, 1); result (n_q, n_k)."""

    row: int = 0

    def exact(self, *arguments: Matrix) -> Matrix:
        powers, sums = arguments
        return powers.scaled(sums[self.row, 0].inverse())


class BySumsOfAll(Normalise, frozen=True):
    """E over the sums of all exponentials: exponentials and scores (n_q, n_k); result (n_q, n_k)."""

    def exact(self, *arguments: Matrix) -> Matrix:
        powers, scores = arguments
        return powers.over(SumsOfAll().exact(scores))


def _joint_share(a: Interval, whole: Interval) -> Interval:
    """a over a sum that it is part of: the other parts move by themselves."""
    low, high = whole.low - a.low, whole.high - a.high
    return _share(a, Interval(a.low + low, a.low + high), Interval(a.high + low, a.high + high))


def _share(a: Interval, where_low: Interval, where_high: Interval) -> Interval:
    """a over its sum, given the range of the sum where a is low and where it is high.

    A sum that may vanish leaves all from 0 to 1 open, and everything where a may be negative.
    """
    if a.low is a.high and a.low == 0:
        return ZERO
    pairs = [(x, y) for x, sums in ((a.low, where_low), (a.high, where_high)) for y in (sums.low, sums.high)]
    if all(y > 0 for _, y in pairs) or all(y < 0 for _, y in pairs):
        ends = [x / y for x, y in pairs]
        return Interval(least(ends), most(ends))
    if a.low >= 0:
        return Interval(a.low / where_low.high if where_low.high > 0 else arb(0), arb(1))
    return EVERYTHING
