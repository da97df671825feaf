"""The output Z = A V in closed form: over D_i, or with two visible keys in terms of their difference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import lcm
from typing import Literal

from symattn.exact.forms.assemble import without_minus
from symattn.exact.number import Exact
from symattn.narrate.entries import denominators
from symattn.narrate.numbers import Link, Numbers
from symattn.narrate.page import Page
from symattn.narrate.put_in import in_decimals
from symattn.narrate.rows import ONE, Row, rows_of, tag_of, total, value
from symattn.narrate.steps import step, written_out
from symattn.plans.plan import Line
from symattn.text.document import Block, Display, Paragraph
from symattn.text.notation import (
    Chain,
    Dots,
    Entry,
    Formula,
    Negative,
    Number,
    Power,
    Product,
    Quotient,
    Sum,
)


def output(page: Page, lines: Sequence[Line]) -> Iterator[Block]:
    """Z = A V: the mixture of the values in closed form, entry by entry."""
    (line,) = lines
    tag = tag_of(line.name)
    a, v = line.args
    of_softmax = a == f"{tag}A" and f"{tag}exp" in page.derivation
    if not of_softmax or a not in page.derivation.values:
        yield from step(page, lines)
        return
    yield from written_out(page, line)
    rows: dict[int, Row] = {row.i: row for row in rows_of(page, tag, every=True)}
    chains = []
    for row, col in page.places(line.name):
        i, j = (col, row) if page.columns else (row, col)
        chains.append(mixture(page, rows[i], line.name, v, j))
    yield Display(tuple(chains), "worked")
    if page.left_out(line.name):
        yield Paragraph(page.voice.say("others"))


def mixture(page: Page, row: Row, name: str, v: str, j: int) -> Chain:
    """Z_ij = sum of A_ik V_kj, then the exponentials over D_i, logistic for two keys."""
    x = page.by_rows[name][row.i, j]
    written, weight = page.by_token(v), page.by_token(f"{row.tag}A")
    keys = [k for k in row.keys if k is None or k in row.visible]
    working = total([Dots() if k is None else page.product(weight(row.i, k), written(k, j)) for k in keys])
    pair = row.pair
    logistic = pair is not None and bool(pair.difference(pair.b))
    links: list[Link] = [("=", working)]
    if not any(page.by_rows[v][k, j] for k in keys if k is not None) and None not in keys:
        links += [("=", Number("0"))] if working != Number("0") else []
    elif row.rational or _constant(page, row) or (len(row.visible) <= 2 and not logistic):
        links += page.closed(name, x, working)
    else:
        exact = _quotient(page, row, v, j, keys)
        links += [("=", exact), *in_decimals(page, row, v, j, x), *value(page, name, x)]
    return Chain(page.entry(name, row.i, j), tuple(links))


def _constant(page: Page, row: Row) -> bool:
    """Whether the weights are rational though their exponentials are not, as those of equal scores."""
    weights = page.by_rows[f"{row.tag}A"]
    return all(weights[row.i, k].rational is not None for k in row.visible)


def _summands(
    numbers: Numbers, row: Row, column: Mapping[int, tuple[Exact, Formula]], keys: Sequence[int | None]
) -> list[Formula]:
    """The values times their powers; those with one power together, 3e for 2e + e, but not across dots."""
    if None in keys:
        return [t for k in keys for t in ([Dots()] if k is None else term(*column[k], row.power(k)))]
    groups: dict[Formula, list[int]] = {}
    for k in keys:
        if k is not None:
            groups.setdefault(row.power(k), []).append(k)
    found: list[Formula] = []
    for power, members in groups.items():
        c, written = column[members[0]]
        for k in members[1:]:
            c = c + column[k][0]
            written = numbers.exact(c)
        found += term(c, written, power)
    return found


def _quotient(page: Page, row: Row, v: str, j: int, keys: Sequence[int | None]) -> Formula:
    """The mixture over D_i; with two keys over 1 + e^δ; fractions among the values cleared."""
    column, clear = _column(page, v, j, [k for k in keys if k is not None])
    pair = row.pair
    if pair is not None:
        a, b = (pair.a, pair.b) if column[pair.a][0] else (pair.b, pair.a)
        power = pair.relative(b)
        over = total([*term(*column[a], None), *term(*column[b], power)])
        under: Formula = Sum((Number("1"), power))
    else:
        over = total(_summands(page.of(v), row, column, keys))
        under = row.sum
    return Quotient(over, under if clear == 1 else Product((Number(str(clear)), under)))


def _column(
    page: Page, v: str, j: int, keys: Sequence[int]
) -> tuple[Mapping[int, tuple[Exact, Formula]], int]:
    """The values of a column with their forms, and the denominator that was taken out of all of them."""
    written = page.by_token(v)
    plain = {k: (page.by_rows[v][k, j], written(k, j)) for k in keys}
    plain = {  # a closed form has no zeros that only fill up a matrix
        k: (c, page.of(v).exact(c) if isinstance(form, Number) else form) for k, (c, form) in plain.items()
    }
    common = lcm(*(d for _, form in plain.values() for d in denominators(form)))
    if common == 1 or any(isinstance(form, Entry) for _, form in plain.values()):
        return plain, 1
    cleared = {k: c * Exact.of(common) for k, (c, _) in plain.items()}
    forms = {k: (c, page.of(v).exact(c)) for k, c in cleared.items()}
    return (plain, 1) if any(denominators(form) for _, form in forms.values()) else (forms, common)


def term(c: Exact, written: Formula, power: Formula | None) -> list[Formula]:
    """c times an exponential as a summand: nothing for c = 0, no factor 1."""
    if not c:
        return []
    if power is None or power == Number("1"):
        return [written]
    if c == ONE:
        return [power]
    if c == -ONE:
        return [Negative(power)]
    base = power.base if isinstance(power, Power) else power
    scientific = isinstance(written, Number) and "e" in written.digits  # 1e-30 before e^x
    sign: Literal["", "dot"] = "dot" if isinstance(base, Number) or scientific else ""
    positive = without_minus(written)
    return [
        Product((written, power), sign) if positive is None else Negative(Product((positive, power), sign))
    ]
