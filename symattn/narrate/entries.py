"""One entry of a step worked out: `Q_11 = 1·1 + 1·0 + 0·1 = 1`, and what its working has symbols for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from symattn.exact.number import Exact
from symattn.narrate.names import entry, symbol
from symattn.narrate.numbers import LONG_FORM, Link, length
from symattn.narrate.page import LONG_CELL, Page, with_put_in
from symattn.narrate.put_in import MORE_PLACES, lands
from symattn.plans.kinds import Scaling
from symattn.plans.operation import Operation
from symattn.plans.plan import Line
from symattn.text.notation import (
    Chain,
    Entry,
    Formula,
    Grid,
    Negative,
    Number,
    Product,
    Quotient,
    Root,
    Sum,
    Symbol,
)

ONE = Exact.of(1)


def worked(page: Page, line: Line, i: int, j: int) -> Chain:
    """`Q_11 = 1 · 1 + 1 · 0 + 0 · 1 = 1`, for entry (i, j) from 0."""
    x = page.derivation[line.name][i, j]
    grids = [_operands(page, name) for name in line.args]
    symbols = {formula: named for named, formula in parts_of(line, i, j, grids)}
    working = with_put_in(_entry(line.op, i, j, grids, page), symbols)
    links: list[Link] = [("=", working)]
    by_name = any(_names_entry(working, name) for name in map(symbol, line.args))
    closed = page.closed(line.name, x, working)
    rounded = () if x.rational is not None or not by_name else _in_decimals(page, line, i, j)
    if rounded or (by_name and isinstance(line.op, Scaling)):
        closed = tuple(link for link in closed if link[0] == "≈" or length(link[1]) <= LONG_FORM)
    if len(closed) == 2 and not by_name and x.rational is None:
        form = length(closed[0][1])
        if form > LONG_CELL and form > length(working) + 1:
            closed = closed[1:]  # what stands there already is exact, and shorter
    exact = [link for link in closed if link[0] == "="]
    return Chain(entry(line.name, i, j), (*links, *exact, *rounded, *(k for k in closed if k[0] == "≈")))


def _in_decimals(page: Page, line: Line, i: int, j: int) -> tuple[Link, ...]:
    """The working with decimals for the entries that stand in it by name.

    It ends in the digits of the result: its numbers have up to `MORE_PLACES` more places where that takes
    them, and where that does not do either, there is no such line.
    """
    target = page.numbers.decimal(page.derivation[line.name][i, j])
    for more in range(MORE_PLACES + 1):
        form = _with_decimals(page.closer(more), line, i, j)
        if form is None or target is None or lands(form, target.digits):
            return () if form is None else (("≈", form),)
    return ()


def _with_decimals(page: Page, line: Line, i: int, j: int) -> Formula | None:
    grids: list[Grid] = []
    for name in line.args:
        found = page.written(name) if name in page.derivation.given else page.decimal_grid(name)
        if found is None:
            return None
        grids.append(found[1])
    parts = [formula for _, formula in line.op.parts(i, j, *grids)]
    rounded = [page.numbers.decimal(x) for x in part_values(page, line, i, j)]
    known = {
        formula: Number(decimal.digits)
        for formula, decimal in zip(parts, rounded, strict=True)
        if decimal is not None
    }
    return with_put_in(_entry(line.op, i, j, grids, page), known)


def definitions(page: Page, line: Line, i: int, j: int) -> Iterator[Chain]:
    """What the working of entry (i, j) has a symbol for: `mu_1 = (R_11 + R_12)/2 = 3/2`."""
    grids = [_operands(page, name) for name in line.args]
    symbols: dict[Formula, Formula] = {}
    parts = parts_of(line, i, j, grids)
    for (named, formula), x in zip(parts, part_values(page, line, i, j), strict=True):
        working = with_put_in(formula, symbols)
        yield Chain(named, (("=", working), *page.of(line.name).links(x, working)))
        symbols[formula] = named


def parts_of(line: Line, i: int, j: int, grids: Sequence[Grid]) -> tuple[tuple[Formula, Formula], ...]:
    """The parts of a working, told apart as the steps are: mu' beside Y', (rho_K)_1 beside (rho_Q)_1."""
    own = symbol(line.name)
    primes = own.name[len(own.name.rstrip("'")) :]
    return tuple(
        (_distinguished(replace(named, name=named.name + primes, sup=own.sup), own), formula)
        for named, formula in line.op.parts(i, j, *grids)
    )


def _distinguished(part: Symbol, own: Symbol) -> Formula:
    """A part of the row of a matrix with a subscript after that matrix, (rho_Q)_1 of Q_N."""
    if own.sub is None or not isinstance(part.sub, Number):
        return part
    return Entry(replace(part, sub=Symbol(own.name)), int(part.sub.digits))


def part_values(page: Page, line: Line, i: int, j: int) -> tuple[Exact, ...]:
    """The values of the parts of a working, from its arguments as the line saw them."""
    return line.op.part_values(i, j, *page.arguments(line))


def _operands(page: Page, name: str) -> Grid:
    return page.grid(name, page.operand(name))


def _names_entry(formula: Formula, matrix: Symbol) -> bool:
    match formula:
        case Entry(matrix=found):
            return found == matrix
        case Symbol():
            return formula == matrix
        case Sum(terms=parts) | Product(factors=parts):
            return any(_names_entry(part, matrix) for part in parts)
        case Quotient(over=over):
            return _names_entry(over, matrix)
    return False


def _entry(op: Operation, i: int, j: int, grids: Sequence[Grid], page: Page) -> Formula:
    if isinstance(op, Scaling) and (not divides(op) or denominators(grids[0].rows[i][j])):
        return Product((factor(op, page), grids[0].rows[i][j]), "dot")
    return op.entry(i, j, *grids)


def denominators(form: Formula) -> tuple[int, ...]:
    """The whole numbers under the fraction bars of a number's closed form."""
    match form:
        case Quotient(over=over, under=Number(digits=digits), flat=False) if digits.isdigit():
            return (int(digits), *denominators(over))
        case Negative(term=inner):
            return denominators(inner)
        case Sum(terms=parts) | Product(factors=parts):
            return tuple(d for part in parts for d in denominators(part))
    return ()


def divides(op: Scaling) -> bool:
    """Whether a scaling reads best as a division: by a number or a root, and not by a fraction."""
    return op.rooted or isinstance(op.value, Root | Number | Symbol)


def factor(op: Scaling, page: Page) -> Formula:
    """One over the divisor."""
    if op.value is not None and divides(op):
        return Quotient(Number("1"), op.value)
    return page.numbers.exact(op.divisor.inverse())
