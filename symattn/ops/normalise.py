"""Attention weights: the exponentials of a row over their sum. Vaswani et al. 2017, eq. (1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from symattn.exact.matrix import Matrix, Shape
from symattn.exact.number import Exact
from symattn.exact.weighted import Weighted
from symattn.notation import Formula, Grid, Quotient
from symattn.operation import UNIT_ROUNDOFF, Operation, Slip

if TYPE_CHECKING:
    from symattn.operation import Floats


@dataclass(frozen=True, slots=True)
class Normalise(Operation):
    """E / sums: exponentials (n_q, n_k) over their row sums (n_q, 1); result (n_q, n_k).

    A fully masked row, whose sum is 0, gives weights 0, as ONNX Attention (opset 23) defines it.
    """

    divided: bool = True

    def shape(self, *shapes: Shape) -> Shape:
        return shapes[0]

    def exact(self, *arguments: Matrix) -> Matrix:
        powers, sums = arguments
        if not self.divided:
            return powers
        if isinstance(powers, Weighted):
            structured = powers.normalised_by(sums)
            if structured is not None:
                return structured
        return powers.combined(sums, lambda power, total: power / total if total else Exact.of(0))

    def floats(self, *arguments: Floats) -> Floats:
        import numpy as np

        powers, sums = arguments
        if not self.divided:
            return powers
        return np.divide(powers, sums, out=np.zeros(powers.shape), where=np.broadcast_to(sums, powers.shape) != 0)

    def error(self, arguments: tuple[Floats, ...], errors: tuple[Floats, ...], result: Floats) -> Floats:
        import numpy as np

        (_, sums), (powers_error, sums_error) = arguments, errors
        safe = np.where(sums == 0, 1.0, np.abs(sums))
        relative = np.minimum(sums_error / safe, 1.0)
        return (powers_error / safe + np.abs(result) * relative) * 1.01 + 2 * UNIT_ROUNDOFF * np.abs(result)

    def formula(self, *arguments: Formula) -> Formula:
        return Quotient(arguments[0], arguments[1])

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        powers, sums = arguments
        if not self.divided:
            return powers.rows[i][j]
        row = i if len(sums.rows) > 1 else 0
        col = j if len(sums.rows[0]) > 1 else 0
        return Quotient(powers.rows[i][j], sums.rows[row][col])

    def slips(self) -> tuple[Slip, ...]:
        if not self.divided:
            return ()
        return (
            Slip(
                "weights-unnormalised",
                "used the exponentials as weights without dividing by their sum",
                "没有除以总和",
                Normalise(divided=False),
            ),
        )

    @classmethod
    def example(cls) -> tuple[Operation, tuple[Matrix, ...]]:
        return cls(), (Matrix.rational([[1, 2], [3, 5]]), Matrix.rational([[3], [8]]))
