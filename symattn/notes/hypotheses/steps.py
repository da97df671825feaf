"""The steps of attention as candidates: what each makes of the prints before a place.

Only what comes near the print that is to be explained is handed on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache, partial
from math import sqrt
from operator import itemgetter
from typing import Any, Final

import numpy as np

from symattn.notes.hypotheses.operands import Group, Groups, Maker, Order, Pairs, Shape, groups
from symattn.notes.hypotheses.operations import operations
from symattn.notes.hypotheses.same_shape import FIRST, SQUARE, THEN
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
Which = np.ndarray[tuple[int, ...], np.dtype[np.bool_]]
Whole = tuple[Order, Maker]
Candidate = tuple[Order, str, Maker]
"""A step that comes near: its place in the order in which steps are tried, its kind, and how to make it."""


class Scale:
    """A divisor of scores: a number or its root."""

    __slots__ = ("_value", "number", "rooted")

    def __init__(self, number: int, rooted: bool) -> None:
        self.number, self.rooted = number, rooted
        value = values.constant(number)
        self._value = values.root(value) if rooted else value

    @property
    def divisor(self) -> float:
        return sqrt(self.number) if self.rooted else float(self.number)

    def of(self, a: Value) -> Value | None:
        """A value divided by it."""
        if self.number == 1:
            return a
        return None if self._value is None else values.over(a, self._value)


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


def _made(candidates: Iterable[Candidate]) -> Iterator[Step]:
    """The steps in their order."""
    for _, kind, make in sorted(candidates, key=itemgetter(0)):
        value = make()
        if value is not None:
            yield kind, value


def _then(whole: Maker, step: Callable[..., Value | None], *args: Any) -> Value | None:
    """A step on what is made only now."""
    a = whole()
    return None if a is None else step(a, *args)


def _weights(a: Value, masked: bool = False) -> Value:
    return values.softmax(values.causal(a) if masked else a)


def _shares(a: Value, sums: Value) -> Value | None:
    return values.over(a, sums if len(sums.shape) == len(a.shape) else values.upright(sums))


def _plus_first_rows(a: Value, b: Value) -> Value:
    return values.add(a, values.rows(b, a.shape[0]))


def _long(size: Shape) -> list[int]:
    return [n for n in size if n != 1]


class Steps:
    """Candidates for one print: the kind of step, and its value; `passed` counts those that come nowhere
    near, for which `share` of the entries must be close. Operands of one shape are tried together."""

    def __init__(self, target: Printed, sizes: Sequence[int] = (), share: float = NEAR) -> None:
        self.sizes, self.mid, self.shape = tuple(sizes), target.value.mid, target.node.shape
        close = np.maximum(target.node.units(), 0.011) * 1.5
        self.slack = close + 0.02 * np.abs(np.where(np.isfinite(self.mid), self.mid, 0))
        sums_to_one = np.abs(self.mid.sum(axis=-1) - 1) < 0.05
        self.passed, self.least = 0, share * self.mid.size
        self.weights = bool(np.all(sums_to_one)) and bool(np.all(self.mid >= 0))

    def near(self, mid: Array) -> bool:
        """A quick look in floats: whether enough of the entries are close."""
        return mid.shape == self.shape and bool(self._which(mid))

    def _which(self, several: Array) -> Which:
        """Of results of the shape of the print, along any leading axes, those that come near."""
        close = (np.abs(several - self.mid) <= self.slack) | (several == self.mid)
        counted = close.reshape(*several.shape[: several.ndim - len(self.shape)], -1).sum(axis=-1)
        enough: Which = counted >= self.least
        return enough

    def _hits(self, several: Array) -> list[list[int]]:
        found: list[list[int]] = np.argwhere(self._which(several)).tolist()
        return found

    def all(self, before: Sequence[Printed]) -> Iterator[Step]:
        """Every step on the prints before."""
        yield from self._encodings()
        known = [other.values() for other in before]
        operands = groups(known)
        yield from _made(self._of_one(operands))
        yield from _made(self._of_two(operands))
        yield from self._side_by_side(before)
        yield from operations(self.near, self.shape, known)

    def _scaled(
        self, kind: str, mids: Array, of: Callable[[int], Whole], tried: Sequence[Scale], masked: bool
    ) -> Iterator[Candidate]:
        """What these numbers come to under each scale, and where weights are printed, the softmax of that."""
        several = mids[:, None] / np.array([scale.divisor for scale in tried]).reshape(
            -1, *[1] * (mids.ndim - 1)
        )
        near = self._which(several)
        forms = [several] if self.weights else []
        if forms and masked:
            forms.append(np.where(np.triu(np.ones(self.shape, bool), 1), -np.inf, several))
        weights = [self._which(_softmax(form)) for form in forms]
        self.passed += sum(int(one.size - one.sum()) for one in weights)
        last = -1
        for n, at in np.argwhere(np.logical_or.reduce([near, *weights])).tolist():
            if n != last:
                order, whole = of(n)
                last, whole = n, cache(whole)
            scaled = partial(_then, whole, tried[at].of)
            if near[n, at] and (tried[at].number != 1 or kind == "product"):
                yield (*order, at, 0), kind, scaled
            for masks, one in enumerate(weights):
                if one[n, at]:
                    yield (*order, at, 1 + masks), "softmax", partial(_then, scaled, _weights, masks > 0)

    def _of_one(self, operands: Groups) -> Iterator[Candidate]:
        """Steps on one print."""
        for (shape, turned), among in operands.items():
            if turned:
                if shape == self.shape and shape[0] != shape[1]:
                    hits = self._hits(among.mids)
                    self.passed += len(among.mids) - len(hits)
                    for (n,) in hits:
                        yield among[n].order, "transposed", among[n].whole
            elif shape == self.shape:
                yield from self._of_same(among)
            elif len(shape) == 2 and shape[1:] == self.shape and shape[0] <= MOST_ROWS:
                yield from self._of_rows(among)
            elif self._wider(shape):
                yield from self._parts("columns", among.mids, partial(among.of, 0))

    def _of_same(self, among: Group) -> Iterator[Candidate]:
        """Steps that keep the shape."""
        square = len(self.shape) == 2 and self.shape[0] == self.shape[1] > 1
        steps = (*FIRST, *(SQUARE if square else ()), *THEN)
        several = np.stack([floats(among.mids) for _, floats, _ in steps])
        near = self._which(several)
        undefined = np.isnan(several).all(axis=tuple(range(2, several.ndim)))
        self.passed += int((~near & ~undefined).sum())
        for at, n in np.argwhere(near).tolist():
            kind, _, value = steps[at]
            later = at >= len(steps) - len(THEN)
            yield (*among[n].order, 2 * later, at), kind, partial(value, among[n].value)

        yield from self._scaled(
            "scale", among.mids, partial(among.of, 1), scales(self.shape[-1], self.sizes), masked=square
        )

    def _of_rows(self, among: Group) -> Iterator[Candidate]:
        """A row of a matrix, or its softmax."""
        for n, row in self._hits(among.mids):
            yield (*among[n].order, 0, row), "row", partial(_then, among[n].whole, values.row, row)
        tried = scales(self.shape[0], self.sizes) if self.weights else []
        for at, scale in enumerate(tried):
            for n, row in self._hits(_softmax(among.mids / scale.divisor)):
                softmax = partial(_then, partial(_then, among[n].whole, scale.of), _weights)
                yield (*among[n].order, 1 + at, row), "softmax", partial(_then, softmax, values.row, row)

    def _of_two(self, operands: Groups) -> Iterator[Candidate]:
        """Sums and products of two prints, each with its transpose."""
        for (a, turned), first in operands.items():
            for (b, too), second in operands.items():
                product = bool(a and b) and a[-1] == b[0] and self._leads_to(a[:-1] + b[1:], turned)
                entries = a == self.shape and not turned and not too
                if not product and not entries:
                    continue
                pairs = Pairs(first, second)
                if entries and len(pairs):
                    yield from self._by_entry(pairs, b)
                if product and len(pairs):
                    yield from self._products(pairs, a, b, scaled=too and not turned)

    def _by_entry(self, pairs: Pairs, b: Shape) -> Iterator[Candidate]:
        a, (left, right) = self.shape, pairs.mids
        made: list[tuple[str, Array, Callable[[Value, Value], Value | None]]] = []
        if b in (a[:-1], (*a[:-1], 1)):
            made.append(("over", left / right.reshape(-1, *a[:-1], 1), _shares))
        if b in (a, a[-1:]):
            made.append(("sum", left + right.reshape(-1, *[1] * (len(a) - len(b)), *b), values.add))
        if b == a:
            made.append(("entries", left * right, values.times))
        if len(b) == 2 and b[0] > a[0] and b[1:] == a[1:]:
            made.append(("sum", left + right[:, : a[0]], _plus_first_rows))
        for step, (kind, mids, value) in enumerate(made):
            for (n,) in self._hits(mids):
                yield (*pairs.order(n), step), kind, pairs.made(n, value)

    def _products(self, pairs: Pairs, a: Shape, b: Shape, *, scaled: bool) -> Iterator[Candidate]:
        """A product of matrices, a row of it, or the columns of one head; Q K^T may be scaled."""
        left, right = pairs.mids
        mids = (left if len(a) == 2 else left[:, None]) @ (right if len(b) == 2 else right[:, :, None])
        size = a[:-1] + b[1:]

        def of(n: int) -> Whole:
            return (*pairs.order(n), len(self.shape) + 2), pairs.made(n, values.matmul)

        if _long(size) == _long(self.shape):
            tried = scales(a[-1], self.sizes) if scaled else [Scale(1, False)]
            yield from self._scaled("product", mids.reshape(-1, *self.shape), of, tried, masked=False)
        elif len(self.shape) == 1:
            for n, row in self._hits(mids):
                order, whole = of(n)
                yield (*order, row), "product", partial(_then, whole, values.row, row)
        else:
            yield from self._parts("product", mids, of)

    def _leads_to(self, size: Shape, turned: bool) -> bool:
        """Whether a product of this size may be the print, or have it as a row or as a head's columns."""
        row = len(size) == 2 and size[1:] == self.shape and size[0] <= MOST_ROWS
        return _long(size) == _long(self.shape) or (not turned and (row or self._wider(size)))

    def _wider(self, size: Shape) -> bool:
        return (
            len(size) == len(self.shape) == 2
            and size[0] == self.shape[0]
            and size[1] > self.shape[1]
            and not size[1] % self.shape[1]
        )

    def _parts(self, kind: str, mids: Array, of: Callable[[int], Whole]) -> Iterator[Candidate]:
        """The columns of one head after the other."""
        (rows, width) = self.shape
        for n, head in self._hits(mids.reshape(len(mids), rows, -1, width).swapaxes(1, 2)):
            order, whole = of(n)
            yield (
                (*order, head),
                kind,
                partial(_then, whole, values.columns, head * width, (head + 1) * width),
            )

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
