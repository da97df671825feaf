"""Projection: X W (or X W^T) plus a bias. Vaswani et al. 2017, section 3.2.2."""

from __future__ import annotations

from typing import Any, ClassVar

from msgspec.structs import replace

from symattn.exact.shapes import Shape, one_row, oriented_shape
from symattn.floats.arrays import Floats
from symattn.plans.gradient import Differentiable, Forward, Share, Shares
from symattn.plans.kinds import Projection
from symattn.plans.operation import Slip
from symattn.plans.ops.products import TransposedProduct
from symattn.plans.ops.row_sums import RowSums
from symattn.plans.plan import Line
from symattn.plans.rules import Algebraic
from symattn.plans.slips import mistake
from symattn.text.bilingual import Bilingual, oriented
from symattn.text.errors import ShapeMismatch


class Project(Algebraic, Projection, Differentiable, frozen=True):
    """Q = X W_Q + b_Q: X (n, d_model), W (d_model, d_k), bias (1, d_k) or absent; result (n, d_k).

    `transposed` multiplies with W^T instead, for weights stored as (d_k, d_model). `biases` says how
    often the bias argument is added; the arguments are (X, W) or (X, W, b).
    """

    rowwise: ClassVar[bool] = True
    finite_decimals: ClassVar[bool] = True
    is_product: ClassVar[bool] = True
    example_arguments: ClassVar = ([[1, 2], [3, 5]], [[1, 4], [2, -1]], [[1, -2]])
    biases: int = 1

    def shape(self, *shapes: Shape) -> Shape:
        x, w = shapes[0], shapes[1]
        inner, outer = (w[1], w[0]) if self.transposed else w
        if x[1] != inner:
            product = "[X W^T|W^T X]" if self.transposed else "[X W|W X]"
            height = "[columns|rows]" if self.transposed else "[rows|columns]"
            zh_height = "[列|行]" if self.transposed else "[行|列]"
            raise ShapeMismatch(
                oriented(
                    f"X is {oriented_shape(x)} and W is {oriented_shape(w)}, so {product} is undefined",
                    f"X 是 {oriented_shape(x)}，W 是 {oriented_shape(w)}，{product} 没有定义",
                ),
                oriented(
                    f"W needs {x[1]} {height}, one for each [column|row] of X",
                    f"W 应有 {x[1]} {zh_height}，与 X 的[列|行]数相同",
                ),
            )
        for bias in shapes[2:]:
            one_row(bias, outer, Bilingual("the bias is {a}", "偏置是 {a}，形状不合"))
        return x[0], outer

    def rule(self, *arguments: Any) -> Any:
        x, w, *bias = arguments
        found = self._product(x, w)
        for each in bias * self.biases:
            found = found + each
        return found

    def _product(self, x: Any, w: Any) -> Any:
        return x @ (w.T if self.transposed else w)

    def floats(self, *arguments: Floats) -> Floats:
        x, w, *bias = arguments
        found: Floats = x @ (w.T if self.transposed else w)
        return found + self.biases * bias[0] if bias else found

    def gradient(self, line: Line, g: str, forward: Forward) -> Shares:
        """dW = X^T g and dX = g W^T for X W; dW = g^T X and dX = g W for X W^T."""
        x, w, *bias = line.args
        return (
            Share(w, TransposedProduct(), (g, x) if self.transposed else (x, g)),
            *(Share(b, RowSums(axis=0), (g,)) for b in bias),
            Share(x, Project(not self.transposed, 0), (g, w)),
        )

    def slips(self) -> tuple[Slip, ...]:
        code = "weights-not-transposed" if self.transposed else "weights-transposed"
        found = [mistake(code, replace(self, transposed=not self.transposed))]
        if self.biases == 1:
            found += [
                mistake("bias-dropped", replace(self, biases=0)),
                mistake("bias-doubled", replace(self, biases=2)),
            ]
        return tuple(found)


class ProjectVectors(Project, frozen=True):
    """q = W x + b for each token, x a column: X (n, d_model), W (d_k, d_model), bias (1, d_k) or absent.

    The vectors q are the rows of the result (n, d_k), so that it is X W^T, said vector by vector.
    """

    vectors: ClassVar[bool] = True
    transposed: bool = True

    def _product(self, x: Any, w: Any) -> Any:
        return ((w if self.transposed else w.T) @ x.T).T

    def slips(self) -> tuple[Slip, ...]:
        exchanged = Project(not self.transposed, self.biases)
        words, *_ = exchanged.slips()  # W x is X W^T, whose slip is to leave W as it stands; here it is W^T x
        return (replace(words, instead=exchanged), *Project(self.transposed, self.biases).slips()[1:])
