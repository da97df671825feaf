"""Attention sinks: one more term in the denominator, e^sink, whose weight goes nowhere, and its gradient.

With a sink of 0 this is the softmax plus one: 1 + sum of e^s. Miller 2023, "Attention is off by one";
a learned sink for each head: gpt-oss model card (2025), section 2; Xiao et al. 2023 for the phenomenon.
A_ij = e^(s_ij) / (e^z + sum_k e^(s_ik)), differentiated by z: the weight of a sink is what the keys leave.
"""

from __future__ import annotations

from typing import Any, ClassVar

from msgspec.structs import replace

from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.exact.shapes import Shape, agreed, require
from symattn.exact.weighted import Weighted
from symattn.floats.arrays import Floats, np
from symattn.floats.tables import Table, total
from symattn.plans.base import Base, E
from symattn.plans.kinds import Denominators
from symattn.plans.operation import Mistake, Slip, Working
from symattn.plans.ops.exponential import Exponential, as_logit
from symattn.plans.ops.row_sums import RowSums
from symattn.plans.rules import Ruled, Written, dot, formula_of, like, power, times_log, total_of
from symattn.plans.slips import mistake
from symattn.text.bilingual import Bilingual
from symattn.text.notation import (
    Formula,
    Grid,
    Negative,
    Number,
    Power,
    Product,
    Series,
    Sum,
    Symbol,
    product_of,
)


class SinkSums(Ruled, Denominators, frozen=True):
    """Row sums of exponentials (n_q, n_k) plus e^sink: (n_q, 1). The sinks are one row, one a head.

    `head` counts from 0; a single sink serves every head.
    """

    example_arguments: ClassVar = ([[1, 2], [3, 5]], [[2]])
    head: int = 0
    base: Base = E

    @property
    def plain(self) -> bool:
        return False

    def shape(self, *shapes: Shape) -> Shape:
        (n, _), sinks = shapes
        require(
            sinks[0] == 1 and (sinks[1] == 1 or self.head < sinks[1]),
            (sinks,),
            "the sinks are {0}",
            "汇点是 {0}",
            "one [row|column]: a sink for every head, or one for all of them",
            "应为一[行|列]：每个头一个汇点，或所有头共用一个",
        )
        return n, 1

    def _at(self, width: int) -> int:
        return 0 if width == 1 else self.head

    def exact(self, *arguments: Matrix) -> Matrix:
        powers, sinks = arguments
        if isinstance(powers, Weighted) and powers.base == self.base.value:
            return powers.sums_with(as_logit(self._chosen(sinks)))
        return Ruled.exact(self, *arguments)

    def cell(self, i: int, j: int, *arguments: Any) -> Any:
        powers, sinks = arguments
        return total_of((*powers.row(i), self._term(self._chosen(sinks))), spelled=True)

    def _chosen(self, sinks: Any) -> Any:
        """The head's own sink."""
        return sinks[0, self._at(sinks.shape[1])]

    def _term(self, sink: Any) -> Any:
        return power(self.base, sink)

    def floats(self, *arguments: Floats) -> Floats:
        powers, sinks = arguments
        totals: Floats = np.sum(powers, axis=1, keepdims=True)
        at = self._at(sinks.shape[1])
        return totals + self._float_term(sinks[:, at : at + 1])

    def _float_term(self, sink: Floats) -> Floats:
        return self.base.float_powers(sink)

    def moves(self, *tables: Table) -> Table | None:
        powers, sinks = tables
        sums = [[total(row)] for row in powers]
        sink = sinks[0][self._at(len(sinks[0]))]
        extra = Exponential(self.base).moves([[sink]])
        assert extra is not None
        return [[row[0] + extra[0][0]] for row in sums]

    def more_logits(self, *arguments: Floats) -> Floats | None:
        """The head's own sink."""
        (sinks,) = arguments
        at = self._at(sinks.shape[1])
        return sinks[:, at : at + 1]

    def formula(self, *arguments: Formula) -> Formula:
        series = Series("sum", Symbol("j"), Number("1"), Symbol("n"), arguments[0])
        return Sum((series, Power(self.base.written, arguments[1])))

    def more_terms(self, *arguments: Grid) -> Formula | None:
        return formula_of(self._chosen(Written.of(arguments[0])))

    def slips(self) -> tuple[Slip, ...]:
        return (
            mistake("sink-omitted", RowSums()),
            mistake("sink-unexponentiated", SumsWithSinkItself(self.head, self.base)),
        )


class SumsWithSinkItself(Mistake, SinkSums, frozen=True):
    """The mistake of the sink for its exponential."""

    def exact(self, *arguments: Matrix) -> Matrix:
        return Ruled.exact(self, *arguments)

    def _term(self, sink: Any) -> Any:
        return sink

    _float_term = _term


ZERO, ONE = Exact.of(0), Exact.of(1)


class SinkBackward(Ruled, frozen=True):
    """dz = -sum_i (1 - sum_k A_ik) sum_k A_ik dA_ik for weights A and their gradient dA: (1, 1).

    The logarithm of the `base` is a factor. The whole is multiplied by `sign`, -1,
    and the weight of the sink, 1 - sum_k A_ik, has the `power` 1.
    """

    differentiates_weights: ClassVar[bool] = True
    working: ClassVar[Working] = "rule"
    example_fields: ClassVar = (Base(Exact.of(2)),)
    example_arguments: ClassVar = ([[1, 2], [3, 5]], [[2, -1], [1, 4]])
    base: Base = E
    sign: int = -1
    power: int = 1

    def shape(self, *shapes: Shape) -> Shape:
        agreed(shapes, Bilingual("the weights are {a}, their gradient {b}", "权重是 {a}，其梯度是 {b}"))
        return 1, 1

    def cell(self, i: int, j: int, *arguments: Any) -> Any:
        terms = []
        for weights, slopes in zip(*(matrix.rows() for matrix in arguments), strict=True):
            left = total_of((like(weights[0], ONE), *(-a for a in weights)))
            terms.append(left * dot(weights, slopes) if self.power else dot(weights, slopes))
        total = times_log(self.base, total_of(terms))
        return -total if self.sign < 0 else total

    def floats(self, *arguments: Floats) -> Floats:
        weights, slopes = arguments
        left = 1 - np.sum(weights, axis=1, keepdims=True) if self.power else 1.0
        total: Floats = np.sum(left * np.sum(weights * slopes, axis=1, keepdims=True), keepdims=True)
        return self.sign * total * self.base.float_log

    def formula(self, *arguments: Formula) -> Formula:
        weights, slopes = arguments

        def over(index: str, body: Formula) -> Formula:
            return Series("sum", Symbol(index), None, None, body)

        left = Sum((Number("1"), Negative(over("k", weights))))
        dots = over("k", Product((weights, slopes), "circle"))
        return product_of((*self.base.written_log, Negative(over("i", Product((left, dots))))))

    def slips(self) -> tuple[Slip, ...]:
        if (self.sign, self.power) != (-1, 1):
            return ()
        return (
            mistake("sink-slope-sign", replace(self, sign=1)),
            mistake("sink-slope-unweighted", replace(self, power=0)),
        )
