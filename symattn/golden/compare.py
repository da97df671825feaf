"""Errors of an implementation in units in the last place of the exact values (Goldberg 1991)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from msgspec import Struct

from symattn.golden.attention import Rounded
from symattn.golden.enclosures import scores
from symattn.golden.formats import Floats
from symattn.golden.inputs import Inputs
from symattn.text.bilingual import Bilingual
from symattn.text.errors import ShapeMismatch

EDGES = (0.5, 1.0, 2.0, 4.0, 16.0, 256.0, np.inf)
"""Upper edges of the bins of the histogram; the last one is for what is finite."""
WORST = 5
SCORES = 4
PARTS = 170
"""Places of the diagram by tokens."""
OF_QUERIES = ("o", "lse", "dq")
"""Results with one row for each query."""


class Entry(Struct, frozen=True):
    """An entry far from the exact value; `scores` are the largest of its row, as (key, score)."""

    position: tuple[int, ...]
    actual: float
    rounded: float
    exact: float
    ulps: float
    scores: Sequence[tuple[int, float]]


class Comparison(Struct, frozen=True):
    """The errors of one result in ulps of a format."""

    name: str
    format: str
    entries: int
    correctly_rounded: int
    largest: float
    mean: float
    not_finite: int
    """Entries that are NaN or infinite where the exact value is not, or the other way round."""
    histogram: Sequence[tuple[float, int]]
    worst: Sequence[Entry]
    tokens: int
    by_token: Sequence[float]
    """The largest errors of tokens, or of some that follow each other where there are many."""


def ulp_errors(actual: Floats, golden: Rounded) -> Floats:
    """|actual - exact| in ulps of the exact values; infinite where only one of both is finite.

    Both have one shape; raises ShapeMismatch.
    """
    if actual.shape != golden.values.shape:
        raise ShapeMismatch(
            Bilingual(
                f"the shape {actual.shape} of the results is not {golden.values.shape}",
                f"结果的形状为 {actual.shape}，而非 {golden.values.shape}",
            )
        )
    values, rest = golden.values, golden.rest
    with np.errstate(all="ignore"):
        unit = golden.format.ulp(values)
        # below a power of two the unit is half as large
        below = (np.frexp(np.abs(values))[0] == 0.5) & (rest * np.sign(values) < 0)
        unit = np.where(below, golden.format.ulp(np.nextafter(values, 0)), unit)
        errors = np.abs((actual - values) - rest) / unit
        same = (actual == values) | (np.isnan(actual) & np.isnan(values))
        finite = np.isfinite(actual) & np.isfinite(values)
        found: Floats = np.where(finite, errors, np.where(same, 0.0, np.inf))
    return found


def compare(name: str, actual: Floats, golden: Rounded, inputs: Inputs) -> Comparison:
    """The errors of a result with the name o, lse, dq, dk, dv or dsinks, in the layout of the inputs."""
    errors = ulp_errors(actual, golden)
    finite = errors[np.isfinite(errors)]
    counts, before = [], 0
    for edge in EDGES:
        upto = int(np.count_nonzero(finite <= edge))
        counts.append((edge, upto - before))
        before = upto
    order = np.argsort(-errors.ravel(), kind="stable")[:WORST]
    rows = _rows(name, golden.values.shape, inputs)
    same = (actual == golden.values) | (np.isnan(actual) & np.isnan(golden.values))
    return Comparison(
        name,
        golden.format.name,
        errors.size,
        int(np.count_nonzero(same)),
        float(errors.max(initial=0.0)),
        float(finite.mean()) if finite.size else 0.0,
        errors.size - finite.size,
        counts,
        [
            Entry(
                tuple(int(x) for x in np.unravel_index(at, errors.shape)),
                float(actual.flat[at]),
                float(golden.values.flat[at]),
                float(golden.values.flat[at] + golden.rest.flat[at]),
                float(errors.flat[at]),
                [] if rows is None else _largest_scores(inputs, int(rows.flat[at])),
            )
            for at in order
            if errors.flat[at] > 0.5
        ],
        *_by_token(errors, -1 if name in ("lse", "dsinks") else -2),
    )


def compare_all(
    actual: Mapping[str, Floats], golden: Mapping[str, Rounded], inputs: Inputs
) -> list[Comparison]:
    """The comparisons of every result that both have."""
    return [compare(name, actual[name], golden[name], inputs) for name in golden if name in actual]


def _by_token(errors: Floats, axis: int) -> tuple[int, list[float]]:
    """How many tokens there are along an axis, and at most PARTS largest errors."""
    largest = np.moveaxis(errors, axis, 0).reshape(errors.shape[axis], -1).max(axis=1)
    starts = np.unique(np.linspace(0, len(largest), PARTS, endpoint=False).astype(int))
    return len(largest), np.maximum.reduceat(largest, starts).tolist()


def _rows(name: str, shape: tuple[int, ...], inputs: Inputs) -> Any:
    """Of which query each entry is, as a flat number of (batch, head, query), if it is of one."""
    if name not in OF_QUERIES:
        return None
    numbers = np.arange(np.prod(inputs.shape[:3])).reshape(*inputs.shape[:3], 1)
    if name == "lse":
        return inputs.by_rows(numbers)
    width = inputs.v.shape[3] if name == "o" else inputs.q.shape[3]
    return inputs.laid_out(np.broadcast_to(numbers, (*inputs.shape[:3], width)))


def _largest_scores(inputs: Inputs, number: int) -> list[tuple[int, float]]:
    batch, head, row = np.unravel_index(number, inputs.shape[:3])
    (found,) = scores(inputs.head(int(batch), int(head)), slice(int(row), int(row) + 1))
    order = np.argsort(-found, kind="stable")[:SCORES]
    return [(int(key), float(found[key])) for key in order if found[key] > -np.inf and key < inputs.shape[3]]
