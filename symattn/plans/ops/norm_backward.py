"""A norm of rows backwards: LayerNorm, RMSNorm and rows of length one.

Ba, Kiros and Hinton 2016, section 3 and supplement; Zhang and Sennrich 2019, section 4. With rows y
before gain and shift, and the gradient g in them: (g - mean(g) - y mean(g y)) / sigma. Where epsilon is added
to sigma, (g - mean(g)) / (sigma + epsilon) - y mean(g y) / sigma.
"""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from symattn.exact.functions import sqrt
from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.exact.shapes import Shape, agreed
from symattn.exact.spell import spell
from symattn.floats.arrays import Floats, np
from symattn.floats.from_exact import to_float
from symattn.plans.operation import Operation, Slip, Working, slip
from symattn.text.bilingual import oriented
from symattn.text.notation import Call, Formula, Grid, Negative, Number, Power, Product, Quotient, Root, Sum

ZERO = Exact.of(0)


class NormBackward(Operation, frozen=True):
    """dx from x, the normed rows y (no gain, no shift) and their gradient g, all (n, d).

    The rows of LayerNorm are `centred` and their square is `averaged` over d, those of RMSNorm are averaged
    alone, unit rows neither. What the divisor hands back is multiplied by `sign`, -1.
    """

    working: ClassVar[Working] = "rule"
    epsilon: Exact = ZERO
    outside: Exact = ZERO
    centred: bool = True
    averaged: bool = True
    sign: int = -1

    def shape(self, *shapes: Shape) -> Shape:
        found = oriented("[rows|columns] of {a}, and {b} with them", "输入是 {a}，与之对应的矩阵却是 {b}")
        for shape in shapes[1:]:
            agreed((shapes[0], shape), found)
        return shapes[0]

    def exact(self, *arguments: Matrix) -> Matrix:
        rows = zip(*(matrix.rows() for matrix in arguments), strict=True)
        return Matrix.of([self._row(*row) for row in rows])

    def _row(self, x: tuple[Exact, ...], y: tuple[Exact, ...], g: tuple[Exact, ...]) -> list[Exact]:
        d = Exact.of(len(x))
        centre = sum(x, ZERO) / d if self.centred else ZERO
        square = sum(((cell - centre) * (cell - centre) for cell in x), ZERO)
        over = d if self.averaged else Exact.of(1)
        root = sqrt(square / over + self.epsilon)
        factor = (root + self.outside).inverse()
        mean = sum(g, ZERO) / d if self.centred else ZERO
        along = sum((a * b for a, b in zip(g, y, strict=True)), ZERO) / over * Exact.of(self.sign)
        if along and self.outside:
            along = along * (root + self.outside) * root.inverse()
        return [factor * (slope - mean + unit * along) for slope, unit in zip(g, y, strict=True)]

    def floats(self, *arguments: Floats) -> Floats:
        x, y, g = arguments
        d = x.shape[1] if self.averaged else 1
        if self.centred:
            x = x - np.mean(x, axis=1, keepdims=True)
        deviation = np.sqrt(np.sum(x * x, axis=1, keepdims=True) / d + to_float(self.epsilon))
        divisor = deviation + to_float(self.outside)
        mean = np.mean(g, axis=1, keepdims=True) if self.centred else 0.0
        along = np.sum(g * y, axis=1, keepdims=True) / d
        nonzero = np.where(deviation == 0, 1.0, deviation)  # where it is 0, y is 0 too
        gradient: Floats = (g - mean) / divisor + self.sign * y * along / nonzero
        return gradient

    def formula(self, *arguments: Formula) -> Formula:
        name = "LayerNorm" if self.centred else "RMSNorm" if self.averaged else "unit"
        return Call(f"{name}'", arguments)

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        x, y, g = (grid.rows[i] for grid in arguments)
        d = Number(str(len(x)))
        terms: list[Formula] = [g[j]]
        if self.centred:
            terms.append(Negative(_mean(g, d)))
        slope = Sum(tuple(terms)) if len(terms) > 1 else g[j]
        dot = tuple(Product(pair, "dot") for pair in zip(g, y, strict=True))
        along: Formula = _mean(dot, d) if self.averaged else Sum(dot)
        change = Product((y[j], along), "dot")
        if self.sign:
            terms.append(Negative(change) if self.sign < 0 else change)
        apart = tuple(Sum((cell, Negative(_mean(x, d)))) for cell in x) if self.centred else x
        squares = tuple(Power(cell, Number("2")) for cell in apart)
        square: Formula = _mean(squares, d) if self.averaged else Sum(squares)
        if self.epsilon:
            square = Sum((square, spell(self.epsilon)))
        root = Root(square)
        if not self.outside:
            return Quotient(Sum(tuple(terms)), root)
        through = Quotient(slope, Sum((root, spell(self.outside))))
        share = Quotient(change, root)
        return Sum((through, Negative(share) if self.sign < 0 else share)) if self.sign else through

    def slips(self) -> tuple[Slip, ...]:
        if self.sign != -1:
            return ()
        return (
            slip(
                "norm-divisor-constant",
                "taken the divisor of the norm for a constant",
                "把归一化的除数当成了常数",
                replace(self, sign=0),
            ),
            slip(
                "norm-divisor-sign",
                "added the share of the divisor instead of subtracting it",
                "加上了除数带来的一项，而不是减去",
                replace(self, sign=1),
            ),
        )

    @classmethod
    def example(cls) -> tuple[Operation, tuple[Matrix, ...]]:
        x, y, g = [[1, 2, 6], [3, 5, -2]], [[1, -1, 2], [2, 1, 0]], [[2, 1, 4], [0, 3, 1]]
        return cls(epsilon=Exact.of(1)), (Matrix.rational(x), Matrix.rational(y), Matrix.rational(g))


def _mean(cells: tuple[Formula, ...], d: Formula) -> Formula:
    return Quotient(Sum(cells), d)
