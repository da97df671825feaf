"""Output gate: the heads side by side times sigma(X W_G), entry by entry, before W_O.

Qiu et al. 2025, "Gated Attention for Large Language Models", eq. (5), at the position after the attention;
Qwen3-Next has it.
"""

from __future__ import annotations

from collections.abc import Iterator

from symattn.attention.case import Case
from symattn.attention.projection import projection
from symattn.attention.quantities import Quantity
from symattn.attention.variant import Clause, Spell, Variant
from symattn.plans.operation import Slip, slip
from symattn.plans.ops.add import Add
from symattn.plans.ops.sigmoid import Hadamard, Sigmoid
from symattn.plans.ops.unchanged import Unchanged
from symattn.plans.plan import Line, Plan
from symattn.text.bilingual import Bilingual
from symattn.text.notation import Symbol, named


class Gate(Hadamard, frozen=True):
    """C o G for the outputs C of all heads and their gate G, both (n_q, heads d_v)."""

    def slips(self) -> tuple[Slip, ...]:
        return (
            slip("gate-omitted", "left the output gate out", "漏掉了输出门", Unchanged()),
            slip("gate-added", "added the gate instead of multiplying by it", "把乘以门写成了加上门", Add()),
        )


class OutputGate(Variant):
    """`W_G` under `[given]`, and `b_G` where there is a bias."""

    name = "output_gate"
    text = Bilingual("an output gate", "输出门")
    operations = (Gate,)
    quantities = (
        Quantity(
            "W_G",
            ("d_model", "heads d_v"),
            gradient=Bilingual("Gradient of the gate weights", "门的权重的梯度"),
            given="the weights of the output gate (d_model, heads d_v)",
            after="W_O",
        ),
        Quantity(
            "b_G",
            ("1", "heads d_v"),
            gradient=Bilingual("Gradient of the gate bias", "门的偏置的梯度"),
            given="the bias of the output gate, one row of heads d_v",
            kind="vector",
            after="b_O",
        ),
        Quantity(
            "gate_logits",
            ("n_q", "heads d_v"),
            letter="L",
            index="G",
            heading=Bilingual("Gate before its sigmoid", "取 sigmoid 之前的门"),
            meaning=Bilingual(
                "Computes from each token how far its gate is open.", "由每个词元算出门的开启程度。"
            ),
            part="G",
            after="concat",
        ),
        Quantity(
            "gate",
            ("n_q", "heads d_v"),
            letter="G",
            heading=Bilingual("Output gate", "输出门"),
            meaning=Bilingual(
                "Maps each entry of the gate into the interval from 0 to 1.", "使门的各分量介于 0 和 1 之间。"
            ),
            worked="rule",
            after="gate_logits",
        ),
        Quantity(
            "gated",
            ("n_q", "heads d_v"),
            letter="C",
            index="G",
            heading=Bilingual("Gated output of the heads", "过门之后的各头输出"),
            meaning=Bilingual(
                "Multiplies each entry by its gate, a number from 0 to 1.",
                "各分量乘以门的相应元素（0 与 1 之间的数）。",
            ),
            title=Bilingual("gated outputs", "过门之后的输出"),
            seed="the gradient of a loss in the gated outputs (n_q, heads d_v), for the backward pass",
            after="gate",
        ),
    )

    def applies(self, case: Case) -> bool:
        return "W_G" in case.given

    def before_projection(self, case: Case, joined: str, x: str) -> Plan:
        bias = ("b_G",) if "b_G" in case.given else ()
        return (
            Line("gate_logits", projection(case.settings, len(bias)), (x, "W_G", *bias)),
            Line("gate", Sigmoid(), ("gate_logits",)),
            Line("gated", Gate(), (joined, "gate")),
        )

    def clauses(self, case: Case, plan: Plan, spell: Spell) -> Iterator[Clause]:
        if any(isinstance(line.op, Gate) for line in plan):
            yield Clause(
                Bilingual(
                    "the outputs of the heads are multiplied by the gate {gate}, entry by entry",
                    "各头的输出逐项乘以门 {gate}",
                ),
                {"gate": Sigmoid().formula(projection(case.settings).formula(Symbol("X"), named("W_G")))},
            )


VARIANT = OutputGate()
