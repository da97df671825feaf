"""One step: the formula, the matrices put in, the worked products, the result."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from symattn.attention.quantities import QUANTITIES
from symattn.attention.quantities.quantity import Worked
from symattn.exact.names import Names
from symattn.exact.number import Exact, Infinite
from symattn.narrate.example import Used, example, used
from symattn.narrate.names import entry, symbol
from symattn.narrate.numbers import LONG_FORM, Link, length
from symattn.narrate.page import LONG_CELL, Page, gathered
from symattn.plans.kinds import Masking, Scaling, Waves
from symattn.plans.operation import Operation
from symattn.plans.plan import Line
from symattn.plans.transposed import on_rows
from symattn.text.document import Block, Display, Formulas, Maths, Paragraph
from symattn.text.notation import (
    Call,
    Chain,
    Entry,
    Formula,
    Grid,
    Infinity,
    Negative,
    Number,
    Product,
    Quotient,
    Relation,
    Root,
    Sum,
    Symbol,
    Transpose,
    equation,
    rewritten,
)

ONE = Exact.of(1)


def step(page: Page, lines: Sequence[Line]) -> Iterator[Block]:
    """A product, a sum, a scaling: whole, then entry by entry."""
    (line,) = lines
    yield from written_out(page, line)
    entries = tuple(worked(page, line, i, j) for i, j in page.places(line.name))
    yield Display(entries, "worked")
    yield from others(page, line.name)


def written_out(page: Page, line: Line) -> Iterator[Block]:
    """The step with its matrices put in; nothing where none can be, for the heading has the formula."""
    chain = whole(page, line)
    if page.short and len(chain.links) > 1:
        (_, first), *rest = chain.links[1:]
        yield Display((Chain(first, tuple(rest)) if rest else Chain(chain.first, chain.links[1:]),))
        yield from size_note(page, line.name)
    elif len(chain.links) > 1:
        yield Display((chain,))
        yield from size_note(page, line.name)


def scalar(page: Page, lines: Sequence[Line]) -> Iterator[Block]:
    """A single number, which needs no brackets and no indices: its formula and its working in one chain."""
    (line,) = lines
    working = worked(page, line, 0, 0)
    yield Display((Chain(symbol(line.name), (("=", by_names(page, line)), *working.links)),))


def scaled(page: Page, lines: Sequence[Line]) -> Iterator[Block]:
    """The scaling; one sentence where the scale is 1."""
    (line,) = lines
    if isinstance(line.op, Scaling) and line.op.divisor == ONE:
        spelled = line.op.spelled
        divisor = (
            (Maths(equation(spelled, Number("1"))),)
            if isinstance(spelled, Root)
            else page.voice.say("no-divisor")
        )
        yield Paragraph(page.voice.say("not-scaled", divisor=divisor))
        return
    yield from step(page, lines)


def masked(page: Page, lines: Sequence[Line]) -> Iterator[Block]:
    """The mask added to the scores, as matrices; there is nothing to work out."""
    (line,) = lines
    yield Display((whole(page, line),))
    yield from size_note(page, line.name)
    if any(isinstance(x, Infinite) for row in page.shown(line.name) for x in row):
        yield Paragraph(page.voice.say("hidden", infinity=Maths(Negative(Infinity()))))


def columns(page: Page, lines: Sequence[Line]) -> Iterator[Block]:
    """A head's share of Q, K and V."""
    shown = [line for line in lines if page.shows(line.name)]
    chains = tuple(Chain(symbol(line.name), page.values(line.name)) for line in shown)
    yield Formulas(chains) if page.short else Display(chains)


def ruled(page: Page, lines: Sequence[Line]) -> Iterator[Block]:
    """A rule for every entry or row, such as a rotation or a norm: the result, then entry by entry."""
    (line,) = lines
    yield Display((Chain(symbol(line.name), (("=", by_names(page, line)), *page.values(line.name))),))
    yield from size_note(page, line.name)
    chains: dict[Formula, Chain] = {}
    for i, j in page.places(line.name):
        for chain in (*definitions(page, line, i, j), worked(page, line, i, j)):
            chains.setdefault(chain.first, chain)
    yield Display(tuple(chains.values()), "worked")
    yield from others(page, line.name)


