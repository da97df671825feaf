"""Scores relative to the largest of their row, S - max S, as implementations take the exponentials of.

The weights are the same: numerator and denominator of the softmax are divided by one factor. Blanchard,
Higham and Higham 2021, "Accurately computing the log-sum-exp and softmax functions", eq. (3.4).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, ClassVar

from symattn.attention.case import Case
from symattn.attention.keys import Key
from symattn.attention.quantities import Quantity
from symattn.attention.variant import Clause, Head, Spell, Variant
from symattn.floats.arrays import Floats, np
from symattn.floats.interval import Interval, most
from symattn.floats.tables import Table
from symattn.plans.kinds import Shifting
from symattn.plans.operation import Mistake, Operation, Slip, Working, slip
from symattn.plans.ops.pieces import Exchanged, Subtracting
from symattn.plans.ops.unchanged import Unchanged
from symattn.plans.plan import Line, Plan
from symattn.plans.rules import Ruled, every, hidden, maximum, visible
from symattn.text.bilingual import Bilingual, both, oriented
from symattn.text.notation import Formula, Negative, Series, Sum, Symbol


class BelowMaximum(Subtracting, Ruled, Shifting, frozen=True):
    """S - m for scores S (n_q, n_k) and the maximum m of each row; a hidden score stays minus infinity.

    With `rows` only these rows, from 0, are shifted, and the others are left as they are: authors do not
    always do the same in all of them.
    """

    finite_decimals: ClassVar[bool] = True
    working: ClassVar[Working] = "rule"
    example_arguments: ClassVar = ([[1, 2], [3, -5]],)
    rows: frozenset[int] | None = None

    def _shifts(self, i: int) -> bool:
        return self.rows is None or i in self.rows

    def entries(self, i: int, *arguments: Any) -> Sequence[Any]:
        row = arguments[0].row(i)
        cells = visible(self._among(i, arguments[0])) if self._shifts(i) else ()
        return [self._apart(x, maximum(*cells)) if cells and not hidden(x) else x for x in row]

    def floats(self, *arguments: Floats) -> Floats:
        (scores,) = arguments
        maxima = self._float_maxima(scores)
        maxima = np.where(np.isneginf(np.real(maxima)), 0.0, maxima)
        hidden = np.isneginf(np.real(scores))
        kept = np.array([[not self._shifts(i)] for i in range(scores.shape[0])]) | hidden
        return np.where(kept, scores, self._apart(np.where(hidden, 0.0, scores), maxima))

    def moves(self, *tables: Table) -> Table | None:
        return [_less_largest(row) if self._shifts(i) else row for i, row in enumerate(tables[0])]

    def _float_maxima(self, scores: Floats) -> Floats:
        maxima: Floats = np.max(scores, axis=1, keepdims=True)
        return maxima

    def formula(self, *arguments: Formula) -> Formula:
        (scores,) = arguments
        return Sum((scores, Negative(Series("max", Symbol("j"), None, None, scores))))

    def _among(self, i: int, scores: Any) -> Iterable[Any]:
        """The scores of which the largest is subtracted from row i."""
        return scores.row(i)  # type: ignore[no-any-return]

    def for_derivative(self) -> Operation:
        """Nothing: what is subtracted cancels in the weights, and a maximum has no derivative at a tie."""
        return Unchanged()

    def slips(self) -> tuple[Slip, ...]:
        return (
            slip(
                "maximum-kept",
                "not subtracted the maximum of the [row|column]",
                "没有减去该[行|列]的最大值",
                Unchanged(),
            ),
            slip(
                "maximum-less-score",
                "subtracted the scores from the maximum of their [row|column] instead of the reverse",
                "用该[行|列]的最大值减去得分，方向反了",
                MaximumLessScores(self.rows),
            ),
            slip(
                "maximum-of-all",
                "subtracted the largest score of the whole matrix instead of that of the [row|column]",
                "减去了整个矩阵的最大值，而不是该[行|列]的最大值",
                BelowMaximumOfAll(self.rows),
            ),
        )


def _less_largest(row: Sequence[Interval]) -> list[Interval]:
    """Each score less the largest of the row, which it may be itself: at most 0."""
    found = []
    for j, a in enumerate(row):
        others = [b for k, b in enumerate(row) if k != j and b.low.is_finite()]
        if not a.low.is_finite():
            found.append(a)
        elif all(b.low is b.high for b in (a, *others)):
            apart = a.low - most([a.low, *(b.low for b in others)])
            found.append(Interval(apart, apart))
        else:
            low = a.low - most([a.low, *(b.high for b in others)])
            found.append(Interval(low, a.high - most([a.high, *(b.low for b in others)])))
    return found


class MaximumLessScores(Exchanged, BelowMaximum, frozen=True):
    """The mistake of m - S."""


class BelowMaximumOfAll(Mistake, BelowMaximum, frozen=True):
    """The mistake of subtracting the largest score of the whole matrix."""

    def _float_maxima(self, scores: Floats) -> Floats:
        maxima: Floats = np.max(scores, axis=None, keepdims=True)
        return maxima

    def _among(self, i: int, scores: Any) -> Iterable[Any]:
        return every(scores)


class ShiftVariant(Variant):
    """`shift`: the exponentials are those of the scores less the largest of their row."""

    name = "shift"
    text = both('shift = "max"')
    operations = (BelowMaximum,)
    keys = (
        Key(
            "shift",
            "choice",
            "max: the exponentials are those of the scores minus the row maximum, exp(s - max)",
            ("none", "max"),
            default="none",
        ),
    )
    goes_without = frozenset({"sink", "linear", "online"})
    quantities = (
        Quantity(
            "shifted",
            ("n_q", "n_k"),
            letter="Delta",
            heading=oriented("Scores minus the [row|column] maximum", "减去[行|列]最大值后的得分"),
            meaning=Bilingual(
                "Makes every exponential at most 1, so that none overflows.",
                "使指数都不超过 1，因此不会溢出。",
            ),
            logit=True,
            after="tempered",
        ),
    )

    def after_mask(self, head: Head, scores: str) -> Plan:
        return (Line(f"{head.tag}shifted", BelowMaximum(), (scores,)),)

    def clauses(self, case: Case, plan: Plan, spell: Spell) -> Iterator[Clause]:
        if any(isinstance(line.op, BelowMaximum) for line in plan):
            yield Clause(
                oriented(
                    "the largest score of each [row|column] is subtracted before the exponentials",
                    "取指数之前减去每[行|列]的最大得分",
                )
            )


VARIANT = ShiftVariant()
