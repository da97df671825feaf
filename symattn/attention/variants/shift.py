"""Scores relative to the largest of their row, S - max S, as implementations take the exponentials of.

The weights are the same: numerator and denominator of the softmax are divided by one factor. Blanchard,
Higham and Higham 2021, "Accurately computing the log-sum-exp and softmax functions", eq. (3.4).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from symattn.attention.case import Case
from symattn.attention.keys import Key
from symattn.attention.quantities import Quantity
from symattn.attention.variant import Clause, Head, Spell, Variant
from symattn.exact.matrix import Matrix
from symattn.exact.maximum import largest
from symattn.exact.number import Exact, Infinite
from symattn.floats.arrays import Floats, np
from symattn.floats.interval import Interval, most
from symattn.floats.tables import Table
from symattn.plans.kinds import Shifting
from symattn.plans.operation import Mistake, Operation, Slip, Working, slip
from symattn.plans.ops.unchanged import Unchanged
from symattn.plans.plan import Line, Plan
from symattn.text.bilingual import Bilingual, both, oriented
from symattn.text.notation import Call, Formula, Grid, Infinity, Negative, Series, Sum, Symbol


class BelowMaximum(Shifting, frozen=True):
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

    def exact(self, *arguments: Matrix) -> Matrix:
        rows = list(arguments[0].rows())
        maxima = self._maxima(rows)
        return Matrix.of(
            [
                [x if isinstance(x, Infinite) else x - maximum for x in row] if self._shifts(i) else row
                for i, (row, maximum) in enumerate(zip(rows, maxima, strict=True))
            ]
        )

    def _maxima(self, rows: Sequence[Sequence[Exact]]) -> list[Exact]:
        """What is subtracted from each row."""
        return [largest(row) for row in rows]

    def floats(self, *arguments: Floats) -> Floats:
        (scores,) = arguments
        maxima = self._float_maxima(scores)
        maxima = np.where(np.isneginf(np.real(maxima)), 0.0, maxima)
        hidden = np.isneginf(np.real(scores))
        shifts = np.array([[1.0 if self._shifts(i) else 0.0] for i in range(scores.shape[0])])
        return np.where(hidden, -np.inf, np.where(hidden, 0.0, scores) - maxima * shifts)

    def moves(self, *tables: Table) -> Table | None:
        return [_less_largest(row) if self._shifts(i) else row for i, row in enumerate(tables[0])]

    def _float_maxima(self, scores: Floats) -> Floats:
        maxima: Floats = np.max(scores, axis=1, keepdims=True)
        return maxima

    def formula(self, *arguments: Formula) -> Formula:
        (scores,) = arguments
        return Sum((scores, Negative(Series("max", Symbol("j"), None, None, scores))))

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        (scores,) = arguments
        score = scores.rows[i][j]
        if score == Negative(Infinity()) or not self._shifts(i):
            return score
        cells = tuple(cell for cell in self._among(i, scores) if cell != Negative(Infinity()))
        return Sum((score, Negative(Call("max", cells) if len(cells) > 1 else cells[0])))

    def _among(self, i: int, scores: Grid) -> Sequence[Formula]:
        """The scores of which the largest is subtracted from row i."""
        return scores.rows[i]

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


class MaximumLessScores(Mistake, BelowMaximum, frozen=True):
    """The mistake of m - S."""

    def exact(self, *arguments: Matrix) -> Matrix:
        below = BelowMaximum.exact(self, *arguments).rows()
        return Matrix.of(
            [
                [x if isinstance(x, Infinite) else -x for x in row] if self._shifts(i) else list(row)
                for i, row in enumerate(below)
            ]
        )

    def floats(self, *arguments: Floats) -> Floats:
        below = BelowMaximum.floats(self, *arguments)
        shifts = np.array([[self._shifts(i)] for i in range(below.shape[0])])
        return np.where(np.isneginf(np.real(below)) | ~shifts, below, -below)

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        match BelowMaximum.entry(self, i, j, *arguments):
            case Sum(terms=(score, Negative(term=maximum))) if self._shifts(i):
                return Sum((maximum, Negative(score)))
            case score:
                return score


class BelowMaximumOfAll(Mistake, BelowMaximum, frozen=True):
    """The mistake of subtracting the largest score of the whole matrix."""

    def _maxima(self, rows: Sequence[Sequence[Exact]]) -> list[Exact]:
        return [largest([x for row in rows for x in row])] * len(rows)

    def _float_maxima(self, scores: Floats) -> Floats:
        maxima: Floats = np.max(scores, axis=None, keepdims=True)
        return maxima

    def _among(self, i: int, scores: Grid) -> Sequence[Formula]:
        return [cell for row in scores.rows for cell in row]


class ShiftVariant(Variant):
    """`shift`: the exponentials are those of the scores less the largest of their row."""

    name = "shift"
    text = both('shift = "max"')
    operations = (BelowMaximum,)
    keys = (
        Key(
            "shift",
            "choice",
            "max: the exponentials are those of the scores less the largest of their row, exp(s - max)",
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
            heading=oriented("Scores below the largest of their [row|column]", "减去[行|列]最大值后的得分"),
            meaning=Bilingual("Keeps the exponentials from becoming too large.", "避免指数过大。"),
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
