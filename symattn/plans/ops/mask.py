"""Masking: minus infinity added to the scores of hidden keys. Vaswani et al. 2017, section 3.2.3."""

from __future__ import annotations

from typing import Any, ClassVar

from msgspec.structs import replace

from symattn.exact.enclosure import enclose
from symattn.exact.masked import mask_of, with_mask
from symattn.exact.matrix import Matrix
from symattn.exact.number import MINUS_INFINITY, Exact
from symattn.exact.plain import plain
from symattn.exact.shapes import Shape, require
from symattn.floats.arrays import Floats, np
from symattn.floats.from_exact import matrix_to_floats
from symattn.floats.interval import BITS, point
from symattn.floats.tables import Table
from symattn.plans.gradient import Differentiable, Forward, Share, Shares
from symattn.plans.kinds import Masking
from symattn.plans.operation import Mistake, Operation, Slip
from symattn.plans.ops.add import PassOn
from symattn.plans.ops.unchanged import Unchanged
from symattn.plans.plan import Line
from symattn.plans.rules import Ruled, hidden, total_of
from symattn.plans.slips import mistake
from symattn.text.bilingual import Bilingual
from symattn.text.errors import UnusableValue
from symattn.text.notation import Formula, Sum, Symbol

ZERO, ONE = Exact.of(0), Exact.of(1)


class Mask(Ruled, Masking, Differentiable, frozen=True):
    """S + M for scores S (n_q, n_k) and an additive mask M of the same shape.

    `additive` holds 0 for a visible key, minus infinity for a hidden one, or any bias.
    `misaligned` is the mask under the other alignment, where queries and keys differ in number.
    """

    finite_decimals: ClassVar[bool] = True
    misaligned: Matrix | None = None

    def shape(self, *shapes: Shape) -> Shape:
        require(
            shapes[0] == self.additive.shape,
            (self.additive.shape, shapes[0]),
            "the mask is {0}, the scores are {1}",
            "掩码是 {0}，得分是 {1}",
            "the mask needs one entry for each query and key",
            "掩码对每个查询和每个键各需一个元素",
        )
        return shapes[0]

    def exact(self, *arguments: Matrix) -> Matrix:
        made = with_mask(arguments[0], self.additive)
        return Ruled.exact(self, *arguments) if made is None else made

    def cell(self, i: int, j: int, *arguments: Any) -> Any:
        score, mask = arguments[0][i, j], self.additive[i, j]
        if mask == MINUS_INFINITY or hidden(score):
            return MINUS_INFINITY
        return total_of((score, mask), spelled=True) if mask else score

    def floats(self, *arguments: Floats) -> Floats:
        mask = matrix_to_floats(self.additive)
        return self._float_one(np.isneginf(mask), arguments[0], mask)

    def _float_one(self, hidden: Any, scores: Floats, mask: Floats) -> Floats:
        return np.where(hidden, -np.inf, scores + np.where(hidden, 0.0, mask))

    def moves(self, *tables: Table) -> Table | None:
        return [
            [
                point(self.additive[i, j])
                if not enclose(self.additive[i, j], BITS).is_finite()
                else a + point(self.additive[i, j])
                for j, a in enumerate(row)
            ]
            for i, row in enumerate(tables[0])
        ]

    def formula(self, *arguments: Formula) -> Formula:
        return Sum((arguments[0], Symbol("M")))

    def gradient(self, line: Line, g: str, forward: Forward) -> Shares:
        return (Share(line.args[0], PassOn(), (g,)),)

    def on_columns(self) -> Mask:
        other = self.misaligned
        return replace(self, additive=self.additive.T, misaligned=None if other is None else other.T)

    def slips(self) -> tuple[Slip, ...]:
        found = [mistake("mask-omitted", Unchanged())]
        if any(entry == MINUS_INFINITY for row in self.additive.rows() for entry in row):
            found += [
                mistake(
                    "mask-inverted",
                    Mask(self.additive.map(lambda x: ZERO if x == MINUS_INFINITY else MINUS_INFINITY)),
                ),
                mistake("mask-zero", ZeroMask(self.additive)),
            ]
        if self.misaligned is not None and self.misaligned != self.additive:
            found.append(mistake("mask-misaligned", replace(self, additive=self.misaligned, misaligned=None)))
        return tuple(found)

    @classmethod
    def example(cls) -> tuple[Operation, tuple[Matrix, ...]]:
        return cls(causal(2, 2)), (Matrix.rational([[1, 2], [3, 5]]),)


