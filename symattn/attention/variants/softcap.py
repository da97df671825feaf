"""Softcap: scores squeezed into (-c, c) by c tanh(s/c). Gemma 2 (2024), section 2; ONNX Attention.

It comes before the mask, so that a hidden score stays minus infinity.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from symattn.attention.case import Case
from symattn.attention.expressions import positive
from symattn.attention.keys import Key
from symattn.attention.quantities import Quantity
from symattn.attention.variant import Clause, Head, Spell, Variant
from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact, Infinite
from symattn.exact.shapes import Shape, agreed
from symattn.floats.arrays import Floats, np
from symattn.floats.from_exact import to_float
from symattn.plans.gradient import Differentiable, Forward, Share, Shares
from symattn.plans.operation import Operation, Slip, Working, slip
from symattn.plans.ops.unchanged import Unchanged
from symattn.plans.plan import Line, Plan
from symattn.plans.rules import Ruled, like, signed, slashed, square, tanh
from symattn.text.bilingual import Bilingual
from symattn.text.notation import (
    Call,
    Formula,
    Negative,
    Number,
    Power,
    Product,
    Quotient,
    Sum,
    Symbol,
    equation,
)

ONE = Exact.of(1)
CAP = Symbol("c")


class Softcap(Ruled, Differentiable, frozen=True):
    """c tanh(S / c) for scores S (n_q, n_k) and a cap c > 0: `outside` tanh(S / `inside`), both of them c."""

    entrywise: ClassVar[bool] = True
    most_in_sums: ClassVar[float] = 0
    working: ClassVar[Working] = "rule"
    inside: Exact
    outside: Exact

    @classmethod
    def at(cls, cap: Exact) -> Softcap:
        """The softcap at c."""
        return cls(cap, cap)

    def cell(self, i: int, j: int, *arguments: Any) -> Any:
        score = arguments[0][i, j]
        if isinstance(score, Infinite):
            return -self.outside
        squeezed = tanh(score if self.inside == ONE else slashed(score, self.inside))
        return squeezed if self.outside == ONE else like(squeezed, self.outside) * squeezed

    def floats(self, *arguments: Floats) -> Floats:
        capped: Floats = to_float(self.outside) * np.tanh(arguments[0] / to_float(self.inside))
        return capped

    def formula(self, *arguments: Formula) -> Formula:
        return Product((CAP, Call("tanh", (Quotient(arguments[0], CAP, flat=True),))))

    def gradient(self, line: Line, g: str, forward: Forward) -> Shares:
        return (Share(line.args[0], SoftcapBackward(self.inside), (line.name, g)),)

    def slips(self) -> tuple[Slip, ...]:
        if self.inside != self.outside or self.inside == ONE:
            return ()
        return (
            slip("softcap-omitted", "left the softcap out", "没有做软截断", Unchanged()),
            slip(
                "softcap-undivided",
                "not divided by the cap inside the tanh",
                "在 tanh 里没有除以上限",
                Softcap(ONE, self.outside),
            ),
            slip(
                "softcap-unmultiplied",
                "not multiplied the tanh by the cap",
                "tanh 之后没有乘回上限",
                Softcap(self.inside, ONE),
            ),
        )

    @classmethod
    def example(cls) -> tuple[Operation, tuple[Matrix, ...]]:
        return cls.at(Exact.of(2)), (Matrix.rational([[1, 2], [3, -1]]),)


class SoftcapBackward(Ruled, frozen=True):
    """dS = dU o (1 - (U/c)^2) for capped scores U and their gradient dU, both (n_q, n_k).

    The factor is 1 + `sign` (U/c)^`power`; the sign is -1 and the power 2.
    """

    entrywise: ClassVar[bool] = True
    working: ClassVar[Working] = "rule"
    example_fields: ClassVar = (Exact.of(2),)
    example_arguments: ClassVar = ([[1, -1]], [[3, 5]])
    cap: Exact
    sign: int = -1
    power: int = 2

    def shape(self, *shapes: Shape) -> Shape:
        return agreed(
            shapes,
            Bilingual("the capped scores are {a}, their gradient {b}", "软截断后的得分是 {a}，其梯度是 {b}"),
        )

    def cell(self, i: int, j: int, *arguments: Any) -> Any:
        u, gradient = (matrix[i, j] for matrix in arguments)
        raised = u / like(u, self.cap) if self.power == 1 else square(u / like(u, self.cap))
        return gradient * signed(like(u, ONE), self.sign, raised)

    def floats(self, *arguments: Floats) -> Floats:
        capped, gradients = arguments
        squeezed = capped / to_float(self.cap)
        raised = squeezed if self.power == 1 else squeezed * squeezed
        gradient: Floats = gradients * (1 + self.sign * raised)
        return gradient

    def formula(self, *arguments: Formula) -> Formula:
        capped, gradients = arguments
        square = Power(Quotient(capped, CAP, flat=True), Number("2"))
        return Product((gradients, Sum((Number("1"), Negative(square)))), "circle")

    def slips(self) -> tuple[Slip, ...]:
        if (self.sign, self.power) != (-1, 2):
            return ()
        return (
            slip(
                "softcap-slope-omitted",
                "not multiplied by the derivative of the softcap",
                "没有乘软截断的导数",
                Unchanged(1),
            ),
            slip(
                "softcap-slope-unsquared",
                "not squared the tanh in its derivative",
                "tanh 的导数里没有平方",
                SoftcapBackward(self.cap, power=1),
            ),
            slip(
                "softcap-slope-sign",
                "added the square of the tanh in its derivative instead of subtracting it",
                "tanh 的导数里加上了平方，而不是减去",
                SoftcapBackward(self.cap, sign=1),
            ),
        )


class SoftcapVariant(Variant):
    """`softcap`: the scaled scores are capped before bias and mask."""

    name = "softcap"
    text = Bilingual("a softcap", "软截断")
    operations = (Softcap, SoftcapBackward)
    keys = (
        Key("softcap", "expression", "c of c tanh(s / c), which squeezes the scaled scores before the mask"),
    )
    quantities = (
        Quantity(
            "capped",
            ("n_q", "n_k"),
            letter="U",
            heading=Bilingual("Capped scores", "软截断后的得分"),
            meaning=Bilingual("Keeps the scores between two bounds.", "使得分保持在上下界之间。"),
            logit=True,
            tap="softcapped",
            worked="rule",
            after="scaled",
        ),
    )

    goes_without = frozenset({"linear"})

    def before_mask(self, head: Head, scores: str) -> Plan:
        cap = positive(head.case, "softcap", head.case.settings.softcap or "")
        return (Line(f"{head.tag}capped", Softcap.at(cap), (scores,)),)

    def clauses(self, case: Case, plan: Plan, spell: Spell) -> Iterator[Clause]:
        cap = next((line.op.inside for line in plan if isinstance(line.op, Softcap)), None)
        if cap is not None:
            text = Bilingual("scores are capped at {cap}", "得分软截断于 {cap}")
            yield Clause(text, {"cap": equation(CAP, spell(cap))})


VARIANT = SoftcapVariant()
