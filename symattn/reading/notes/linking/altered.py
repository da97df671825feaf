"""Numbers that come from a variant of a step: weights not divided, scores less their greatest."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter

from symattn.reading.notes.formulas.formula import Num
from symattn.reading.notes.linking.closeness import alike, near, unit
from symattn.reading.notes.linking.denote import LOGITS
from symattn.reading.notes.linking.ledger import Ledger, size, values
from symattn.reading.notes.linking.predict import MOST_ROWS, SHARE, Predictor

TIMES = 10
"""How many times further off one of two ways is that is not the one of some numbers."""
FAR = 0.03
"""By which part of it a total differs from another one, and not for rounding before it."""


class Altered(Predictor):
    """What every step should be, and whether numbers are those of a variant of it, no step of the walk.

    `powers` are what exponentials written out come to, in the order of the text, and `worth` has by where
    they stand what they should come to.
    """

    def __init__(self, ledger: Ledger, sizes: Mapping[str, int], bare: bool, causal: bool) -> None:
        super().__init__(ledger, sizes, bare, causal)
        self.powers: list[Num] = []
        self.worth: dict[int, float] = {}

    def adds_others(self, row: int, total: Num, begin: int) -> bool:
        """Whether a total is that of exponentials which are none of its row.

        They stand on its line, which begins at an offset, or just before it where none of its row is printed.
        """
        ways = self.ways("exp", row) if self.powers else ()
        if not ways:
            return False
        end = bisect_left(self.powers, total.start, key=attrgetter("start"))
        keys = max(self.ledger.shape("K")[0], 2)
        beside = [power for power in self.powers[max(end - keys, 0) : end] if power.start >= begin]
        before = [] if self.printed("exp", row) else self.powers[max(end - keys, 0) : end]
        if any(abs(sum(way) - (size(total) or 0.0)) <= FAR * sum(way) for way in ways):
            return self._add_up(before, total) and self._are_nearer_to_another(row, before)
        if len(before) == keys and (self._add_up(before, total) or self.is_shifted(row, before)):
            return True
        return len(beside) > 1 and self._add_up(beside, total)

    def _are_nearer_to_another(self, row: int, powers: Sequence[Num]) -> bool:
        """Whether exponentials are much nearer to those of another row."""
        off = {other: self.distance("exp", other, powers) for other in {row, *self._rows(None)}}
        return any(TIMES * x < off[row] < math.inf for other, x in off.items() if other != row)

    def _add_up(self, nums: Sequence[Num], total: Num) -> bool:
        """Whether exponentials add up to a number as far as digits tell: as printed, or as they should be."""
        room = (sum(map(unit, nums)) + unit(total)) / 2
        printed = [size(num) or 0.0 for num in nums]
        right = [self.worth.get(num.start, x) for num, x in zip(nums, printed, strict=True)]
        return any(abs(sum(each) - (size(total) or 0.0)) <= room for each in (printed, right))

    def weigh(self, rows: Sequence[Sequence[Num]]) -> bool:
        """Whether the printed outputs are what rows make of V, and not what the shares of these do."""
        told = []
        for row, nums in enumerate(rows[:MOST_ROWS]):
            printed, powers = self._row("Z", row), [size(num) or 0.0 for num in nums]
            for made in self._products(powers, self._all("V")) if sum(powers) else ():
                pairs = list(zip(printed, made, strict=False))
                off = sum(abs(z - x) for z, x in pairs), sum(abs(z - x / sum(powers)) for z, x in pairs)
                told += [TIMES * off[0] < off[1]] if off[1] else []
        return 2 * sum(told) > len(told)

    def replaces(self, weights: Sequence[Num], logits: Sequence[Num]) -> bool:
        """Whether weights are not those that were printed, and made of a step before the one these are of."""
        here = next((row for row in self._rows(None) if self._is_earlier(logits, row)), None)
        before = self._row("A", here) if here is not None else []
        return len(before) == len(weights) and not alike(before, weights)

    def _is_earlier(self, nums: Sequence[Num], row: int) -> bool:
        """Whether numbers are those printed of a row of scores that another step of them follows."""
        steps = [printed for name in LOGITS if (printed := self._row(name, row))]
        asked = [size(num) or 0.0 for num in nums]
        return asked in steps[:-1] and asked != steps[-1]

    def is_shifted(self, row: int, nums: Sequence[Num]) -> bool:
        """Whether exponentials are those of the scores less the greatest of their row."""
        return self._is_of_shifted("exp", row, nums, 1, math.exp)

    def is_less_greatest(self, name: str, row: int, nums: Sequence[Num]) -> bool:
        """Whether scores have the greatest of their row taken off, a step of no walk."""
        whole = name in LOGITS and None not in values(nums)
        return whole and self._is_of_shifted(name, row, nums, 0, float)

    def _is_of_shifted(
        self, name: str, row: int, nums: Sequence[Num], greatest: int, made: Callable[[float], float]
    ) -> bool:
        if 2 * self.explained(name, row, nums) > len(nums) or greatest not in values(nums):
            return False
        return any(
            sum(near(num, made(x - max(logits))) for num, x in zip(nums, logits, strict=True))
            >= SHARE * len(nums)
            for logits in self._logits(row)
            if len(logits) == len(nums) and max(logits)
        )
