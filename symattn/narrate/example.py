"""Which entry of a step is worked out on a short page, and which numbers it uses.

An operation says both: its rule is applied once to grids of placeholders, and those that come out are used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice, product
from math import prod

from symattn.exact.number import Exact
from symattn.plans.derive import Derivation
from symattn.plans.plan import Line
from symattn.text.notation import Grid, Product, Sum, Symbol, parts

Place = tuple[int, int]
Used = Mapping[str, frozenset[Place]]
"""The entries of each matrix that a worked entry uses, by the name of the matrix."""

MOST_TRIED = 64
"""Entries that are looked through for one with two products that are not zero."""
TELLING = 2


def example(derivation: Derivation, name: str) -> Place:
    """The first entry of a step whose sum has two terms other than zero, else the first entry."""
    line, (n, m) = derivation.line(name), derivation[name].shape
    if line is None:
        return 0, 0
    grids = placeholders(derivation, line)
    places = islice(product(range(n), range(m)), MOST_TRIED)
    return next((place for place in places if _terms(derivation, line, grids, *place) >= TELLING), (0, 0))


def used(derivation: Derivation, line: Line, i: int, j: int) -> Used:
    """The entries of the arguments of a line that its entry (i, j) is made of."""
    found: dict[str, set[Place]] = {}
    for name, row, col in operands(derivation, line, i, j):
        found.setdefault(name, set()).add((row, col))
    return {name: frozenset(places) for name, places in found.items()}


def operands(
    derivation: Derivation, line: Line, i: int, j: int, size: Callable[[Exact], float] | None = None
) -> tuple[tuple[str, int, int], ...]:
    """Those entries by name, row and column, in the order of the formula.

    With `size`, those of the largest term of a sum come first.
    """
    grids = placeholders(derivation, line)
    working = line.op.entry(i, j, *grids)
    terms = list(working.terms) if isinstance(working, Sum) else [working]
    if size is not None:
        terms.sort(
            key=lambda term: prod(size(derivation[line.args[k]][row, col]) for k, row, col in _found(term)),
            reverse=True,
        )
    pieces = tuple(formula for _, formula in line.op.parts(i, j, *grids))
    return tuple(dict.fromkeys((line.args[k], row, col) for k, row, col in _found((*terms, pieces))))


def _terms(derivation: Derivation, line: Line, grids: Sequence[Grid], i: int, j: int) -> int:
    """How many terms of the sum that makes an entry are not zero."""
    working = line.op.entry(i, j, *grids)
    if not isinstance(working, Sum):
        return 0
    return sum(
        isinstance(term, Product) and all(derivation[line.args[k]][row, col] for k, row, col in _found(term))
        for term in working.terms
    )


def placeholders(derivation: Derivation, line: Line) -> list[Grid]:
    """A grid for each argument of a line, whose entries say which argument, row and column they stand for."""
    shapes = [derivation[name].shape for name in line.args]
    return [
        Grid(tuple(tuple(Symbol(f"@{k}:{i}:{j}") for j in range(m)) for i in range(n)))
        for k, (n, m) in enumerate(shapes)
    ]


def _found(formula: object) -> Iterator[tuple[int, int, int]]:
    """The argument, row and column of every placeholder in a formula."""
    for part in parts(formula):
        if isinstance(part, Symbol) and part.name.startswith("@"):
            k, i, j = map(int, part.name[1:].split(":"))
            yield k, i, j