def concatenated(page: Page, lines: Sequence[Line]) -> Iterator[Block]:
    """The outputs of the heads side by side."""
    (line,) = lines
    named = line.op.formula(*map(symbol, line.args))
    decimals = page.decimal_grid(line.name)
    values = page.values(line.name) if decimals is None or decimals[0] == "=" else (decimals,)
    yield Display((Chain(symbol(line.name), (("=", named), *values)),))
    yield from size_note(page, line.name)


def positions(page: Page, lines: Sequence[Line]) -> Iterator[Block]:
    """Sines and cosines: the rule, then every entry."""
    (line,) = lines
    op = on_rows(line.op)
    assert isinstance(op, Waves)
    pe, p, i = symbol(line.name), Symbol("p"), Symbol("i")
    d = Symbol("d", sub=Symbol("model"))
    yield Paragraph(
        page.voice.say("encoding" if op.interleaved else "encoding-half", p=Maths(p), d=Maths(d), i=Maths(i))
    )
    yield Display(tuple(equation(Call(pe.name, (p, column)), wave) for column, wave in op.rules(p, i, d)))
    yield Display(tuple(worked(page, line, i, j) for i, j in page.places(line.name)), "worked")
    yield from others(page, line.name)
    yield Display((Chain(pe, page.values(line.name)),))
    yield from size_note(page, line.name)


def by_names(page: Page, line: Line) -> Formula:
    """The right-hand side of a step in symbols."""
    if isinstance(line.op, Scaling):
        if line.op.divisor == ONE:
            return symbol(line.args[0])
        if not divides(line.op):
            return Product((factor(line.op, page), symbol(line.args[0])))
    return line.op.formula(*map(symbol, line.args))


def whole(page: Page, line: Line) -> Chain:
    """`Q = X W_Q = [X] [W_Q] = [Q]`, as far as its matrices can be written out."""
    links: list[Link] = [("=", by_names(page, line))]
    uses = _uses(page, line)
    factors = [_shaded(page, name, page.written(name), uses) for name in line.args]
    values = _labelled_once(page, line.name, page.values(line.name), uses)
    if factors and None not in factors:
        known = [(name, *found) for name, found in zip(line.args, factors, strict=True) if found is not None]
        rounded = any(sign == "≈" for _, sign, _ in known)
        grids = [page.bare(name, grid) for name, _, grid in known]
        links.append(("≈" if rounded else "=", put_in(line.op, grids, page)))
        if rounded:  # after rounded factors nothing is exact any more; the closed forms follow below
            decimals = page.decimal_grid(line.name)
            values = () if decimals is None else _labelled_once(page, line.name, (("≈", decimals[1]),), uses)
    return Chain(symbol(line.name), (*links, *values))


def _uses(page: Page, line: Line) -> Used:
    """On a short page, the entries of each matrix that the worked entry uses, and that entry itself."""
    if not page.short:
        return {}
    place = example(page.derivation, line.name)
    return {**used(page.derivation, line, *place), line.name: frozenset({place})}


def _shaded(
    page: Page, name: str, found: tuple[Relation, Grid] | None, uses: Used
) -> tuple[Relation, Grid] | None:
    if found is None or not page.short:
        return found
    return found[0], replace(
        page.marked(name, found[1], uses.get(name, frozenset())), row_labels=(), col_labels=()
    )


def _labelled_once(page: Page, name: str, values: Sequence[Link], uses: Used) -> tuple[Link, ...]:
    """On a short page, the worked entry marked, and labels only at the last matrix of queries and keys."""
    if not page.short:
        return tuple(values)
    quantity = QUANTITIES.counted(name)
    found: list[Link] = []
    for k, (sign, form) in enumerate(values):
        shown = form
        if isinstance(form, Grid):
            shown = page.marked(name, form, uses.get(name, frozenset()))
            if k < len(values) - 1 or quantity is None or not quantity.square:
                shown = replace(shown, row_labels=(), col_labels=())
        found.append((sign, shown))
    return tuple(found)


def worked(page: Page, line: Line, i: int, j: int) -> Chain:
    """`Q_11 = 1 · 1 + 1 · 0 + 0 · 1 = 1`, for entry (i, j) from 0."""
    x = page.derivation[line.name][i, j]
    grids = [_operands(page, name) for name in line.args]
    symbols = {formula: named for named, formula in _parts(line, i, j, grids)}
    working = gathered(rewritten(_entry(line.op, i, j, grids, page), symbols.get))
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
    """The working with decimals for the entries that stand in it by name."""
    grids: list[Grid] = []
    for name in line.args:
        found = page.written(name) if name in page.derivation.given else page.decimal_grid(name)
        if found is None:
            return ()
        grids.append(found[1])
    parts = [formula for _, formula in line.op.parts(i, j, *grids)]
    rounded = [page.numbers.decimal(x) for x in part_values(page, line, i, j)]
    known = {
        formula: Number(decimal.digits)
        for formula, decimal in zip(parts, rounded, strict=True)
        if decimal is not None
    }
    return (("≈", gathered(rewritten(_entry(line.op, i, j, grids, page), known.get))),)


