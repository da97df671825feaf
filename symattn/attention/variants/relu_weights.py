"""ReLU in place of the softmax: A = max(S, 0) / n with n keys, masked or not. Wortsman et al. 2023.

Nothing is divided by its row: the weights need not add up to 1. Linear attention with ReLU features
(`kernel = "relu"`) is another thing: there queries and keys go through the ReLU, and rows are divided by
their sums.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from symattn.attention.case import Case
from symattn.attention.variant import Clause, Head, Normaliser, Spell, normaliser
from symattn.exact.number import Exact
from symattn.exact.shapes import Shape
from symattn.floats.arrays import Floats
from symattn.plans.gradient import Differentiable, Forward, Share, Shares
from symattn.plans.operation import Slip, Working, slip
from symattn.plans.ops.activation import Relu, ReluBackward
from symattn.plans.ops.scale import Scale
from symattn.plans.plan import Line, Plan
from symattn.plans.rules import Ruled
from symattn.plans.weights import MakesWeights, Order
from symattn.text.bilingual import Bilingual, both
from symattn.text.notation import Call, Formula, Number, Quotient, Symbol

KEYS = Symbol("n", sub=Symbol("k"))


class ReluWeights(Ruled, Differentiable, MakesWeights, frozen=True):
    """max(S, 0) / n for logits S (n_q, n_k) and n = `keys`; a hidden key has the weight 0."""

    kinked: ClassVar[bool] = True
    working: ClassVar[Working] = "rule"
    example_fields: ClassVar = (2,)
    example_arguments: ClassVar = ([[1, -2], [3, 5]],)
    keys: int

    def cell(self, i: int, j: int, *arguments: Any) -> Any:
        return Relu().cell(i, j, *arguments) / Exact.of(self.keys)

    def floats(self, *arguments: Floats) -> Floats:
        return Relu().floats(*arguments) / self.keys

    def formula(self, *arguments: Formula) -> Formula:
        return Quotient(Call("max", (Number("0"), *arguments)), KEYS)

    def order(self, line: Line, lines: Mapping[str, Line]) -> Order:
        """None for certain: all negative logits have the weight 0."""
        return "none"

    def gradient(self, line: Line, g: str, forward: Forward) -> Shares:
        return (Share(line.args[0], ReluWeightsBackward(self.keys), (line.args[0], g)),)

    def slips(self) -> tuple[Slip, ...]:
        return (
            slip("relu-weights-undivided", "not divided by the number of keys", "没有除以键的个数", Relu()),
            slip(
                "relu-weights-signed",
                "kept the negative scores instead of cutting off at 0",
                "保留了负的得分，而没有截断为 0",
                Scale(Exact.of(self.keys), KEYS, Number(str(self.keys))),
            ),
        )


class ReluWeightsBackward(Ruled, frozen=True):
    """dS = dA / n where S > 0, and 0 elsewhere, for logits S and dA (n_q, n_k), n = `keys`.

    Raises UndefinedValue where free symbols leave the sign of a logit open.
    """

    differentiates_weights: ClassVar[bool] = True
    working: ClassVar[Working] = "rule"
    example_fields: ClassVar = (2,)
    example_arguments: ClassVar = ([[1, -2], [3, 5]], [[3, 4], [6, 7]])
    keys: int

    def shape(self, *shapes: Shape) -> Shape:
        return ReluBackward().shape(*shapes)

    def cell(self, i: int, j: int, *arguments: Any) -> Any:
        return ReluBackward().cell(i, j, *arguments) / Exact.of(self.keys)

    def floats(self, *arguments: Floats) -> Floats:
        return ReluBackward().floats(*arguments) / self.keys

    def formula(self, *arguments: Formula) -> Formula:
        return Quotient(ReluBackward().formula(*arguments), KEYS)

    def slips(self) -> tuple[Slip, ...]:
        return (
            slip(
                "relu-weights-slope-undivided",
                "not divided the gradient by the number of keys",
                "梯度没有除以键的个数",
                ReluBackward(),
            ),
        )


class ReluNormaliser(Normaliser):
    """`normaliser = "relu"`."""

    name = "relu_weights"
    text = both('normaliser = "relu"')
    operations = (ReluWeights, ReluWeightsBackward)
    keys = (normaliser("relu", "max(s, 0) over the number of keys in place of the softmax"),)

    def weights(self, head: Head, logits: str) -> Plan:
        return (Line(f"{head.tag}A", ReluWeights(head.sizes.get("n", 1)), (logits,)),)

    def clauses(self, case: Case, plan: Plan, spell: Spell) -> Iterator[Clause]:
        if any(isinstance(line.op, ReluWeights) for line in plan):
            text = Bilingual(
                "the weights are {weights}, with {n} keys, in place of a softmax",
                "权重为 {weights}，共 {n} 个键，代替 softmax",
            )
            op = next(line.op for line in plan if isinstance(line.op, ReluWeights))
            yield Clause(text, {"weights": op.formula(Symbol("s")), "n": op.keys})


VARIANT = ReluNormaliser()
