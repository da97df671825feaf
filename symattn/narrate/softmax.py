"""The softmax row by row: exponentials, their sum D_i once, the weights; then all weights together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from symattn.exact.matrix import Matrix
from symattn.narrate.hidden import by_falling_powers, falls
from symattn.narrate.names import symbol
from symattn.narrate.numbers import Link
from symattn.narrate.page import LARGEST, Page
from symattn.narrate.rows import Row, raised, rows_of, tag_of, total, value
from symattn.narrate.steps import size_note
from symattn.plans.plan import Line
from symattn.text.document import Block, Display, Heatmap, Panel, Panels, Paragraph, Prose
from symattn.text.notation import (
    Chain,
    Dots,
    Formula,
    Number,
    Power,
    Product,
    Quotient,
    Sum,
)

SIDE_BY_SIDE = 3
"""Rows of a softmax that a short page works out; of more it has the first."""


def weights(page: Page, lines: Sequence[Line]) -> Iterator[Block]:
    """The exponentials, the sums and the weights of a head, row by row; then all weights together."""
    tag = tag_of(lines[0].name)
    if page.shows(f"{tag}exp"):
        yield from by_falling_powers(page, lines[0])
    if page.short:
        yield from _side_by_side(page, tag)
        return
    for row in rows_of(page, tag):
        chains = tuple(_row(page, row))
        if chains:
            yield Paragraph((*_title(page, row), page.voice.colon))
            yield Display(chains)
    name = f"{tag}A"
    if page.shows(name) and name in page.derivation:
        if page.by_rows[name].shape[0] > len(rows_of(page, tag)) or page.left_out(name):
            yield Paragraph(page.voice.say("others"))
        values = page.values(name)
        if values:
            yield Paragraph(page.voice.say("together"))
            yield Display((Chain(symbol(name), values),))
        yield from size_note(page, name)
        yield from heatmap(page, name)


def _side_by_side(page: Page, tag: str) -> Iterator[Block]:
    """A few rows worked out, each a panel, then the matrix of the weights."""
    rows = rows_of(page, tag)
    rows = rows if len(rows) <= SIDE_BY_SIDE else rows[:1]
    worked = ((row, tuple(_row(page, row))) for row in rows)
    panels = tuple(
        Panel(_title(page, row), (Display(chains, "worked"),), (), 3) for row, chains in worked if chains
    )
    if panels:
        yield Panels(panels)
    name = f"{tag}A"
    if page.shows(name) and name in page.derivation:
        values = page.values(name)
        if values:
            yield Display((Chain(symbol(name), values[-1:] if len(rows) > 1 else values),))
        yield from size_note(page, name)


def heatmap(page: Page, name: str) -> Iterator[Block]:
    """The weights as tinted cells, where they have decimals and fit."""
    matrix: Matrix = page.derivation[name]
    if max(matrix.shape) > LARGEST:
        return
    found = page.decimal_grid(name)
    if found is None:
        return
    printed = tuple(
        tuple(cell.digits if isinstance(cell, Number) else "0" for cell in row) for row in found[1].rows
    )
    rows, cols = page.labels(name)
    yield Heatmap(tuple(tuple(map(float, row)) for row in printed), printed, rows, cols)


def _row(page: Page, row: Row) -> Iterator[Chain]:
    tag = row.tag
    exp = page.derivation.line(f"{tag}exp")
    if exp is not None and page.shows(exp.name):
        falling = falls(exp.op)
        for k in row.worked:
            assert row.logits is not None
            if falling and k not in row.visible:
                continue
            named = Power(row.base, page.entry(row.logits, row.i, k))
            plain = raised(row.base, row.exponent(k))
            links: list[Link] = [("=", plain)] if plain != named else []
            links += value(page, exp.name, row.exponential(k), plain)
            if links:
                yield Chain(named, tuple(links))
    if page.shows(f"{tag}sum") and f"{tag}sum" in page.derivation.values:
        terms = [Dots() if k is None else row.power(k) for k in row.keys if k is None or k in row.visible]
        summed = total(terms if row.sink is None else [*terms, row.sink])
        joined = [*_joined(terms), *([] if row.sink is None else [row.sink])]
        between: list[Link] = [("=", total(joined))] if len(joined) > 1 and total(joined) != summed else []
        x = page.by_rows[f"{tag}sum"][row.i, 0]
        yield Chain(row.sum, (("=", summed), *between, *value(page, f"{tag}sum", x, summed)))
    if page.shows(f"{tag}A") and f"{tag}A" in page.derivation.values:
        if row.pair is not None:
            yield from row.pair.definition()
        for k in row.worked:
            x = page.by_rows[f"{tag}A"][row.i, k]
            yield Chain(
                page.entry(f"{tag}A", row.i, k),
                (*_weight(row, k), *value(page, f"{tag}A", x)),
            )


def _joined(terms: Sequence[Formula]) -> list[Formula]:
    """A sum of powers with the equal ones as one, 2e + e^2 for e + e + e^2; none across dots."""
    if Dots() in terms:
        return list(terms)
    found: list[Formula] = []
    for term, n in Counter(terms).items():
        if isinstance(term, Number) and term.digits.isdigit():
            found.append(Number(str(n * int(term.digits))))
        elif n == 1 or isinstance(term, (Number, Quotient)):
            found += [term] * n
        else:
            found.append(Product((Number(str(n)), term)))
    return found


def _weight(row: Row, k: int) -> Iterator[Link]:
    """e^{s_ik}/D_i, and the logistic form for two keys."""
    if k not in row.visible:
        return
    yield "=", Quotient(row.power(k), row.sum)
    pair = row.pair
    if pair is None or not pair.difference(k) or row.rational:
        return
    other = pair.a if k == pair.b else pair.b
    yield "=", Quotient(Number("1"), Sum((Number("1"), pair.relative(other))))


def _title(page: Page, row: Row) -> Prose:
    labels, _ = page.labels_by_token(f"{row.tag}exp")
    if labels:
        return page.voice.say("row-of", i=row.i + 1, token=labels[row.i])
    return page.voice.say("row", i=row.i + 1)
