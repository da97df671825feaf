"""One entry looked at closely: its formula in symbols, the numbers put in, the products, the result."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import MappingProxyType

from msgspec import Struct
from msgspec.structs import replace

from symattn.attention.quantities import QUANTITIES
from symattn.exact.number import Exact, Infinite
from symattn.narrate.entries import definitions, parts_of, worked
from symattn.narrate.example import Place, Used, operands
from symattn.narrate.names import entry
from symattn.narrate.numbers import Link, Numbers
from symattn.narrate.page import KEPT, LARGEST, Cell, Page
from symattn.narrate.put_in import numeric
from symattn.plans.plan import Line
from symattn.text.notation import Call, Chain, Dots, Formula, Grid, Power, Root, Sum, Symbol, parts, rewritten
from symattn.typeset.plain import plain_formula

Named = tuple[str, int, int]
"""An entry: a matrix by name, a row and a column, from 0."""


class CloseUp(Page, frozen=True, eq=False, dict=True):
    """A page that looks at some entries of each matrix, wherever in it they are."""

    seen: Used = MappingProxyType({})

    def named(self, name: str, i: int, j: int) -> Formula:
        """Entry (i, j) of a matrix by name; what is one number a row has one index."""
        quantity = QUANTITIES.of(name)
        if quantity is not None and quantity.shape[1:] == ("1",) and not quantity.scalar:
            return entry(name, j if self.columns else i)
        return super().named(name, i, j)

    def shown(self, name: str) -> list[list[Exact]]:
        """The entries that are looked at, as one row."""
        return [[self.derivation[name][place] for place in self._places(name)]]

    def grid(self, name: str, cell: Cell | None = None, *, even: bool = False) -> Grid:
        """The whole matrix, with dots for what is not looked at."""
        cell, (n, m) = cell or self.operand(name), self.derivation[name].shape
        rows: list[list[Formula]] = [[Dots()] * m for _ in range(n)]
        for i, j in self._places(name):
            rows[i][j] = cell(i, j)
        return Grid(tuple(map(tuple, rows)))

    def _placed(self, name: str, cells: tuple[tuple[Formula, ...], ...]) -> Grid:
        found = dict(zip(self._places(name), cells[0], strict=True))
        return self.grid(name, lambda i, j: found[i, j])

    def _places(self, name: str) -> list[Place]:
        return sorted(self.seen.get(name, ()))


def close_up(page: Page, seen: Used = MappingProxyType({})) -> CloseUp:
    """The page on which those entries are looked at."""
    return CloseUp(
        page.case,
        page.derivation,
        page.voice,
        page.numbers,
        page.styles,
        detail="steps",
        seen=seen,
        _seen=page._seen,
    )


class Reason(Struct, frozen=True):
    """An entry with what it follows from: its formula in symbols, its working, and its operands.

    `pieces` are what formula and working have symbols for, as formulas and worked out.
    """

    at: Named
    formula: Chain
    working: Chain
    pieces: tuple[tuple[Chain, Chain], ...]
    operands: tuple[Named, ...]

    @property
    def chains(self) -> tuple[Chain, ...]:
        """All of it: `Q_11 = X_11 W_11 + X_12 W_21 = 1·1 + 2·0 = 1`."""
        return tuple(
            replace(formula, links=_once((*formula.links, *working.links)))
            for formula, working in ((self.formula, self.working), *self.pieces)
        )


def reason(page: Page, line: Line, i: int, j: int) -> Reason:
    """Entry (i, j) of what a line makes, from 0, worked out; of its operands the most important first."""
    derivation = page.derivation
    found = operands(derivation, line, i, j, lambda x: _size(page, x))
    seen: dict[str, set[Place]] = {line.name: {(i, j)}}
    for name, row, col in found:
        seen.setdefault(name, set()).add((row, col))
    close = close_up(page, {name: frozenset(places) for name, places in seen.items()})
    grids = [close.grid(name, _by_name(close, name)) for name in line.args]
    symbols: dict[Formula, Formula] = {}
    pieces = []
    for (named, formula), chain in zip(
        parts_of(line, i, j, grids), definitions(close, line, i, j), strict=True
    ):
        pieces.append((Chain(named, (("=", rewritten(formula, symbols.get)),)), chain))
        symbols[formula] = named
    first = close.named(line.name, i, j)
    formula = rewritten(line.op.entry(i, j, *grids), symbols.get)
    chain, telling = worked(close, line, i, j), _telling(close, formula, found)
    return Reason(
        (line.name, i, j),
        _shortened(Chain(first, (("=", formula),)), telling),
        _shortened(Chain(first, tuple(_with_products(page.of(line.name), chain.links))), telling),
        tuple((_shortened(a), _shortened(b)) for a, b in pieces),
        found,
    )


def _by_name(page: Page, name: str) -> Cell:
    return lambda i, j: page.named(name, i, j)


def _size(page: Page, x: Exact) -> float:
    """The magnitude of a number; 1 where it has none that is a decimal."""
    decimal = None if isinstance(x, Infinite) else page.numbers.decimal(x)
    return 1.0 if decimal is None else abs(float(decimal.digits))


def _with_products(numbers: Numbers, links: Sequence[Link]) -> Iterator[Link]:
    """The working with the value of each term after the first sum, where all are products of fractions."""
    for k, (sign, form) in enumerate(links):
        yield sign, form
        if k == 0 and sign == "=" and isinstance(form, Sum) and not _irrational(form):
            try:
                values = [Exact.of(numeric(term)) for term in form.terms]
            except ValueError:
                continue
            if sum(map(bool, values)) > 1:
                yield "=", Sum(tuple(map(numbers.exact, values)))


def _irrational(form: Formula) -> bool:
    return any(isinstance(part, Root | Power | Call | Symbol) for part in parts(form))


def _once(links: Sequence[Link]) -> tuple[Link, ...]:
    """The links without a member that says again what stands before it."""
    kept: list[Link] = []
    for sign, form in links:
        if not kept or plain_formula(kept[-1][1]) != plain_formula(form):
            kept.append((sign, form))
        elif sign == "≈":
            kept[-1] = (kept[-1][0], form)
    return tuple(kept)


def _telling(page: Page, formula: Formula, found: Sequence[Named]) -> list[int]:
    """The terms of a long sum that have the most important operands, by their places in it."""
    terms = formula.terms if isinstance(formula, Sum) else ()
    rank = {page.named(*each): k for k, each in enumerate(found)}
    first = [min((rank[part] for part in parts(term) if part in rank), default=len(rank)) for term in terms]
    return sorted(sorted(range(len(terms)), key=first.__getitem__)[: KEPT + 1])


def _shortened(chain: Chain, telling: Sequence[int] = ()) -> Chain:
    """The chain with dots in its long sums, which keep those terms, or else the first and the last."""

    def kept(terms: Sequence[Formula]) -> Iterator[Formula]:
        places = telling or (*range(KEPT), len(terms) - 1)
        for before, place in zip((-1, *places), (*places, len(terms)), strict=True):
            if place > before + 1:
                yield Dots()
            yield from terms[place : place + 1]

    def cut(part: object) -> Formula | None:
        match part:
            case Sum(terms=terms) if len(terms) > LARGEST:
                return Sum(tuple(kept(terms)), part.spelled)
            case Call(arguments=arguments) if len(arguments) > LARGEST:
                return Call(part.function, tuple(kept(arguments)))
        return None

    return replace(chain, links=tuple((sign, rewritten(form, cut)) for sign, form in chain.links))
