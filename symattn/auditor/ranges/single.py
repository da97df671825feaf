"""How far a program with 32 bits may be off: each step by a share of the numbers that it puts together.

Terms that nearly cancel leave the error of the large ones.
"""

from __future__ import annotations

from collections.abc import Sequence

from flint import arb, ctx

from symattn.auditor.ranges.steps import through
from symattn.auditor.ranges.working import Working, evaluated
from symattn.exact.literal import evaluate
from symattn.exact.syntax import Binary, Call, Node, Unary
from symattn.floats.interval import BITS, Interval, most, point
from symattn.floats.tables import Table
from symattn.plans.kinds import Dividing, Powers
from symattn.plans.operation import Operation
from symattn.plans.transposed import on_rows

SHARE = arb(2) ** -22
"""Of 24 bits a few operations cost two."""


def loosened(op: Operation, arguments: Sequence[Table], result: Table) -> Table:
    """The range `result` of a step over `arguments`, with the room that 32 bits leave it."""
    with ctx.workprec(BITS):
        sizes = [[[_whole(a) for a in row] for row in table] for table in arguments]
        if isinstance(on_rows(op), Powers):  # its exponent is rounded, too
            pairs = zip(result, sizes[0], strict=True)
            return [
                [
                    _widened(a, _size(a) * (1 + s.high if s.high.is_finite() else 1))
                    for a, s in zip(*pair, strict=True)
                ]
                for pair in pairs
            ]
        made = None if isinstance(on_rows(op), Dividing) else through(op, sizes)
        return [
            [_widened(a, _size(size)) for a, size in zip(row, of, strict=True)]
            for row, of in zip(result, made or result, strict=True)
        ]


def worked_in_single_precision(text: str, working: Working) -> Working:
    """A printed working with the room that 32 bits leave its result."""
    found = evaluated(text)
    if found is None:
        return working
    with ctx.workprec(BITS):
        return Working(working.value, _widened(working.range, _size_of(found.node)), working.numerals)


def _size_of(node: Node) -> arb:
    """The size of what a working puts together, before anything cancels."""
    match node:
        case Unary(operand=inner):
            return _size_of(inner)
        case Binary(operator="+" | "-", left=left, right=right):
            return _size_of(left) + _size_of(right)
        case Binary(operator="*", left=left, right=right):
            return _size_of(left) * _size_of(right)
        case Call(argument=inner):
            return _size(point(evaluate(node, {}))) * (1 + _size_of(inner))
    return _size(point(evaluate(node, {})))


def _widened(a: Interval, size: arb) -> Interval:
    room = size * SHARE
    return Interval(a.low - room, a.high + room) if room.is_finite() else a


def _size(a: Interval) -> arb:
    """The largest size of a number in a range."""
    return most([abs(a.low), abs(a.high)])


def _whole(a: Interval) -> Interval:
    size = _size(a)
    return Interval(size, size)
