"""One row of a softmax as it is written: its exponentials, their sum D_i, the difference of two keys."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from symattn.exact.number import Exact, Infinite
from symattn.narrate.numbers import Link, Numbers, length
from symattn.narrate.page import KEPT, LARGEST, MOST_ENTRIES, Page
from symattn.plans.base import E
from symattn.plans.kinds import Denominators, Powers, Scaling
from symattn.plans.plan import head_of
from symattn.text.notation import (
    Chain,
    Entry,
    Formula,
    Infinity,
    Negative,
    Number,
    Power,
    Product,
    Sum,
    Symbol,
    equation,
)

LONG_EXPONENT = 16
ONE = Exact.of(1)


class Row(Struct, frozen=True):
    """Row i of a softmax: the exponentials of its keys and their sum, as they are written."""

    page: Page
    tag: str
    i: int
    base: Formula
    logits: str | None  # the name of the scores, None where the exponentials are given

    @property
    def n(self) -> int:
        return self.page.by_rows[f"{self.tag}exp"].shape[1]

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
        return self.page.entry(f"{self.tag}sum", self.i)

    @property
    def numbers(self) -> Numbers:
        """How scores print."""
        return self.page.of(self.logits or "")

    def score(self, k: int) -> Exact:
        return self.page.by_rows[self.logits or ""][self.i, k]

    def exponential(self, k: int) -> Exact:
        return self.page.by_rows[f"{self.tag}exp"][self.i, k]

    def exponent(self, k: int) -> Formula:
        """The score in the exponent, by name where its closed form is long."""
        assert self.logits is not None
        if isinstance(self.score(k), Infinite):
            return Negative(Infinity())
        if self.by_name:
            return self.page.entry(self.logits, self.i, k)
        return self.numbers.exponent(self.score(k))

    @property
    def by_name(self) -> bool:
        """Whether a score of the row is too long for an exponent, so that all stand by their names."""
        seen = [k for k in self.keys if k is not None and k in self.visible]
        return any(length(self.numbers.exponent(self.score(k))) > LONG_EXPONENT for k in seen)

    def power(self, k: int) -> Formula:
        """The exponential of key k: a number where it is rational, e^s otherwise."""
        x = self.exponential(k)
        if x.rational is not None or self.logits is None:
            return self.page.of(f"{self.tag}exp").exact(x)
        return raised(self.base, self.exponent(k))

    @property
    def sink(self) -> Formula | None:
        """The further term of the denominator, where there is an attention sink."""
        line = self.page.by_rows.line(f"{self.tag}sum")
        sums = line.op if line is not None else None
        if line is None or not isinstance(sums, Denominators):
            return None
        more = (self.page.grid(name) for name in line.args[1:])
        sink = sums.more_terms(*(grid.T if self.page.columns else grid for grid in more))
        if sink is None:
            return None
        return Number("1") if sink == Number("0") else raised(self.base, sink)

    @property
    def pair(self) -> Pair | None:
        """The difference of the scores, where exactly two keys are visible."""
        if self.logits is None or len(self.visible) != 2 or self.sink is not None:
            return None
        a, b = self.visible
        return Pair(self, a, b)


class Pair(Struct, frozen=True):
    """The two visible keys a and b of a row."""

    row: Row
    a: int
    b: int

    @property
    def named(self) -> Symbol | None:
        """The name of the difference s_b - s_a, where it is too long for an exponent."""
        form = self.row.numbers.exponent(self.difference(self.b))
        return Symbol("delta", sub=Number(str(self.row.i + 1))) if length(form) > LONG_EXPONENT else None

    def difference(self, of: int) -> Exact:
        """The score of key `of` less that of the other key."""
        other = self.a if of == self.b else self.b
        return self.row.score(of) - self.row.score(other)

    def exponent(self, of: int) -> Formula:
        """The difference s_of - s_other as an exponent."""
        if self.named is None:
            return self.row.numbers.exponent(self.difference(of))
        return self.named if of == self.b else Negative(self.named)

    def relative(self, of: int) -> Formula:
        """The exponential of key `of` over that of the other."""
        return raised(self.row.base, self.exponent(of))

    def definition(self) -> Iterator[Chain]:
        """What the named difference is."""
        row = self.row
        if self.named is None or row.logits is None:
            return
        a, b = (row.page.entry(row.logits, row.i, k) for k in (self.a, self.b))
        apart = Sum((b, Negative(a)))
        x = self.difference(self.b)
        line = row.page.by_rows.line(row.logits)
        if line is not None and isinstance(line.op, Scaling) and line.op.value is not None and x.symbolic:
            before = line.args[0]
            scores = row.page.by_rows[before]
            unscaled = scores[row.i, self.b] - scores[row.i, self.a]
            first, second = (row.page.entry(before, row.i, k) for k in (self.a, self.b))
            raw = Sum((second, Negative(first)))
            yield equation(self.named, apart)
            left = self.named if line.op.divisor == ONE else Product((line.op.value, self.named))
            yield equation(left, raw, row.page.of(before).exact(unscaled))
            return
        yield Chain(self.named, (("=", apart), *row.numbers.links(x)))


def raised(base: Formula, exponent: Formula) -> Formula:
    """A power; base to the 1 is the base."""
    return base if exponent == Number("1") else Power(base, exponent)


def rows_of(page: Page, tag: str, *, every: bool = False) -> tuple[Row, ...]:
    """The rows that are worked out; `every` one for looking up."""
    exp = page.by_rows.line(f"{tag}exp")
    base = page.numbers.base(exp.op.base if exp is not None and isinstance(exp.op, Powers) else E)
    logits = exp.args[0] if exp is not None else None
    n, m = page.by_rows[f"{tag}exp"].shape
    if not (every or page.every_entry):
        n = min(n, max(1, MOST_ENTRIES // min(m, LARGEST)))
    return tuple(Row(page, tag, i, base, logits) for i in range(n))


def value(page: Page, name: str, x: Exact, shown: Formula | None = None) -> tuple[Link, ...]:
    """What follows a closed form of an entry of `name`: a rational value, or the decimal."""
    return page.of(name).links(x, shown) if x.rational is not None else decimal(page, x)


def decimal(page: Page, x: Exact) -> tuple[Link, ...]:
    decimal = page.numbers.decimal(x)
    return () if decimal is None else (("≈", Number(decimal.digits)),)


def total(terms: Sequence[Formula]) -> Formula:
    if not terms:
        return Number("0")
    return terms[0] if len(terms) == 1 else Sum(tuple(terms))


def tag_of(name: str) -> str:
    head = head_of(name)
    return f"{head}." if head else ""
