"""What a row is where somebody made a usual slip in its step: divided by d_k, or not at all, Q K for Q K^T.

What words call a quantity is that, and wrong, where all its numbers follow such a slip.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from symattn.reading.notes.formulas.formula import Num
from symattn.reading.notes.linking.closeness import Vector, near, telling
from symattn.reading.notes.linking.made import LARGEST_LOGIT, Maker


class Slipping(Maker):
    """Makes rows as the walk does, and as people make them by mistake."""

    def slipped(self, name: str, row: int, nums: Sequence[Num]) -> bool:
        """Whether all numbers of a list are those of a row with a usual slip, and hardly by chance."""
        return telling(nums, name) and any(
            len(way) == len(nums) and all(near(num, x) for num, x in zip(nums, way, strict=True))
            for way in self._slips(name, row)
        )

    def _slips(self, name: str, row: int) -> Iterator[Vector]:
        match name:
            case "scaled" if self.d_k and not self.bare:
                for scores in self._known("scores", row):
                    yield from ([x / by for x in scores] for by in self._wrong_divisors(len(scores)))
            case "scores":
                for query in self._known("Q", row):
                    for keys in self._tables("K"):
                        yield from self._products(query, keys)
            case "A":
                for logits in self._logits(row):
                    if logits and max(logits) < LARGEST_LOGIT:
                        yield [math.exp(x) for x in logits]

    def _wrong_divisors(self, keys: int) -> Iterator[float]:
        """What is taken for the root of d_k: nothing, d_k, another width; and the root multiplied by."""
        yield from (1.0, float(self.d_k), 1 / math.sqrt(self.d_k), math.sqrt(keys))
        d_model = self.ledger.shape("X")[1]
        if d_model:
            yield math.sqrt(d_model)
