"""Which entries an entry rests on, read off the working of its step."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

from symattn.plans.plan import Line
from symattn.text.notation import (
    Absolute,
    Call,
    Chain,
    Formula,
    Grid,
    Negative,
    Power,
    Product,
    Quotient,
    Root,
    Series,
    Sum,
    Symbol,
)

Entry = tuple[str, int, int]


@lru_cache(maxsize=1 << 13)
def dependencies(line: Line, i: int, j: int, shapes: tuple[tuple[int, int], ...]) -> Sequence[Entry]:
    """The entries of its arguments that entry (i, j) of a line uses."""
    grids = [marked(k, shape) for k, shape in enumerate(shapes)]
    found: list[Entry] = []
    _collect(line.op.entry(i, j, *grids), line, found)
    return tuple(found)


@cache
def marked(argument: int, shape: tuple[int, int]) -> Grid:
    """A grid of symbols that name their own place: `@argument:row:column`."""
    return Grid(
        tuple(tuple(Symbol(f"@{argument}:{i}:{j}") for j in range(shape[1])) for i in range(shape[0]))
    )


@lru_cache(maxsize=1 << 15)
def place_of(mark: str) -> tuple[int, int, int]:
    """The argument, row and column of a mark."""
    argument, i, j = mark[1:].split(":")
    return int(argument), int(i), int(j)


def _collect(formula: Formula, line: Line, found: list[Entry]) -> None:
    match formula:
        case Symbol(name=name) if name.startswith("@"):
            argument, i, j = place_of(name)
            found.append((line.args[argument], i, j))
        case Sum(terms=parts) | Product(factors=parts) | Call(arguments=parts):
            for part in parts:
                _collect(part, line, found)
        case Quotient(over=a, under=b) | Power(base=a, exponent=b):
            _collect(a, line, found)
            _collect(b, line, found)
        case Negative(term=inner) | Root(radicand=inner) | Absolute(body=inner) | Series(body=inner):
            _collect(inner, line, found)
        case Chain(first=first, links=links):
            _collect(first, line, found)
            for _, part in links:
                _collect(part, line, found)
