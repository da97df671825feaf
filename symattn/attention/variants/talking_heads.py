"""Talking-heads attention: learned mixtures of the heads before and after the softmax.

Shazeer et al. 2020, "Talking-Heads Attention", section 3: the scores of the heads are mixed by P_l, their
weights by P_w, sum_k P_kh M_k for head h. The paper lets P_l be (h_k, h) and P_w (h, h_v); here both are
(heads, heads), and either may be missing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from operator import add
from typing import Any, ClassVar

from msgspec.structs import replace

from symattn.attention.case import Case
from symattn.attention.quantities import QUANTITIES, Quantity
from symattn.attention.variant import Clause, Head, Spell, Variant
from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.exact.shapes import Shape, agreed, oriented_shape, require
from symattn.floats.arrays import Floats, np
from symattn.plans.gradient import Differentiable, Forward, Joining, Share, Shares
from symattn.plans.operation import Mistake, Operation, Slip, Working, slip
from symattn.plans.ops.reordered import chain, instead
from symattn.plans.ops.unchanged import Unchanged
from symattn.plans.plan import Line, Plan, base_name
from symattn.plans.rules import Ruled, dot, every, total_of
from symattn.plans.transposed import on_rows
from symattn.plans.weights import Mistaken, SlipsByPlan
from symattn.text.bilingual import Bilingual, oriented
from symattn.text.errors import ShapeMismatch
from symattn.text.notation import Call, Formula, Grid, Product, Symbol, entry_of, named, sum_of

ZERO = Exact.of(0)
SCORES = oriented(
    "the scores of the heads are mixed: {made} is the sum of all {of}, each times the entry of {mixing} in "
    "[row {k} and column {h}|row {h} and column {k}]",
    "各头的得分相混合：{made} 是各 {of} 分别乘以 {mixing} 的第 [{k} 行第 {h} 列|{h} 行第 {k} 列]元素后的和",
)
WEIGHTS = oriented(
    "the weights of the heads are mixed: {made} is the sum of all {of}, each times the entry of {mixing} in "
    "[row {k} and column {h}|row {h} and column {k}]",
    "各头的权重相混合：{made} 是各 {of} 分别乘以 {mixing} 的第 [{k} 行第 {h} 列|{h} 行第 {k} 列]元素后的和",
)
AFTER = Bilingual(
    "mixed the heads after instead of before the softmax", "应在 softmax 之前混合各头，却放在了之后"
)
BEFORE = Bilingual(
    "mixed the heads before instead of after the softmax", "应在 softmax 之后混合各头，却放在了之前"
)
Place = tuple[int, int]
"""A row and a column of a mixing matrix, from 0."""
HEADS_AGREE = Bilingual("heads of {a} and {b} to be mixed", "要混合的头为 {a} 与 {b}")


class HeadMixture(Ruled, Differentiable, Joining, SlipsByPlan, frozen=True):
    """P_kh M_k + ... (n_q, n_k): matrices M_k of heads, each times the entry of P (h, h) at its place.

    In the forward computation the places are a column of P, in a backward pass those of a row.
    """

    finite_decimals: ClassVar[bool] = True
    places: tuple[Place, ...]

    def shape(self, *shapes: Shape) -> Shape:
        mixing, *mixed = shapes
        heads = 1 + max(max(place) for place in self.places)
        require(
            mixing[0] == mixing[1] and mixing[0] >= heads,
            (mixing,),
            "the heads are mixed by a {0} matrix",
            "混合各头的矩阵是 {0}",
            "one row and one column for each head",
            "每个头应有一行和一列",
        )
        for other in mixed[1:]:
            agreed((mixed[0], other), HEADS_AGREE)
        return mixed[0]

    def cell(self, i: int, j: int, *arguments: Any) -> Any:
        mixing, *mixed = arguments
        return total_of(mixing[place] * m[i, j] for m, place in zip(mixed, self.places, strict=True))

    def floats(self, *arguments: Floats) -> Floats:
        mixing, *mixed = arguments
        terms = (mixing[k : k + 1, h : h + 1] * m for m, (k, h) in zip(mixed, self.places, strict=True))
        return reduce(add, terms)

    def formula(self, *arguments: Formula) -> Formula:
        mixing, *mixed = arguments
        pairs = zip(mixed, self.places, strict=True)
        return sum_of(tuple(Product((entry_of(mixing, *place), m), "dot") for m, place in pairs))

    def gradient(self, line: Line, g: str, forward: Forward) -> Shares:
        mixing, *mixed = line.args
        shares = (
            Share(m, HeadMixture((place,)), (mixing, g)) for m, place in zip(mixed, self.places, strict=True)
        )
        return (*shares, Share(mixing, InnerProducts(), (g, *mixed), self.places[0][1]))

    def joined(self, shares: Sequence[Share]) -> Share:
        places = (place for share in shares if isinstance(share.op, HeadMixture) for place in share.op.places)
        args = (shares[0].args[0], *(name for share in shares for name in share.args[1:]))
        return Share(shares[0].of, HeadMixture(tuple(places)), args)

    def slips(self) -> tuple[Slip, ...]:
        turned = HeadMixture(tuple((h, k) for k, h in self.places))
        own = [at for at, (k, h) in enumerate(self.places, 1) if k == h]
        return (
            *(slip("heads-not-mixed", "not mixed the heads", "没有混合各头", Unchanged(at)) for at in own),
            slip(
                "head-mixing-transposed",
                "mixed the heads by the transpose of the matrix",
                "混合各头时用了矩阵的转置",
                turned,
            ),
        )

    def mistaken(
        self, line: Line, lines: Mapping[str, Line], shapes: Mapping[str, Shape]
    ) -> Iterator[Mistaken]:
        """By the matrix of the other mixture, or on the other side of the softmax."""
        mixing, *mixed = line.args
        plan = tuple(replace(each, op=on_rows(each.op)) for each in lines.values())
        for other in dict.fromkeys(each.args[0] for each in plan if isinstance(each.op, HeadMixture)):
            if other != mixing:
                words = Bilingual(
                    f"mixed the heads by {other} instead of {mixing}",
                    f"混合各头时用了 {other}，而不是 {mixing}",
                )
                yield "head-mixings-exchanged", words, replace(line, args=(other, *mixed))
        base, tags = base_name(line.name), [name.removesuffix(base_name(name)) for name in mixed]
        own = line.name.removesuffix(base)
        if base == "mixed_scores":
            chains = (chain(plan, f"{tag}{base}", f"{tag}A", of) for tag, of in zip(tags, mixed, strict=True))
            mixture = Line("mixture", self, (mixing, *(f"{tag}A" for tag in tags)))
            yield "heads-mixed-after-softmax", AFTER, instead(f"{own}A", *chains, (mixture,))
        if base == "mixed_weights":
            start = "mixed_scores" if f"{own}mixed_scores" in lines else "scaled"
            mixture = Line("mixture", self, (mixing, *(f"{tag}{start}" for tag in tags)))
            late = chain(plan, f"{own}{start}", f"{own}A", "mixture")
            yield "heads-mixed-before-softmax", BEFORE, instead(line.name, (mixture,), late)

    @classmethod
    def example(cls) -> tuple[Operation, tuple[Matrix, ...]]:
        heads = Matrix.rational([[1, 2], [3, 5]]), Matrix.rational([[2, -1], [1, 4]])
        return cls(((0, 1), (1, 1))), (Matrix.rational([[1, 2], [4, 3]]), *heads)


class InnerProducts(Ruled, frozen=True):
    """The sum of all entries of g o M_k for each M_k (n_q, n_k): the gradient of a column of P."""

    working: ClassVar[Working] = "rule"
    example_arguments: ClassVar = ([[3, 1], [2, 0]], [[1, 2], [3, 5]], [[2, -1], [1, 4]])

    def shape(self, *shapes: Shape) -> Shape:
        for other in shapes[1:]:
            agreed((shapes[0], other), HEADS_AGREE)
        return len(shapes) - 1, 1

    def cell(self, i: int, j: int, *arguments: Any) -> Any:
        return dot(every(arguments[0]), every(arguments[i + 1]))

    def floats(self, *arguments: Floats) -> Floats:
        g, *mixed = arguments
        sums = (np.sum(np.sum(g * m, axis=1, keepdims=True), axis=0, keepdims=True) for m in mixed)
        return np.concatenate(tuple(sums), axis=0)

    def formula(self, *arguments: Formula) -> Formula:
        g, *mixed = arguments
        return Grid(tuple((Call("sum", (Product((g, m), "circle"),)),) for m in mixed))

    def slips(self) -> tuple[Slip, ...]:
        return (
            slip(
                "product-of-sums",
                "multiplied the sums of the entries instead of summing their products",
                "把元素之和相乘，而不是把乘积相加",
                ProductsOfSums(),
            ),
        )


class ProductsOfSums(Mistake, InnerProducts, frozen=True):
    """The mistake of the sum of g times that of M_k."""

    def cell(self, i: int, j: int, *arguments: Any) -> Any:
        g, total = (total_of(every(m)) for m in (arguments[0], arguments[i + 1]))
        return g * total

    def floats(self, *arguments: Floats) -> Floats:
        g, *sums = (np.sum(np.sum(m, axis=1, keepdims=True), axis=0, keepdims=True) for m in arguments)
        return np.concatenate(tuple(g * total for total in sums), axis=0)


def _mixing(name: str, en: str, zh: str) -> Quantity:
    """A matrix that mixes what is called so over the heads."""
    return Quantity(
        name,
        ("heads", "heads"),
        gradient=Bilingual(f"Gradient of the matrix that mixes the {en}", f"混合{zh}的矩阵的梯度"),
        given=f"the matrix (heads, heads) of talking-heads attention that mixes the {en}",
        after="memory",
    )


class TalkingHeads(Variant):
    """`P_l` or `P_w` under `[given]`: the scaled scores and the weights of the heads are mixed."""

    name = "talking_heads"
    text = Bilingual("talking-heads attention", "talking-heads 注意力")
    operations = (HeadMixture, InnerProducts)
    quantities = (
        _mixing("P_w", "weights", "权重"),
        _mixing("P_l", "scaled scores", "缩放后的得分"),
        Quantity(
            "mixed_scores",
            ("n_q", "n_k"),
            letter="L",
            heading=Bilingual("Scores mixed over the heads", "各头混合后的得分"),
            meaning=Bilingual(
                "Mixes the scores of all heads for each head.", "把各头的得分混合起来，供每个头使用。"
            ),
            title=Bilingual("mixed scores", "混合后的得分"),
            gradient=Bilingual("Gradient of the mixed scores", "混合后的得分的梯度"),
            logit=True,
            after="scaled",
        ),
        Quantity(
            "mixed_weights",
            ("n_q", "n_k"),
            letter="A'",
            heading=Bilingual("Weights mixed over the heads", "各头混合后的权重"),
            meaning=Bilingual(
                "Mixes the weights of all heads for each head.", "把各头的权重混合起来，供每个头使用。"
            ),
            title=Bilingual("mixed weights", "混合后的权重"),
            gradient=Bilingual("Gradient of the mixed weights", "混合后的权重的梯度"),
            after="A",
        ),
    )
    goes_without = frozenset({"linear", "differential", "online", "jacobians"})

    def applies(self, case: Case) -> bool:
        return "P_l" in case.given or "P_w" in case.given

    def before_mask(self, head: Head, scores: str) -> Plan:
        return _mixed(head, "P_l", scores, "mixed_scores")

    def after_weights(self, head: Head, weights: str) -> Plan:
        return _mixed(head, "P_w", weights, "mixed_weights")

    def clauses(self, case: Case, plan: Plan, spell: Spell) -> Iterator[Clause]:
        yield from _clause(plan, "mixed_scores", "scaled", SCORES)
        yield from _clause(plan, "mixed_weights", "A", WEIGHTS)


def _clause(plan: Plan, name: str, of: str, words: Bilingual) -> Iterator[Clause]:
    """How the matrices called `of` are mixed, where they are."""
    mixing = next((line.args[0] for line in plan if base_name(line.name) == name), "")
    if mixing:
        k, h = Symbol("k"), Symbol("h")
        mixed, source = replace(QUANTITIES[name].symbol, sup=h), replace(QUANTITIES[of].symbol, sup=k)
        yield Clause(words, {"made": mixed, "of": source, "mixing": named(base_name(mixing)), "k": k, "h": h})


def _mixed(head: Head, mixing: str, of: str, name: str) -> Plan:
    """The mixture of what is called `of` in this head with what it is in the others."""
    case, count = head.case, head.case.settings.heads
    if mixing not in head.given:
        return ()
    shape = head.given[mixing].shape
    if shape != (count, count):
        raise ShapeMismatch(
            oriented(f"{mixing} is {oriented_shape(shape)}", f"{mixing} 是 {oriented_shape(shape)}"),
            Bilingual(
                f"a {count}×{count} matrix, for heads = {count}",
                f"heads = {count}，应为 {count}×{count} 矩阵",
            ),
        ).at(**case.at(f"given.{mixing}"))
    own = f"head{head.number + 1}."
    every = tuple(of.replace(own, f"head{k + 1}.", 1) for k in range(count))
    op = HeadMixture(tuple((k, head.number) for k in range(count)))
    return (Line(f"{head.tag}{name}", op, (mixing, *every)),)


VARIANT = TalkingHeads()
