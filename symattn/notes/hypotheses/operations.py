"""Operations of the package as candidates: what is registered here is found in notes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from symattn.attention.recipes.named import operation
from symattn.notes.interpreter import values
from symattn.notes.interpreter.values import Array, Value
from symattn.plans.operation import Operation
from symattn.text.errors import SymattnError

_OPERATIONS: list[Operation] = [operation("gelu"), operation("sparsemax")]


def register(new: Operation) -> None:
    """Has an operation, with these parameters, tried on the prints of a document."""
    _OPERATIONS.append(new)


def operations(
    near: Callable[[Array], bool], shape: tuple[int, ...], known: Sequence[Sequence[Value]]
) -> Iterator[tuple[str, Value]]:
    """Every registered operation on one or two prints, as far as it comes near."""
    flat = [value for several in known for value in several if len(value.shape) == 2]
    for each in _OPERATIONS:
        arity = len(each.example()[1])
        pairs = [(a,) for a in flat] if arity == 1 else [(a, b) for a in flat for b in flat if a is not b]
        for args in pairs if arity < 3 and len(shape) == 2 else ():
            yield from _applied(each, args, near, shape)


def _applied(
    op: Operation, args: tuple[Value, ...], near: Callable[[Array], bool], shape: tuple[int, ...]
) -> Iterator[tuple[str, Value]]:
    try:
        if op.shape(*((a.shape[0], a.shape[1]) for a in args)) != shape:
            return
        made = np.asarray(op.floats(*(a.mid for a in args)))
    except (SymattnError, ValueError, IndexError):
        return
    if near(made):
        yield "operation", values.operated(op, *args)
