"""Numbers as a reader knows them: the exact form and beside it the decimal, correctly rounded."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from symattn.exact.decimal import Decimal, Undecided, printed, significant
from symattn.exact.enclosure import HasSymbols
from symattn.exact.forms.tree import Style, spell_coefficient
from symattn.exact.names import in_names
from symattn.exact.number import Exact, Infinite
from symattn.exact.spell import spell
from symattn.exact.substitution import free_symbols
from symattn.exact.surd import Surd
from symattn.exact.work import LONGEST
from symattn.narrate.names import symbol
from symattn.plans.base import Base
from symattn.text.notation import (
    Absolute,
    Call,
    Entry,
    Formula,
    Infinity,
    Negative,
    Number,
    Power,
    Product,
    Quotient,
    Relation,
    Root,
    Sum,
    Symbol,
    Text,
    rewritten,
)
from symattn.typeset.greek import GREEK

Link = tuple[Relation, Formula]
MOST_INTEGER_DIGITS = 7
LONG_FORM = 44
SCRIPT = 0.6
MOST_TERMS, MOST_OPERATIONS = 120, 400
ENDLESS = Text("…" * 100)
"""Stands for a closed form of pages: longer than any that is printed."""


class Numbers(Struct, frozen=True, eq=False):
    """How the numbers of a page print: to `digits` places, or `significant` digits, in which style."""

    digits: int = 4
    significant: int | None = None
    style: Style = "fraction"
    _known: dict[Exact, Decimal | None] = field(default_factory=dict)
    _spelled: dict[tuple[Style, Exact], Formula] = field(default_factory=dict)
    undecided: set[Exact] = field(default_factory=set)

    def styled(self, style: Style) -> Numbers:
        """The same in another style."""
        return self if style == self.style else replace(self, style=style)

    def closer(self, more: int) -> Numbers:
        """The same with so many places more."""
        significant = None if self.significant is None else self.significant + more
        return replace(self, digits=self.digits + more, significant=significant, _known={})

    def exact(self, x: Exact) -> Formula:
        """The closed form, with the symbols of the page for what stands in it by name.

        Of a number that has a decimal it is written only where a reader could follow it.
        """
        found = self._spelled.get((self.style, x))
        if found is None:
            form = ENDLESS if _sprawling(x) else spell(x, self.style)
            found = self._spelled[self.style, x] = rewritten(form, _entry) if x.symbolic else form
        return found

    def exponent(self, x: Exact) -> Formula:
        """The closed form on one line, as it stands in an exponent."""
        c = x.algebraic
        if c is None or c.carried:
            return self.exact(x)
        return rewritten(spell_coefficient(c, self.style, flat=True), _entry)

    def decimal(self, x: Exact) -> Decimal | None:
        """The decimal, or None with free symbols, minus infinity, or an undecided rounding."""
        if x not in self._known:
            self._known[x] = self._rounded(x)
        return self._known[x]

    def _rounded(self, x: Exact) -> Decimal | None:
        if isinstance(x, Infinite):
            return None
        try:
            found = printed(x, self.digits, self.significant)
            if self.significant is None and "e" not in found.digits:
                return self._readable(x, found)
            return found
        except (HasSymbols, ValueError):
            return None
        except Undecided:
            self.undecided.add(x)
            return None

    def _readable(self, x: Exact, found: Decimal) -> Decimal:
        """The decimal with a power of ten where it would be a row of zeros or a long integer."""
        vanishes = x and not found.digits.strip("-0.") and not _sprawling(x)
        long = len(found.digits.lstrip("-").partition(".")[0]) > MOST_INTEGER_DIGITS and not found.exact
        if not (vanishes or long):
            return found
        try:
            short = significant(x, max(self.digits - 1, 1) if vanishes else max(self.digits + 1, 2))
        except Undecided:
            return found
        return short if vanishes or "e" in short.digits else found  # 24155000 would be no rounding to places

    def links(self, x: Exact, shown: Formula | None = None, longest: float = LONG_FORM) -> tuple[Link, ...]:
        """`= exact ≈ decimal`: no ≈ where the exact form is the decimal, no exact form that is too long.

        `shown` is what the chain ends with already; it is not repeated.
        """
        exact = self.exact(x)
        links: list[Link] = []
        decimal = self.decimal(x)
        telling = exact != shown and not (shown and in_names(x) and length(exact) >= length(shown))
        if telling and (length(exact) <= longest or (decimal is None and x.algebraic is not None)):
            links.append(("=", exact))
        if decimal is not None and not is_numeral(exact):
            digits = trimmed(decimal) if decimal.exact else decimal.digits
            links.append(("=" if decimal.exact else "≈", Number(digits)))
        return tuple(links)

    def base(self, base: Base) -> Formula:
        """The base of a softmax."""
        return base.written if base.value is None else self.exact(base.value)

    def exact_cells(self, rows: Sequence[Sequence[Exact]]) -> tuple[tuple[Formula, ...], ...]:
        """The closed forms of a matrix; where all are numerals, with equal decimals."""
        cells = tuple(tuple(self.exact(x) for x in row) for row in rows)
        places = common_places(cells)
        return tuple(tuple(padded(cell, places) for cell in row) for row in cells)

    def decimal_cells(
        self, rows: Sequence[Sequence[Exact]]
    ) -> tuple[Relation, tuple[tuple[Formula, ...], ...]] | None:
        """The decimals of a matrix with their relation sign, a zero as 0; None where an entry has none."""
        cells: list[tuple[Formula, ...]] = []
        exact = True
        for row in rows:
            line: list[Formula] = []
            for x in row:
                if isinstance(x, Infinite):
                    line.append(Negative(Infinity()))
                    continue
                decimal = self.decimal(x)
                if decimal is None:
                    return None
                exact = exact and decimal.exact
                line.append(Number(decimal.digits if x else "0"))
            cells.append(tuple(line))
        return ("=" if exact else "≈"), tuple(cells)


def _sprawling(x: Exact) -> bool:
    """Whether a closed form without free symbols is longer than anybody would read."""
    if isinstance(x, Infinite):
        return False
    sizes = [terms.by_exponent for terms in (x.over, x.under)]
    if not x.symbolic:
        return sum(map(len, sizes)) > MOST_TERMS
    opaque = [c for size in sizes for pair in size.items() for c in pair if not isinstance(c, Surd)]
    if any(c.carried and c.size > LONGEST for c in opaque):
        return True
    return sum(c.operations for c in opaque) > MOST_OPERATIONS and not free_symbols(x)


def _entry(part: object) -> Formula | None:
    """An entry that a closed form has by its name in the computation, as the page writes it."""
    if isinstance(part, Entry) and isinstance(part.matrix, Symbol):
        return replace(part, matrix=symbol(part.matrix.name))
    return None


def is_numeral(formula: Formula) -> bool:
    """Whether a formula is its own decimal: a number, or minus infinity."""
    return isinstance(formula, Number) or formula == Negative(Infinity())


def trimmed(decimal: Decimal) -> str:
    """The digits of an exact decimal without the zeros at its end."""
    digits, e, exponent = decimal.digits.partition("e")
    return f"{digits.rstrip('0').rstrip('.') if '.' in digits else digits}{e}{exponent}"


def common_places(cells: Sequence[Sequence[Formula]]) -> int:
    """The decimal places that all entries of a matrix get: the most of any, 0 where one is no numeral."""
    if not all(is_numeral(cell) for row in cells for cell in row):
        return 0
    numerals = [cell.digits for row in cells for cell in row if isinstance(cell, Number)]
    return max((len(digits.partition(".")[2]) for digits in numerals), default=0)


def padded(form: Formula, places: int) -> Formula:
    """A numeral with zeros up to `places` decimals; any other formula, and a power of ten, as it is."""
    if not places or not isinstance(form, Number) or "e" in form.digits:
        return form
    whole, _, decimals = form.digits.partition(".")
    return Number(f"{whole}.{decimals.ljust(places, '0')}")


def length(formula: Formula) -> float:
    """About how many digits wide a formula prints; scripts count less, a fraction is as wide as its parts."""
    match formula:
        case Number(digits=digits):
            return len(digits)
        case Symbol(name=name, sub=sub, sup=sup):
            return (1 if name in GREEK else len(name)) + SCRIPT * sum(
                length(s) for s in (sub, sup) if s is not None
            )
        case Text(words=words):
            return len(words)
        case Sum(terms=terms):
            return sum(map(length, terms)) + 2 * (len(terms) - 1)
        case Product(factors=factors, sign=sign):
            return sum(map(length, factors)) + bool(sign) * (len(factors) - 1)
        case Quotient(over=over, under=under, flat=flat):
            return length(over) + length(under) + 1 if flat else max(length(over), length(under))
        case Power(base=base, exponent=exponent):
            return length(base) + SCRIPT * length(exponent)
        case Negative(term=inner) | Root(radicand=inner) | Absolute(body=inner):
            return length(inner) + 1
        case Call(function=function, arguments=arguments):
            return len(function) + 2 + sum(map(length, arguments))
        case Entry(matrix=matrix):
            return length(matrix) + 2 * SCRIPT
    return 1
