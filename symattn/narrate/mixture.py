"""The output Z = A V in closed form: over D_i, or with two visible keys in terms of their difference."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from symattn.document import Block, Display, Paragraph
from symattn.exact.number import Exact
from symattn.narrate.names import entry
from symattn.narrate.page import Page
from symattn.narrate.rows import ONE, Row, rows_of, tag_of, total, value
from symattn.narrate.steps import step, written_out
from symattn.notation import (
    Chain,
    Dots,
    Formula,
    Negative,
    Number,
    Power,
    Product,
    Quotient,
    Sum,
    equation,
)
from symattn.plan import Line


def output(page: Page, lines: Sequence[Line]) -> Iterator[Block]:
    """Z = A V: the mixture of the values in closed form, entry by entry."""
    (line,) = lines
    tag = tag_of(line.name)
    a, v = line.args
    if f"{tag}exp" not in page.derivation or a not in page.derivation.values:
        yield from step(page, lines)
        return
    yield from written_out(page, line)
    rows: dict[int, Row] = {row.i: row for row in rows_of(page, tag, every=True)}
    chains = []
    for i, j in page.places(line.name):
        chains.append(mixture(page, rows[i], line.name, v, j))
    yield Display(tuple(chains))
    if page.left_out(line.name):
        yield Paragraph(page.voice.say("others"))


def mixture(page: Page, row: Row, name: str, v: str, j: int) -> Chain:
    """Z_ij = (sum of e^{s_ik} V_kj)/D_i, logistic for two keys, closed where that is rational."""
    x = page.derivation[name][row.i, j]
    coefficients = {k: page.derivation[v][k, j] for k in row.keys if k is not None}
    written = page.operand(v)
    pair = row.pair
    if row.rational:
        weight = page.operand(f"{row.tag}A")
        terms = [Dots() if k is None else Product((weight(row.i, k), written(k, j)), "dot") for k in row.keys]
        over: Formula = total(terms)
        return Chain(entry(name, row.i, j), (("=", over), *page.numbers.links(x, over)))
    if pair is not None and pair.difference(pair.b):
        a, b = pair.a, pair.b
        if not coefficients[a]:
            a, b = b, a
        power = pair.relative(b)
        over = total(
            [*term(coefficients[a], written(a, j), None), *term(coefficients[b], written(b, j), power)]
        )
        quotient: Formula = Quotient(over, Sum((Number("1"), power)))
    elif len(row.visible) <= 2:
        weight = page.operand(f"{row.tag}A")
        quotient = total([Product((weight(row.i, k), written(k, j)), "dot") for k in row.visible])
    else:
        parts: list[Formula] = []
        for k in row.keys:
            if k is None:
                parts.append(Dots())
            elif k in row.visible:
                parts += term(coefficients[k], written(k, j), row.power(k))
        over = total(parts)
        quotient = Quotient(over, row.sum)
    if not any(coefficients.values()) and None not in row.keys:
        return equation(entry(name, row.i, j), Number("0"))
    return Chain(entry(name, row.i, j), (("=", quotient), *value(page, x)))


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
    sign: Literal["", "dot"] = "dot" if isinstance(base, Number) else ""
    match written:
        case Negative(term=positive):
            return [Negative(Product((positive, power), sign))]
        case Number(digits=digits) if digits.startswith("-"):
            return [Negative(Product((Number(digits[1:]), power), sign))]
    return [Product((written, power), sign)]
