"""Sparsemax in place of the softmax: the point of the simplex nearest to the logits of a row.

Martins and Astudillo 2016, algorithm 1 and proposition 2 (its Jacobian). Of rational logits it is rational,
and far keys have the weight 0 exactly.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from flint import arb

from symattn.attention.case import Case
from symattn.attention.variant import Clause, Head, Normaliser, Spell, normaliser
from symattn.exact.matrix import Matrix
from symattn.exact.maximum import decided, descending
from symattn.exact.number import Exact
from symattn.exact.shapes import Shape, agreed
from symattn.floats.arrays import Floats, np
from symattn.floats.interval import ZERO as NOTHING
from symattn.floats.interval import Interval, least, most
from symattn.floats.tables import Table, total
from symattn.plans.gradient import Differentiable, Forward, Share, Shares
from symattn.plans.operation import Mistake, Operation, Slip, Working, slip
from symattn.plans.plan import Line, Plan
from symattn.plans.rules import Function, Ruled, Term, called, hidden, mean_of, total_of, vanishes, visible
from symattn.plans.weights import MakesWeights, Order
from symattn.text.bilingual import Bilingual, both, oriented
from symattn.text.errors import UndefinedValue
from symattn.text.notation import Call, Formula, Infinity, Negative, Number, Sum, Symbol

ZERO, ONE = Exact.of(0), Exact.of(1)
ROUNDING = 2.0**-50
HIDDEN = Negative(Infinity())
SUPPORT = Bilingual("the support of a sparsemax, which could not be decided", "未能判定 sparsemax 的支撑集")


def threshold(row: Sequence[Exact]) -> Exact:
    """The tau that is subtracted from a row: (the sum of its k largest logits - 1)/k, with the largest k for
    which the smallest of these is above it.

    Raises UndefinedValue where the order of two numbers could not be decided, or no key is visible.
    """
    logits = visible(row)
    if not logits:
        raise UndefinedValue(
            Bilingual("a sparsemax over no visible key", "sparsemax 没有可见的键"),
            Bilingual("a mask that leaves a key for every query", "掩码应给每个查询至少留一个键"),
        )
    total, found = ZERO, ZERO
    for k, x in enumerate(descending(logits, SUPPORT), 1):
        total = total + x
        tau = (total - ONE) / Exact.of(k)
        if decided(x, tau, SUPPORT) > 0:
            found = tau
    return found


THRESHOLD = called("threshold", lambda *row: threshold(row))
CUT = Function(
    lambda x, tau: x - tau if decided(x, tau, SUPPORT) > 0 else ZERO,
    lambda x, tau: Call("max", (Number("0"), Sum((x, Negative(tau))))),
)


def _highest_mean(row: Sequence[arb]) -> arb:
    """`threshold` on balls: the largest of all (sum of the k largest - 1)/k."""
    sums, found = arb(-1), []
    for k, x in enumerate(sorted(row, key=lambda x: x.mid(), reverse=True), 1):
        sums += x
        found.append(sums / k)
    return most(found)


class Sparsemax(Ruled, Differentiable, MakesWeights, frozen=True):
    """max(S - tau, 0) for logits S (n_q, n_k), with the tau of each row for which it sums to 1.

    Raises UndefinedValue where the support of a row could not be decided.
    """

    working: ClassVar[Working] = "rule"
    symbols: ClassVar[tuple[str, ...]] = ("tau",)
    example_arguments: ClassVar = ([[1, 2, 2], [3, -5, 3]],)

    def entries(self, i: int, *arguments: Any) -> Sequence[Any]:
        (tau,) = self.shared(i, *arguments)
        return [ZERO if hidden(x) else self._cut(x, tau) for x in arguments[0].row(i)]

    def _cut(self, x: Any, tau: Any) -> Any:
        return CUT(x, tau)

    def shared(self, i: int, *arguments: Any) -> tuple[Any, ...]:
        return (THRESHOLD(*visible(arguments[0].row(i))),)

    def floats(self, *arguments: Floats) -> Floats:
        (scores,) = arguments
        real = np.real(scores)
        order = np.argsort(-real, axis=1, kind="stable")
        largest = np.take_along_axis(real, order, axis=1)
        counts = np.arange(1, real.shape[1] + 1)
        above = 1 + counts * largest > np.cumsum(np.where(np.isneginf(largest), 0.0, largest), axis=1)
        sizes = np.sum(above & ~np.isneginf(largest), axis=1, keepdims=True)
        inside = np.zeros(real.shape, bool)
        np.put_along_axis(inside, order, counts <= sizes, axis=1)
        tau = (np.sum(np.where(inside, scores, 0.0), axis=1, keepdims=True) - 1) / sizes
        return np.where(inside, scores - tau, 0.0)

    def error(self, arguments: tuple[Floats, ...], errors: tuple[Floats, ...], result: Floats) -> Floats:
        """Weights move at most twice as far as the logit of their row that moves most."""
        finite = np.where(np.isneginf(arguments[0]), 0.0, arguments[0])
        moved = np.max(np.where(np.isneginf(arguments[0]), 0.0, errors[0]), axis=1, keepdims=True)
        size = 1 + np.max(np.abs(finite), axis=1, keepdims=True)
        bound: Floats = 2 * moved + ROUNDING * finite.shape[1] * size + np.zeros_like(result)
        return bound

    def moves(self, *tables: Table) -> Table | None:
        """A weight rises with its own logit and falls with the others, so it is extreme at the ends."""
        return [[self._moved(j, row) for j in range(len(row))] for row in tables[0]]

    def _moved(self, j: int, row: Sequence[Interval]) -> Interval:
        own = row[j]
        if not own.low.is_finite():
            return NOTHING
        others = [a for k, a in enumerate(row) if k != j and a.low.is_finite()]
        low = self._above(own.low, _highest_mean([own.low, *(a.high for a in others)]))
        if all(a.low is a.high for a in (own, *others)):
            return Interval(low, low)
        return Interval(low, self._above(own.high, _highest_mean([own.high, *(a.low for a in others)])))

    def _above(self, logit: arb, tau: arb) -> arb:
        return (logit - tau).max(arb(0))

    def formula(self, *arguments: Formula) -> Formula:
        return Call("sparsemax", arguments)

    def order(self, line: Line, lines: Mapping[str, Line]) -> Order:
        """None for certain: all logits below the threshold have the weight 0."""
        return "none"

    def gradient(self, line: Line, g: str, forward: Forward) -> Shares:
        return (Share(line.args[0], SparsemaxBackward(), (line.name, g)),)

    def slips(self) -> tuple[Slip, ...]:
        return (
            slip(
                "sparsemax-not-cut-off",
                "kept the negative differences instead of cutting off at 0",
                "保留了负的差，而没有截断为 0",
                Uncut(),
            ),
        )


class Uncut(Sparsemax, frozen=True):
    """The mistake of S - tau without the cut at 0."""

    def _cut(self, x: Any, tau: Any) -> Any:
        return x - tau

    def floats(self, *arguments: Floats) -> Floats:
        (scores,) = arguments
        weights = Sparsemax.floats(self, scores)
        inside = np.real(weights) > 0
        count = np.sum(inside, axis=1, keepdims=True)
        tau = (np.sum(np.where(inside, scores, 0.0), axis=1, keepdims=True) - 1) / count
        return np.where(np.isneginf(np.real(scores)), 0.0, scores - tau)

    def _above(self, logit: arb, tau: arb) -> arb:
        return logit - tau

    def slips(self) -> tuple[Slip, ...]:
        return ()


def _positive(weight: Any) -> bool:
    return not vanishes(weight) and (isinstance(weight, Term) or decided(weight, ZERO, SUPPORT) > 0)


class SparsemaxBackward(Ruled, frozen=True):
    """dS = dA - the mean of dA over the support of the row, and 0 outside, for A and dA (n_q, n_k)."""

    differentiates_weights: ClassVar[bool] = True
    working: ClassVar[Working] = "rule"

    def shape(self, *shapes: Shape) -> Shape:
        return agreed(shapes, Bilingual("weights of {a} and a gradient of {b}", "权重是 {a}，梯度是 {b}"))

    def entries(self, i: int, *arguments: Any) -> Sequence[Any]:
        weights, slopes = (matrix.row(i) for matrix in arguments)
        inside = [_positive(a) for a in weights]
        apart = self._apart(slopes, [g for g, within in zip(slopes, inside, strict=True) if within])
        return [x if within else ZERO for x, within in zip(apart, inside, strict=True)]

    def _apart(self, slopes: Sequence[Any], chosen: Sequence[Any]) -> Sequence[Any]:
        """The slopes less the mean of those over the support."""
        mean = mean_of(chosen, spelled=True)
        return [total_of((g, -mean), spelled=True) for g in slopes]

    def moves(self, *tables: Table) -> Table | None:
        """Each key that may be in the support: its gradient less the mean over the support."""
        return [self._moved(*row) for row in zip(*tables, strict=True)]

    def _moved(self, weights: Sequence[Interval], slopes: Sequence[Interval]) -> list[Interval]:
        within = [bool(not a.high <= 0) for a in weights]
        open_ = any(inside and not a.low > 0 for a, inside in zip(weights, within, strict=True))
        chosen = [g for g, inside in zip(slopes, within, strict=True) if inside]

        def one(j: int) -> Interval:
            own = slopes[j]
            if open_:  # the mean of some of them lies between the least and the greatest
                low = own.low - most([g.high for g in chosen])
                high = own.high - least([g.low for g in chosen])
                if weights[j].low > 0:
                    return Interval(low, high)
                return Interval(low.min(arb(0)), high.max(arb(0)))
            others = total(g for k, g in enumerate(slopes) if within[k] and k != j)
            share = arb(1) / len(chosen)
            low = own.low * (1 - share) - others.high * share
            moved = own.low is not own.high or others.low is not others.high
            return Interval(low, own.high * (1 - share) - others.low * share if moved else low)

        return [one(j) if inside else NOTHING for j, inside in enumerate(within)]

    def floats(self, *arguments: Floats) -> Floats:
        weights, slopes = arguments
        inside = np.real(weights) > 0
        total = np.sum(np.where(inside, slopes, 0.0), axis=1, keepdims=True)
        mean = total / np.sum(inside, axis=1, keepdims=True)
        return np.where(inside, slopes - mean, 0.0)

    def error(self, arguments: tuple[Floats, ...], errors: tuple[Floats, ...], result: Floats) -> Floats:
        """Twice as far as the gradient that moves most; no bound where the support may be another."""
        moved = np.max(errors[1], axis=1, keepdims=True)
        size = np.max(np.abs(arguments[1]), axis=1, keepdims=True)
        open_ = np.any((np.abs(arguments[0]) <= errors[0]) & (errors[0] > 0), axis=1, keepdims=True)
        bound = 2 * moved + ROUNDING * result.shape[1] * size + np.zeros_like(result)
        return np.where(open_, np.inf, bound)

    def formula(self, *arguments: Formula) -> Formula:
        return Call("sparsemax'", arguments)

    def slips(self) -> tuple[Slip, ...]:
        return (
            slip(
                "sparsemax-slope-uncentred",
                "not subtracted the mean over the support",
                "没有减去支撑集上的均值",
                UncentredBackward(),
            ),
        )

    @classmethod
    def example(cls) -> tuple[Operation, tuple[Matrix, ...]]:
        half = Exact.of(1) / Exact.of(2)
        weights = Matrix.of([[half, half, ZERO], [ONE, ZERO, ZERO]])
        return cls(), (weights, Matrix.rational([[3, 4, 1], [6, 7, 2]]))


class UncentredBackward(Mistake, SparsemaxBackward, frozen=True):
    """The mistake of dA on the support alone."""

    def _apart(self, slopes: Sequence[Any], chosen: Sequence[Any]) -> Sequence[Any]:
        return slopes

    def floats(self, *arguments: Floats) -> Floats:
        weights, slopes = arguments
        return np.where(np.real(weights) > 0, slopes, 0.0)


class SparsemaxNormaliser(Normaliser):
    """`normaliser = "sparsemax"`."""

    name = "sparsemax"
    text = both('normaliser = "sparsemax"')
    operations = (Sparsemax, SparsemaxBackward)
    keys = (normaliser("sparsemax", "the nearest point of the simplex, in which far keys have the weight 0"),)

    def weights(self, head: Head, logits: str) -> Plan:
        return (Line(f"{head.tag}A", Sparsemax(), (logits,)),)

    def clauses(self, case: Case, plan: Plan, spell: Spell) -> Iterator[Clause]:
        if any(isinstance(line.op, Sparsemax) for line in plan):
            tau = Symbol("tau")
            yield Clause(
                oriented(
                    "the weights of a [row|column] are {weights}, where {tau}, the threshold of its "
                    "scores, makes them sum to 1 (sparsemax)",
                    "每[行|列]的权重为 {weights}，其中 {tau} 是该[行|列]得分的阈值，"
                    "使权重之和为 1（sparsemax）",
                ),
                {"weights": Call("max", (Number("0"), Sum((Symbol("s"), Negative(tau))))), "tau": tau},
            )


VARIANT = SparsemaxNormaliser()
