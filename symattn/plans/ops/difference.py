"""The difference of two attention maps, its factor lambda, and their gradients. Ye et al. 2024, eqs. 1-2."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from msgspec.structs import replace

from symattn.exact.functions import exp
from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.exact.shapes import Shape, agreed, require
from symattn.floats.arrays import Floats, np
from symattn.floats.from_exact import to_float
from symattn.plans.gradient import Differentiable, Forward, Share, Shares
from symattn.plans.operation import Operation, Slip, Working
from symattn.plans.ops.unchanged import Unchanged
from symattn.plans.plan import Line
from symattn.plans.rules import Ruled, called, dot, every, signed
from symattn.plans.slips import mistake
from symattn.text.bilingual import Bilingual
from symattn.text.notation import Call, Formula, Negative, Product, Sum, named

ZERO, ONE = Exact.of(0), Exact.of(1)
INITIAL = named("lambda_init")
EXP = called("exp", exp)


def single(shape: Shape) -> None:
    """Raises ShapeMismatch for anything but a single number."""
    require(
        shape == (1, 1), (shape,), "a {0} matrix for lambda", "λ 是 {0} 矩阵", "a single number", "应为单个数"
    )


def _vectors(shapes: Sequence[Shape]) -> Shape:
    rows = agreed(shapes, Bilingual("vectors of {a} and {b} for lambda", "λ 的向量为 {a} 与 {b}"))
    require(
        rows[0] == 1,
        (rows,),
        "a {0} matrix for a vector of lambda",
        "λ 的向量是 {0} 矩阵",
        "one [row|column] of numbers",
        "应为一[行|列]数",
    )
    return rows


class Lambda(Ruled, Differentiable, frozen=True):
    """lambda = exp(q_1 . k_1) + `sign` exp(q_2 . k_2) + `initial` (1, 1), for rows q, k (1, d)."""

    working: ClassVar[Working] = "rule"
    example_fields: ClassVar = (Exact.of(3),)
    example_arguments: ClassVar = ([[1, 2]], [[1, -1]], [[2, 1]], [[0, 1]])
    initial: Exact
    sign: int = -1

    def shape(self, *shapes: Shape) -> Shape:
        for pair in (shapes[:2], shapes[2:]):
            _vectors(pair)
        return 1, 1

    def cell(self, i: int, j: int, *arguments: Any) -> Any:
        q1, k1, q2, k2 = (matrix.row(0) for matrix in arguments)
        return signed(EXP(dot(q1, k1)), self.sign, EXP(dot(q2, k2))) + self.initial

    def floats(self, *arguments: Floats) -> Floats:
        first, second = (
            np.exp(np.sum(q * k, axis=1, keepdims=True)) for q, k in (arguments[:2], arguments[2:])
        )
        total: Floats = first + self.sign * second + to_float(self.initial)
        return total

    def formula(self, *arguments: Formula) -> Formula:
        first, second = (Call("exp", (Product(pair, "dot"),)) for pair in (arguments[:2], arguments[2:]))
        return Sum((first, self._signed(second), INITIAL))

    def _signed(self, term: Formula) -> Formula:
        return Negative(term) if self.sign < 0 else term

    def gradient(self, line: Line, g: str, forward: Forward) -> Shares:
        q1, k1, q2, k2 = line.args
        first, second = LambdaBackward(1), LambdaBackward(self.sign)
        return (
            Share(q1, first, (g, q1, k1)),
            Share(k1, first, (g, k1, q1)),
            Share(q2, second, (g, q2, k2)),
            Share(k2, second, (g, k2, q2)),
        )

    def slips(self) -> tuple[Slip, ...]:
        if self.sign != -1 or not self.initial:
            return ()
        return (
            mistake("lambda-init-omitted", replace(self, initial=ZERO)),
            mistake("lambda-exponentials-added", replace(self, sign=1)),
        )


def _wrong_sign(instead: Operation) -> Slip:
    return mistake("lambda-slope-sign", instead)


class LambdaBackward(Ruled, frozen=True):
    """dq (1, d) = `sign` g exp(q . k) k, for g (1, 1), the gradient of lambda, and rows q, k (1, d)."""

    working: ClassVar[Working] = "rule"
    example_arguments: ClassVar = ([[3]], [[1, 2]], [[1, -1]])
    sign: int = 1

    def shape(self, *shapes: Shape) -> Shape:
        single(shapes[0])
        return _vectors(shapes[1:])

    def cell(self, i: int, j: int, *arguments: Any) -> Any:
        (g,), q, k = (matrix.row(0) for matrix in arguments)
        product = g * EXP(dot(q, k)) * k[j]
        return -product if self.sign < 0 else product

    def floats(self, *arguments: Floats) -> Floats:
        g, q, k = arguments
        gradient: Floats = self.sign * g * np.exp(np.sum(q * k, axis=1, keepdims=True)) * k
        return gradient

    def formula(self, *arguments: Formula) -> Formula:
        g, q, k = arguments
        product = Product((g, Call("exp", (Product((q, k), "dot"),)), k), "dot")
        return Negative(product) if self.sign < 0 else product

    def slips(self) -> tuple[Slip, ...]:
        return (_wrong_sign(LambdaBackward(-self.sign)),)


class Inner(Ruled, frozen=True):
    """`sign` times the sum of the products of all entries of g and A (n_q, n_k): the gradient of lambda."""

    example_arguments: ClassVar = ([[1, 2], [3, 5]], [[2, -1], [1, 4]])
    sign: int = -1

    def shape(self, *shapes: Shape) -> Shape:
        agreed(shapes, Bilingual("matrices of {a} and {b}", "矩阵为 {a} 与 {b}"))
        return 1, 1

    def cell(self, i: int, j: int, *arguments: Any) -> Any:
        total = dot(*map(every, arguments))
        return -total if self.sign < 0 else total

    def floats(self, *arguments: Floats) -> Floats:
        products = np.sum(arguments[0] * arguments[1], axis=1, keepdims=True)
        total: Floats = self.sign * np.sum(products, axis=0, keepdims=True)
        return total

    def formula(self, *arguments: Formula) -> Formula:
        total = Call("sum", (Product(arguments, "circle"),))
        return Negative(total) if self.sign < 0 else total

    def slips(self) -> tuple[Slip, ...]:
        return (_wrong_sign(Inner(-self.sign)),)


class Difference(Operation, Differentiable, frozen=True):
    """A_1 - lambda A_2 for weights A_1, A_2 (n_q, n_k) and lambda (1, 1): A_1 + `sign` lambda A_2."""

    example_arguments: ClassVar = ([[1, 2], [3, 5]], [[2, -1], [1, 4]], [[3]])
    sign: int = -1

    def shape(self, *shapes: Shape) -> Shape:
        single(shapes[2])
        return agreed(shapes[:2], Bilingual("attention maps of {a} and {b}", "注意力图为 {a} 与 {b}"))

    def exact(self, *arguments: Matrix) -> Matrix:
        first, second, factor = arguments
        return first + second.scaled(Exact.of(self.sign) * factor[0, 0])

    def floats(self, *arguments: Floats) -> Floats:
        first, second, factor = arguments
        return first + self.sign * factor * second

    def formula(self, *arguments: Formula) -> Formula:
        first, second, factor = arguments
        return Sum((first, self._signed(Product((factor, second), "dot"))))

    def _signed(self, term: Formula) -> Formula:
        return Negative(term) if self.sign < 0 else term

    def gradient(self, line: Line, g: str, forward: Forward) -> Shares:
        first, second, factor = line.args
        return (
            Share(first, None),
            Share(second, Multiple(self.sign), (g, factor)),
            Share(factor, Inner(self.sign), (g, second)),
        )

    def slips(self) -> tuple[Slip, ...]:
        if self.sign != -1:
            return ()
        return (
            mistake("maps-added", Difference(1)),
            mistake("second-map-omitted", Unchanged(0)),
            mistake("lambda-omitted", PlainDifference()),
        )


class PlainDifference(Difference, frozen=True):
    """A_1 - A_2, as if lambda were 1."""

    def exact(self, *arguments: Matrix) -> Matrix:
        return arguments[0] - arguments[1]

    def floats(self, *arguments: Floats) -> Floats:
        return arguments[0] - arguments[1]

    def formula(self, *arguments: Formula) -> Formula:
        return Sum((arguments[0], Negative(arguments[1])))

    def slips(self) -> tuple[Slip, ...]:
        return ()


class Multiple(Operation, frozen=True):
    """`sign` lambda g: the gradient of the second map from g (n_q, n_k) and lambda (1, 1)."""

    example_arguments: ClassVar = ([[1, 2], [3, 5]], [[3]])
    sign: int = -1

    def shape(self, *shapes: Shape) -> Shape:
        single(shapes[1])
        return shapes[0]

    def exact(self, *arguments: Matrix) -> Matrix:
        return arguments[0].scaled(Exact.of(self.sign) * arguments[1][0, 0])

    def floats(self, *arguments: Floats) -> Floats:
        return self.sign * arguments[1] * arguments[0]

    def formula(self, *arguments: Formula) -> Formula:
        product = Product((arguments[1], arguments[0]), "dot")
        return Negative(product) if self.sign < 0 else product

    def slips(self) -> tuple[Slip, ...]:
        return (mistake("second-map-slope-sign", Multiple(-self.sign)),)
