"""Softcap: scores squeezed into (-c, c) by c tanh(s/c). Gemma 2 (2024), section 2; ONNX Attention."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Literal

from symattn.exact.functions import tanh
from symattn.exact.matrix import Matrix, Shape
from symattn.exact.number import Exact, Infinite
from symattn.exact.spell import spell
from symattn.gradient import Differentiable, Forward, Share, Shares
from symattn.notation import Call, Formula, Grid, Product, Quotient, Symbol
from symattn.operation import Operation, Slip, Working
from symattn.ops.softcap_backward import SoftcapBackward
from symattn.plan import Line

if TYPE_CHECKING:
    from symattn.operation import Floats

CAP = Symbol("c")


@dataclass(frozen=True, slots=True)
class Softcap(Operation, Differentiable):
    """c tanh(S / c) for scores S (n_q, n_k) and a cap c > 0. It stands before the mask.

    `kind` spells a mistake: leaving it out, not dividing before or not multiplying after the tanh.
    """

    entrywise: ClassVar[bool] = True
    working: ClassVar[Working] = "rule"
    cap: Exact
    kind: Literal["whole", "omitted", "undivided", "unmultiplied"] = "whole"

    def shape(self, *shapes: Shape) -> Shape:
        return shapes[0]

    def exact(self, *arguments: Matrix) -> Matrix:
        return arguments[0] if self.kind == "omitted" else arguments[0].map(self._one)

    def _one(self, score: Exact) -> Exact:
        if isinstance(score, Infinite):
            return -self._after(Exact.of(1))
        return self._after(tanh(score if self.kind == "undivided" else score / self.cap))

    def _after(self, x: Exact) -> Exact:
        return x if self.kind == "unmultiplied" else x * self.cap

    def floats(self, *arguments: Floats) -> Floats:
        import numpy as np

        from symattn.floats import to_float

        (scores,), cap = arguments, to_float(self.cap)
        if self.kind == "omitted":
            return scores
        squeezed: Floats = np.tanh(scores if self.kind == "undivided" else scores / cap)
        return squeezed if self.kind == "unmultiplied" else cap * squeezed

    def formula(self, *arguments: Formula) -> Formula:
        return Product((CAP, Call("tanh", (Quotient(arguments[0], CAP, flat=True),))))

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        score, cap = arguments[0].rows[i][j], spell(self.cap)
        if self.kind == "omitted":
            return score
        squeezed = Call("tanh", (score if self.kind == "undivided" else Quotient(score, cap, flat=True),))
        return squeezed if self.kind == "unmultiplied" else Product((cap, squeezed), "dot")

    def gradient(self, line: Line, g: str, forward: Forward) -> Shares:
        return (Share(line.args[0], SoftcapBackward(self.cap), (line.name, g)),)

    def slips(self) -> tuple[Slip, ...]:
        if self.kind != "whole":
            return ()
        return (
            Slip("softcap-omitted", "left the softcap out", "没有做软截断", replace(self, kind="omitted")),
            Slip(
                "softcap-undivided",
                "not divided by the cap inside the tanh",
                "在 tanh 里没有除以上限",
                replace(self, kind="undivided"),
            ),
            Slip(
                "softcap-unmultiplied",
                "not multiplied the tanh by the cap",
                "tanh 之后没有乘回上限",
                replace(self, kind="unmultiplied"),
            ),
        )

    @classmethod
    def example(cls) -> tuple[Operation, tuple[Matrix, ...]]:
        return cls(Exact.of(2)), (Matrix.rational([[1, 2], [3, -1]]),)
