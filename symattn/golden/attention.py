"""Attention on floats, correctly rounded once: bounds decide most entries, balls the others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from symattn.golden import pairs
from symattn.golden.balls import Balls, blocks, decide
from symattn.golden.enclosures import Enclosed, enclosures
from symattn.golden.formats import FORMATS, Floats, Format
from symattn.golden.inputs import Head, Inputs

MOST_BITS = 24
"""Formats of more bits are decided by pairs of floats: bounds in float64 would prove nothing."""
MOST_OF_IT = 0.99
"""The share of the work that pairs of floats are."""


class Rounded(Struct, frozen=True, eq=False):
    """Correctly rounded numbers, and by how much the exact ones are larger."""

    values: Floats
    rest: Floats
    format: Format

    def __repr__(self) -> str:
        return f"Rounded({self.format.name}, {np.array2string(self.values, separator=', ')})"

    @property
    def codes(self) -> NDArray[Any]:
        """The bits, as unsigned integers."""
        return self.format.codes(self.values)

    def __array__(self, dtype: object = None, copy: bool | None = None) -> Floats:
        return np.array(self.values, dtype=dtype)  # type: ignore[call-overload,no-any-return]


class Target(Struct, frozen=True):
    """What results are rounded to."""

    format: Format
    saturate: bool = False

    @property
    def of_logs(self) -> Format:
        """The format of log-sum-exps, which kernels keep in float32."""
        return FORMATS["float64" if self.format.precision > MOST_BITS else "float32"]


def golden(
    inputs: Inputs, target: Target, watch: Callable[[float], None] = lambda share: None
) -> Mapping[str, Rounded]:
    """o and lse in the layout of the inputs; `watch` hears which share is done."""
    batches, heads, n, _ = inputs.shape
    o = _empty((batches, heads, n, inputs.v.shape[3]), target.format)
    lse = _empty((batches, heads, n, 1), target.of_logs)
    for number, (at, head) in enumerate(inputs):
        for share in _forward(head, target, _part(o, at), _part(lse, at)):
            watch((number + share) / (batches * heads))
    return {
        "o": Rounded(inputs.laid_out(o.values), inputs.laid_out(o.rest), o.format),
        "lse": Rounded(inputs.by_rows(lse.values), inputs.by_rows(lse.rest), lse.format),
    }


def _forward(head: Head, target: Target, o: Rounded, lse: Rounded) -> Iterator[float]:
    """Fills in one head and yields the share that is done."""
    balls, before = None, 0.0
    open_o, open_lse = (np.ones(each.values.shape, np.bool_) for each in (o, lse))
    if target.format.precision <= MOST_BITS:
        for rows, outputs, logs in enclosures(head):
            open_o[rows] = _proved(outputs, o, rows, target.saturate)
            log = Enclosed(logs.middle[:, None], logs.error[:, None])
            open_lse[rows] = _proved(log, lse, rows, False)
    else:
        balls = Balls(head)
        for some in pairs.rows(balls):
            at = some.numbers
            o.values[at], o.rest[at], proved = some.rounded()
            open_o[at] = ~proved
            for i, ball in zip(at.tolist(), some.logs, strict=True):
                rounded = lse.format.of_ball(ball)
                if rounded is not None:
                    lse.values[i], lse.rest[i], open_lse[i] = rounded, float(ball - rounded), False
            before = float(at[-1] + 1) / len(head.q) * MOST_OF_IT
            yield before
    left = np.hstack([open_o, open_lse])
    rows_left = np.flatnonzero(left.any(axis=1)).tolist()
    width = o.values.shape[1]
    if rows_left and balls is None:
        balls = Balls(head)

    def target_of(column: int) -> tuple[Format, bool]:
        return (lse.format, False) if column == width else (o.format, target.saturate)

    for done, part in enumerate(parts := list(blocks(rows_left, len(head.k))), 1):
        assert balls is not None
        wanted = [(i, j) for i in part for j in np.flatnonzero(left[i]).tolist()]
        for entry in decide(wanted, balls.rows, balls.exact, target_of):
            to, j = (lse, 0) if entry.column == width else (o, entry.column)
            to.values[entry.row, j], to.rest[entry.row, j] = entry.rounded, entry.rest
        yield before + (1 - before) * done / len(parts)
    yield 1.0


def _proved(x: Enclosed, to: Rounded, rows: slice, saturate: bool) -> NDArray[np.bool_]:
    """Rounds what the bounds decide, and returns where they do not."""
    with np.errstate(all="ignore"):
        low, high = (to.format.rounded(x.middle + sign * x.error, saturate) for sign in (-1, 1))
        to.values[rows] = low
        to.rest[rows] = np.where(np.isfinite(low), x.middle - low, 0.0)
        beyond = np.isnan(low) & np.isnan(high) & np.isfinite(x.middle + x.error)
    unproved: NDArray[np.bool_] = ~((low == high) | beyond)
    return unproved


def _empty(shape: tuple[int, ...], format: Format) -> Rounded:
    return Rounded(np.zeros(shape), np.zeros(shape), format)


def _part(x: Rounded, at: tuple[int, int]) -> Rounded:
    return Rounded(x.values[at], x.rest[at], x.format)
