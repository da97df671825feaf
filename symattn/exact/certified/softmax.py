"""Weights A = softmax(f S) and outputs A V as integers: the nearest to 10^places x, each proved.

The steps and their bounds are numbered in docs/certified-decimals.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from flint import arb, ctx, fmpq
from msgspec import Struct, field

from symattn.exact.certified.double_double import (
    PRODUCT,
    QUOTIENT,
    Floats,
    Pair,
    U,
    product,
    quotient,
    slices,
    split,
    total,
)
from symattn.exact.certified.gaps import Gaps
from symattn.exact.certified.integers import bits_of, limbs, multiplied
from symattn.exact.certified.power_tables import GONE, TABLE, TABLE_BITS, PowerTables, as_pairs
from symattn.exact.certified.singles import decide, half_up, rational_outputs
from symattn.exact.certified.sinks import ApartSink

SLICED_BITS = 100
"""How finely a power is cut into slices."""
SECOND_ORDER = 1.001
"""Products of relative errors, and the rounding of the bounds themselves; a factor of every bound."""
BLOCK = 16384
"""Weights that are worked on at once, so that all that lies between stays in the cache."""
LONGEST = 800
"""Bits of integers whose limbs stay in the range of floats."""
MANY_KEYS = 200
"""Keys from which tables of 9 bits pay rather than those of 6."""


class Scaled(Struct):
    """The integers nearest to 10^places x, whether each is that itself, and how many were decided singly.

    Those in `left_open` are not decided.
    """

    nearest: Any
    exact: Any
    singles: int = 0
    left_open: list[tuple[int, int]] = field(default_factory=list)

    @staticmethod
    def empty(shape: tuple[int, int]) -> Scaled:
        return Scaled(np.zeros(shape, np.int64), np.zeros(shape, bool))


class Values:
    """Integer values V (m, e) over a denominator, as limbs that BLAS sums exactly."""

    def __init__(self, numbers: Any, denominator: int) -> None:
        self.numbers, self.denominator, self.width = numbers, denominator, numbers.shape[1]
        count, most = len(numbers).bit_length(), bits_of(numbers)
        self.bits = most if most + count <= 31 else 31 - count
        self.limbs = [numbers.astype(np.float64)] if self.bits == most else limbs(numbers, self.bits + 1)
        sizes = sum(abs(limb) * self.unit(at) for at, limb in enumerate(self.limbs))
        self.most = float(sizes.max()) if numbers.size else 0.0
        with ctx.workprec(TABLE_BITS):
            self.reciprocal = as_pairs([1 / arb(denominator)])

    def unit(self, limb: int) -> float:
        """The place value of a limb."""
        return 2.0 ** ((self.bits + 1) * limb)


class Block(Struct):
    """Some rows: gaps as digits, powers, slices summed over the keys, and 10^places / row sums."""

    rows: slice
    digits: list[Any]
    powers: Pair
    sums: Any
    per_sum: Pair
    lost: Any
    summing: Any
    sum_bound: Any


class OutputRows(Struct):
    """Some rows of 10^places A V as pairs, with absolute bounds, to first order.

    `shares` are 10^places over the sums of the powers e^(-f D), with relative bounds; `tops` are the largest
    scores.
    """

    rows: slice
    outputs: Pair
    bound: Floats
    tops: list[int]
    shares: Pair
    share_bound: Floats


class Softmax(Struct, dict=True):
    """A = softmax(-f D) for the gaps D (n, m); `factor` gives f, with e^f transcendental.

    `visible` (n, m) says which keys a query sees, in each row one or more; None is all. A `sink` adds to the
    sums of the rows. Where e^f is algebraic, c^degree for a rational c that is no power, decimals that
    are not proved may be left open.
    """

    gaps: Gaps
    factor: Callable[[], arb]
    places: int
    visible: Any = None
    sink: ApartSink | None = None
    degree: fmpq | None = None

    def decimals(self, wanted: Sequence[Values | None]) -> list[Scaled]:
        """A where None is wanted, A V for values. Raises Imprecise."""
        n, m = self.gaps.shape
        found = [Scaled.empty((n, m if v is None else v.width)) for v in wanted]
        for block in self._blocks([v for v in wanted if v is not None]):
            first = 0
            for v, made in zip(wanted, found, strict=True):
                if v is None:
                    self._weights(block, made)
                else:
                    self._outputs(block, v, first, made)
                    first += len(v.limbs) * v.width
        return found

    def outputs(self, v: Values) -> tuple[Floats, Floats, Floats]:
        """(h, l, bound) with |h + l - 10^places A V| at most the bound, to first order. Raises Imprecise."""
        made = np.empty((3, self.gaps.shape[0], v.width))
        for part in self.output_rows(v):
            made[:, part.rows] = *part.outputs, part.bound
        h, low, bound = made
        return h, low, bound

    def weights(self) -> tuple[Floats, Floats, Floats]:
        """(h, l, bound) of 10^places A, as `outputs`; those of a hidden key are 0. Raises Imprecise."""
        made = np.empty((3, *self.gaps.shape))
        for block in self._blocks([]):
            (h, low), relative = self._shares(block)
            made[:, block.rows] = h, low, np.abs(h) * relative + 10.0**self.places * GONE
        if self.visible is not None:
            made[2][~self.visible] = 0.0
        h, low, bound = made
        return h, low, bound

    def output_rows(self, v: Values) -> Iterator[OutputRows]:
        """The same, some rows at a time, with the sums of the rows. Raises Imprecise."""
        for block in self._blocks([v]):
            pair, relative, absolute = self._pairs(block, v, 0)
            yield OutputRows(
                block.rows,
                pair,
                np.abs(pair[0]) * relative + absolute,
                self._tops(block.rows, block.digits),
                (block.per_sum[0][:, 0], block.per_sum[1][:, 0]),
                (block.sum_bound + QUOTIENT)[:, 0],
            )

    def _blocks(self, values: Sequence[Values]) -> Iterator[Block]:
        n, m = self.gaps.shape
        columns = np.hstack([*(limb for v in values for limb in v.limbs), np.ones((m, 1))])
        self.slice_bits = 52 - m.bit_length() - max([1, *(v.bits for v in values)])
        self.slice_count = -(-SLICED_BITS // self.slice_bits)
        self.tables = PowerTables(self.factor, self.gaps.bits, 9 if m >= MANY_KEYS else 6)
        step = max(1, BLOCK // m)
        for start in range(0, n, step):
            yield self._block(slice(start, min(n, start + step)), columns)

    def _block(self, rows: slice, columns: Floats) -> Block:
        digits = self.gaps.rows(rows.start, rows.stop)
        powers = self.tables.powers(digits, self.gaps.digit_bits)
        if self.visible is not None:
            for part in powers:
                part[~self.visible[rows]] = 0.0
        extra: list[Any] = []
        if self.sink is not None:
            *extra, over = self.sink.powers(self._tops(rows, digits))
            for part in powers:
                part[over] = 0.0
        m, count = self.gaps.shape[1], self.slice_count
        sliced = slices(powers, self.slice_bits, count)
        sums = multiplied(sliced.reshape(-1, m), columns).reshape(count, -1, columns.shape[1])
        row_sum = total([*(part[:, -1:] for part in sums[::-1]), *extra])
        # what slices and vanishing powers leave out, and what summing k floats may be wrong by, over k^2
        lost = (m + 1) * (2.0 ** -(count * self.slice_bits) + GONE) / row_sum[0]
        summing = (1 + m * 2.0 ** (2 - self.slice_bits) / row_sum[0]) * U * U
        sum_bound = self.tables.bound + lost + (count + len(extra)) ** 2 * summing
        per_sum = quotient(10.0**self.places, row_sum)
        return Block(rows, digits, powers, sums, per_sum, lost, summing, sum_bound)

    def _weights(self, block: Block, made: Scaled) -> None:
        rows = block.rows
        weights, relative = self._shares(block)
        unsure, maybe = rounded(weights, relative, 10.0**self.places * GONE, made.nearest[rows])
        maybe &= made.nearest[rows] != 0  # no weight of a key that is seen is 0
        constant = ~np.any([digit.any(axis=1) for digit in block.digits], axis=0) & (self.sink is None)
        unsure[constant] = maybe[constant] = False
        self._leave_open(block, unsure, maybe, made)
        if self.visible is not None:
            made.exact[rows][~self.visible[rows]] = True  # 0
        for i in np.flatnonzero(constant) + rows.start:
            keys = self._seen(i)
            made.nearest[i, keys], made.exact[i, keys] = half_up(10**self.places, len(keys))
        self._singly(block, unsure, made, 1, lambda j, keys: [int(k == j) for k in keys])

    def _shares(self, block: Block) -> tuple[Pair, Any]:
        """10^places A, and by how much it may be wrong relative to it, where powers have not vanished."""
        weights = product(block.powers, block.per_sum, split(block.per_sum[0]))
        return weights, self.tables.bound + block.sum_bound + QUOTIENT + PRODUCT

    def _pairs(self, block: Block, v: Values, first: int) -> tuple[Pair, Any, Any]:
        """10^places A V, and by how much it may be wrong, relative to it and absolutely."""
        width, terms = v.width, []
        for s in range(self.slice_count):
            for at in range(len(v.limbs)):
                part = block.sums[s, :, first + at * width : first + (at + 1) * width]
                terms.append(((v.bits + 1) * at - self.slice_bits * s, part * v.unit(at)))
        mixed = total([term for _, term in sorted(terms, key=lambda pair: pair[0])])
        per_value = product(block.per_sum, v.reciprocal, split(v.reciprocal[0]))
        outputs = product(mixed, per_value, split(per_value[0]))
        relative = block.sum_bound + QUOTIENT + TABLE + 2 * PRODUCT
        apart = self.tables.bound + block.lost + len(terms) ** 2 * block.summing
        return outputs, relative, v.most / v.denominator * 10.0**self.places * apart

    def _outputs(self, block: Block, v: Values, first: int, made: Scaled) -> None:
        rows = block.rows
        outputs, relative, absolute = self._pairs(block, v, first)
        unsure, maybe = rounded(outputs, relative, absolute, made.nearest[rows])
        maybe |= unsure
        for i in np.flatnonzero(maybe.any(axis=1)):
            keys, at = self._seen(rows.start + i), rows.start + i
            digits = np.array([digit[i, keys] for digit in block.digits])
            for j, over, count in rational_outputs(digits, v.numbers[keys], np.flatnonzero(maybe[i])):
                if over and self.sink is not None:
                    continue  # with a sink apart only 0 is rational
                under = count * v.denominator
                made.nearest[at, j], made.exact[at, j] = half_up(over * 10**self.places, under)
                unsure[i, j] = maybe[i, j] = False
        self._leave_open(block, unsure, maybe, made)
        self._singly(block, unsure, made, v.denominator, lambda j, keys: v.numbers[keys, j].tolist())

    def _tops(self, rows: slice, digits: Sequence[Any]) -> list[int]:
        """The largest score of each row."""
        largest = ~np.any(digits, axis=0)
        if self.visible is not None:
            largest &= self.visible[rows]
        return [self.gaps.score(rows.start + i, int(k)) for i, k in enumerate(largest.argmax(axis=1))]

    def _seen(self, i: int) -> Any:
        return np.arange(self.gaps.shape[1]) if self.visible is None else np.flatnonzero(self.visible[i])

    def _leave_open(self, block: Block, unsure: Any, maybe: Any, made: Scaled) -> None:
        """What may be rational for another reason than equal means: powers of a row may be dependent."""
        if self.degree is None:
            return
        for i in np.flatnonzero((unsure | maybe).any(axis=1)):
            different = set(self._gaps_seen(block, int(i)))
            if len({gap * self.degree.p % self.degree.q for gap in different}) < len(different):
                open_ones = np.flatnonzero(unsure[i] | maybe[i])
                made.left_open += [(int(block.rows.start + i), int(j)) for j in open_ones]
                unsure[i] = False

    def _gaps_seen(self, block: Block, i: int) -> list[int]:
        """The gaps of the keys that a row of the block sees."""
        levels = [digit[i, self._seen(block.rows.start + i)].tolist() for digit in block.digits]
        shift = self.gaps.digit_bits
        return [sum(x << shift * at for at, x in enumerate(one)) for one in zip(*levels, strict=True)]

    def _singly(
        self,
        block: Block,
        unsure: Any,
        made: Scaled,
        denominator: int,
        column: Callable[[int, Iterable[int]], list[int]],
    ) -> None:
        """Decides what is not proved, entry by entry."""
        for i in np.flatnonzero(unsure.any(axis=1)):
            at = block.rows.start + i
            keys = self._seen(at)
            gaps, sink = self._gaps_seen(block, int(i)), None
            if self.sink is not None:
                sink = partial(self.sink.power, self.gaps.score(at, int(keys[gaps.index(0)])))
            for j in np.flatnonzero(unsure[i]):
                found = decide(gaps, column(int(j), keys), denominator, self.factor, self.places, sink)
                made.nearest[at, j], made.exact[at, j] = found
                made.singles += 1


def rounded(y: Pair, relative: Any, absolute: Any, out: Any) -> tuple[Any, Any]:
    """Puts the nearest integers into `out`: where they are not proved, and where y may be an integer."""
    h, low = y
    nearest = np.rint(h)
    rest = (h - nearest) + low
    over = np.rint(rest)
    rest -= over
    np.abs(rest, out=rest)
    out[...] = nearest
    out += over.astype(np.int64)
    bound = np.abs(h) * (SECOND_ORDER * relative)
    bound += SECOND_ORDER * absolute + 2 * U
    return rest + bound >= 0.5, rest <= bound
