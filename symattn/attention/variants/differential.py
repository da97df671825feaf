"""Differential attention: A = A_1 - lambda A_2, the difference of two softmaxes. Ye et al. 2024, section 2.1.

Queries and keys of a head are halved, one half for each attention map; the values are not. lambda is one for
all heads: given, or exp(lambda_q1 . lambda_k1) - exp(lambda_q2 . lambda_k2) + lambda_init (eq. 2). With
`head_norm` the output of each head goes through an RMSNorm and is multiplied by 1 - lambda_init (eq. 3).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar

from msgspec.structs import replace

from symattn.attention.case import Case
from symattn.attention.expressions import epsilons, positive
from symattn.attention.keys import Key
from symattn.attention.quantities import QUANTITIES, Quantity
from symattn.attention.sizes import Sizes
from symattn.attention.variant import Clause, Head, Spell, Variant, valued
from symattn.exact.number import Exact
from symattn.floats.arrays import Floats
from symattn.floats.from_exact import to_float
from symattn.plans.gradient import Differentiable, Forward, Share, Shares
from symattn.plans.operation import Slip, slip
from symattn.plans.ops.blocks import Columns
from symattn.plans.ops.difference import INITIAL, Difference, Inner, Lambda, LambdaBackward, Multiple
from symattn.plans.ops.rms_norm import RMSNorm
from symattn.plans.ops.unchanged import Unchanged
from symattn.plans.plan import Line, Plan
from symattn.plans.rules import Ruled, like
from symattn.text.bilingual import Bilingual, Count, oriented
from symattn.text.errors import MissingGiven, ShapeMismatch
from symattn.text.notation import Formula, Negative, Number, Product, Sum, Symbol, equation

ZERO, ONE = Exact.of(0), Exact.of(1)
VECTORS = tuple(f"lambda_{half}{number}" for number in "12" for half in "qk")
"""In the order of eq. (2): of the first map, then of the second."""


class OfMap(Columns, frozen=True):
    """The columns of Q or K (n, d) that one of two maps takes: the first or the second half."""

    example_fields: ClassVar = (0, 1)
    example_arguments: ClassVar = ([[1, 2], [3, 5]],)

    def slips(self) -> tuple[Slip, ...]:
        width = self.stop - self.start
        start = width if self.start == 0 else 0
        return (
            slip(
                "map-columns-of-other",
                "used the [columns|rows] of the other attention map",
                "取了另一张注意力图的[列|行]",
                Columns(start, start + width),
                on_columns="map-rows-of-other",
            ),
        )


class Rest(Ruled, Differentiable, frozen=True):
    """(1 - lambda_init) X for the normed output X (n_q, d_v) of a head; `factor` is 1 - lambda_init."""

    entrywise: ClassVar[bool] = True
    example_fields: ClassVar = (Exact.of(3),)
    example_arguments: ClassVar = ([[1, 2], [3, 5]],)
    factor: Exact

    def cell(self, i: int, j: int, *arguments: Any) -> Any:
        x = arguments[0][i, j]
        return like(x, self.factor) * x

    def floats(self, *arguments: Floats) -> Floats:
        return to_float(self.factor) * arguments[0]

    def formula(self, *arguments: Formula) -> Formula:
        return Product((Sum((Number("1"), Negative(INITIAL))), arguments[0]))

    def gradient(self, line: Line, g: str, forward: Forward) -> Shares:
        return (Share(line.args[0], self, (g,)),)

    def slips(self) -> tuple[Slip, ...]:
        other = ONE - self.factor
        return (
            slip(
                "head-factor-omitted",
                "not multiplied the normed head by 1 - lambda_init",
                "归一化之后没有乘 1 - λ_init",
                Unchanged(),
            ),
            *(
                (
                    slip(
                        "head-factor-init",
                        "multiplied the normed head by lambda_init instead of 1 - lambda_init",
                        "归一化之后乘了 λ_init，而不是 1 - λ_init",
                        Rest(other),
                    ),
                )
                if other != self.factor
                else ()
            ),
        )


class Differential(Variant):
    """`lambda`, or `lambda_q1` and its kin, under `[given]`."""

    name = "differential"
    text = Bilingual("differential attention", "差分注意力")
    operations = (OfMap, Lambda, LambdaBackward, Difference, Multiple, Inner, Rest)
    keys = (
        Key(
            "lambda_init",
            "expression",
            "of differential attention: what is added to lambda; 0.8 - 0.6*exp(-0.3*(l - 1)) in layer l",
            default="0.2",
        ),
        Key(
            "head_norm",
            "choice",
            "of differential attention: RMSNorm of the output of each head, times 1 - lambda_init",
            ("none", "rms"),
            default="none",
        ),
    )
    quantities = (
        Quantity(
            "lambda",
            ("1", "1"),
            heading=Bilingual("The factor of the second map", "第二张注意力图的系数"),
            meaning=Bilingual("How much of the second map is subtracted.", "第二张注意力图减去多少。"),
            given="the factor of the second map of differential attention, a single number",
            kind="expression",
            after="relative",
        ),
        *(
            Quantity(
                name,
                ("1", "d_k"),
                gradient=Bilingual(f"Gradient of the vector {name}", f"向量 {name} 的梯度"),
                given=f"one of the four vectors from which lambda of differential attention is made: {name}",
                kind="vector",
                after="relative",
            )
            for name in reversed(VECTORS)
        ),
        Quantity(
            "mixed_N",
            ("n_q", "d_v"),
            letter="N",
            index="N",
            heading=Bilingual("Normalised output of the head", "头的归一化输出"),
            worked="rule",
            after="A",
        ),
    )
    goes_without = frozenset(
        {
            "sink",
            "linear",
            "online",
            "cached",
            "linear_evaluation",
            "jacobians",
        }
    )

    def applies(self, case: Case) -> bool:
        return not case.given.keys().isdisjoint(("lambda", *VECTORS))

    def shared(self, case: Case, sizes: Sizes) -> Plan:
        present = [name for name in VECTORS if name in case.given]
        if not present or "lambda" in case.given:
            return ()
        missing = [name for name in VECTORS if name not in case.given]
        if missing:
            raise MissingGiven(
                Bilingual("{found} without {missing}", "有 {found} 而没有 {missing}").format(
                    found=", ".join(present), missing=", ".join(missing)
                ),
                Bilingual("give all four vectors, or lambda itself", "请给出全部四个向量，或直接给出 lambda"),
            ).at(file=case.file, key="given")
        return (Line("lambda", Lambda(self._initial(case)), VECTORS),)

    def _initial(self, case: Case) -> Exact:
        return positive(case, "lambda_init", case.settings.lambda_init)

    def maps(self, head: Head, attend: Callable[[Head], Plan]) -> Plan:
        width = head.sizes.get("d_k", 2)
        if width % 2:
            raise ShapeMismatch(
                oriented(
                    f"{Count(width):[column|row]} of Q and K in a head, for two attention maps",
                    f"一个头的 Q 和 K 有 {width} [列|行]，要分给两张注意力图",
                ),
                oriented("an even number of [columns|rows]", "[列|行]数应为偶数"),
            ).at(**head.case.at("given.W_Q"))
        half, sizes = width // 2, dict(head.sizes)
        if "d_k" in sizes:
            sizes["d_k"] = half
        tags = f"{head.tag}map1.", f"{head.tag}map2."
        lines: list[Line] = []
        for tag, op in zip(tags, (OfMap(0, half), OfMap(half, width)), strict=True):
            lines += (Line(tag + name, op, (head.tag + name,)) for name in QUANTITIES["scores"].made_of)
            lines += attend(replace(head, tag=tag, sizes=sizes))
        lines.append(Line(f"{head.tag}A", Difference(), (*(f"{tag}A" for tag in tags), "lambda")))
        case, normed = head.case, f"{head.tag}mixed_N"
        if case.settings.head_norm == "none":
            return valued(head, tuple(lines), "Z")
        return (
            *valued(head, tuple(lines), "mixed"),
            Line(normed, RMSNorm(*epsilons(case)), (f"{head.tag}mixed",), 0),
            Line(f"{head.tag}Z", Rest(ONE - self._initial(case)), (normed,), 0),
        )

    def clauses(self, case: Case, plan: Plan, spell: Spell) -> Iterator[Clause]:
        if any(isinstance(line.op, Difference) for line in plan):
            text = Bilingual(
                "each head has two attention maps, from the two halves of its queries and keys; "
                "its weights are {weights}",
                "每个头有两张注意力图，分别取自其查询与键的两半；权重为 {weights}",
            )
            first, second = (Symbol("A", sub=Number(number)) for number in "12")
            yield Clause(text, {"weights": Difference().formula(first, second, Symbol("lambda"))})
        factor = next((line.op.factor for line in plan if isinstance(line.op, Rest)), None)
        if factor is not None:
            text = Bilingual(
                "the output of each head goes through an RMSNorm and is multiplied by {rest}, with {initial}",
                "每个头的输出先做 RMSNorm，再乘以 {rest}，其中 {initial}",
            )
            rest = Sum((Number("1"), Negative(INITIAL)))
            yield Clause(text, {"rest": rest, "initial": equation(INITIAL, spell(ONE - factor))})


VARIANT = Differential()
