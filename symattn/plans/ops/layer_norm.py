"""LayerNorm: every row less its mean, over its standard deviation. Ba, Kiros and Hinton 2016, eq. (4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from msgspec.structs import replace

from symattn.exact.number import Exact
from symattn.exact.shapes import Shape, one_row
from symattn.floats.arrays import Floats, np
from symattn.floats.from_exact import to_float
from symattn.floats.norms import normed
from symattn.floats.tables import Table, added, scaled
from symattn.plans.gradient import Differentiable, Forward, Shares
from symattn.plans.operation import Mistake, Operation, Slip, Working
from symattn.plans.ops.norm_backward import NormBackward, norm_shares
from symattn.plans.ops.pieces import Rooted, Subtracting, Unrooted, Unsubtracted, epsilon_elsewhere
from symattn.plans.plan import Line
from symattn.plans.rules import ZERO, Ruled, divided, like, mean_of, square, total_of
from symattn.plans.slips import mistake
from symattn.text.bilingual import Bilingual
from symattn.text.notation import (
    Call,
    Formula,
)


class LayerNorm(Rooted, Subtracting, Ruled, Differentiable, frozen=True):
    """(x - mean) / (sqrt(variance + epsilon) + outside) for every row of x (n, d).

    The variance is the mean of the squares, over d - `freedom`, which is 0. The arguments are (x) or
    (x, gain, shift): a row (1, d) that multiplies the result, and one that is added.
    """

    working: ClassVar[Working] = "rule"
    symbols: ClassVar[tuple[str, ...]] = ("mu", "sigma")
    example_fields: ClassVar = (Exact.of(1),)
    example_arguments: ClassVar = ([[1, 2, 6], [3, 5, -2]], [[2, -1, 1]], [[1, 0, 3]])
    epsilon: Exact = ZERO
    outside: Exact = ZERO
    freedom: int = 0

    def shape(self, *shapes: Shape) -> Shape:
        for shape in shapes[1:]:
            one_row(shape, shapes[0][1], Bilingual("a gain or shift of {a}", "增益或平移是 {a}"))
        return shapes[0]

    def entries(self, i: int, *arguments: Any) -> Sequence[Any]:
        x, *scales = arguments
        normed = self._normed(i, x)
        if not scales:
            return normed
        gain, shift = (scale.row(0) for scale in scales)
        return [y * a + b for y, a, b in zip(normed, gain, shift, strict=True)]

    def _normed(self, i: int, x: Any) -> Sequence[Any]:
        mean, divisor = self.shared(i, x)
        return divided([self._apart(cell, mean) for cell in x.row(i)], divisor)

    def shared(self, i: int, *arguments: Any) -> tuple[Any, ...]:
        """The mean of a row, and what it is divided by."""
        row = arguments[0].row(i)
        mean = mean_of(row, spelled=True)
        squares = total_of(square(cell - mean) for cell in row)
        root = self._root(squares / like(squares, Exact.of(len(row) - self.freedom)) + self.epsilon)
        return mean, root + self.outside

    def floats(self, *arguments: Floats) -> Floats:
        x, *scales = arguments
        normed = self._float_normed(x)
        return normed * scales[0] + scales[1] if scales else normed

    def _float_normed(self, x: Floats) -> Floats:
        mean = np.mean(x, axis=1, keepdims=True)
        apart = x - mean
        variance = np.sum(apart * apart, axis=1, keepdims=True) / (x.shape[1] - self.freedom)
        divisor = self._float_root(variance + to_float(self.epsilon)) + to_float(self.outside)
        normed: Floats = self._apart(x, mean) / divisor
        return normed

    def moves(self, *tables: Table) -> Table | None:
        if self.freedom:
            return Operation.moves(self, *tables)
        x, *scales = tables
        rows = [normed(row, self.epsilon, self.outside, centred=True, mean=True) for row in x]
        return added(scaled(rows, scales[0][0]), scales[1]) if scales else rows

    def formula(self, *arguments: Formula) -> Formula:
        return Call("LayerNorm", arguments)

    def gradient(self, line: Line, g: str, forward: Forward) -> Shares:
        return norm_shares(line, g, self, NormBackward(self.epsilon, self.outside))

    def slips(self) -> tuple[Slip, ...]:
        if self.freedom:
            return ()
        return (
            *self._of_epsilon(),
            mistake("layernorm-sample-variance", replace(self, freedom=1)),
            mistake("layernorm-columns", ColumnLayerNorm(self.epsilon, self.outside)),
            mistake("layernorm-not-centred", UncentredLayerNorm(self.epsilon, self.outside)),
            mistake("layernorm-unrooted", UnrootedLayerNorm(self.epsilon, self.outside)),
        )

    def _of_epsilon(self) -> Iterator[Slip]:
        """The mistakes of adding epsilon elsewhere; some libraries have a sample deviation there too."""
        yield from epsilon_elsewhere(self, "layernorm")
        if self.epsilon:
            yield mistake(
                "layernorm-sample-epsilon-outside",
                replace(self, epsilon=self.outside, outside=self.epsilon, freedom=1),
            )


class ColumnLayerNorm(Mistake, LayerNorm, frozen=True):
    """The mistake of going down the columns."""

    symbols: ClassVar[tuple[str, ...]] = ()

    def _normed(self, i: int, x: Any) -> Sequence[Any]:
        return [LayerNorm._normed(self, j, x.T)[i] for j in range(x.shape[1])]

    def _float_normed(self, x: Floats) -> Floats:
        return LayerNorm._float_normed(self, x.T).T


class UncentredLayerNorm(Unsubtracted, LayerNorm, frozen=True):
    """The mistake of leaving the mean in."""


class UnrootedLayerNorm(Unrooted, LayerNorm, frozen=True):
    """The mistake of dividing by the variance."""
