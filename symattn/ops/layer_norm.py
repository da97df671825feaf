"""LayerNorm: every row less its mean, over its standard deviation. Ba, Kiros and Hinton 2016, eq. (4)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Literal

from symattn.errors import ShapeMismatch
from symattn.exact.functions import sqrt
from symattn.exact.matrix import Matrix, Shape, spelled
from symattn.exact.number import Exact
from symattn.exact.spell import spell
from symattn.gradient import Differentiable, Forward, Shares
from symattn.notation import (
    Call,
    Formula,
    Grid,
    Negative,
    Number,
    Power,
    Product,
    Quotient,
    Root,
    Sum,
    Symbol,
)
from symattn.operation import Operation, Slip, Working
from symattn.ops.gain import norm_shares
from symattn.ops.norm_backward import NormBackward
from symattn.plan import Line

if TYPE_CHECKING:
    from symattn.operation import Floats

ZERO = Exact.of(0)


@dataclass(frozen=True, slots=True)
class LayerNorm(Operation, Differentiable):
    """(x - mean) / sqrt(variance + epsilon) for every row of x (n, d), times a gain, plus a shift (1, d).

    The variance is the mean of the squares, over d. The arguments are (x) or (x, gain, shift). `kind`
    spells a mistake: the variance over d - 1, down the columns, not centred, or no root.
    """

    working: ClassVar[Working] = "rule"
    epsilon: Exact = ZERO
    kind: Literal["right", "sample", "columns", "uncentred", "unrooted"] = "right"

    def shape(self, *shapes: Shape) -> Shape:
        for shape in shapes[1:]:
            if shape != (1, shapes[0][1]):
                raise ShapeMismatch(
                    f"a gain or shift of {spelled(shape)}", f"it needs one row of {shapes[0][1]} entries"
                )
        return shapes[0]

    def exact(self, *arguments: Matrix) -> Matrix:
        self.shape(*(matrix.shape for matrix in arguments))
        x, *scales = arguments
        turned = x.T if self.kind == "columns" else x
        normed = Matrix.of([self._row(row) for row in turned.rows()])
        normed = normed.T if self.kind == "columns" else normed
        return normed.hadamard(scales[0]) + scales[1] if scales else normed

    def _row(self, row: tuple[Exact, ...]) -> list[Exact]:
        mean, divisor = self._moments(row)
        factor = divisor.inverse()
        return [(x if self.kind == "uncentred" else x - mean) * factor for x in row]

    def _moments(self, row: tuple[Exact, ...]) -> tuple[Exact, Exact]:
        """The mean, and what the row is divided by: the root of the variance and epsilon."""
        d = Exact.of(len(row))
        mean = sum(row, ZERO) / d
        count = d - Exact.of(1) if self.kind == "sample" else d
        variance = sum(((x - mean) * (x - mean) for x in row), ZERO) / count + self.epsilon
        return mean, variance if self.kind == "unrooted" else sqrt(variance)

    def floats(self, *arguments: Floats) -> Floats:
        import numpy as np

        from symattn.floats import to_float

        x, *scales = arguments
        axis = 0 if self.kind == "columns" else 1
        apart = x - np.mean(x, axis=axis, keepdims=True)
        count = x.shape[axis] - 1 if self.kind == "sample" else x.shape[axis]
        variance = np.sum(apart * apart, axis=axis, keepdims=True) / count + to_float(self.epsilon)
        divisor = variance if self.kind == "unrooted" else np.sqrt(variance)
        normed: Floats = (x if self.kind == "uncentred" else apart) / divisor
        return normed * scales[0] + scales[1] if scales else normed

    def formula(self, *arguments: Formula) -> Formula:
        return Call("LayerNorm", arguments)

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        x, *scales = arguments
        own = x.rows[i][j]
        mean, divisor = self._written(i, j, x)
        normed = Quotient(own if self.kind == "uncentred" else Sum((own, Negative(mean))), divisor)
        if not scales:
            return normed
        gain, shift = (grid.rows[0][j] for grid in scales)
        return Sum((Product((normed, gain), "dot"), shift))

    def parts(self, i: int, j: int, *arguments: Grid) -> tuple[tuple[Symbol, Formula], ...]:
        index = Number(str(i + 1))
        return tuple(
            zip((Symbol("mu", index), Symbol("sigma", index)), self._written(i, j, arguments[0]), strict=True)
        )

    def part_values(self, i: int, j: int, *arguments: Matrix) -> tuple[Exact, ...]:
        x = arguments[0]
        return self._moments(tuple(x[i, k] for k in range(x.shape[1])))

    def _written(self, i: int, j: int, x: Grid) -> tuple[Formula, Formula]:
        """`_moments` of the row of entry (i, j), written out."""
        row = tuple(r[j] for r in x.rows) if self.kind == "columns" else x.rows[i]
        d = Number(str(len(row)))
        mean = Quotient(Sum(row, spelled=True), d) if len(row) > 1 else row[0]
        squares = Sum(tuple(Power(Sum((cell, Negative(mean))), Number("2")) for cell in row))
        variance: Formula = Quotient(squares, Number(str(len(row) - 1)) if self.kind == "sample" else d)
        if self.epsilon:
            variance = Sum((variance, spell(self.epsilon)))
        return mean, variance if self.kind == "unrooted" else Root(variance)

    def gradient(self, line: Line, g: str, forward: Forward) -> Shares:
        return norm_shares(line, g, self, NormBackward("layer", self.epsilon))

    def slips(self) -> tuple[Slip, ...]:
        if self.kind != "right":
            return ()
        return (
            Slip(
                "layernorm-sample-variance",
                "divided the squares by d - 1 instead of d",
                "方差除以了 d - 1，而不是 d",
                replace(self, kind="sample"),
            ),
            Slip(
                "layernorm-columns",
                "normalised down the columns instead of along the rows",
                "按列做了层归一化，而不是按行",
                replace(self, kind="columns"),
            ),
            Slip(
                "layernorm-not-centred",
                "not subtracted the mean",
                "没有减去均值",
                replace(self, kind="uncentred"),
            ),
            Slip(
                "layernorm-unrooted",
                "divided by the variance and not by its root",
                "除以了方差，没有开方",
                replace(self, kind="unrooted"),
            ),
        )

    @classmethod
    def example(cls) -> tuple[Operation, tuple[Matrix, ...]]:
        gain, shift = Matrix.rational([[2, -1, 1]]), Matrix.rational([[1, 0, 3]])
        return cls(Exact.of(1)), (Matrix.rational([[1, 2, 6], [3, 5, -2]]), gain, shift)
