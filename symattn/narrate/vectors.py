"""A projection told vector by vector: q_1 = W_Q x_1 with columns, whose results are the rows of Q."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symattn.narrate.entries import worked
from symattn.narrate.names import symbol
from symattn.narrate.numbers import Link
from symattn.narrate.page import Page
from symattn.narrate.steps import others, size_note, step
from symattn.plans.plan import Line
from symattn.text.document import Block, Display, Maths, Paragraph
from symattn.text.notation import Chain, Formula, Grid, Number, Product, Sum, Symbol, equation


def token_formula(page: Page, line: Line) -> Chain | None:
    """`q_i = W_Q x_i + b_Q`; None where the vectors of a matrix have no letter of their own."""
    q, x = _vector(line.name, Symbol("i")), _vector(line.args[0], Symbol("i"))
    return None if q is None or x is None else equation(q, _mapped(symbol(line.args[1]), x, _biases(line)))


def vectors(page: Page, lines: Sequence[Line]) -> Iterator[Block]:
    """Every vector with its matrices put in, then the matrix that has them as rows, entry by entry."""
    (line,) = lines
    chains = tuple(_chains(page, line))
    if not chains:
        yield from step(page, lines)
        return
    yield Display(chains)
    yield Paragraph(page.voice.say("as-rows", name=Maths(symbol(line.name))))
    yield Display((Chain(symbol(line.name), page.values(line.name)),))
    yield from size_note(page, line.name)
    yield Display(tuple(worked(page, line, i, j) for i, j in page.places(line.name)))
    yield from others(page, line.name)


def _chains(page: Page, line: Line) -> Iterator[Chain]:
    found = [page.written(name) for name in line.args]
    values = page.values(line.name)
    if token_formula(page, line) is None or None in found or not values:
        return
    signs, (x, w, *bias) = zip(*(each for each in found if each is not None), strict=True)
    for at, i in enumerate(page.kept(page.derivation[line.name].shape[0])):
        q, source = (_vector(name, Number(str((i or 0) + 1))) for name in (line.name, line.args[0]))
        if i is None or q is None or source is None:
            continue
        put = _mapped(w, _column(x, at), tuple(_column(b, 0) for b in bias))
        links: list[Link] = [
            ("=", _mapped(symbol(line.args[1]), source, _biases(line))),
            ("≈" if "≈" in signs else "=", put),
        ]
        shown = values[-1:] if "≈" in signs else values
        links += [(sign, _column(grid, at)) for sign, grid in shown if isinstance(grid, Grid)]
        yield Chain(q, tuple(links))


def _vector(name: str, index: Formula) -> Symbol | None:
    """x_1 for X, z_1 for Z; None for a quantity that is no single letter."""
    letter = symbol(name)
    single = len(letter.name.rstrip("'")) == 1 and letter.sub is None
    return Symbol(letter.name.lower(), sub=index, sup=letter.sup) if single else None


def _biases(line: Line) -> tuple[Formula, ...]:
    return tuple(map(symbol, line.args[2:]))


def _mapped(w: Formula, x: Formula, biases: tuple[Formula, ...]) -> Formula:
    return Sum((Product((w, x)), *biases)) if biases else Product((w, x))


def _column(grid: Grid, row: int) -> Grid:
    return Grid((grid.rows[row],)).T
