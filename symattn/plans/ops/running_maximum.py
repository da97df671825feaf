"""The running maximum of the online softmax. Milakov and Gimelshein 2018, algorithm 3; Dao et al. 2022."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, TypeVar

from symattn.exact.matrix import Matrix
from symattn.exact.maximum import largest
from symattn.exact.number import Exact
from symattn.exact.shapes import Shape, require
from symattn.floats.arrays import Floats, np
from symattn.plans.operation import Mistake, Operation, Slip, Working
from symattn.text.bilingual import Bilingual
from symattn.text.notation import Call, Formula, Grid

T = TypeVar("T")


class RunningMaximum(Operation, frozen=True):
    """m' = max(m, largest score of the row): arguments (S) or (m, S), m (n_q, 1), S a block (n_q, b).

    Where free symbols leave the order open the maximum stays a maximum, which no proof needs to settle.
    """

    cancels: ClassVar[bool] = True
    finite_decimals: ClassVar[bool] = True
    working: ClassVar[Working] = "rule"
    example_arguments: ClassVar = ([[7], [2]], [[1, 2], [3, 5]])

    def shape(self, *shapes: Shape) -> Shape:
        n = shapes[-1][0]
        require(
            len(shapes) <= 1 or shapes[0] == (n, 1),
            (shapes[0], n),
            "the running maximum is {0}",
            "累计最大值是 {0}",
            "it needs one entry for each of {1} [rows|columns]",
            "{1} [行|列]各需一个元素",
        )
        return n, 1

    def exact(self, *arguments: Matrix) -> Matrix:
        return Matrix.of([[largest(row)] for row in _side_by_side(self._seen(arguments))])

    def _seen(self, arguments: tuple[T, ...]) -> tuple[T, ...]:
        """What the maximum is taken of."""
        return arguments

    def floats(self, *arguments: Floats) -> Floats:
        maxima: Floats = np.max(np.concatenate(self._seen(arguments), axis=1), axis=1, keepdims=True)
        return maxima

    def formula(self, *arguments: Formula) -> Formula:
        return Call("max", arguments)

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        cells = tuple(cell for grid in self._seen(arguments) for cell in grid.rows[i])
        return Call("max", cells) if len(cells) > 1 else cells[0]

    def slips(self) -> tuple[Slip, ...]:
        return (
            Slip(
                "maximum-of-the-block",
                Bilingual(
                    "taken the maximum of the block alone and forgotten the running one",
                    "只取了本块的最大值，忘了此前的最大值",
                ),
                BlockMaximum(),
            ),
        )


class BlockMaximum(Mistake, RunningMaximum, frozen=True):
    """The mistake of forgetting what came before the block."""

    def _seen(self, arguments: tuple[T, ...]) -> tuple[T, ...]:
        return arguments[-1:]


def _side_by_side(matrices: Sequence[Matrix]) -> list[tuple[Exact, ...]]:
    """The rows of matrices side by side."""
    return [sum(rows, ()) for rows in zip(*(matrix.rows() for matrix in matrices), strict=True)]
