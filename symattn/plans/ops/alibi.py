"""ALiBi: a bias that grows with the distance of query and key. Press, Smith and Lewis 2022, section 3."""

from __future__ import annotations

from typing import Any, ClassVar

from msgspec.structs import replace

from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.exact.spell import spell
from symattn.floats.arrays import Floats, np
from symattn.floats.from_exact import to_float
from symattn.plans.gradient import Differentiable, Forward, Share, Shares
from symattn.plans.kinds import DistanceBias
from symattn.plans.operation import Operation, Slip
from symattn.plans.ops.add import PassOn
from symattn.plans.plan import Line
from symattn.plans.rules import Ruled, hidden, like, signed
from symattn.plans.slips import mistake
from symattn.text.notation import Absolute, Formula, Negative, Product, Sum, Symbol


class Alibi(Ruled, DistanceBias, Differentiable, frozen=True):
    """S - m |i - j| for scores S (n_q, n_k): `slope` m, `offset` keys before the first query.

    `times` is 1; 0 leaves the bias out and -1 rewards distance, the two mistakes.
    """

    finite_decimals: ClassVar[bool] = True
    offset: int = 0
    times: int = 1

    def _distance(self, i: int, j: int) -> int:
        return abs(i + self.offset - j)

    def cell(self, i: int, j: int, *arguments: Any) -> Any:
        score, distance = arguments[0][i, j], self._distance(i, j)
        if hidden(score) or not distance:
            return score
        return signed(score, -self.times, like(score, self.slope) * Exact.of(distance))

    def floats(self, *arguments: Floats) -> Floats:
        return arguments[0] + self._bias(arguments[0].shape)

    def _bias(self, shape: tuple[int, ...]) -> Floats:
        i, j = np.indices(shape)
        bias: Floats = -self.times * to_float(self.slope) * np.abs(i + self.offset - j)
        return bias

    def formula(self, *arguments: Formula) -> Formula:
        distance = Absolute(Sum((Symbol("i"), Negative(Symbol("j")))))
        scores = arguments[0]
        slope = Symbol("m", sup=scores.sup) if isinstance(scores, Symbol) else spell(self.slope)
        return Sum((scores, Negative(Product((slope, distance)))))

    def gradient(self, line: Line, g: str, forward: Forward) -> Shares:
        return (Share(line.args[0], PassOn(), (g,)),)

    def slips(self) -> tuple[Slip, ...]:
        if self.times != 1:
            return ()
        return (
            mistake("alibi-omitted", replace(self, times=0)),
            mistake("alibi-rewarded", replace(self, times=-1)),
        )

    @classmethod
    def example(cls) -> tuple[Operation, tuple[Matrix, ...]]:
        return cls(Exact.of(1) / Exact.of(2)), (Matrix.rational([[1, 2], [3, -5]]),)
