"""Scores with the logit of a sink: a key that every query sees and whose value is nothing."""

from __future__ import annotations

from collections.abc import Sequence

from symattn.exact.joined import Joined
from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact


class Sunk(Joined):
    """[S | z] (n, m + 1) for scores (n, m) and one sink z."""

    __slots__ = ("scores", "sink")
    scores: Matrix
    sink: Exact

    def __init__(self, scores: Matrix, sink: Exact) -> None:
        super().__init__((scores, Matrix.of([[sink]] * scores.shape[0])))
        object.__setattr__(self, "scores", scores)
        object.__setattr__(self, "sink", sink)

    def taken(self, rows: Sequence[int], cols: Sequence[int]) -> Matrix:
        if cols != range(self.shape[1]):
            return super().taken(rows, cols)
        return Sunk(self.scores.taken(rows, range(self.scores.shape[1])), self.sink)
