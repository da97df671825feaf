"""Sigmoid attention: A = sigma(S + b), for n keys b = -ln(n) unless given. Ramapuram et al. 2024, eq. (3).

Each weight has a denominator of its own, and the weights of a row need not add up to 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from msgspec.structs import replace

from symattn.attention.case import Case
from symattn.attention.expressions import number
from symattn.attention.keys import Key
from symattn.attention.variant import Clause, Head, Normaliser, Spell, normaliser
from symattn.exact.functions import exp
from symattn.exact.number import Exact
from symattn.plans.gradient import Forward, Share, Shares
from symattn.plans.operation import Slip, slip
from symattn.plans.ops.sigmoid import ONE, Sigmoid, SigmoidBackward
from symattn.plans.plan import Line, Plan
from symattn.plans.weights import MakesWeights, Order
from symattn.text.bilingual import Bilingual, both
from symattn.text.notation import Call, Formula, Negative, Sum, Symbol, equation

BIAS = Symbol("b")
LOG_KEYS = Negative(Call("ln", (Symbol("n", sub=Symbol("k")),)))


class SigmoidWeights(Sigmoid, MakesWeights, frozen=True):
    """sigma(S + b) for logits S (n_q, n_k), with `offset` = e^-b; a hidden key has the weight 0."""

    example_fields: ClassVar = (Exact.of(2),)
    example_arguments: ClassVar = ([[1, -2], [3, 5]],)

    def formula(self, *arguments: Formula) -> Formula:
        return Call("sigma", (Sum((arguments[0], BIAS)),))

    def gradient(self, line: Line, g: str, forward: Forward) -> Shares:
        return (Share(line.args[0], SigmoidWeightsBackward(), (line.name, g)),)

    def order(self, line: Line, lines: Mapping[str, Line]) -> Order:
        """Distinct logits have distinct weights, in their order."""
        return "same"

    def slips(self) -> tuple[Slip, ...]:
        if self.offset == ONE:
            return ()
        return (
            slip(
                "sigmoid-bias-omitted",
                "left the bias of the sigmoid out",
                "漏掉了 sigmoid 里的偏置",
                replace(self, offset=ONE),
            ),
            slip(
                "sigmoid-bias-sign",
                "subtracted the bias of the sigmoid instead of adding it",
                "sigmoid 里的偏置应加上，却减去了",
                replace(self, offset=self.offset.inverse()),
            ),
        )


class SigmoidWeightsBackward(SigmoidBackward, frozen=True):
    """dS = dA o A o (1 - A), for the weights A and their gradient dA (n_q, n_k)."""

    differentiates_weights: ClassVar[bool] = True


class SigmoidNormaliser(Normaliser):
    """`normaliser = "sigmoid"`."""

    name = "sigmoid"
    text = both('normaliser = "sigmoid"')
    operations = (SigmoidWeights, SigmoidWeightsBackward)
    keys = (
        normaliser("sigmoid", "sigma(s + b) in place of the softmax"),
        Key(
            "sigmoid_bias",
            "expression",
            "b of sigma(s + b) in sigmoid attention: minus the logarithm of the number of keys unless given",
            nonzero=False,
        ),
    )

    def weights(self, head: Head, logits: str) -> Plan:
        text = head.case.settings.sigmoid_bias
        if text is None:
            offset = Exact.of(head.sizes.get("n", 1))
        else:
            offset = exp(-number(head.case, "sigmoid_bias", text))
        return (Line(f"{head.tag}A", SigmoidWeights(offset), (logits,)),)

    def clauses(self, case: Case, plan: Plan, spell: Spell) -> Iterator[Clause]:
        found = next((line.op for line in plan if isinstance(line.op, SigmoidWeights)), None)
        if found is not None:
            text = case.settings.sigmoid_bias
            bias = LOG_KEYS if text is None else spell(number(case, "sigmoid_bias", text))
            yield Clause(
                Bilingual(
                    "the weights are {weights} with {bias}, in place of a softmax",
                    "权重为 {weights}，其中 {bias}，代替 softmax",
                ),
                {"weights": found.formula(Symbol("s")), "bias": equation(BIAS, bias)},
            )


VARIANT = SigmoidNormaliser()
