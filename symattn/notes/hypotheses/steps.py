"""The steps of attention as candidates: what each makes of the prints before a place.

Only what comes near the print that is to be explained is handed on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from math import sqrt
from typing import Final

import numpy as np

from symattn.notes.hypotheses.operations import operations
from symattn.notes.interpreter import values
from symattn.notes.interpreter.prints import Printed
from symattn.notes.interpreter.values import Array, Value

PASSIVE_STEPS: Final = frozenset(("again", "row", "columns", "causal", "transposed", "exp", "relu"))
"""They confirm, and never accuse."""
COPIES: Final = frozenset(("again", "row", "columns", "causal", "transposed"))
"""They must agree to the digit."""
MOST_ROWS: Final = 16
NEAR: Final = 0.34
"""The share of the entries that must be close."""
USUAL_WIDTHS: Final = (2, 3, 4, 8, 16, 64)
BASES: Final = (10000.0, 100.0)
MOST_POSITIONS: Final = 12

Step = tuple[str, Value]
Shape = tuple[int, ...]
Turned = list[tuple[Value, Value]]
"""A print as it is and with its wrong numbers put right, each with its transpose."""


class Scale:
    """A divisor of scores: a number or its root."""

    __slots__ = ("number", "rooted")

    def __init__(self, number: int, rooted: bool) -> None:
        self.number, self.rooted = number, rooted

    @property
    def divisor(self) -> float:
        return sqrt(self.number) if self.rooted else float(self.number)

    def of(self, a: Value) -> Value | None:
        """A value divided by it."""
        if self.number == 1:
            return a
        number: Value | None = values.constant(self.number)
        number = values.root(number) if self.rooted and number is not None else number
        return values.over(a, number) if number is not None else None


@lru_cache
def scales(width: int, sizes: tuple[int, ...]) -> list[Scale]:
    """None, roots and counts of small widths and of sizes that the text gives."""
    numbers = sorted({*USUAL_WIDTHS, width, *sizes})
    found = [Scale(1, False)]
    for n in numbers:
        found.append(Scale(n, True))
        if n in (2, 3, width):
            found.append(Scale(n, False))
    return found


def _softmax(logits: Array) -> Array:
    raised = np.exp(logits - logits.max(axis=-1, keepdims=True))
    weights: Array = raised / raised.sum(axis=-1, keepdims=True)
    return weights


class Steps:
    """Candidates for one print: the kind of step, and its value; `passed` counts those that come nowhere
    near, for which `share` of the entries must be close."""

    def __init__(self, target: Printed, sizes: Sequence[int] = (), share: float = NEAR) -> None:
        self.sizes, self.mid, self.shape = tuple(sizes), target.value.mid, target.node.shape
        close = np.maximum(target.node.units(), 0.011) * 1.5
        self.slack = close + 0.02 * np.abs(np.where(np.isfinite(self.mid), self.mid, 0))
        sums_to_one = np.abs(self.mid.sum(axis=-1) - 1) < 0.05
        self.passed, self.share = 0, share
        self.weights = bool(np.all(sums_to_one)) and bool(np.all(self.mid >= 0))

    def near(self, mid: Array) -> bool:
        """A quick look in floats: whether enough of the entries are close."""
        return mid.shape == self.shape and self._which(mid[None])[0]

    def _which(self, several: Array) -> list[bool]:
        """Of several results, one behind the other, those that come near."""
        several = several.reshape(-1, *self.shape)
        close = (np.abs(several - self.mid) <= self.slack) | (several == self.mid)
        enough = close.reshape(len(several), -1).sum(axis=1) >= self.share * self.mid.size
        found: list[bool] = enough.tolist()
        return found

    def _scaled(
        self, kind: str, mid: Array, whole: Callable[[], Value | None], tried: Sequence[Scale], masked: bool
    ) -> Iterator[Step]:
        """What these numbers come to under each scale, and where weights are printed, the softmax of that."""
        several = mid / np.array([scale.divisor for scale in tried]).reshape(-1, *[1] * mid.ndim)
        near = self._which(several)
        forms = [several] if self.weights else []
        if forms and masked:
            forms.append(np.where(np.triu(np.ones(mid.shape, bool), 1), -np.inf, several))
        weights = [self._which(_softmax(form)) for form in forms]
        self.passed += sum(one.count(False) for one in weights)
        if not any(near) and not any(any(one) for one in weights):
            return
        a = whole()
        for at, scale in enumerate(tried if a is not None else ()):
            made = scale.of(a) if a is not None and (near[at] or any(one[at] for one in weights)) else None
            if made is None:
                continue
            if near[at] and (scale.number != 1 or kind == "product"):
                yield kind, made
            for masks, one in enumerate(weights):
                if one[at]:
                    softmax = values.softmax(values.causal(made) if masks else made)
                    fitted = values.reshaped(softmax, self.shape)
                    yield from [("softmax", fitted)] if fitted is not None else []

    def all(self, before: Sequence[Printed]) -> Iterator[Step]:
        """Every step on the prints before."""
        yield from self._encodings()
        known = [other.values() for other in before]
        for several in known:
            for a in several:
                yield from self._near(self._of_one(a))
        turned = [[(a, values.transposed(a)) for a in several] for several in known]
        partners = {a.shape: self._partners(a.shape, turned) for several in known for a in several}
        for left in turned:
            for right in partners[left[0][0].shape]:
                if left is not right:
                    for one in left:
                        for two in right:
                            yield from self._of_two(one, two)
        yield from self._side_by_side(before)
        yield from operations(self.near, self.shape, known)

    def _partners(self, shape: Shape, among: Sequence[Turned]) -> list[Turned]:
        """Those prints whose sum or product with one of this shape may come to the print."""
        may = {b: self._meet(shape, b) for b in {right[0][0].shape for right in among}}
        return [right for right in among if may[right[0][0].shape]]

    def _meet(self, a: Shape, b: Shape) -> bool:
        return (a == self.shape and len(b) <= len(a) and b[1:] in (a[1:], (1,), ())) or any(
            left[-1] == right[0] and self._leads_to(left[:-1] + right[1:])
            for left in (a, a[::-1])
            for right in (b, b[::-1])
            if left and right
        )

    def _leads_to(self, size: Shape) -> bool:
        """Whether a product of this size may be the print, or have it as a row or as a head's columns."""
        if [n for n in size if n != 1] == [n for n in self.shape if n != 1]:
            return True
        row = len(size) == 2 and size[1:] == self.shape and size[0] <= MOST_ROWS
        return row or (
            len(size) == len(self.shape) == 2
            and size[0] == self.shape[0]
            and size[1] > self.shape[1]
            and not size[1] % self.shape[1]
        )

    def _near(self, steps: Iterable[Step]) -> Iterator[Step]:
        for step in steps:
            if self.near(step[1].mid):
                yield step
            else:
                self.passed += 1

    def _of_one(self, a: Value) -> Iterator[Step]:
        matrices = len(a.shape) == len(self.shape) == 2
        if (
            len(a.shape) == 2
            and len(self.shape) == 1
            and a.shape[1] == self.shape[0]
            and a.shape[0] <= MOST_ROWS
        ):
            yield from self._rows("row", a)
            for scale in scales(a.shape[1], self.sizes) if self.weights else ():
                scaled = scale.of(a)
                yield from self._rows("softmax", values.softmax(scaled) if scaled is not None else None)
        if (
            matrices
            and a.shape[0] == self.shape[0]
            and a.shape[1] > self.shape[1]
            and not a.shape[1] % self.shape[1]
        ):
            yield from self._parts("columns", a)
        if a.shape != self.shape:
            if matrices and a.shape[::-1] == self.shape:
                yield "transposed", values.transposed(a)
            return
        square = len(self.shape) == 2 and self.shape[0] == self.shape[1] > 1
        yield "again", a
        if square:
            yield "causal", values.causal(a)
            yield "causal", values.lower(a)
            yield "transposed", values.transposed(a)
        yield from self._scaled("scale", a.mid, lambda: a, scales(self.shape[-1], self.sizes), masked=square)
        yield "exp", values.exponential(a)
        yield "relu", values.rising("relu", a)
        yield (
            "centre",
            values.subtract(a, values.upright(values.mean(a)) if len(a.shape) > 1 else values.mean(a)),
        )
        yield "square", values.times(a, a)
        for kind in values.NORMS:
            made = values.normalised(a, kind)
            if made is not None:
                yield kind, made

    def _of_two(self, one: tuple[Value, Value], two: tuple[Value, Value]) -> Iterator[Step]:
        """Sums and products of two values, each with its transpose."""
        a, b = one[0], two[0]
        if a.shape == self.shape and b.shape in (self.shape[:-1], (*self.shape[:-1], 1)):
            sums = b if len(b.shape) == len(a.shape) else values.upright(b)
            shares = values.over(a, sums) if self.near(a.mid / sums.mid) else None
            if shares is not None:
                yield "over", shares
        if a.shape == self.shape and b.shape in (self.shape, self.shape[-1:]):
            if self.near(a.mid + b.mid):
                yield "sum", values.add(a, b)
            if b.shape == self.shape and self.near(a.mid * b.mid):
                yield "entries", values.times(a, b)
        if (
            len(b.shape) == 2
            and a.shape == self.shape
            and b.shape[0] > a.shape[0]
            and b.shape[1:] == a.shape[1:]
        ) and self.near(a.mid + b.mid[: len(a.mid)]):
            yield "sum", values.add(a, values.rows(b, len(a.mid)))
        for left in one if len(a.shape) == 2 else (a,):
            for right in two if len(b.shape) == 2 else (b,):
                if left.shape and right.shape and left.shape[-1] == right.shape[0]:
                    yield from self._product(left, right, scaled=left is a and right is not b)

    def _product(self, left: Value, right: Value, *, scaled: bool) -> Iterator[Step]:
        """A product of matrices, a row of it, or the columns of one head; Q K^T may be scaled."""
        size = left.shape[:-1] + right.shape[1:]
        untransposed = left.made.step != "transposed"
        if [n for n in size if n != 1] == [n for n in self.shape if n != 1]:
            made = partial(values.matmul, left, right)
            tried = scales(left.shape[-1], self.sizes) if scaled else [Scale(1, False)]
            yield from self._scaled("product", left.mid @ right.mid, made, tried, masked=False)
        elif len(size) == 2 and size[1:] == self.shape and size[0] <= MOST_ROWS and untransposed:
            if any(self.near(row) for row in left.mid @ right.mid):
                yield from self._rows("product", values.matmul(left, right))
        elif len(size) == len(self.shape) == 2 and size[0] == self.shape[0] and untransposed:
            whole = (
                values.matmul(left, right)
                if size[1] > self.shape[1] and not size[1] % self.shape[1]
                else None
            )
            yield from self._parts("product", whole)

    def _rows(self, kind: str, a: Value | None) -> Iterator[Step]:
        for number in range(a.shape[0]) if a is not None else ():
            if a is not None and self.near(a.mid[number]):
                yield kind, values.row(a, number)

    def _parts(self, kind: str, a: Value | None) -> Iterator[Step]:
        """The columns of one head after the other."""
        if a is None:
            return
        width = self.shape[1]
        heads = np.moveaxis(a.mid.reshape(self.shape[0], -1, width), 1, 0)
        for head, near in enumerate(self._which(heads)):
            if near:
                yield kind, values.columns(a, head * width, (head + 1) * width)

    def _side_by_side(self, before: Sequence[Printed]) -> Iterator[Step]:
        """Heads joined: prints of one shape, in their order or the reverse."""
        if len(self.shape) != 2:
            return
        by_shape: dict[tuple[int, ...], list[Printed]] = {}
        for other in reversed(before):
            shape = other.value.shape
            if len(shape) == 2 and shape[0] == self.shape[0] and shape[1] < self.shape[1]:
                by_shape.setdefault(shape, []).append(other)
        for (_, width), prints in by_shape.items():
            count = self.shape[1] // width
            for start in range(len(prints) - count + 1) if count * width == self.shape[1] else ():
                made = values.beside([p.value for p in prints[start : start + count]])
                if made is not None:
                    yield "again", made

    def _encodings(self) -> Iterator[Step]:
        """Sines and cosines of positions, for a matrix or one row."""
        width = self.shape[-1]
        if width < 2 or width % 2 or np.any(np.abs(self.mid) > 1.001):
            return
        for base in BASES:
            for first in (0, 1) if len(self.shape) == 2 else range(MOST_POSITIONS):
                made = values.positions(self.shape, first, base)
                if self.near(made.mid):
                    yield "positions", made
