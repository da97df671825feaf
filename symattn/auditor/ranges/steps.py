"""The range of a step when each printed number before it moves through its own preimage.

Ranges are kept tight: sums of products take end points, a softmax weight is extreme with its own score low
and the others high.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from flint import arb, ctx, fmpq

from symattn.auditor.claims import SumOf, Term
from symattn.auditor.ranges import norms
from symattn.auditor.ranges.interval import BITS, EVERYTHING, ZERO, Interval, least, most, point
from symattn.exact.enclosure import enclose
from symattn.exact.matrix import Matrix
from symattn.operation import Operation
from symattn.ops.add import Add
from symattn.ops.exponential import Exponential, ScoresThemselves
from symattn.ops.heads import Columns, Concatenate, ReversedHeads
from symattn.ops.mask import Mask
from symattn.ops.normalise import Normalise
from symattn.ops.products import MatrixProduct, ReversedValues, Scores, WeightedSum
from symattn.ops.project import Project
from symattn.ops.row_sums import RowSums
from symattn.ops.scale import Scale
from symattn.turned import Turned

Table = list[list[Interval]]
NOTHING = fmpq(0)


def points(matrix: Matrix) -> Table:
    """A matrix of which no entry moves."""
    with ctx.workprec(BITS):
        return [[Interval(ball, ball) for ball in row] for row in matrix.enclosures(BITS)]


def through(
    op: Operation, arguments: Sequence[Table], *, joint: Sequence[bool] = (), loose: fmpq = NOTHING
) -> Table | None:
    """The range of `op` over independent ranges of its arguments, or None for an operation without one.

    For `Normalise`, `joint[i]` says that the sum of row i was not printed, so that numerator and
    denominator move together; the sum may then be off by `loose` besides.
    """
    if isinstance(op, Turned):
        table = through(op.rows, [_turned(argument) for argument in arguments], joint=joint, loose=loose)
        return None if table is None else _turned(table)
    with ctx.workprec(BITS):
        if isinstance(op, Normalise):
            return _normalised(op, arguments, joint, loose)
        rule = next((_RULES[kind] for kind in type(op).__mro__ if kind in _RULES), None)
        return rule(op, *arguments) if rule is not None else None


def _dot(row: Sequence[Interval], column: Sequence[Interval]) -> Interval:
    total = ZERO
    for a, b in zip(row, column, strict=True):
        total = total + a * b
    return total


def _product(a: Table, b: Table) -> Table:
    columns = list(zip(*b, strict=True))
    return [[_dot(row, column) for column in columns] for row in a]


def _turned(a: Table) -> Table:
    return [list(row) for row in zip(*a, strict=True)]


def _project(op: Project, x: Table, w: Table, *bias: Table) -> Table:
    product = _product(x, _turned(w) if op.transposed else w)
    for _ in range(op.biases if bias else 0):
        product = [[a + b for a, b in zip(row, bias[0][0], strict=True)] for row in product]
    return product


def _matrix_product(op: MatrixProduct, *factors: Table) -> Table:
    left, right = (
        _turned(factors[at]) if turned else factors[at]
        for at, turned in zip(op.factors, op.transposed, strict=True)
    )
    return _product(left, right)


def _scale(op: Scale, scores: Table, *divisor: Table) -> Table:
    """By the divisor of the operation, or by a printed one."""
    factor = point(op.divisor.inverse())
    if divisor:
        low, high = divisor[0][0][0].low, divisor[0][0][0].high
        ball = 1 / high
        factor = Interval(ball, ball if low is high else 1 / low)
    return [[a * factor for a in row] for row in scores]


def _mask(op: Mask, scores: Table) -> Table | None:
    if type(op) is not Mask:
        return None
    return [
        [
            point(op.additive[i, j])
            if not enclose(op.additive[i, j], BITS).is_finite()
            else a + point(op.additive[i, j])
            for j, a in enumerate(row)
        ]
        for i, row in enumerate(scores)
    ]


def _exponential(op: Exponential, scores: Table) -> Table:
    rate = arb(1) if op.base is None else enclose(op.base, BITS).log()
    falling = bool(rate < 0)

    def power(end: arb) -> arb:
        return (rate * end).exp() if end.is_finite() else arb(0)

    def one(a: Interval) -> Interval:
        low = power(a.low)
        if a.low is a.high:
            return Interval(low, low)
        high = power(a.high)
        return Interval(high, low) if falling else Interval(low, high)

    return [[one(a) for a in row] for row in scores]


def _row_sums(op: RowSums, powers: Table, *sinks: Table) -> Table | None:
    if op.axis != 1 or op.without is not None:
        return None
    return [[_total(row)] for row in powers]


def _total(row: Sequence[Interval]) -> Interval:
    total = ZERO
    for a in row:
        total = total + a
    return total


def _normalised(
    op: Normalise, arguments: Sequence[Table], joint: Sequence[bool], loose: fmpq
) -> Table | None:
    powers, sums = arguments
    result = []
    for i, row in enumerate(powers):
        if joint and joint[i]:
            total = _total(row).widened(loose) if loose else _total(row)
            result.append([_joint_share(a, total) for a in row])
        else:
            bottom = sums[i if len(sums) > 1 else 0][0]
            result.append([_share(a, bottom, bottom) for a in row])
    return result


def _joint_share(a: Interval, total: Interval) -> Interval:
    """a over a sum that it is part of: the other parts move by themselves."""
    low, high = total.low - a.low, total.high - a.high
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


def _reversed_values(op: ReversedValues, a: Table, v: Table) -> Table:
    return _product(a, v[::-1])


def _term(op: Term, a: Table, v: Table) -> Table:
    return _product([[row[op.key]] for row in a], [v[op.key]])


def _sum_of(op: SumOf, *parts: Table) -> Table:
    return [[_total(cells) for cells in zip(*rows, strict=True)] for rows in zip(*parts, strict=True)]


def _add(op: Add, a: Table, b: Table) -> Table:
    return [[x + y for x, y in zip(p, q, strict=True)] for p, q in zip(a, b, strict=True)] if op.times else a


def _columns(op: Columns, a: Table) -> Table:
    return [row[op.start : op.stop] for row in a]


def _concatenate(op: Concatenate, *parts: Table) -> Table:
    ordered = parts[::-1] if isinstance(op, ReversedHeads) else parts
    return [[cell for part in ordered for cell in part[i]] for i in range(len(parts[0]))]


_RULES: dict[type, Callable[..., Any]] = {
    **norms.RULES,
    Project: _project,
    **dict.fromkeys((MatrixProduct, Scores, WeightedSum), _matrix_product),
    ReversedValues: _reversed_values,
    Scale: _scale,
    Mask: _mask,
    Exponential: _exponential,
    ScoresThemselves: lambda op, scores: scores,
    RowSums: _row_sums,
    Term: _term,
    SumOf: _sum_of,
    Add: _add,
    Columns: _columns,
    Concatenate: _concatenate,
}
