"""The softcap backwards: d/ds c tanh(s/c) = 1 - tanh(s/c)^2. Gemma 2 (2024), section 2."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Literal

from symattn.exact.matrix import Matrix, Shape, agreed
from symattn.exact.number import Exact
from symattn.exact.spell import spell
from symattn.notation import Formula, Grid, Negative, Number, Power, Product, Quotient, Sum, Symbol
from symattn.operation import Operation, Slip, Working

if TYPE_CHECKING:
    from symattn.operation import Floats

ONE = Exact.of(1)
C = Symbol("c")


@dataclass(frozen=True, slots=True)
class SoftcapBackward(Operation):
    """dS = dU o (1 - (U/c)^2) for capped scores U and their gradient dU, both (n_q, n_k).

    `kind` spells a mistake: the derivative left out, its square, or its sign.
    """

    entrywise: ClassVar[bool] = True
    working: ClassVar[Working] = "rule"
    cap: Exact
    kind: Literal["right", "omitted", "unsquared", "added"] = "right"

    def shape(self, *shapes: Shape) -> Shape:
        return agreed(shapes, "the capped scores are {}, their gradient {}")

    def exact(self, *arguments: Matrix) -> Matrix:
        self.shape(*(matrix.shape for matrix in arguments))
        capped, slopes = arguments
        return slopes.combined(capped, lambda slope, u: slope * self._rate(u))

    def _rate(self, u: Exact) -> Exact:
        tanh = u / self.cap
        match self.kind:
            case "omitted":
                return ONE
            case "unsquared":
                return ONE - tanh
            case "added":
                return ONE + tanh * tanh
        return ONE - tanh * tanh

    def floats(self, *arguments: Floats) -> Floats:
        from symattn.floats import to_float

        capped, slopes = arguments
        tanh = capped / to_float(self.cap)
        square: Floats = {"unsquared": tanh, "omitted": 0 * tanh}.get(self.kind, tanh * tanh)
        gradient: Floats = slopes * (1 + square if self.kind == "added" else 1 - square)
        return gradient

    def formula(self, *arguments: Formula) -> Formula:
        capped, slopes = arguments
        square = Power(Quotient(capped, C, flat=True), Number("2"))
        return Product((slopes, Sum((Number("1"), Negative(square)))), "circle")

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        capped, slope = arguments[0].rows[i][j], arguments[1].rows[i][j]
        tanh = Quotient(capped, spell(self.cap))
        square = Power(tanh, Number("2"))
        if self.kind == "omitted":
            return slope
        change: Formula = Negative(tanh if self.kind == "unsquared" else square)
        return Product((slope, Sum((Number("1"), square if self.kind == "added" else change))), "dot")

    def slips(self) -> tuple[Slip, ...]:
        if self.kind != "right":
            return ()
        return (
            Slip(
                "softcap-slope-omitted",
                "not multiplied by the derivative of the softcap",
                "没有乘软截断的导数",
                replace(self, kind="omitted"),
            ),
            Slip(
                "softcap-slope-unsquared",
                "not squared the tanh in its derivative",
                "tanh 的导数里没有平方",
                replace(self, kind="unsquared"),
            ),
            Slip(
                "softcap-slope-sign",
                "added the square of the tanh in its derivative instead of subtracting it",
                "tanh 的导数里加上了平方，而不是减去",
                replace(self, kind="added"),
            ),
        )

    @classmethod
    def example(cls) -> tuple[Operation, tuple[Matrix, ...]]:
        return cls(Exact.of(2)), (Matrix.rational([[1, -1]]), Matrix.rational([[3, 5]]))
