"""Linear attention: a feature map in place of the softmax. Katharopoulos et al. 2020, eq. (5) to (11).

Evaluated directly, A = phi(Q) phi(K)^T over its row sums, with 0 for what a mask hides. Evaluated linearly,
phi(K)^T V comes first and no matrix of n_q by n_k arises; under a causal mask it is a running sum, token by
token. That both agree is what `symattn.checks.proofs` proves. With ReLU for phi and rational inputs
every number is rational.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from symattn.attention.case import Case
from symattn.attention.keys import Key
from symattn.attention.masks import mask
from symattn.attention.quantities import Quantity
from symattn.attention.sizes import offset
from symattn.attention.variant import Clause, Head, Spell, Variant
from symattn.exact.matrix import Matrix
from symattn.exact.number import MINUS_INFINITY, Exact
from symattn.exact.shapes import Shape, require
from symattn.floats.arrays import Floats, np
from symattn.floats.from_exact import matrix_to_floats
from symattn.plans.gradient import Differentiable, Forward, Share, Shares
from symattn.plans.operation import Operation, Slip, slip
from symattn.plans.ops.activation import Relu
from symattn.plans.ops.add import Add
from symattn.plans.ops.blocks import Rows, Stack
from symattn.plans.ops.normalise import Normalise
from symattn.plans.ops.products import Scores, TransposedProduct, WeightedSum
from symattn.plans.ops.row_sums import RowSums
from symattn.plans.ops.unchanged import Unchanged
from symattn.plans.plan import Line, Plan
from symattn.plans.rules import Ruled
from symattn.text.bilingual import Bilingual
from symattn.text.errors import UnusableValue
from symattn.text.notation import Formula, Product, Symbol

ZERO, ONE = Exact.of(0), Exact.of(1)


class Hide(Ruled, Differentiable, frozen=True):
    """S o M for scores S (n_q, n_k) and a mask M of 1 for a visible key and 0 for a hidden one, `seen`."""

    finite_decimals: ClassVar[bool] = True
    seen: Matrix

    def shape(self, *shapes: Shape) -> Shape:
        require(
            shapes[0] == self.seen.shape,
            (self.seen.shape, shapes[0]),
            "the mask is {0}, the scores are {1}",
            "掩码是 {0}，得分是 {1}",
            "the mask needs one entry for each query and key",
            "掩码对每个查询和每个键各需一个元素",
        )
        return shapes[0]

    def cell(self, i: int, j: int, *arguments: Any) -> Any:
        return arguments[0][i, j] if self.seen[i, j] else ZERO

    def floats(self, *arguments: Floats) -> Floats:
        return np.where(matrix_to_floats(self.seen) == 0, 0.0, arguments[0])

    def formula(self, *arguments: Formula) -> Formula:
        return Product((arguments[0], Symbol("M")), "circle")

    def gradient(self, line: Line, g: str, forward: Forward) -> Shares:
        """What is hidden hands nothing back."""
        return (Share(line.args[0], self, (g,)),)

    def on_columns(self) -> Operation:
        return Hide(self.seen.T)

    def slips(self) -> tuple[Slip, ...]:
        if all(entry == ONE for row in self.seen.rows() for entry in row):
            return ()
        return (
            slip("mask-omitted", "left the mask out", "没有加掩码", Unchanged()),
            slip(
                "mask-inverted",
                "inverted the mask",
                "掩码用反了",
                Hide(self.seen.map(lambda seen: ONE - seen)),
            ),
        )

    @classmethod
    def example(cls) -> tuple[Operation, tuple[Matrix, ...]]:
        return cls(Matrix.rational([[1, 0], [1, 1]])), (Matrix.rational([[1, 2], [3, 5]]),)


class Linear(Variant):
    """`kernel = "relu"`."""

    name = "linear"
    text = Bilingual("linear attention", "线性注意力")
    operations = (Hide,)
    keys = (
        Key(
            "kernel",
            "choice",
            "relu: linear attention with ReLU features for a softmax",
            ("softmax", "relu"),
            default="softmax",
        ),
    )
    quantities = (
        Quantity(
            "kv",
            ("d_k", "d_v"),
            heading=Bilingual("Key times value of the new token", "新词元的键与值之积"),
            meaning=Bilingual(
                "What the new token adds to the sum of keys times values.",
                "新词元给键与值之积的和增加的部分。",
            ),
            after="KV",
        ),
    )
    goes_without = frozenset({"bias", "sink", "online", "cached"})

    def attended(self, head: Head, q: str, k: str) -> Plan:
        case, tag = head.case, head.tag
        features = (Line(f"{tag}Q_F", Relu(), (q,)), Line(f"{tag}K_F", Relu(), (k,)))
        if case.settings.evaluation == "linear":
            return (*features, *(_running(head) if case.settings.masked else _at_once(head)))
        scores = f"{tag}scores"
        lines = [*features, Line(scores, Scores(), (f"{tag}Q_F", f"{tag}K_F"))]
        if case.settings.masked:
            lines.append(Line(f"{tag}masked", Hide(_seen(head)), (scores,)))
            scores = f"{tag}masked"
        return (
            *lines,
            Line(f"{tag}total", RowSums(), (scores,)),
            Line(f"{tag}A", Normalise(), (scores, f"{tag}total")),
        )

    def clauses(self, case: Case, plan: Plan, spell: Spell) -> Iterator[Clause]:
        yield Clause(
            Bilingual(
                "linear attention: {phi} of queries and keys replaces the softmax",
                "线性注意力：以查询和键的 {phi} 代替 softmax",
            ),
            {"phi": Symbol("ReLU")},
        )


def _seen(head: Head) -> Matrix:
    """The mask of 1 and 0. Raises UnusableValue for one that adds anything else to a score."""
    additive = mask(head.case, head.sizes).additive
    if any(entry not in (ZERO, MINUS_INFINITY) for row in additive.rows() for entry in row):
        raise UnusableValue(
            Bilingual("linear attention with a mask that adds numbers", "线性注意力不能与相加的掩码同用"),
            Bilingual("a mask of 1 (seen) and 0 (hidden)", "掩码应由 1（可见）和 0（遮住）组成"),
        ).at(**head.case.at("attention.mask"))
    return additive.map(lambda entry: ONE if entry == ZERO else ZERO)


def _at_once(head: Head) -> Plan:
    """phi(K)^T V and the sum of the features of all keys: eq. (6)."""
    tag = head.tag
    return (
        Line(f"{tag}KV", TransposedProduct(), (f"{tag}K_F", f"{tag}V")),
        Line(f"{tag}keys", RowSums(axis=0), (f"{tag}K_F",)),
        *_mixed(tag, f"{tag}Q_F", f"{tag}KV", f"{tag}keys"),
    )


def _running(head: Head) -> Plan:
    """Token by token, with the sums over the keys so far: eq. (9) to (11).

    Raises UnusableValue for a mask that is not causal, or more than that.
    """
    case, tag, sizes = head.case, head.tag, head.sizes
    settings = case.settings
    more = settings.padding is not None or settings.windowed
    if settings.mask != "causal" or more:
        raise UnusableValue(
            Bilingual("a linear evaluation with a mask that is not causal alone", "线性计算只能用因果掩码"),
            Bilingual(
                'mask = "causal" and nothing else, or evaluation = "direct"',
                '请只写 mask = "causal"，或写 evaluation = "direct"',
            ),
        ).at(**case.at("attention.evaluation"))
    if "n_q" not in sizes or "n" not in sizes:
        return ()
    before = offset(case, sizes, Bilingual("a causal mask", "因果掩码"))
    lines: list[Line] = []
    for t in range(sizes["n_q"]):
        first, last = (0 if t == 0 else min(before + t, sizes["n"])), min(before + t + 1, sizes["n"])
        if last < 1:
            raise UnusableValue(
                Bilingual(f"a query before every key, at step {t + 1}", f"第 {t + 1} 步的查询之前没有键"),
                Bilingual('align = "top-left"', '请写 align = "top-left"'),
            ).at(**case.at("attention.align"))
        lines += _step(tag, t, max(first, 0), last)
    steps = tuple(f"{tag}step{t + 1}.Z" for t in range(sizes["n_q"]))
    return (*lines, Line(f"{tag}Z", Stack(), steps))


def _step(tag: str, t: int, first: int, last: int) -> Plan:
    """Step t (from 0): the keys `first` to before `last` join the sums, and one query looks at them."""
    here, back = f"{tag}step{t + 1}.", f"{tag}step{t}."
    lines = [Line(f"{here}Q", Rows(t, t + 1), (f"{tag}Q_F",))]
    sums, keys = f"{here}KV", f"{here}keys"
    if first == last:  # beyond the last key the sums stay
        lines += Line(sums, Unchanged(), (f"{back}KV",)), Line(keys, Unchanged(), (f"{back}keys",))
        return (*lines, *_mixed(here, f"{here}Q", sums, keys))
    new = (f"{here}k", f"{here}v")
    lines += [
        Line(name, Rows(first, last), (of,)) for name, of in zip(new, (f"{tag}K_F", f"{tag}V"), strict=True)
    ]
    if t == 0:
        lines += Line(sums, TransposedProduct(), new), Line(keys, RowSums(axis=0), (f"{here}k",))
    else:
        lines.append(Line(f"{here}kv", TransposedProduct(), new))
        lines += Line(sums, Add(), (f"{back}KV", f"{here}kv")), Line(keys, Add(), (f"{back}keys", f"{here}k"))
    return (*lines, *_mixed(here, f"{here}Q", sums, keys))


def _mixed(tag: str, queries: str, sums: str, keys: str) -> Plan:
    """The values mixed by the queries, over what the features of the keys add up to."""
    return (
        Line(f"{tag}mixed", WeightedSum(), (queries, sums)),
        Line(f"{tag}total", Scores(), (queries, keys)),
        Line(f"{tag}Z", Normalise(), (f"{tag}mixed", f"{tag}total")),
    )


VARIANT = Linear()
