"""Temperature: the scores divided by T before the softmax. Hinton, Vinyals and Dean 2015, eq. (1)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from symattn.attention.case import Case
from symattn.attention.expressions import of_head
from symattn.attention.keys import Key
from symattn.attention.quantities import Quantity
from symattn.attention.variant import Clause, Head, Spell, Variant
from symattn.exact.number import Exact, Infinite
from symattn.floats.arrays import Floats
from symattn.floats.from_exact import to_float
from symattn.floats.interval import point
from symattn.floats.tables import Table
from symattn.plans.gradient import Differentiable, Forward, Share, Shares
from symattn.plans.operation import Slip, slip
from symattn.plans.ops.unchanged import Unchanged
from symattn.plans.plan import Line, Plan
from symattn.plans.rules import Ruled, like
from symattn.text.bilingual import Bilingual
from symattn.text.notation import Formula, Grid, Quotient, Symbol, equation

ONE = Exact.of(1)
T = Symbol("T")


class Temper(Ruled, Differentiable, frozen=True):
    """S / T for scores S (n_q, n_k) and a temperature T > 0; a hidden score stays minus infinity."""

    entrywise: ClassVar[bool] = True
    example_fields: ClassVar = (Exact.of(2),)
    example_arguments: ClassVar = ([[1, 2], [3, -5]],)
    temperature: Exact

    def cell(self, i: int, j: int, *arguments: Any) -> Any:
        score = arguments[0][i, j]
        return score if isinstance(score, Infinite) else self._one(score)

    def _one(self, score: Any) -> Any:
        return score / like(score, self.temperature)

    def floats(self, *arguments: Floats) -> Floats:
        return arguments[0] / to_float(self.temperature)

    def moves(self, *tables: Table) -> Table | None:
        factor = point(self._one(ONE))
        return [[a * factor if a.low.is_finite() else a for a in row] for row in tables[0]]

    def formula(self, *arguments: Formula) -> Formula:
        return Quotient(arguments[0], T)

    def gradient(self, line: Line, g: str, forward: Forward) -> Shares:
        """A multiple: the gradient is multiplied likewise."""
        return (Share(line.args[0], self, (g,)),)

    def slips(self) -> tuple[Slip, ...]:
        if self.temperature == ONE:
            return ()
        return (
            slip("temperature-omitted", "left the temperature out", "没有除以温度", Unchanged()),
            slip(
                "temperature-multiplied",
                "multiplied by the temperature instead of dividing by it",
                "乘以了温度，而不是除以温度",
                TimesTemperature(self.temperature),
            ),
        )


class TimesTemperature(Temper, frozen=True):
    """The mistake of multiplying by the temperature."""

    def _one(self, score: Any) -> Any:
        return score * self.temperature

    def floats(self, *arguments: Floats) -> Floats:
        return arguments[0] * to_float(self.temperature)

    def slips(self) -> tuple[Slip, ...]:
        return ()


class TemperatureVariant(Variant):
    """`temperature`: the logits are divided by it, after the mask."""

    name = "temperature"
    text = Bilingual("a temperature", "温度")
    operations = (Temper,)
    keys = (
        Key(
            "temperature",
            "per head",
            "what the logits are divided by before the softmax: one number, or a list of one for each head",
        ),
    )
    quantities = (
        Quantity(
            "tempered",
            ("n_q", "n_k"),
            letter="L",
            heading=Bilingual("Scores divided by the temperature", "除以温度后的得分"),
            meaning=Bilingual(
                "Makes the weights more even (T > 1) or more concentrated (T < 1).",
                "使权重更平均（T > 1）或更集中（T < 1）。",
            ),
            logit=True,
            after="masked",
        ),
    )
    goes_without = frozenset({"linear"})

    def after_mask(self, head: Head, scores: str) -> Plan:
        temperature = of_head(head.case, "temperature", head.case.settings.temperature or "", head.number)
        return (Line(f"{head.tag}tempered", Temper(temperature), (scores,)),)

    def clauses(self, case: Case, plan: Plan, spell: Spell) -> Iterator[Clause]:
        found = [line.op.temperature for line in plan if isinstance(line.op, Temper)]
        if len(set(found)) == 1:
            yield Clause(
                Bilingual("the temperature is {t}", "温度为 {t}"), {"t": equation(T, spell(found[0]))}
            )
        elif found:
            row = Grid((tuple(spell(temperature) for temperature in found),))
            text = Bilingual("the temperatures of the heads are {t}", "各头的温度为 {t}")
            yield Clause(text, {"t": equation(T, row)})


VARIANT = TemperatureVariant()
