"""Top-k attention: of each row the k largest scores are kept, and the others are hidden before the softmax.

Zhao et al. 2019, "Explicit Sparse Transformer", eq. (5): a score below the k-th largest of its row becomes
minus infinity. All scores that equal it are kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from flint import arb
from msgspec.structs import replace

from symattn.attention.case import Case
from symattn.attention.keys import Key
from symattn.attention.quantities import Quantity
from symattn.attention.variant import Clause, Head, Spell, Variant
from symattn.exact.maximum import decided, descending
from symattn.exact.number import MINUS_INFINITY, Exact
from symattn.floats.arrays import Floats, np
from symattn.floats.from_exact import to_float
from symattn.floats.interval import Interval
from symattn.floats.tables import Table
from symattn.plans.gradient import Differentiable, Forward, Share, Shares
from symattn.plans.operation import Mistake, Slip, Working, slip
from symattn.plans.ops.add import PassOn
from symattn.plans.ops.unchanged import Unchanged
from symattn.plans.plan import Line, Plan
from symattn.plans.rules import Function, Ruled, called, hidden, visible
from symattn.text.bilingual import Bilingual, oriented
from symattn.text.notation import Call, Formula, Infinity, Negative, Symbol

LARGEST = Bilingual("the largest scores of a row, which could not be decided", "未能判定一行中最大的几个得分")
HIDDEN = Negative(Infinity())


class TopK(Ruled, Differentiable, frozen=True):
    """S (n_q, n_k) with minus infinity for each score below the `k`-th largest of its row.

    Raises UndefinedValue where the order of the scores could not be decided.
    """

    finite_decimals: ClassVar[bool] = True
    working: ClassVar[Working] = "rule"
    symbols: ClassVar[tuple[str, ...]] = ("t",)
    called: ClassVar[str] = "keep"
    otherwise: ClassVar[Exact] = MINUS_INFINITY
    example_fields: ClassVar = (2,)
    example_arguments: ClassVar = ([[1, 2, 4, 3], [3, -5, 3, 3]],)
    k: int

    def shared(self, i: int, *arguments: Any) -> tuple[Any, ...]:
        """The smallest score that is kept, where any is not."""
        row = visible(arguments[0].row(i))
        return (self._least(*row),) if len(row) > self.k else ()

    @property
    def _least(self) -> Function:
        return Function(
            lambda *row: descending(row, LARGEST)[self.k - 1],
            lambda *row: Call("min", (Call(f"top{self.k}", row),)),
        )

    def _keep(self, x: Any, least: Any) -> Any:
        return x if decided(x, least, LARGEST) >= 0 else self.otherwise

    def entries(self, i: int, *arguments: Any) -> Sequence[Any]:
        row, least = arguments[0].row(i), self.shared(i, *arguments)
        keep = called(self.called, self._keep)
        return [keep(x, *least) if least and not hidden(x) else x for x in row]

    def floats(self, *arguments: Floats) -> Floats:
        (scores,) = arguments
        real = np.real(scores)
        least = np.sort(real, axis=1)[:, ::-1][:, : self.k][:, -1:]
        return np.where((real >= least) | np.isneginf(real), scores, to_float(self.otherwise))

    def error(self, arguments: tuple[Floats, ...], errors: tuple[Floats, ...], result: Floats) -> Floats:
        """As far as the score itself; no bound where it may be kept or not."""
        (scores,), (moved,) = arguments, errors
        low, high = scores - moved, scores + moved
        above = np.sum(low[:, None, :] > high[:, :, None], axis=2)
        itself = np.eye(scores.shape[1], dtype=bool)
        perhaps_above = np.sum((high[:, None, :] > low[:, :, None]) & ~itself, axis=2)
        hidden = above >= self.k
        kept = np.where(perhaps_above < self.k, np.where(np.isfinite(scores), moved, 0.0), np.inf)
        return np.where(hidden, 0.0, kept)

    def moves(self, *tables: Table) -> Table | None:
        return [[self._moved(j, row) for j in range(len(row))] for row in tables[0]]

    def _moved(self, j: int, row: Sequence[Interval]) -> Interval:
        own, others = row[j], [a for i, a in enumerate(row) if i != j]
        if sum(bool(a.low > own.high) for a in others) >= self.k:
            return Interval(hidden := arb.neg_inf(), hidden)
        if sum(not a.high <= own.low for a in others) < self.k:
            return own
        return Interval(arb.neg_inf(), own.high)

    def formula(self, *arguments: Formula) -> Formula:
        return Call(f"top{self.k}", arguments)

    def gradient(self, line: Line, g: str, forward: Forward) -> Shares:
        """A hidden score has the weight 0, and so the gradient 0 already."""
        return (Share(line.args[0], PassOn(), (g,)),)

    def slips(self) -> tuple[Slip, ...]:
        return (
            slip(
                "top-k-omitted",
                "kept all scores of the [row|column]",
                "保留了该[行|列]的全部得分",
                Unchanged(),
            ),
            slip(
                "top-k-zero",
                "written 0 instead of minus infinity for the scores that are not kept",
                "把未保留的得分写成了 0，而不是负无穷",
                ZeroForHidden(self.k),
            ),
            slip(
                "top-k-one-more",
                "kept one more score of each [row|column] than k",
                "每[行|列]比 k 多保留了一个得分",
                replace(self, k=self.k + 1),
            ),
        )


class ZeroForHidden(Mistake, TopK, frozen=True):
    """The mistake of 0 for minus infinity."""

    called: ClassVar[str] = "keep_or_0"
    otherwise: ClassVar[Exact] = Exact.of(0)


class TopKAttention(Variant):
    """`top_k`: each query sees the keys of its k largest scores."""

    name = "top_k"
    text = Bilingual("top-k attention", "top-k 注意力")
    operations = (TopK,)
    keys = (Key("top_k", "integer", "how many of the largest scores of each row are kept", least=1),)
    goes_without = frozenset({"linear", "online"})
    quantities = (
        Quantity(
            "kept",
            ("n_q", "n_k"),
            letter="T",
            heading=oriented("The largest scores of each [row|column]", "每[行|列]最大的得分"),
            meaning=Bilingual(
                "Hides all keys except those with the largest scores.", "只保留得分最大的几个键。"
            ),
            logit=True,
            worked="rule",
            after="masked",
        ),
    )

    def after_mask(self, head: Head, scores: str) -> Plan:
        assert head.case.settings.top_k is not None
        return (Line(f"{head.tag}kept", TopK(head.case.settings.top_k), (scores,)),)

    def clauses(self, case: Case, plan: Plan, spell: Spell) -> Iterator[Clause]:
        op = next((line.op for line in plan if isinstance(line.op, TopK)), None)
        if op is not None:
            s, t = Symbol("s"), Symbol("t")
            yield Clause(
                oriented(
                    "each query keeps its {k} largest scores, all of them at a tie; with {t}, the smallest "
                    "that is kept in a [row|column], {keep} is {s} where {s} is at least {t}, and {hidden} "
                    "otherwise",
                    "每个查询保留最大的 {k} 个得分（并列时全部保留）；{t} 是每[行|列]保留下来的最小得分，"
                    "{s} 不小于 {t} 时 {keep} 就是 {s}，否则是 {hidden}",
                ),
                {"k": op.k, "keep": Call("keep", (s, t)), "s": s, "t": t, "hidden": HIDDEN},
            )


VARIANT = TopKAttention()