class ZeroMask(Mistake, Mask, frozen=True):
    """The mistake of 0 for minus infinity."""

    def exact(self, *arguments: Matrix) -> Matrix:
        return Ruled.exact(self, *arguments)

    def cell(self, i: int, j: int, *arguments: Any) -> Any:
        return ZERO if self.additive[i, j] == MINUS_INFINITY else Mask.cell(self, i, j, *arguments)

    def _float_one(self, hidden: Any, scores: Floats, mask: Floats) -> Floats:
        return np.where(hidden, 0.0, scores + np.where(hidden, 0.0, mask))


def causal(n_q: int, n_k: int, offset: int = 0) -> Matrix:
    """The additive causal mask (n_q, n_k): query i sees the keys up to its own position.

    `offset` keys stand before the first query: 0 aligns the mask at the upper left corner, n_k - n_q at
    the lower right one.
    """
    return windowed(n_q, n_k, offset, None, 0)


def windowed(n_q: int, n_k: int, offset: int, left: int | None, right: int | None) -> Matrix:
    """The additive mask of a sliding window: query i, at position offset + i, sees `left` keys before
    its own and `right` after it; None is no bound. Beltagy et al. 2020 (Longformer), section 3.1.
    """

    def row(at: int) -> bytes:
        start = 0 if left is None else min(max(at - left, 0), n_k)
        stop = n_k if right is None else min(max(at + right + 1, start), n_k)
        return bytes(start) + b"\1" * (stop - start) + bytes(n_k - stop)

    return mask_of([row(offset + i) for i in range(n_q)])


def padding(n_q: int, keys: Matrix) -> Matrix:
    """The additive mask (n_q, n_k) of padded keys, from one row with 1 for a real key and 0 for padding."""
    return mask_of([bytes(bool(keys[0, k]) for k in range(keys.shape[1]))] * n_q)


def of_zeros_and_ones(matrix: Matrix) -> bool:
    """Whether every entry is 0 or 1."""
    return all(entry in (ZERO, ONE) for row in matrix.rows() for entry in row)


def additive(matrix: Matrix, ones: str | None = None) -> Matrix:
    """An additive mask (n_q, n_k) from a matrix of 0 and 1, in which `ones` are visible, hidden or added.

    None shows the keys with a 1, unless there is none: a matrix of zeros alone is added and hides nothing.
    Any other matrix is additive as it is. Raises UnusableValue where `ones` mark keys in such a matrix.
    """
    if ones is None:
        ones = (
            "visible" if any(ONE in row for row in matrix.rows()) and of_zeros_and_ones(matrix) else "added"
        )
    if ones == "added":
        return matrix
    if not of_zeros_and_ones(matrix):
        other = next(x for row in matrix.rows() for x in row if x not in (ZERO, ONE))
        raise UnusableValue(
            Bilingual(
                f"an entry of the mask is neither 0 nor 1: {plain(other)}",
                f"掩码中有 0 和 1 以外的元素：{plain(other)}",
            ),
            Bilingual(
                'leave mask_ones out, or write mask_ones = "added", for entries that are added to the scores',
                '若元素是加到得分上的，请去掉 mask_ones，或写 mask_ones = "added"',
            ),
        )
    shown = ONE if ones == "visible" else ZERO
    return matrix.map(lambda entry: ZERO if entry == shown else MINUS_INFINITY)
