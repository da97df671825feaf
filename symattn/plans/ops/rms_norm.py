"""RMSNorm, every row over the root of its mean square, and rows of length one, the query-key normalisation.

Zhang and Sennrich 2019, eq. (4); Henry et al. 2020, section 2 (QKNorm).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from symattn.exact.number import Exact
from symattn.exact.shapes import Shape, one_row
from symattn.floats.arrays import Floats, np
from symattn.floats.from_exact import to_float
from symattn.floats.norms import normed
from symattn.floats.tables import Table, scaled
from symattn.plans.gradient import Differentiable, Forward, Share, Shares
from symattn.plans.operation import Mistake, Slip, Working
from symattn.plans.ops.norm_backward import GAIN_SHAPE, NormBackward, norm_shares
from symattn.plans.ops.pieces import Rooted, Unrooted, epsilon_elsewhere
from symattn.plans.ops.unchanged import Unchanged
from symattn.plans.plan import Line
from symattn.plans.rules import ZERO, Ruled, divided, square, total_of
from symattn.plans.slips import mistake
from symattn.text.notation import Call, Formula


class UnitRows(Rooted, Ruled, Differentiable, frozen=True):
    """x / |x| for every row of Q or K (n, d). Raises UndefinedValue for a row of zeros."""

    working: ClassVar[Working] = "rule"
    example_arguments: ClassVar = ([[1, 2], [3, 5]],)

    def entries(self, i: int, *arguments: Any) -> Sequence[Any]:
        row = arguments[0].row(i)
        return divided(row, self._root(total_of(map(square, row))))

    def floats(self, *arguments: Floats) -> Floats:
        (x,) = arguments
        units: Floats = x / self._float_root(np.sum(x * x, axis=1, keepdims=True))
        return units

    def moves(self, *tables: Table) -> Table | None:
        return [normed(row, Exact.of(0), Exact.of(0), centred=False, mean=False) for row in tables[0]]

    def formula(self, *arguments: Formula) -> Formula:
        return Call("unit", arguments)

    def gradient(self, line: Line, g: str, forward: Forward) -> Shares:
        return (
            Share(line.args[0], NormBackward(centred=False, averaged=False), (line.args[0], line.name, g)),
        )

    def slips(self) -> tuple[Slip, ...]:
        return (
            mistake("unit-omitted", Unchanged()),
            mistake("unit-squared", SquaredLengths()),
        )


class SquaredLengths(Unrooted, UnitRows, frozen=True):
    """The mistake of dividing by the square of the length."""


class RMSNorm(Rooted, Ruled, Differentiable, frozen=True):
    """x / (sqrt(mean of x^2 + epsilon) + outside) for every row of x (n, d), times a gain (1, d) if given."""

    working: ClassVar[Working] = "rule"
    symbols: ClassVar[tuple[str, ...]] = ("rho",)
    example_fields: ClassVar = (Exact.of(1),)
    example_arguments: ClassVar = ([[1, 2], [3, 5]], [[2, -1]])
    epsilon: Exact = ZERO
    outside: Exact = ZERO

    def shape(self, *shapes: Shape) -> Shape:
        for gain in shapes[1:]:
            one_row(gain, shapes[0][1], GAIN_SHAPE)
        return shapes[0]

    def entries(self, i: int, *arguments: Any) -> Sequence[Any]:
        x, *gains = arguments
        normed = divided(x.row(i), *self.shared(i, x))
        return [y * a for y, a in zip(normed, gains[0].row(0), strict=True)] if gains else normed

    def shared(self, i: int, *arguments: Any) -> tuple[Any, ...]:
        """What a row is divided by."""
        row = arguments[0].row(i)
        squares = total_of(map(square, row)) / Exact.of(self._count(len(row)))
        return (self._root(squares + self.epsilon) + self.outside,)

    def _count(self, d: int) -> int:
        """What the sum of d squares is divided by."""
        return d

    def floats(self, *arguments: Floats) -> Floats:
        x = arguments[0]
        squares = np.sum(x * x, axis=1, keepdims=True) / self._count(x.shape[1])
        normed: Floats = x / (self._float_root(squares + to_float(self.epsilon)) + to_float(self.outside))
        return normed * arguments[1] if len(arguments) > 1 else normed

    def moves(self, *tables: Table) -> Table | None:
        x, *gain = tables
        rows = [normed(row, self.epsilon, self.outside, centred=False, mean=True) for row in x]
        return scaled(rows, gain[0][0]) if gain else rows

    def formula(self, *arguments: Formula) -> Formula:
        return Call("RMSNorm", arguments)

    def gradient(self, line: Line, g: str, forward: Forward) -> Shares:
        return norm_shares(line, g, self, NormBackward(self.epsilon, self.outside, centred=False))

    def slips(self) -> tuple[Slip, ...]:
        return (
            *epsilon_elsewhere(self, "rms"),
            mistake("rms-summed", SummedRMSNorm(self.epsilon, self.outside)),
            mistake("rms-unrooted", UnrootedRMSNorm(self.epsilon, self.outside)),
        )


class SummedRMSNorm(Mistake, RMSNorm, frozen=True):
    """The mistake of the sum of squares for their mean."""

    def _count(self, d: int) -> int:
        return 1


class UnrootedRMSNorm(Unrooted, RMSNorm, frozen=True):
    """The mistake of dividing by the mean square."""
