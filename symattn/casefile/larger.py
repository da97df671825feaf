"""A case with more columns, tokens or keys: a key that has no effect on any of them has no feature there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from msgspec.structs import replace

from symattn.attention.case import Case, Given
from symattn.attention.quantities import QUANTITIES
from symattn.attention.recipes.columns import in_rows
from symattn.exact.matrix import Matrix

SIZED: Mapping[str, tuple[str, str]] = MappingProxyType(
    {"mask": ("n_q", "n_k"), "padding": ("1", "n_k"), "rotary": ("d_k", "1"), "d_model": ("d_model", "1")}
)
"""The rows and columns of settings that grow with the sizes of a case; a whole number is one of them."""
DOUBLED: tuple[Callable[[str], bool], ...] = (
    lambda size: "d_" in size,
    lambda size: size.startswith("n"),
    lambda size: size == "n_k",
)
"""Which sizes are doubled together: columns, tokens, keys alone."""


def larger(case: Case) -> Iterator[Case]:
    """The case on rows with some of its sizes doubled, each row or column coming twice."""
    return (_doubled(in_rows(case), sizes) for sizes in DOUBLED)


def _doubled(case: Case, sizes: Callable[[str], bool]) -> Case:
    given = {name: _twice(each, _shape(name), sizes) for name, each in case.given.items()}
    if "X" in given and sizes("n_k") and not sizes("n"):
        given.setdefault("memory", _twice(given["X"], ("n_k", "d_model"), sizes))
    settings: dict[str, Any] = {}
    for key, shape in SIZED.items():
        value = getattr(case.settings, key)
        if isinstance(value, Given):
            settings[key] = _twice(value, shape, sizes)
        elif isinstance(value, int) and sizes(shape[0]):
            settings[key] = 2 * value
    return replace(case, given=given, settings=replace(case.settings, **settings))


def _shape(name: str) -> tuple[str, ...]:
    quantity = QUANTITIES.counted(name)
    return quantity.shape if quantity is not None else ()


def _twice(given: Given, shape: tuple[str, ...], sizes: Callable[[str], bool]) -> Given:
    """A given matrix of this shape in symbols, with its rows and columns of these sizes twice."""
    rows, columns = (1 + sizes(size) for size in shape or ("1", "1"))
    return Given(
        tuple(row * columns for row in given.typed) * rows,
        Matrix.of([[*row] * columns for row in given.values.rows()] * rows),
    )
