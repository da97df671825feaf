"""The softmax row by row: exponentials, their sum D_i once, the weights; and the output they make.

Two visible keys get the logistic form, in which only the difference of their scores is left.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from symattn.document import Block, Display, Heatmap, Paragraph, Prose
from symattn.exact.enclosure import HasSymbols
from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact, Infinite
from symattn.narrate.names import entry, symbol
from symattn.narrate.numbers import Link, length
from symattn.narrate.page import KEPT, LARGEST, MOST_ENTRIES, Page
from symattn.narrate.steps import size_note, step, written_out
from symattn.notation import (
    Chain,
    Dots,
    Entry,
    Formula,
    Infinity,
    Negative,
    Number,
    Power,
    Product,
    Quotient,
    Sum,
    Symbol,
    equation,
)
from symattn.ops.exponential import Exponential
from symattn.ops.scale import Scale
from symattn.plan import Line, head_of

BITS = 64
LONG_EXPONENT = 16
ONE = Exact.of(1)


@dataclass(frozen=True, slots=True)
class Row:
    """Row i of a softmax: the exponentials of its keys and their sum, as they are written."""

    page: Page
    tag: str
    i: int
    base: Formula
    logits: str | None  # the name of the scores, None where the exponentials are given

    @property
    def n(self) -> int:
        return self.page.derivation[f"{self.tag}exp"].shape[1]

    @property
    def visible(self) -> tuple[int, ...]:
        """The keys that are not hidden."""
        return tuple(
            k for k in range(self.n) if self.logits is None or not isinstance(self.score(k), Infinite)
        )

    @property
    def rational(self) -> bool:
        """Whether all exponentials of the row are rational, as those of 3^1 and 3^2."""
        return all(self.exponential(k).rational is not None for k in self.visible)

    @property
    def keys(self) -> tuple[int | None, ...]:
        """The keys that are written out; None stands for dots."""
        return self.page.kept(self.n)

    @property
    def worked(self) -> tuple[int, ...]:
        """The keys whose weights are worked out."""
        return tuple(range(self.n if self.page.every_entry or self.n <= LARGEST else KEPT))

    @property
    def sum(self) -> Entry:
        return entry(f"{self.tag}sum", self.i)

    def score(self, k: int) -> Exact:
        return self.page.derivation[self.logits or ""][self.i, k]

    def exponential(self, k: int) -> Exact:
        return self.page.derivation[f"{self.tag}exp"][self.i, k]

    def exponent(self, k: int) -> Formula:
        """The score in the exponent, by name where its closed form is long."""
        assert self.logits is not None
        if isinstance(self.score(k), Infinite):
            return Negative(Infinity())
        if self.by_name:
            return entry(self.logits, self.i, k)
        return self.page.numbers.exponent(self.score(k))

    @property
    def by_name(self) -> bool:
        """Whether a score of the row is too long for an exponent, so that all stand by their names."""
        seen = [k for k in self.keys if k is not None and k in self.visible]
        return any(length(self.page.numbers.exponent(self.score(k))) > LONG_EXPONENT for k in seen)

    def power(self, k: int) -> Formula:
        """The exponential of key k: a number where it is rational, e^s otherwise."""
        x = self.exponential(k)
        if x.rational is not None or self.logits is None:
            return self.page.numbers.exact(x)
        return raised(self.base, self.exponent(k))

    @property
    def pair(self) -> Pair | None:
        """The difference of the scores, where exactly two keys are visible."""
        if self.logits is None or len(self.visible) != 2:
            return None
        a, b = self.visible
        return Pair(self, a, b)


@dataclass(frozen=True, slots=True)
class Pair:
    """The two visible keys a and b of a row."""

    row: Row
    a: int
    b: int

    @property
    def named(self) -> Symbol | None:
        """The name of the difference s_b - s_a, where it is too long for an exponent."""
        form = self.row.page.numbers.exponent(self.difference(self.b))
        return Symbol("delta", sub=Number(str(self.row.i + 1))) if length(form) > LONG_EXPONENT else None

    def difference(self, of: int) -> Exact:
        """The score of key `of` less that of the other key."""
        other = self.a if of == self.b else self.b
        return self.row.score(of) - self.row.score(other)

    def exponent(self, of: int) -> Formula:
        """The difference s_of - s_other as an exponent."""
        if self.named is None:
            return self.row.page.numbers.exponent(self.difference(of))
        return self.named if of == self.b else Negative(self.named)

    def relative(self, of: int) -> Formula:
        """The exponential of key `of` over that of the other."""
        return raised(self.row.base, self.exponent(of))

    def definition(self) -> Iterator[Chain]:
        """What the named difference is."""
        row, numbers = self.row, self.row.page.numbers
        if self.named is None or row.logits is None:
            return
        apart = Sum((entry(row.logits, row.i, self.b), Negative(entry(row.logits, row.i, self.a))))
        x = self.difference(self.b)
        line = row.page.derivation.line(row.logits)
        if line is not None and isinstance(line.op, Scale) and line.op.value is not None and x.symbolic:
            before = line.args[0]
            scores = row.page.derivation[before]
            unscaled = scores[row.i, self.b] - scores[row.i, self.a]
            raw = Sum((entry(before, row.i, self.b), Negative(entry(before, row.i, self.a))))
            yield equation(self.named, apart)
            left = self.named if line.op.divisor == ONE else Product((line.op.value, self.named))
            yield equation(left, raw, numbers.exact(unscaled))
            return
        yield Chain(self.named, (("=", apart), *numbers.links(x)))


def weights(page: Page, lines: Sequence[Line]) -> Iterator[Block]:
    """The exponentials, the sums and the weights of a head, row by row; then all weights together."""
    tag = _tag(lines[0].name)
    for row in _rows(page, tag):
        chains = tuple(_row(page, row))
        if chains:
            yield Paragraph((*_title(page, row), page.voice.colon))
            yield Display(chains)
    name = f"{tag}A"
    if page.shows(name) and name in page.derivation:
        if page.derivation[name].shape[0] > len(_rows(page, tag)) or page.left_out(name):
            yield Paragraph(page.voice.say("others"))
        values = page.values(name)
        if values:
            yield Paragraph(page.voice.say("together"))
            yield Display((Chain(symbol(name), values),))
        yield from size_note(page, name)
        yield from heatmap(page, name)


def output(page: Page, lines: Sequence[Line]) -> Iterator[Block]:
    """Z = A V: the mixture of the values in closed form, entry by entry."""
    (line,) = lines
    tag = _tag(line.name)
    a, v = line.args
    if f"{tag}exp" not in page.derivation or a not in page.derivation.values:
        yield from step(page, lines)
        return
    yield from written_out(page, line)
    rows: dict[int, Row] = {row.i: row for row in _rows(page, tag, every=True)}
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
        over: Formula = _total(terms, spelled=False)
        return Chain(entry(name, row.i, j), (("=", over), *page.numbers.links(x, over)))
    if pair is not None and pair.difference(pair.b):
        a, b = pair.a, pair.b
        if not coefficients[a]:
            a, b = b, a
        power = pair.relative(b)
        over = _total(
            [*term(coefficients[a], written(a, j), None), *term(coefficients[b], written(b, j), power)]
        )
        quotient: Formula = Quotient(over, Sum((Number("1"), power)))
    elif len(row.visible) <= 2:
        weight = page.operand(f"{row.tag}A")
        quotient = _total([Product((weight(row.i, k), written(k, j)), "dot") for k in row.visible])
    else:
        parts: list[Formula] = []
        for k in row.keys:
            if k is None:
                parts.append(Dots())
            elif k in row.visible:
                parts += term(coefficients[k], written(k, j), row.power(k))
        over = _total(parts)
        quotient = Quotient(over, row.sum)
    if not any(coefficients.values()) and None not in row.keys:
        return equation(entry(name, row.i, j), Number("0"))
    return Chain(entry(name, row.i, j), (("=", quotient), *_tail(page, x)))


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


def heatmap(page: Page, name: str) -> Iterator[Block]:
    """The weights as tinted cells, where they have decimals and fit."""
    matrix: Matrix = page.derivation[name]
    if max(matrix.shape) > LARGEST:
        return
    found = page.decimal_grid(name)
    if found is None:
        return
    try:
        balls = matrix.enclosures(BITS)
    except (HasSymbols, ValueError):
        return
    printed = tuple(
        tuple(cell.digits if isinstance(cell, Number) else "0" for cell in row) for row in found[1].rows
    )
    rows, cols = page.labels(name)
    yield Heatmap(tuple(tuple(float(ball.mid()) for ball in row) for row in balls), printed, rows, cols)


def raised(base: Formula, exponent: Formula) -> Formula:
    """A power; base to the 1 is the base."""
    return base if exponent == Number("1") else Power(base, exponent)


def _row(page: Page, row: Row) -> Iterator[Chain]:
    tag, numbers = row.tag, page.numbers
    exp = page.derivation.line(f"{tag}exp")
    if exp is not None and page.shows(exp.name):
        for k in row.worked:
            assert row.logits is not None
            named = Power(row.base, entry(row.logits, row.i, k))
            plain = Power(row.base, row.exponent(k))
            links: list[Link] = [("=", plain)] if plain != named else []
            links += _tail(page, row.exponential(k), plain)
            if links:
                yield Chain(named, tuple(links))
    if page.shows(f"{tag}sum") and f"{tag}sum" in page.derivation.values:
        total = _total(
            [Dots() if k is None else row.power(k) for k in row.keys if k is None or k in row.visible]
        )
        yield Chain(row.sum, (("=", total), *_tail(page, page.derivation[f"{tag}sum"][row.i, 0], total)))
    if page.shows(f"{tag}A") and f"{tag}A" in page.derivation.values:
        if row.pair is not None:
            yield from row.pair.definition()
        for k in row.worked:
            x = page.derivation[f"{tag}A"][row.i, k]
            yield Chain(
                entry(f"{tag}A", row.i, k),
                (*_weight(row, k), *(numbers.links(x) if x.rational is not None else _decimal(page, x))),
            )


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


def _tail(page: Page, x: Exact, shown: Formula | None = None) -> tuple[Link, ...]:
    """What follows a closed form: a rational value, or the decimal."""
    return page.numbers.links(x, shown) if x.rational is not None else _decimal(page, x)


def _decimal(page: Page, x: Exact) -> tuple[Link, ...]:
    decimal = page.numbers.decimal(x)
    return () if decimal is None else (("≈", Number(decimal.digits)),)


def _total(terms: Sequence[Formula], *, spelled: bool = False) -> Formula:
    if not terms:
        return Number("0")
    return terms[0] if len(terms) == 1 else Sum(tuple(terms), spelled)


def _tag(name: str) -> str:
    head = head_of(name)
    return f"{head}." if head else ""


def _rows(page: Page, tag: str, *, every: bool = False) -> tuple[Row, ...]:
    """The rows that are worked out; `every` one for looking up."""
    exp = page.derivation.line(f"{tag}exp")
    base: Formula = exp.op.spelled if exp is not None and isinstance(exp.op, Exponential) else Symbol("e")
    if isinstance(base, Quotient):  # a base that is no numeral comes over 1, to keep its parentheses
        base = base.over
    logits = exp.args[0] if exp is not None else None
    n, m = page.derivation[f"{tag}exp"].shape
    if not (every or page.every_entry):
        n = min(n, max(1, MOST_ENTRIES // min(m, LARGEST)))
    return tuple(Row(page, tag, i, base, logits) for i in range(n))


def _title(page: Page, row: Row) -> Prose:
    labels, _ = page.labels(f"{row.tag}exp")
    if labels:
        return page.voice.say("row-of", i=row.i + 1, token=labels[row.i])
    return page.voice.say("row", i=row.i + 1)
