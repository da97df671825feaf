"""Scalar losses: the sum, half the squared error, and the cross-entropy of a softmax, with their gradients.

Bishop 1995, "Neural Networks for Pattern Recognition", sections 6.1 and 6.9: for both of the latter the
gradient is a difference, of the output and the target or of the probabilities and the target.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, ClassVar

from flint import fmpq

from symattn.exact.decision import equal
from symattn.exact.functions import log
from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.exact.shapes import Shape, agreed
from symattn.exact.sums import summed
from symattn.floats.arrays import Floats, np
from symattn.floats.tables import Table, total
from symattn.plans.operation import Mistake, Operation, Slip, Working
from symattn.plans.ops.exponential import Exponential
from symattn.plans.ops.normalise import Normalise
from symattn.plans.ops.pieces import Exchanged, Subtracting
from symattn.plans.rules import (
    Ruled,
    Term,
    called,
    divided,
    every,
    exp,
    formula_of,
    square,
    total_of,
    vanishes,
)
from symattn.plans.slips import mistake
from symattn.text.bilingual import Bilingual, oriented
from symattn.text.errors import UnusableValue
from symattn.text.notation import (
    EVERYWHERE,
    Call,
    Formula,
    Negative,
    Number,
    Power,
    Product,
    Quotient,
    Series,
)

ZERO, ONE, TWO = Exact.of(0), Exact.of(1), Number("2")
OUTPUT_AND_TARGET = Bilingual("the output is {a}, the target {b}", "输出是 {a}，目标是 {b}")


class Ones(Ruled, frozen=True):
    """The gradient of a sum of all entries of Z (n, d): 1 everywhere."""

    finite_decimals: ClassVar[bool] = True
    working: ClassVar[Working] = "rule"
    example_arguments: ClassVar = ([[1, 2], [3, 5]],)

    def cell(self, i: int, j: int, *arguments: Any) -> Any:
        return ONE

    def floats(self, *arguments: Floats) -> Floats:
        return np.ones_like(arguments[0])

    def formula(self, *arguments: Formula) -> Formula:
        return Call("ones", arguments)

    def slips(self) -> tuple[Slip, ...]:
        return (mistake("loss-averaged", MeanOnes()),)


class MeanOnes(Mistake, Ones, frozen=True):
    """The mistake of the gradient of a mean."""

    def cell(self, i: int, j: int, *arguments: Any) -> Any:
        n, m = arguments[0].shape
        return Exact.of(Fraction(1, n * m))

    def floats(self, *arguments: Floats) -> Floats:
        return Ones.floats(self, *arguments) / arguments[0].size


class Difference(Subtracting, Ruled, frozen=True):
    """Z - T for an output (or probabilities) and a target of one shape."""

    finite_decimals: ClassVar[bool] = True
    example_arguments: ClassVar = ([[1, 2], [3, 5]], [[2, -1], [1, 4]])

    def shape(self, *shapes: Shape) -> Shape:
        return agreed(shapes, OUTPUT_AND_TARGET)

    def cell(self, i: int, j: int, *arguments: Any) -> Any:
        return self._apart(*(matrix[i, j] for matrix in arguments))

    def floats(self, *arguments: Floats) -> Floats:
        apart: Floats = self._apart(*arguments)
        return apart

    def formula(self, *arguments: Formula) -> Formula:
        return formula_of(self._apart(*map(Term, arguments)))

    def slips(self) -> tuple[Slip, ...]:
        return (mistake("error-reversed", TargetLessOutput()),)


class TargetLessOutput(Exchanged, Difference, frozen=True):
    """The mistake of T - Z."""


class HalfSquares(Ruled, frozen=True):
    """The sum of the squares of all errors (n, d) `over` 2: (1, 1)."""

    finite_decimals: ClassVar[bool] = True
    working: ClassVar[Working] = "rule"
    example_arguments: ClassVar = ([[1, 2], [3, -5]],)
    over: int = 2

    def shape(self, *shapes: Shape) -> Shape:
        return 1, 1

    def cell(self, i: int, j: int, *arguments: Any) -> Any:
        squares = total_of(map(square, every(arguments[0])), exact=summed)
        return squares / Exact.of(self.over)

    def floats(self, *arguments: Floats) -> Floats:
        total: Floats = np.sum(arguments[0] ** 2, keepdims=True)
        return total / self.over

    def formula(self, *arguments: Formula) -> Formula:
        squares = Series("sum", EVERYWHERE, None, None, Power(arguments[0], TWO))
        return Product((Quotient(Number("1"), TWO), squares))

    def slips(self) -> tuple[Slip, ...]:
        if self.over != 2:
            return ()
        return (mistake("loss-unhalved", HalfSquares(over=1)),)


class Probabilities(Ruled, frozen=True):
    """The softmax of every row of an output Z (n, d): what a cross-entropy is taken of."""

    working: ClassVar[Working] = "rule"
    example_arguments: ClassVar = ([[1, 2], [3, 5]],)

    def entries(self, i: int, *arguments: Any) -> Sequence[Any]:
        powers = [exp(x) for x in arguments[0].row(i)]
        return divided(powers, total_of(powers))

    def floats(self, *arguments: Floats) -> Floats:
        powers = np.exp(arguments[0] - np.max(arguments[0], axis=1, keepdims=True))
        made: Floats = powers / np.sum(powers, axis=1, keepdims=True)
        return made

    def moves(self, *tables: Table) -> Table | None:
        powers = Exponential().moves(*tables)
        if powers is None:
            return None
        sums = [[total(row)] for row in powers]
        return Normalise().shares(powers, sums, [True] * len(powers), fmpq(0), plain=True)

    def formula(self, *arguments: Formula) -> Formula:
        return Call("softmax", arguments)

    def slips(self) -> tuple[Slip, ...]:
        return (mistake("probabilities-columns", ColumnProbabilities()),)


class ColumnProbabilities(Mistake, Probabilities, frozen=True):
    """The mistake of the softmax down the columns."""

    def cell(self, i: int, j: int, *arguments: Any) -> Any:
        return Probabilities.entries(self, j, arguments[0].T)[i]

    def entries(self, i: int, *arguments: Any) -> Sequence[Any]:
        return Ruled.entries(self, i, *arguments)

    def floats(self, *arguments: Floats) -> Floats:
        return Probabilities.floats(self, arguments[0].T).T


LN = called("ln", log)


class CrossEntropy(Ruled, frozen=True):
    """-sum_ij T_ij ln P_ij for probabilities P and a target T whose rows sum to 1: (1, 1).

    Raises UnusableValue for a target that is no distribution. The `sign` is -1.
    """

    working: ClassVar[Working] = "rule"
    sign: int = -1

    def shape(self, *shapes: Shape) -> Shape:
        agreed(shapes, OUTPUT_AND_TARGET)
        return 1, 1

    def exact(self, *arguments: Matrix) -> Matrix:
        if any(equal(total_of(wanted), ONE) is not True for wanted in arguments[1].rows()):
            raise UnusableValue(
                oriented("a [row|column] of the target does not sum to 1", "目标中有一[行|列]的和不是 1"),
                oriented(
                    "cross-entropy needs a distribution a [row|column]: 1 for the wanted "
                    "[column|row] and 0 elsewhere",
                    "交叉熵要求目标的每一[行|列]都是一个分布：正确的那一[列|行]为 1，其余为 0",
                ),
            )
        return Ruled.exact(self, *arguments)

    def cell(self, i: int, j: int, *arguments: Any) -> Any:
        pairs = zip(*map(every, arguments), strict=True)
        total = total_of(wanted * LN(made) for made, wanted in pairs if not vanishes(wanted))
        return -total if self.sign < 0 else total

    def floats(self, *arguments: Floats) -> Floats:
        terms = np.where(arguments[1] == 0, 0.0, arguments[1] * np.log(arguments[0]))
        total: Floats = np.sum(terms, keepdims=True)
        return self.sign * total

    def formula(self, *arguments: Formula) -> Formula:
        made, target = arguments
        return Negative(
            Series("sum", EVERYWHERE, None, None, Product((target, Call("ln", (made,))), "circle"))
        )

    def slips(self) -> tuple[Slip, ...]:
        if self.sign != -1:
            return ()
        return (mistake("cross-entropy-sign", CrossEntropy(sign=1)),)

    @classmethod
    def example(cls) -> tuple[Operation, tuple[Matrix, ...]]:
        thirds = [[Fraction(1, 3), Fraction(2, 3)], [Fraction(1, 4), Fraction(3, 4)]]
        return cls(), (Matrix.rational(thirds), Matrix.rational([[0, 1], [1, 0]]))
