"""One step: the formula, the matrices put in, the worked products, the result."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType

from msgspec.structs import replace

from symattn.attention.quantities import QUANTITIES
from symattn.attention.quantities.quantity import Worked
from symattn.exact.number import Infinite
from symattn.exact.shapes import Shape
from symattn.narrate.entries import ONE, definitions, divides, factor, worked
from symattn.narrate.example import Used, example, used
from symattn.narrate.names import symbol
from symattn.narrate.numbers import Link
from symattn.narrate.page import Cell, Page
from symattn.narrate.variants import theta_of
from symattn.plans.kinds import Masking, Rotation, Scaling, TableBias, Waves
from symattn.plans.operation import Operation
from symattn.plans.plan import Line
from symattn.plans.transposed import on_rows
from symattn.text.document import Block, Display, Formulas, Maths, Paragraph
from symattn.text.notation import (
    Call,
    Chain,
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
)


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
    yield from _rotation_matrix(page, line)
    yield Display((Chain(symbol(line.name), (("=", by_names(page, line)), *page.values(line.name))),))
    yield from size_note(page, line.name)
    chains: dict[Formula, Chain] = {}
    for i, j in page.places(line.name):
        for chain in (*definitions(page, line, i, j), worked(page, line, i, j)):
            chains.setdefault(chain.first, chain)
    yield Display(tuple(chains.values()), "worked")
    yield from others(page, line.name)


def _rotation_matrix(page: Page, line: Line) -> Iterator[Block]:
    """What the first rotation of a page multiplies each pair of columns by."""
    first = next((each for each in page.by_rows if isinstance(each.op, Rotation)), None)
    if first is None or first.name != line.name or not isinstance(first.op, Rotation):
        return
    theta, m, p = theta_of(first.op), Symbol("m"), Symbol("p")
    pairs = first.op.angles.shape[1]
    a: Formula = Number("1")
    b: Formula = Number("2")
    if pairs > 1 and first.op.interleaved:
        b = Product((Number("2"), p))
        a = Sum((b, Negative(Number("1"))))
    elif pairs > 1:
        a, b = p, Sum((p, Number(str(pairs))))
    words = "rotation-pairs" if pairs > 1 else "rotation"
    marks: dict[str, Formula] = {
        "m": m,
        "a": a,
        "b": b,
        **({"p": p, "k": Number(str(pairs))} if pairs > 1 else {}),
    }
    yield Paragraph(page.voice.say(words, **{mark: Maths(form) for mark, form in marks.items()}))
    cos, sin = (Call(wave, (Product((m, theta)),)) for wave in ("cos", "sin"))
    before, after = (Grid(((Symbol(x, sub=a),), (Symbol(x, sub=b),))) for x in ("x", "x'"))
    yield Display((equation(after, Product((Grid(((cos, Negative(sin)), (sin, cos))), before))),))


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
        links.append(
            ("≈" if rounded else "=", put_in(line.op, grids, page, page.derivation[line.name].shape))
        )
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


def put_in(op: Operation, grids: Sequence[Formula], page: Page, shape: Shape) -> Formula:
    """The operation with matrices for names: transposes carried out, the value of a divisor below the bar."""
    if isinstance(op, Scaling):
        if op.value is None or not divides(op):
            return Product((factor(op, page), grids[0]))
        scores = grids[0]
        return Quotient(
            replace(scores, row_labels=(), col_labels=()) if isinstance(scores, Grid) else scores, op.value
        )
    if isinstance(op, Masking) and isinstance(grids[0], Grid):
        mask = op.additive
        return Sum(
            (grids[0], _beside(grids[0], mask.shape, lambda i, j: page.numbers.exact(mask[i, j]), page))
        )
    bias = on_rows(op)
    if isinstance(bias, TableBias):
        scores, table = grids
        assert isinstance(scores, Grid)
        assert isinstance(table, Grid)
        return Sum((scores, _spread(bias, scores, table, shape, page)))
    return _transposed(op.formula(*grids))


def _spread(bias: TableBias, scores: Grid, table: Grid, shape: Shape, page: Page) -> Grid:
    """The numbers of the table, each where it is added: a matrix of the shape of the scores."""
    numbers = (table.T if page.columns else table).rows[0]

    def cell(i: int, j: int) -> Formula:
        query, key = (j, i) if page.columns else (i, j)
        return numbers[bias.column(query, key, len(numbers))]

    return _beside(scores, shape, cell, page)


def _beside(scores: Grid, shape: Shape, cell: Cell, page: Page) -> Grid:
    """A matrix of that shape, with dots where the scores have them."""
    rows, cols = map(page.kept, shape)
    cells = tuple(
        tuple(scores.rows[p][q] if i is None or j is None else cell(i, j) for q, j in enumerate(cols))
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
