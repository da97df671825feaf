"""Single weights and outputs by integers and balls: rational ones, and those beside a tie.

x = sum_k e^(-f D_k) c_k / (denominator sum_k e^(-f D_k)) with integers D_k and c_k, where e^f is
transcendental. Powers of different D are then linearly independent over the rationals: x is rational only
where the keys of each D have one mean of c, the same for all D, and then it is that mean. Otherwise it is
irrational, so never a tie.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from flint import arb, ctx, fmpq, fmpz

from symattn.exact.algebraic import MOST_BITS, effort
from symattn.exact.rounding import Undecided, nearest_integer, round_ball

FIRST_BITS = 64


def half_up(over: int, under: int) -> tuple[int, bool]:
    """The integer nearest to over / under, ties away from zero, and whether it is that."""
    nearest = (2 * abs(over) + under) // (2 * under)
    return (nearest if over >= 0 else -nearest), over % under == 0


def rational_outputs(digits: Any, values: Any, columns: Any) -> Iterator[tuple[int, int, int]]:
    """(column, over, under) for the columns of integer values (keys, e) that have one mean for each gap.

    `digits` (levels, keys) are those of the gaps of one row.
    """
    order = np.lexsort(digits)
    starts = np.flatnonzero(np.r_[True, (digits[:, order[1:]] != digits[:, order[:-1]]).any(axis=0)])
    chosen = values[order][:, columns]
    longest = max(int(abs(chosen).max()), 1).bit_length() + 2 * len(order).bit_length()
    if longest > 62:
        chosen = chosen.astype(object)
    sums, counts = np.add.reduceat(chosen, starts), np.diff(np.r_[starts, len(order)])[:, None]
    same = (sums * counts[0] == sums[0] * counts).all(axis=0)
    for j, one_mean, first in zip(columns, same, sums[0], strict=True):
        if one_mean:
            yield int(j), int(first), int(counts[0, 0])


def decide(
    gaps: Sequence[int],
    column: Sequence[int],
    denominator: int,
    factor: Callable[[], arb],
    places: int,
    sink: Callable[[], arb] | None = None,
) -> tuple[int, bool]:
    """The integer nearest to 10^places x, and whether it is that. Raises Undecided beyond the effort.

    `sink` gives the power of a sink apart, which no power of the keys is.

    Next to a tie t the sign of x - t is that of a sum of powers in which equal terms cancel as integers, so
    that 1/2 - e^(-10^60) takes few bits.
    """
    keys: dict[int, list[int]] = {}
    for gap, c in zip(gaps, column, strict=True):
        keys.setdefault(gap, []).append(c)
    means = {fmpq(sum(same), len(same) * denominator) for same in keys.values()}
    if len(means) == 1 and (sink is None or 0 in means):
        x = means.pop() * fmpz(10) ** places
        return nearest_integer(x), bool(x.q == 1)
    bits, most = FIRST_BITS, max(MOST_BITS, effort())
    while bits <= most:
        with ctx.workprec(bits):
            f = factor()
            powers = {gap: (-f * gap).exp() for gap in keys}
            mixed = sum((powers[gap] * sum(same) for gap, same in keys.items()), arb(0))
            extra = arb(0) if sink is None else sink()
            below = sum((powers[gap] * len(same) for gap, same in keys.items()), extra) * denominator
            y = mixed / below * fmpz(10) ** places
            nearest = round_ball(y)
            if nearest is None and y.rad() < 0.25:
                floor = y.mid().floor().unique_fmpz()
                assert floor is not None
                nearest = _beside_tie(int(floor), keys, powers, extra, denominator, places)
        if nearest is not None:
            return nearest, False
        bits *= 2
    raise Undecided(f"the rounding of an entry to {places} places")


def _beside_tie(
    floor: int,
    keys: Mapping[int, Sequence[int]],
    powers: Mapping[int, arb],
    extra: arb,
    denominator: int,
    places: int,
) -> int | None:
    """The integer nearest to 10^places x, next to the half integer t = floor + 1/2; None if undecided.

    x - t / 10^places has the sign of sum_D e^(-f D) w_D, where
    w_D = 2 10^places (sum of c) - 2 t denominator (number of keys); a sink is a key with c = 0.
    """
    ball = -extra * (2 * floor + 1) * denominator
    for gap, same in keys.items():
        ball += powers[gap] * (2 * 10**places * sum(same) - (2 * floor + 1) * denominator * len(same))
    return floor + 1 if ball > 0 else floor if ball < 0 else None
