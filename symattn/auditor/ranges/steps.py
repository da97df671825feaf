"""The range of a step when each printed number before it moves through its own preimage."""

from __future__ import annotations

from collections.abc import Sequence

from flint import ctx, fmpq

from symattn.floats.interval import BITS
from symattn.floats.tables import Table, transposed
from symattn.plans.kinds import Dividing
from symattn.plans.operation import Operation
from symattn.plans.transposed import TransposedOperation

NOTHING = fmpq(0)


def through(
    op: Operation,
    arguments: Sequence[Table],
    *,
    joint: Sequence[bool] = (),
    loose: fmpq = NOTHING,
    plain: bool = True,
) -> Table | None:
    """The range of `op` over independent ranges of its arguments, or None where nothing moves.

    Of what divides by sums, `joint[i]` says that the sum of row i was not printed, so that numerator and
    denominator move together; the sum may then be off by `loose` besides. `plain` says that nothing else
    is in the sums, as a sink would be.
    """
    with ctx.workprec(BITS):
        if not any(joint):
            return op.moves(*arguments)
        if isinstance(op, TransposedOperation):
            found = through(
                op.rows, [transposed(a) for a in arguments], joint=joint, loose=loose, plain=plain
            )
            return None if found is None else transposed(found)
        if not isinstance(op, Dividing):
            return op.moves(*arguments)
        powers, sums = arguments
        return op.shares(powers, sums, joint, loose, plain=plain)