def definitions(page: Page, line: Line, i: int, j: int) -> Iterator[Chain]:
    """What the working of entry (i, j) has a symbol for: `mu_1 = (R_11 + R_12)/2 = 3/2`."""
    grids = [_operands(page, name) for name in line.args]
    symbols: dict[Formula, Symbol] = {}
    parts = _parts(line, i, j, grids)
    for (named, formula), x in zip(parts, part_values(page, line, i, j), strict=True):
        working = gathered(rewritten(formula, symbols.get))
        yield Chain(named, (("=", working), *page.numbers.links(x, working)))
        symbols[formula] = named


def _parts(line: Line, i: int, j: int, grids: Sequence[Grid]) -> tuple[tuple[Symbol, Formula], ...]:
    """The parts of a working, told apart as the steps are: mu' beside Y', mu^(2) beside Y of layer 2."""
    own = symbol(line.name)
    primes = own.name[len(own.name.rstrip("'")) :]
    return tuple(
        (replace(named, name=named.name + primes, sup=own.sup), formula)
        for named, formula in line.op.parts(i, j, *grids)
    )


def part_values(page: Page, line: Line, i: int, j: int) -> tuple[Exact, ...]:
    """The values of the parts of a working, from its arguments as the line saw them."""
    return line.op.part_values(i, j, *line.arguments(dict(page.derivation.items()), Names()))


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


def size_note(page: Page, name: str) -> Iterator[Block]:
    """The real shape of a matrix that is shown with dots."""
    matrix = page.derivation[name]
    if not page.whole(matrix):
        n, m = matrix.shape
        yield Paragraph(page.voice.say("shape", name=Maths(symbol(name)), rows=n, cols=m))


def others(page: Page, name: str) -> Iterator[Block]:
    """One sentence where entries are not worked out."""
    if page.left_out(name):
        yield Paragraph(page.voice.say("others"))


def put_in(op: Operation, grids: Sequence[Formula], page: Page) -> Formula:
    """The operation with matrices for names: transposes carried out, a divisor as a factor before."""
    if isinstance(op, Scaling):
        return Product((factor(op, page), grids[0]))
    if isinstance(op, Masking) and isinstance(grids[0], Grid):
        return Sum((grids[0], _mask_grid(op, grids[0], page)))
    return _transposed(op.formula(*grids))


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
    return isinstance(op.value, Root | Number | Symbol)


def factor(op: Scaling, page: Page) -> Formula:
    """One over the divisor."""
    if op.value is not None and divides(op):
        return Quotient(Number("1"), op.value)
    return page.numbers.exact(op.divisor.inverse())


def _mask_grid(op: Masking, scores: Grid, page: Page) -> Grid:
    n, m = op.additive.shape
    rows, cols = page.kept(n), page.kept(m)
    cells = tuple(
        tuple(
            scores.rows[p][q] if i is None or j is None else page.numbers.exact(op.additive[i, j])
            for q, j in enumerate(cols)
        )
        for p, i in enumerate(rows)
    )
    return Grid(cells, (), scores.col_labels)


def _transposed(formula: Formula) -> Formula:
    match formula:
        case Product(factors=factors, sign=sign):
            return Product(tuple(_transposed(part) for part in factors), sign)
        case Sum(terms=terms, spelled=spelled):
            return Sum(tuple(_transposed(term) for term in terms), spelled)
        case Transpose(matrix=Grid() as grid):
            return grid.T
    return formula


STEPS: Mapping[Worked, Callable[[Page, Sequence[Line]], Iterator[Block]]] = MappingProxyType(
    {"scaling": scaled, "mask": masked, "sinusoids": positions, "rule": ruled}
)
"""The steps that are told otherwise than by `step`."""


def narrator_of(base: str) -> Callable[[Page, Sequence[Line]], Iterator[Block]]:
    """How the step that computes a quantity is told."""
    quantity = QUANTITIES.of(base)
    return step if quantity is None else STEPS.get(quantity.worked, step)
