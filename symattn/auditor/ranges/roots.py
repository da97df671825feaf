"""Decimals that stand for more digits where a source begins, and move as a rounded number does.

A printed 1.414 is the root of 2; weights with three decimals are those of a softmax that is not shown;
queries beside the weights that make them were worked out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from math import isqrt

from flint import fmpq

from symattn.attention.quantities import QUANTITIES
from symattn.exact.matrix import Matrix
from symattn.floats.interval import Interval, point
from symattn.floats.tables import Table, points
from symattn.plans.kinds import Scaling
from symattn.plans.plan import base_name

LEAST_PLACES = 2
LEAST_OF_WEIGHTS = 3
"""Who picks weights by hand picks fewer decimals."""
MOST_PLACES = 9


def stands_for_root(value: fmpq, places: int) -> bool:
    """Whether sqrt(n/k) with n/k no square rounds to the number, for k up to 2, or 6 from three decimals on.

    Larger roots lie too close together for so few digits to tell one: n/k stays below 10^(places-1).
    """
    if places < LEAST_PLACES:
        return False
    size, half = abs(value), fmpq(1, 2 * 10**places)
    if size <= half or size * size > 10 ** (places - 1):
        return False
    parts = 2 if places == LEAST_PLACES else 6
    low, high = (size - half) ** 2 * parts, (size + half) ** 2 * parts
    n = int(high.floor())
    return n >= low and not _square(n * parts)


def _square(n: int) -> bool:
    return isqrt(n) ** 2 == n


def rounded_roots(n: int, *, coarse: bool = False) -> tuple[fmpq, ...]:
    """What a root is divided by that was rounded or cut off first: 1.41 to 1.4142, and 1/0.71 to 1/0.7071.

    With `coarse` to one decimal, too, where that is near the root: 1.4 and 1/0.7, but not 1/0.5 for 1.73.
    """
    if not n or _square(n):
        return ()
    found = [*_over(n, (2, 3, 4)), *_times(n, (3, 2, 4))]
    if coarse:
        low, high = fmpq(19, 20) ** 2 * n, fmpq(21, 20) ** 2 * n
        found += (root for root in (*_over(n, (1,)), *_times(n, (1,))) if low <= root * root <= high)
    return tuple(dict.fromkeys(found))


def _over(n: int, several: Sequence[int]) -> Iterator[fmpq]:
    """The root of n with so many decimals, cut off and rounded."""
    return (fmpq(p, 10**places) for places in several for p in _ends(fmpq(n), places))


def _times(n: int, several: Sequence[int]) -> Iterator[fmpq]:
    """What is divided by where 1 over the root of n has so many decimals."""
    return (fmpq(10**places, p) for places in several for p in _ends(fmpq(1, n), places) if p)


def _ends(square: fmpq, places: int) -> tuple[int, int]:
    """The root of a number in units of a decimal place, cut off and rounded."""
    in_units = square * 100**places
    low = isqrt(int(in_units.floor()))
    return low, isqrt(int((in_units * 4).floor())) + 1 >> 1


def may_round(divisor: fmpq, root: Interval) -> bool:
    """Whether a divisor stands for this root, and for no other one."""
    return root.meets(divisor * fmpq(19, 20), divisor * fmpq(21, 20))


def places_of(q: fmpq) -> int | None:
    """The decimals that a number needs, None where it has no end within `MOST_PLACES`."""
    return next((d for d in range(MOST_PLACES + 1) if (q * 10**d).q == 1), None)


def may_hide_digits(name: str, value: fmpq, places: int) -> bool:
    """Whether a decimal of the quantity, where a source begins with it, stands for more than it shows."""
    base = base_name(name)
    return (_is_logit(base) and stands_for_root(value, places)) or (
        base == "A" and places >= LEAST_OF_WEIGHTS
    )


def _is_logit(name: str) -> bool:
    """Whether a quantity may be divided by a root of d_k, and printed as a decimal where a source begins."""
    quantity = QUANTITIES.of(name)
    return quantity is not None and quantity.logit


def _is_projected(name: str) -> bool:
    quantity = QUANTITIES.of(name)
    return quantity is not None and bool(quantity.weights)


def is_result(name: str, given: Collection[str]) -> bool:
    """Whether a quantity that a source begins with was worked out: something is given that it is made of.

    Beside inputs without any weights, projections are of these.
    """
    if _is_projected(name) and "X" in given and not any(of in given for of in QUANTITIES.weights):
        return True
    tag = name.removesuffix(base_name(name))
    return any(of in given or tag + of in given for of in QUANTITIES.ancestors(name))


def begun(name: str, matrix: Matrix, given: Collection[str]) -> Table | None:
    """The range of a quantity that a source begins with, among those `given`; None where no decimal moves.

    Of a quantity for which the source gives what it is made of all decimals hide digits.
    """
    made = is_result(name, given)
    n, m = matrix.shape
    rationals = {(i, j): q for i in range(n) for j in range(m) if (q := matrix[i, j].rational) is not None}
    decimals = {cell: places for cell, q in rationals.items() if (places := places_of(q)) is not None}
    if made or base_name(name) == "A":  # 0.19 among 0.322 and 0.483 is 0.190
        most = max(decimals.values(), default=0)
        decimals = dict.fromkeys((cell for cell, places in decimals.items() if made or places), most)
    # where the weights of one projection are given those of the others are there too, read or not
    beside = _is_projected(name) and any(of in given for of in QUANTITIES.weights)
    hiding = {
        cell: fmpq(1, 2 * 10**places)
        for cell, places in decimals.items()
        if places
        and (made or (beside and places >= LEAST_PLACES) or may_hide_digits(name, rationals[cell], places))
    }
    if not hiding:
        return None
    table = points(matrix)
    return [
        [table[i][j].widened(hiding[i, j]) if (i, j) in hiding else table[i][j] for j in range(m)]
        for i in range(n)
    ]


def held_divisor(op: Scaling, room: fmpq) -> list[Table]:
    """What scores are divided by where it is not printed: a root that a source holds with so much room.

    Exponentials of large scores show the difference. One that ends is itself, and no table is needed.
    """
    if op.divisor.rational is not None:
        return []
    return [[[point(op.divisor).widened(room)]]]
