"""Scaling of the scores by 1/sqrt(d_k). Vaswani et al. 2017, eq. (1)."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from symattn.exact.functions import sqrt
from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.exact.spell import spell
from symattn.floats.arrays import Floats
from symattn.floats.from_exact import to_float
from symattn.floats.interval import Interval, point
from symattn.floats.tables import Table
from symattn.plans.gradient import Differentiable, Forward, Share, Shares
from symattn.plans.kinds import D_K, ROOT_D_K, Scaling
from symattn.plans.operation import Operation, Slip
from symattn.plans.plan import Line
from symattn.plans.slips import mistake
from symattn.text.notation import Formula, Grid, Number, Quotient, Root, Symbol

# code, index into `sizes`, whether its root is taken, how it is written
_WRONG_SIZES = (
    ("scale-applied", 0, True, ROOT_D_K),
    ("scale-unrooted", 0, False, D_K),
    ("scale-model-width", 1, True, Root(Symbol("d", sub=Symbol("model")))),
    ("scale-length", 2, True, Root(Symbol("n"))),
    ("scale-without-rotary", 3, True, Root(Symbol("d", sub=Symbol("h")))),
)


class Scale(Scaling, Differentiable, frozen=True):
    """Divide scores (n_q, n_k) by `divisor`, usually sqrt(d_k).

    `spelled` is how the divisor prints (a root of d_k, by default), `value` how its value prints;
    the usual mistakes are made from `sizes`.
    """

    entrywise: ClassVar[bool] = True

    @property
    def rooted(self) -> bool:
        return self.spelled == ROOT_D_K

    def by(self, divisor: Exact) -> Scaling:
        return Scale(divisor, self.spelled, sizes=self.sizes)

    def by_printed(self) -> Operation:
        return ScaleByPrinted(self.divisor, self.spelled, self.value, self.sizes)

    def exact(self, *arguments: Matrix) -> Matrix:
        return arguments[0].scaled(self.divisor.inverse())

    def floats(self, *arguments: Floats) -> Floats:
        return arguments[0] / to_float(self.divisor)

    def moves(self, *tables: Table) -> Table | None:
        factor = point(self.divisor.inverse())
        return [[a * factor for a in row] for row in tables[0]]

    def formula(self, *arguments: Formula) -> Formula:
        return self._over(arguments[0], self.spelled)

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        return self._over(arguments[0].rows[i][j], self.value or self.spelled)

    def _over(self, score: Formula, divisor: Formula) -> Formula:
        """A score over the divisor, unless that is written as 1."""
        return score if divisor == Number("1") else Quotient(score, divisor)

    def gradient(self, line: Line, g: str, forward: Forward) -> Shares:
        """A multiple: the gradient is multiplied likewise."""
        return (Share(line.args[0], self, (g,)),)

    def slips(self) -> tuple[Slip, ...]:
        one, sizes = Exact.of(1), self.sizes or ()
        found = [
            mistake("scale-omitted", self._by(one, Number("1"))),
            mistake(
                "scale-multiplied", self._by(self.divisor.inverse(), Quotient(Number("1"), self.spelled))
            ),
        ]
        for code, size, rooted, spelled in _WRONG_SIZES:
            width = sizes[size] if size < len(sizes) else 0
            if width:
                divisor = sqrt(Exact.of(width)) if rooted else Exact.of(width)
                found.append(mistake(code, self._by(divisor, spelled)))
        taken = {self.divisor}
        kept = []
        for each in found:
            assert isinstance(each.instead, Scale)
            if each.instead.divisor not in taken:
                taken.add(each.instead.divisor)
                kept.append(each)
        return tuple(kept)

    def _by(self, divisor: Exact, spelled: Formula) -> Scale:
        return replace(self, divisor=divisor, spelled=spelled, value=spell(divisor))

    @classmethod
    def example(cls) -> tuple[Operation, tuple[Matrix, ...]]:
        root = sqrt(Exact.of(2))
        return cls(root, value=spell(root), sizes=(2, 3, 5, 7)), (Matrix.rational([[1, 2], [3, 5]]),)


class ScaleByPrinted(Scale, frozen=True):
    """Scores (n_q, n_k) divided by the root of d_k as it was printed, (1, 1): by 1.414, not by sqrt(2)."""

    def exact(self, *arguments: Matrix) -> Matrix:
        return arguments[0].scaled(arguments[1][0, 0].inverse())

    def floats(self, *arguments: Floats) -> Floats:
        quotient: Floats = arguments[0] / arguments[1]
        return quotient

    def moves(self, *tables: Table) -> Table | None:
        scores, ((divisor,),) = tables
        ball = 1 / divisor.high
        factor = Interval(ball, ball if divisor.low is divisor.high else 1 / divisor.low)
        return [[a * factor for a in row] for row in scores]

    def formula(self, *arguments: Formula) -> Formula:
        return Quotient(arguments[0], arguments[1])

    entry = Operation.entry

    def slips(self) -> tuple[Slip, ...]:
        return Scale(self.divisor, self.spelled, self.value, self.sizes).slips()

    @classmethod
    def example(cls) -> tuple[Operation, tuple[Matrix, ...]]:
        printed = Matrix.of([[Exact.of(141) / Exact.of(100)]])
        return cls(sqrt(Exact.of(2)), sizes=(2, 3, 5, 7)), (Matrix.rational([[1, 2], [3, 5]]), printed)
